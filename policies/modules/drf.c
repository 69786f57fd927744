/* policies/modules/drf.c - dominant resource fairness (Ghodsi et al.,
 * NSDI'11): whoever has the smallest dominant share goes first.
 *
 * A share is the largest, over resources, of held / in the cluster; a queue's
 * is divided by its weight.  Queues below one parent are compared with one
 * another.  As in Volcano's plugin a job may preempt when its share after
 * taking is below the victim's after giving, or within 1e-6 of it.
 */
#include "policies/policy.h"

#define DIMS_MAX 16
#define DELTA 1e-6

struct drf {
    const struct gsp_host *host;
    void *ctx;
    uint32_t dims;
    int64_t total[DIMS_MAX]; /* 0: left out */
    bool orders_jobs, orders_queues;
};

/* num / den; exact, so that rounding never decides an order. */
struct fraction {
    int64_t num, den;
};

static const struct gsp_param params[] = {
    { "jobs", GSP_YESNO, "yes", 0, 0, "order the jobs of a queue by share",
      NULL },
    { "queues", GSP_YESNO, "yes", 0, 0, "order queues by share / weight",
      NULL },
};

static int drf_open(const struct gsp_host *host, void *ctx,
                    const union gsp_value *value, void **self)
{
    struct drf *d = host->keep(ctx, sizeof(*d));

    d->host = host;
    d->ctx = ctx;
    d->dims = host->dims(ctx);
    d->orders_jobs = value[0].whole != 0;
    d->orders_queues = value[1].whole != 0;
    for (uint32_t i = 0; i < d->dims; i++)
        d->total[i] = i == GSP_PODS ? 0 : host->dim_total(ctx, i);
    *self = d;
    return 0;
}

__extension__ typedef __int128 wide;

static int compare(const struct fraction *a, const struct fraction *b)
{
    const wide x = (wide)a->num * b->den, y = (wide)b->num * a->den;

    return (x > y) - (x < y);
}

static struct fraction share(const struct drf *d, const int64_t *used)
{
    struct fraction most = { 0, 1 };

    for (uint32_t i = 0; i < d->dims; i++) {
        const struct fraction f = { used[i], d->total[i] };

        if (f.den > 0 && compare(&f, &most) > 0)
            most = f;
    }
    return most;
}

static double as_number(struct fraction f)
{
    return (double)f.num / (double)f.den;
}

/* --- order ------------------------------------------------------------------ */

static int drf_job_order(void *self, const struct gsp_job *a,
                         const struct gsp_job *b)
{
    const struct drf *d = self;
    struct fraction x, y;

    if (!d->orders_jobs)
        return 0;
    x = share(d, d->host->job_used(a));
    y = share(d, d->host->job_used(b));
    return compare(&x, &y);
}

static double queue_share(const struct drf *d, uint32_t queue,
                          const int64_t *used)
{
    return as_number(share(d, used)) / d->host->queue_weight(d->ctx, queue);
}

static int drf_queue_order(void *self, uint32_t a, uint32_t b)
{
    const struct drf *d = self;
    double x, y;

    if (!d->orders_queues)
        return 0;
    x = queue_share(d, a, d->host->queue_used(d->ctx, a));
    y = queue_share(d, b, d->host->queue_used(d->ctx, b));
    return (x > y) - (x < y);
}

/* --- victims ---------------------------------------------------------------- */

/* What the job holds once its gang is complete. */
static void after_taking(const struct drf *d, const struct gsp_job *j,
                         int64_t *sum)
{
    const int64_t *used = d->host->job_used(j);
    const int64_t *minimum = d->host->job_minimum(j);

    for (uint32_t i = 0; i < d->dims; i++)
        sum[i] = used[i] > minimum[i] ? used[i] : minimum[i];
}

/* What the victim's job holds without it and the victims before it. */
static void after_giving(const struct drf *d, const struct gsp_victims *v,
                         uint32_t at, const uint8_t *spared, int64_t *sum)
{
    const struct gsp_job *job = d->host->victim_job(v, at);
    const int64_t *used = d->host->job_used(job);

    for (uint32_t i = 0; i < d->dims; i++)
        sum[i] = used[i];
    for (uint32_t k = 0; k <= at; k++) {
        const int64_t *gone = d->host->victim_amount(v, k);

        if ((k < at && spared[k])
            || d->host->job_id(d->host->victim_job(v, k))
                   != d->host->job_id(job))
            continue;
        for (uint32_t i = 0; i < d->dims; i++)
            sum[i] -= gone[i];
    }
}

