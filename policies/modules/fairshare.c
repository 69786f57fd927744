/* policies/modules/fairshare.c - users that used little of their shares go
 * first.
 *
 * Users of accounts have shares (accounts of the trace) and usage, which
 * decays: the amounts that their jobs hold, weighted, times seconds.  At the
 * end of each period the factors of all users are computed (fair_share.h).
 * They order jobs, or are one factor of module multifactor.
 */
#include <assert.h>

#include "policies/modules/decayed_usage.h"
#include "policies/modules/fair_share.h"
#include "policies/policy.h"

#define GIB 1073741824.0
#define RATE_MOST INT64_C(1000000000000) /* of a task: an amount of 1e6 */

enum {
    ORDER,
    MODE,
    HALF_LIFE,
    PERIOD,
    PHASE,
    RESET,
    DAMPENING,
    BILLING,
    BILLED,
    ENDED
};
enum { SUM, MOST, MOST_AND_DEVICES };

#define HALF_LIVES 8
#define PERIODS 1000
#define TIME_MOST (GSP_NEVER / 4)

static const char *const modes[] = { "tree", "classic", "depth-oblivious",
                                     NULL };
static const char *const billed[] = { "sum", "most", "most-and-devices", NULL };

static const struct gsp_param params[] = {
    { "order", GSP_YESNO, "yes", 0, 1,
      "order jobs; no: only a factor of module multifactor", NULL },
    { "mode", GSP_CHOICE, "tree", 0, 0,
      "tree: Fair Tree; classic: by usage / shares; or depth-oblivious",
      modes },
    { "half_life", GSP_TIME, "7d", 0, INT64_MAX,
      "after which half of the usage counts; 0s: all of it", NULL },
    { "period", GSP_TIME, "5m", DECAYED_SECOND, INT64_MAX,
      "time between two computations, in whole seconds", NULL },
    { "phase", GSP_TIME, "0s", 0, INT64_MAX, "a time at which a period ends",
      NULL },
    { "reset", GSP_TIME, "0s", 0, INT64_MAX,
      "time after which usage is 0 again, counted from time 0; 0s: never",
      NULL },
    { "dampening", GSP_REAL, "1", 1, 1000000,
      "of the factors, but for mode tree: usage counts so many times less",
      NULL },
    { "billing", GSP_WEIGHTS, "{gpu: 1}", 0, 0,
      "weight of a GPU, a CPU, a GiB of memory ... in the usage", NULL },
    { "billed", GSP_CHOICE, "sum", 0, 0,
      "sum: of the weighted resources of a task; most: the greatest; "
      "most-and-devices: of CPUs, memory and pods the greatest, and all others",
      billed },
    { "ended", GSP_YESNO, "yes", 0, 1,
      "count the part of a period in which a job ended; no: only jobs that run "
      "at its end",
      NULL },
};

struct fairshare {
    const struct gsp_host *host;
    void *ctx;
    bool orders;
    uint32_t dims;
    const double *weight;
    bool *competes;       /* [dimension] only the greatest of these counts */
    double *amount;       /* of a task, by dimension */
    gsp_time computed_at; /* end of the last period in the factors */
    gsp_time settles_at;  /* when they will hardly change by time alone */
    gsp_time settling;    /* how long that takes after a change of rates */
    int64_t *rate;        /* [account] when they changed last */
    struct decayed_usage usage;
    struct fair_share shares;
};

static void compute(struct fairshare *f)
{
    for (uint32_t i = 0; i < f->shares.count; i++) {
        const struct decayed_holder *h = &f->usage.holder[i];

        f->shares.entry[i].used = h->used;
        if (f->rate[i] != h->rate)
            f->settles_at = f->usage.at + f->settling;
        f->rate[i] = h->rate;
    }
    fair_compute(&f->shares);
}

/* Usage at constant rates is near its limit after some half-lives; without one,
 * the order is asked for some time.
 */
static gsp_time settling_of(gsp_time half_life, gsp_time period)
{
    const gsp_time time = half_life > 0 ? half_life : period;
    const gsp_time times = half_life > 0 ? HALF_LIVES : PERIODS;

    return time < TIME_MOST / times ? time * times : TIME_MOST;
}

