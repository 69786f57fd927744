/* policies/modules/drf.c - dominant resource fairness (Ghodsi et al., NSDI'11).
 *
 * The share of a job, or of a queue, is the maximum over the resources of held
 * / total in the cluster; the share of a queue is divided by its weight. The
 * lower share is served first.
 *
 * A job may take from another if its share after taking, including all that its
 * gang still asks for, is below the share of the other after giving, or within
 * 1e-6 of it.  Preempt compares jobs, reclaim queues; of queues in a tree it
 * compares their ancestors that are children of the lowest common ancestor.
 * Resources that the cluster lacks are left out, and so are pods.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "policies/modules/queue_tree.h"
#include "policies/policy.h"

#define DELTA 1e-6 /* as in Volcano */

__extension__ typedef unsigned __int128 wide;

/* Amounts taken from one job in one round of victims. */
struct taken {
    uint64_t round; /* 0: free */
    uint32_t job;
    double *amount; /* by dimension */
};

struct drf {
    const struct gsp_host *host;
    void *ctx;
    bool jobs, queues;
    struct queue_tree tree;
    uint32_t dims, queue_count;
    int64_t *total;      /* by dimension; 0: left out */
    double *queue_taken; /* [queue * dims + dim], in the present round */
    double *missing;     /* by dimension: what the preempting job still lacks */
    uint64_t round;
    struct taken *taken; /* open hashing by job */
    uint32_t slots;      /* a power of two, or 0 */
};

static const struct gsp_param params[] = {
    { "jobs", GSP_YESNO, "yes", 0, 1, "order and weigh jobs", NULL },
    { "queues", GSP_YESNO, "yes", 0, 1, "order and weigh queues", NULL },
};

static int drf_open(const struct gsp_host *host, void *ctx,
                    const union gsp_value *value, void **self)
{
    struct drf *f = host->keep(ctx, sizeof(*f));

    f->host = host;
    f->ctx = ctx;
    f->jobs = value[0].whole != 0;
    f->queues = value[1].whole != 0;
    f->dims = host->dims(ctx);
    f->queue_count = host->queues(ctx);
    queue_tree_open(&f->tree, host, ctx);
    f->total = host->keep(ctx, f->dims * sizeof(*f->total));
    f->missing = host->keep(ctx, f->dims * sizeof(*f->missing));
    f->queue_taken = host->keep(ctx, ((size_t)f->queue_count * f->dims + 1)
                                         * sizeof(*f->queue_taken));
    for (uint32_t d = 0; d < f->dims; d++)
        f->total[d] = d == GSP_PODS ? 0 : host->dim_total(ctx, d);
    *self = f;
    return 0;
}

/* --- orders --------------------------------------------------------------- */

/* The share as a fraction, so rounding never decides. */
struct share {
    uint64_t used, total;
};

static bool exceeds(struct share a, struct share b)
{
    assert(a.total > 0 && b.total > 0);
    return (wide)a.used * b.total > (wide)b.used * a.total;
}

static struct share dominant(const struct drf *f, const int64_t *used)
{
    struct share most = { 0, 1 };

    assert(used);
    for (uint32_t d = 0; d < f->dims; d++) {
        if (f->total[d] > 0 && used[d] > 0) {
            const struct share s = { (uint64_t)used[d], (uint64_t)f->total[d] };

            if (exceeds(s, most))
                most = s;
        }
    }
    return most;
}

static int drf_job_order(void *self, const struct gsp_job *a,
                         const struct gsp_job *b)
{
    const struct drf *f = self;
    struct share x, y;

    if (!f->jobs)
        return 0;
    /* the host reuses this vector at the next call */
    x = dominant(f, f->host->job_used(a));
    y = dominant(f, f->host->job_used(b));
    return (int)exceeds(x, y) - (int)exceeds(y, x);
}

/* The share by the weight of the queue; with weight 0 any share is above all.
 */
static double weighted(const struct drf *f, uint32_t queue, double share)
{
    const double weight = f->host->queue_weight(f->ctx, queue);

    return weight > 0 ? share / weight : share > 0 ? HUGE_VAL : 0;
}

static double queue_share(const struct drf *f, uint32_t queue)
{
    const struct share s = dominant(
        f, f->host->queue_amount(f->ctx, queue, GSP_USED));

    assert(queue < f->queue_count);
    return weighted(f, queue, (double)s.used / (double)s.total);
}

static int drf_queue_order(void *self, uint32_t a, uint32_t b)
{
    const struct drf *f = self;
    double x, y;

    if (!f->queues)
        return 0;
    x = queue_share(f, a);
    y = queue_share(f, b);
    return (x > y) - (x < y);
}

static void drf_queue_key(void *self, uint32_t queue, double *key)
{
    const struct drf *f = self;

    if (f->queues)
        key[0] = queue_share(f, queue);
}

/* --- victims -------------------------------------------------------------- */

/* The share of a holder of `used`, without `less` and with `more` (may be
 * NULL).
 */
static double share_then(const struct drf *f, const int64_t *used,
                         const double *less, const double *more)
{
    double most = 0;

    assert(used && less);
    for (uint32_t d = 0; d < f->dims; d++) {
        const double then = (double)used[d] - less[d] + (more ? more[d] : 0);

        if (f->total[d] > 0 && then / (double)f->total[d] > most)
            most = then / (double)f->total[d];
    }
    return most;
}

