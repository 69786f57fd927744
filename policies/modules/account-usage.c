/* policies/modules/account-usage.c - accounts that used little of a queue get
 * quota first.
 *
 * With action admit jobs that wait for quota in one queue are in the order of
 * what their accounts hold on average (account_usage.h), divided by their
 * shares, where the queue says `order: fair`; jobs of the queue that are
 * evicted for them, in the reverse order.  The account of a job without one is
 * its user.
 */
#include "policies/modules/account_usage.h"

static const char *const orders[] = { "fifo", "fair", NULL };

enum { ORDER, HALF_LIFE, INTERVAL, WEIGHTS };

#define HALF_LIVES 64 /* after so many an average hardly changes */
#define TIME_MOST (GSP_NEVER / 4)
#define WEIGHT_MOST INT64_C(1000000000000000) /* weights of bytes, too */

static const struct gsp_param params[] = {
    { "order", GSP_CHOICE, "fair", 0, 0,
      "of queues that state none; fair: the account that used least first",
      orders },
    { "half_life", GSP_TIME, "7d", 0, INT64_MAX,
      "of what accounts hold on average; 0s: nothing is remembered", NULL },
    { "interval", GSP_TIME, "5m", 1, INT64_MAX,
      "time between two computations of the average", NULL },
    { "weights", GSP_WEIGHTS, "{}", 0, WEIGHT_MOST,
      "of a GPU, a CPU, a GiB of memory ...; 1 for those that are not stated",
      NULL },
};

struct accounts {
    const struct gsp_host *host;
    void *ctx;
    bool is_fair; /* queues that state no order */
    uint32_t count, dims;
    const double *weight;
    struct account_clock clock;
    gsp_time computed;           /* the last multiple of the interval */
    gsp_time settles;            /* when averages will hardly change */
    int64_t *held;               /* [account][dim] */
    struct account_usage *usage; /* [account] */
};

static int account_usage_open(const struct gsp_host *host, void *ctx,
                              const union gsp_value *value, void **self)
{
    struct accounts *a = host->keep(ctx, sizeof(*a));

    a->host = host;
    a->ctx = ctx;
    a->is_fair = value[ORDER].whole == 1;
    a->count = host->accounts(ctx);
    a->dims = host->dims(ctx);
    a->weight = value[WEIGHTS].weights;
    a->clock = (struct account_clock){ value[HALF_LIFE].whole,
                                       value[INTERVAL].whole };
    a->held = host->keep(ctx,
                         ((size_t)a->count * a->dims + 1) * sizeof(*a->held));
    a->usage = host->keep(ctx, ((size_t)a->count + 1) * sizeof(*a->usage));
    *self = a;
    return 0;
}

/* The account of the job; its user, if it has none. */
static uint32_t account_of(const struct accounts *a, const struct gsp_job *j)
{
    const uint32_t entry = a->host->job_account(j);
    const uint32_t above = a->host->account_parent(a->ctx, entry);

    return above != GSP_NONE
                   && a->host->account_parent(a->ctx, above) != GSP_NONE
                   && a->host->account_is_user(a->ctx, entry)
               ? above
               : entry;
}

static double held(const struct accounts *a, uint32_t account)
{
    return account_sum(a->weight, a->held + (size_t)account * a->dims, a->dims);
}

static bool is_fair(const struct accounts *a, uint32_t queue)
{
    const int64_t own = a->host->queue_term(a->ctx, queue, GSP_TERM_ORDER);

    return own >= 0 ? own == 1 : a->is_fair;
}

static void account_usage_on_quota(void *self, const struct gsp_job *j,
                                   const int64_t *amount, bool holds)
{
    struct accounts *a = self;
    const uint32_t account = account_of(a, j);
    int64_t *of = a->held + (size_t)account * a->dims;
    const gsp_time now = a->host->now(a->ctx);
    struct account_usage *u = &a->usage[account];

    account_advance(&a->clock, u, held(a, account),
                    now - now % a->clock.interval);
    for (uint32_t d = 0; d < a->dims; d++)
        of[d] += holds ? amount[d] : -amount[d];
    a->settles = a->clock.half_life < TIME_MOST / HALF_LIVES - now
                     ? now + a->clock.half_life * HALF_LIVES
                     : TIME_MOST;
    if (!holds || a->host->job_started(j) != GSP_NEVER)
        return; /* it runs already: that is in the average of the next time */
    account_advance(&a->clock, u, held(a, account), now);
    if (is_fair(a, a->host->job_queue(j)))
        account_enter(&a->clock, u, account_sum(a->weight, amount, a->dims));
}

static double account_usage_usage(void *self, const struct gsp_job *j)
{
    const struct accounts *a = self;
    const uint32_t account = account_of(a, j);
    const uint32_t shares = a->host->account_shares(a->ctx, account);

    return is_fair(a, a->host->job_queue(j)) ? account_level(
               &a->usage[account], shares == GSP_NONE ? 1 : shares)
                                             : 0;
}

static bool account_usage_reorder(void *self)
{
    struct accounts *a = self;
    const gsp_time now = a->host->now(a->ctx);
    const gsp_time at = now - now % a->clock.interval;

    if (at <= a->computed)
        return false;
    a->computed = at;
    for (uint32_t i = 0; i < a->count; i++)
        account_advance(&a->clock, &a->usage[i], held(a, i), at);
    return true;
}

static gsp_time account_usage_reorders_at(void *self)
{
    const struct accounts *a = self;

    return a->computed < a->settles ? a->computed + a->clock.interval
                                    : GSP_NEVER;
}

extern const struct gsp_module gsp_module_account_usage;
const struct gsp_module gsp_module_account_usage = {
    GSP_ABI,
    .name = "account-usage",
    .summary = "quota first to jobs of accounts that used little of it",
    GSP_PARAMS(params),
    .reads = GSP_READS_ACCOUNTS,
    .terms = UINT64_C(1) << GSP_TERM_ORDER,
    .open = account_usage_open,
    .reorder = account_usage_reorder,
    .reorders_at = account_usage_reorders_at,
    .on_quota = account_usage_on_quota,
    .usage = account_usage_usage,
};