static int fairshare_open(const struct gsp_host *host, void *ctx,
                          const union gsp_value *value, void **self)
{
    struct fairshare *f = host->keep(ctx, sizeof(*f));

    if (value[PERIOD].whole % DECAYED_SECOND != 0)
        return host->fail(ctx, "'period' must be whole seconds", NULL);
    f->host = host;
    f->ctx = ctx;
    f->orders = value[ORDER].whole != 0;
    f->dims = host->dims(ctx);
    f->competes = host->keep(ctx, f->dims * sizeof(*f->competes));
    for (uint32_t d = 0; d < f->dims; d++)
        f->competes[d] = value[BILLED].whole == MOST
                         || (value[BILLED].whole == MOST_AND_DEVICES
                             && (d == GSP_CPU || d == GSP_MEMORY
                                 || d == GSP_PODS));
    f->weight = value[BILLING].weights;
    f->amount = host->keep(ctx, f->dims * sizeof(*f->amount));
    fair_open(&f->shares, host, ctx, (int)value[MODE].whole,
              value[DAMPENING].real);
    f->rate = host->keep(ctx, f->shares.count * sizeof(*f->rate));
    f->settling = settling_of(value[HALF_LIFE].whole, value[PERIOD].whole);
    decayed_open(&f->usage, host, ctx, f->shares.count, value[HALF_LIFE].whole,
                 value[PERIOD].whole, value[PHASE].whole, value[RESET].whole);
    f->usage.counts_ended = value[ENDED].whole != 0;
    f->computed_at = f->usage.at;
    for (uint32_t i = 0; i < f->shares.count; i++)
        f->usage.holder[i].used = host->account_usage(ctx, i);
    compute(f);
    *self = f;
    return 0;
}

/* --- usage ---------------------------------------------------------------- */

/* The weighted amounts of a task, in millionths. */
static int64_t rate_of(struct fairshare *f, const struct gsp_job *j,
                       uint32_t group)
{
    const struct gsp_task *t = f->host->job_task(j, group);
    const uint32_t qos = f->host->job_qos(j);
    double sum;

    for (uint32_t d = 0; d < f->dims; d++)
        f->amount[d] = (double)f->host->amount(t, d)
                       / (d == GSP_MEMORY ? GIB
                          : d == GSP_PODS ? 1
                                          : 1000);
    sum = decayed_billing(f->weight, f->amount, f->competes, f->dims);
    if (qos != GSP_NONE)
        sum *= f->host->qos_usage_factor(f->ctx, qos);
    sum *= DECAYED_ONE;
    return sum < (double)RATE_MOST ? (int64_t)sum : RATE_MOST;
}

static void change(struct fairshare *f, const struct gsp_job *j, uint32_t group,
                   int64_t tasks)
{
    const gsp_time now = f->host->now(f->ctx), start = f->host->job_started(j);

    decayed_change(&f->usage, f->host->job_account(j),
                   tasks * rate_of(f, j, group), start < now ? start : now,
                   now);
}

static void fairshare_on_place(void *self, const struct gsp_job *j,
                               uint32_t group, uint32_t node, uint32_t tasks)
{
    (void)node;
    change(self, j, group, (int64_t)tasks);
}

static void fairshare_on_release(void *self, const struct gsp_job *j,
                                 uint32_t group, uint32_t node, uint32_t tasks)
{
    (void)node;
    change(self, j, group, -(int64_t)tasks);
}

/* --- order ---------------------------------------------------------------- */

static bool fairshare_reorder(void *self)
{
    struct fairshare *f = self;
    const gsp_time before = f->computed_at;

    (void)decayed_advance(&f->usage, f->host->now(f->ctx));
    if (f->usage.at == before)
        return false;
    f->computed_at = f->usage.at;
    compute(f);
    return f->orders;
}

static gsp_time fairshare_reorders_at(void *self)
{
    const struct fairshare *f = self;

    return f->computed_at < f->settles_at ? f->computed_at + f->usage.period
                                          : GSP_NEVER;
}

static double fairshare_fair_share(void *self, const struct gsp_job *j)
{
    const struct fairshare *f = self;

    return fair_factor(&f->shares, f->host->job_account(j));
}

static int fairshare_job_order(void *self, const struct gsp_job *a,
                               const struct gsp_job *b)
{
    const struct fairshare *f = self;
    double x, y;

    if (!f->orders)
        return 0;
    x = fairshare_fair_share(self, a);
    y = fairshare_fair_share(self, b);
    return (x < y) - (x > y);
}

extern const struct gsp_module gsp_module_fairshare;
const struct gsp_module gsp_module_fairshare = {
    GSP_ABI,
    .name = "fairshare",
    .summary = "users of accounts that used little of their shares first",
    GSP_PARAMS(params),
    .reads = GSP_READS_ACCOUNTS | GSP_READS_QOS,
    .open = fairshare_open,
    .job_order = fairshare_job_order,
    .on_place = fairshare_on_place,
    .on_release = fairshare_on_release,
    .reorder = fairshare_reorder,
    .reorders_at = fairshare_reorders_at,
    .fair_share = fairshare_fair_share,
};