static void add(const struct drf *f, double *sum, const int64_t *amount,
                double sign)
{
    for (uint32_t d = 0; d < f->dims; d++)
        sum[d] += sign * (double)amount[d];
}

static void find_missing(const struct drf *f, const struct gsp_job *j)
{
    const int64_t *amount = f->host->job_minimum(j);

    for (uint32_t d = 0; d < f->dims; d++)
        f->missing[d] = (double)amount[d];
    amount = f->host->job_used(j);
    for (uint32_t d = 0; d < f->dims; d++) {
        f->missing[d] -= (double)amount[d];
        if (f->missing[d] < 0)
            f->missing[d] = 0;
    }
}

/* Begin a round: room for `count` jobs, with nothing taken from any. */
static void start_round(struct drf *f, uint32_t count)
{
    uint32_t slots = f->slots ? f->slots : 64;
    double *amount;

    assert((slots & (slots - 1)) == 0);
    f->round++;
    while (slots / 2 < count)
        slots *= 2;
    if (slots == f->slots)
        return;
    f->taken = f->host->keep(f->ctx, slots * sizeof(*f->taken));
    amount = f->host->keep(f->ctx, (size_t)slots * f->dims * sizeof(*amount));
    for (uint32_t i = 0; i < slots; i++)
        f->taken[i].amount = amount + (size_t)i * f->dims;
    f->slots = slots;
}

static double *taken_of(struct drf *f, uint32_t job)
{
    uint32_t i = (job * 2654435769u) & (f->slots - 1);

    assert(f->slots > 0);
    while (f->taken[i].round == f->round && f->taken[i].job != job)
        i = (i + 1) & (f->slots - 1);
    if (f->taken[i].round != f->round) {
        f->taken[i].round = f->round;
        f->taken[i].job = job;
        memset(f->taken[i].amount, 0, f->dims * sizeof(double));
    }
    return f->taken[i].amount;
}

static void preempt_victims(struct drf *f, const struct gsp_job *j,
                            const struct gsp_victims *v, uint8_t *spared)
{
    double *nothing, taker;

    start_round(f, v->count + 1);
    find_missing(f, j);
    nothing = taken_of(f, f->host->job_id(j));
    taker = share_then(f, f->host->job_used(j), nothing, f->missing);
    for (uint32_t i = 0; i < v->count; i++) {
        const struct gsp_job *other = v->at[i].job;
        const int64_t *amount = v->at[i].amount;
        double *taken;

        if (spared[i])
            continue;
        taken = taken_of(f, f->host->job_id(other));
        add(f, taken, amount, 1);
        if (taker
            > share_then(f, f->host->job_used(other), taken, NULL) + DELTA) {
            spared[i] = 1;
            add(f, taken, amount, -1);
        }
    }
}

static void take_from_queues(struct drf *f, uint32_t queue,
                             const int64_t *amount, double sign)
{
    assert(queue < f->queue_count);
    assert(sign == 1 || sign == -1);
    for (; queue != f->tree.root; queue = f->tree.node[queue].parent)
        add(f, f->queue_taken + (size_t)queue * f->dims, amount, sign);
}

/* The weighted share of the queue after giving and taking. */
static double queue_share_then(const struct drf *f, uint32_t queue,
                               const double *more)
{
    return weighted(f, queue,
                    share_then(f,
                               f->host->queue_amount(f->ctx, queue, GSP_USED),
                               f->queue_taken + (size_t)queue * f->dims, more));
}

static void reclaim_victims(struct drf *f, const struct gsp_job *j,
                            const struct gsp_victims *v, uint8_t *spared)
{
    const uint32_t own = f->host->job_queue(j);

    memset(f->queue_taken, 0,
           (size_t)f->queue_count * f->dims * sizeof(*f->queue_taken));
    find_missing(f, j);
    for (uint32_t i = 0; i < v->count; i++) {
        const int64_t *amount = v->at[i].amount;
        const uint32_t queue = f->host->job_queue(v->at[i].job);
        uint32_t taker = own, giver = queue;

        if (spared[i])
            continue;
        take_from_queues(f, queue, amount, 1);
        if (!queue_tree_siblings(&f->tree, &taker, &giver)
            || queue_share_then(f, taker, f->missing)
                   > queue_share_then(f, giver, NULL) + DELTA) {
            spared[i] = 1;
            take_from_queues(f, queue, amount, -1);
        }
    }
}

static bool drf_victims(void *self, enum gsp_why why, const struct gsp_job *j,
                        const struct gsp_victims *v, uint8_t *spared)
{
    struct drf *f = self;

    if (why == GSP_PREEMPT ? !f->jobs : !f->queues)
        return false;
    if (why == GSP_PREEMPT)
        preempt_victims(f, j, v, spared);
    else
        reclaim_victims(f, j, v, spared);
    return true;
}

static uint32_t drf_unread(const union gsp_value *value)
{
    return value[1].whole ? 0 : GSP_READS_QUEUE_WEIGHT;
}

extern const struct gsp_module gsp_module_drf;
const struct gsp_module gsp_module_drf = {
    GSP_ABI,
    .name = "drf",
    .summary = "the lowest dominant share first: jobs, and queues by weight",
    GSP_PARAMS(params),
    .promises = GSP_KEYS_DECIDE,
    .reads = GSP_READS_QUEUE_WEIGHT,
    .open = drf_open,
    .unread = drf_unread,
    .job_order = drf_job_order,
    .queue_order = drf_queue_order,
    .victims = drf_victims,
    .queue_key = drf_queue_key,
};
