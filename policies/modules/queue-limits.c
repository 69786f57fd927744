/* policies/modules/queue-limits.c - a job takes no more than the limits of its
 * queue and of those above it leave, nor than its user and the group of it may
 * hold in them; and a queue runs no more than `max_jobs` jobs.
 *
 * A job counts from its first task on until it holds none.  Shares do not
 * matter: a queue may use all that its limit allows (YuniKorn's max and
 * maxapplications).
 */
#include <assert.h>
#include <string.h>

#include "policies/policy.h"

struct queue_limits {
    const struct gsp_host *host;
    void *ctx;
    uint32_t dims, queues;
    bool counts; /* a queue states max_jobs */
};

static int queue_limits_open(const struct gsp_host *host, void *ctx,
                             const union gsp_value *value, void **self)
{
    struct queue_limits *l = host->keep(ctx, sizeof(*l));

    (void)value;
    l->host = host;
    l->ctx = ctx;
    l->dims = host->dims(ctx);
    l->queues = host->queues(ctx);
    for (uint32_t q = 0; q < l->queues && !l->counts; q++)
        l->counts = host->queue_term(ctx, q, GSP_TERM_MAX_JOBS) >= 0;
    *self = l;
    return 0;
}

static bool is_within(const struct queue_limits *l, const int64_t *used,
                      const int64_t *asked, const int64_t *limit)
{
    for (uint32_t d = 0; d < l->dims; d++) {
        if (limit[d] >= 0 && asked[d] > 0 && used[d] > limit[d] - asked[d])
            return false;
    }
    return true;
}

/* May one more job of the queue hold tasks? */
static bool may_run(const struct queue_limits *l, uint32_t queue)
{
    for (uint32_t q = queue; q != GSP_NONE;
         q = l->host->queue_parent(l->ctx, q)) {
        const int64_t most = l->host->queue_term(l->ctx, q, GSP_TERM_MAX_JOBS);

        if (most >= 0 && l->host->queue_jobs(l->ctx, q) >= most)
            return false;
    }
    return true;
}

static bool queue_limits_allocatable(void *self, const struct gsp_job *j,
                                     const int64_t *asked)
{
    const struct queue_limits *l = self;
    const struct gsp_host *h = l->host;
    const uint32_t own = h->job_queue(j);

    if (!is_within(l, h->user_used(j), asked,
                   h->queue_amount(l->ctx, own, GSP_USER_LIMIT)))
        return false;
    for (uint32_t q = own; q != GSP_NONE; q = h->queue_parent(l->ctx, q)) {
        if (!h->queue_is_open(l->ctx, q)
            || !is_within(l, h->queue_amount(l->ctx, q, GSP_USED), asked,
                          h->queue_amount(l->ctx, q, GSP_LIMIT)))
            return false;
    }
    return (!l->counts || h->job_placed(j) > 0 || may_run(l, own))
           && !h->job_limit(j, asked);
}

/* Its own queue alone is checked: those above may be full of tasks about to be
 * evicted.
 */
static bool queue_limits_preemptive(void *self, const struct gsp_job *j,
                                    const int64_t *asked)
{
    const struct queue_limits *l = self;
    const uint32_t own = l->host->job_queue(j);

    return l->host->queue_is_open(l->ctx, own)
           && is_within(l, l->host->user_used(j), asked,
                        l->host->queue_amount(l->ctx, own, GSP_USER_LIMIT));
}

extern const struct gsp_module gsp_module_queue_limits;
const struct gsp_module gsp_module_queue_limits = {
    GSP_ABI,
    .name = "queue-limits",
    .summary = "no more than the limits of queues, users and jobs in queues",
    .reads = GSP_READS_QUEUE_LIMIT | GSP_READS_USER_LIMIT
             | GSP_READS_USER_LIMITS | GSP_READS_QUEUE_STATE,
    .terms = UINT64_C(1) << GSP_TERM_MAX_JOBS,
    .open = queue_limits_open,
    .allocatable = queue_limits_allocatable,
    .preemptive = queue_limits_preemptive,
};