static void spare_jobs(const struct drf *d, const struct gsp_job *j,
                       const struct gsp_victims *v, uint8_t *spared)
{
    int64_t sum[DIMS_MAX];
    double mine;

    after_taking(d, j, sum);
    mine = as_number(share(d, sum));
    for (uint32_t i = 0; i < d->host->victims(v); i++) {
        double left;

        after_giving(d, v, i, spared, sum);
        left = as_number(share(d, sum));
        spared[i] = !(mine < left || mine - left <= DELTA);
    }
}

static uint32_t depth(const struct drf *d, uint32_t queue)
{
    uint32_t n = 0;

    while ((queue = d->host->queue_parent(d->ctx, queue)) != GSP_NONE)
        n++;
    return n;
}

/* The ancestors of both queues right below the one they share; false when one
 * is above the other.
 */
static bool siblings(const struct drf *d, uint32_t *a, uint32_t *b)
{
    uint32_t x = depth(d, *a), y = depth(d, *b);

    for (; x > y; x--)
        *a = d->host->queue_parent(d->ctx, *a);
    for (; y > x; y--)
        *b = d->host->queue_parent(d->ctx, *b);
    if (*a == *b)
        return false;
    while (d->host->queue_parent(d->ctx, *a)
           != d->host->queue_parent(d->ctx, *b)) {
        *a = d->host->queue_parent(d->ctx, *a);
        *b = d->host->queue_parent(d->ctx, *b);
    }
    return true;
}

/* Is `queue` the other, or below it? */
static bool is_below(const struct drf *d, uint32_t queue, uint32_t other)
{
    while (queue != GSP_NONE && queue != other)
        queue = d->host->queue_parent(d->ctx, queue);
    return queue == other;
}

/* The queue `to` would still come before `from`, were the victim gone. */
static bool queue_gives(const struct drf *d, const struct gsp_job *j,
                        const struct gsp_victims *v, uint32_t at,
                        const uint8_t *spared)
{
    uint32_t to = d->host->job_queue(j);
    uint32_t from = d->host->job_queue(d->host->victim_job(v, at));
    const int64_t *minimum = d->host->job_minimum(j);
    int64_t x[DIMS_MAX], y[DIMS_MAX];

    if (!siblings(d, &to, &from))
        return false;
    for (uint32_t i = 0; i < d->dims; i++) {
        x[i] = d->host->queue_used(d->ctx, to)[i] + minimum[i];
        y[i] = d->host->queue_used(d->ctx, from)[i];
    }
    for (uint32_t k = 0; k <= at; k++) {
        const int64_t *gone = d->host->victim_amount(v, k);

        if ((k < at && spared[k])
            || !is_below(d, d->host->job_queue(d->host->victim_job(v, k)),
                         from))
            continue;
        for (uint32_t i = 0; i < d->dims; i++)
            y[i] -= gone[i];
    }
    return queue_share(d, to, x) - queue_share(d, from, y) <= DELTA;
}

static bool drf_victims(void *self, enum gsp_why why, const struct gsp_job *j,
                        const struct gsp_victims *v, uint8_t *spared)
{
    const struct drf *d = self;

    if (why == GSP_PREEMPT && d->orders_jobs) {
        spare_jobs(d, j, v, spared);
        return true;
    }
    if (why == GSP_RECLAIM && d->orders_queues) {
        for (uint32_t i = 0; i < d->host->victims(v); i++)
            spared[i] = !queue_gives(d, j, v, i, spared);
        return true;
    }
    return false;
}

extern const struct gsp_module gsp_module_drf;
const struct gsp_module gsp_module_drf = {
    .abi_major = GSP_ABI_MAJOR,
    .abi_minor = GSP_ABI_MINOR,
    .size = sizeof(struct gsp_module),
    .name = "drf",
    .summary = "the smallest dominant share goes first, of queues and of jobs",
    .param = params,
    .param_count = sizeof(params) / sizeof(params[0]),
    .open = drf_open,
    .job_order = drf_job_order,
    .queue_order = drf_queue_order,
    .victims = drf_victims,
};
