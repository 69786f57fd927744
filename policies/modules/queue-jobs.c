/* policies/modules/queue-jobs.c - the order of the jobs of a queue, as the
 * queue says: `order: fifo` by submission, `fair` by the share of the queue's
 * guarantee that they hold (guarantee_share.h); `order_priority: yes` by
 * priority before that, `no` behind it.  As YuniKorn's application.sort.policy.
 */
#include "policies/modules/guarantee_share.h"

static const char *const orders[] = { "fifo", "fair", NULL };

enum { ORDER, PRIORITY };

static const struct gsp_param params[] = {
    { "order", GSP_CHOICE, "fifo", 0, 0,
      "of queues that state none; fair: the smallest share first", orders },
    { "priority", GSP_YESNO, "yes", 0, 1,
      "likewise: the higher priority goes before", NULL },
};

static int by_priority(const struct gsp_self *s, const struct gsp_job *a,
                       const struct gsp_job *b)
{
    const int32_t x = s->host->job_priority(a), y = s->host->job_priority(b);

    return (x < y) - (x > y);
}

/* What the job holds; what it does not use does not count. */
static void used_of(const struct gsp_self *s, const struct gsp_job *j,
                    uint32_t dims, int64_t *out)
{
    const int64_t *used = s->host->job_used(j);

    for (uint32_t d = 0; d < dims; d++)
        out[d] = used[d] ? used[d] : GUARANTEE_NONE;
}

static int by_share(const struct gsp_self *s, const struct gsp_job *a,
                    const struct gsp_job *b, uint32_t queue)
{
    const uint32_t dims = s->host->dims(s->ctx);
    int64_t x[GUARANTEE_DIMS], y[GUARANTEE_DIMS];

    assert(dims <= GUARANTEE_DIMS);
    used_of(s, a, dims, x);
    used_of(s, b, dims, y);
    return guarantee_compare(
        dims, x, y, s->host->queue_amount(s->ctx, queue, GSP_GUARANTEE));
}

static int by_submission(const struct gsp_self *s, const struct gsp_job *a,
                         const struct gsp_job *b)
{
    const gsp_time x = s->host->job_since(a), y = s->host->job_since(b);

    return (x > y) - (x < y);
}

/* The term of the queue, or the parameter. */
static int64_t said(const struct gsp_self *s, uint32_t queue,
                    enum gsp_queue_term term, int param)
{
    const int64_t own = s->host->queue_term(s->ctx, queue, term);

    return own >= 0 ? own : s->value[param].whole;
}

static int queue_jobs_job_order(void *self, const struct gsp_job *a,
                                const struct gsp_job *b)
{
    const struct gsp_self *s = self;
    const uint32_t queue = s->host->job_queue(a);
    const bool first = said(s, queue, GSP_TERM_ORDER_PRIORITY, PRIORITY) > 0;
    int order = first ? by_priority(s, a, b) : 0;

    if (order)
        return order;
    order = said(s, queue, GSP_TERM_ORDER, ORDER) == 1
                ? by_share(s, a, b, queue)
                : by_submission(s, a, b);
    return order || first ? order : by_priority(s, a, b);
}

extern const struct gsp_module gsp_module_queue_jobs;
const struct gsp_module gsp_module_queue_jobs = {
    GSP_ABI,
    .name = "queue-jobs",
    .summary = "jobs of a queue by submission, share or priority, as it states",
    GSP_PARAMS(params),
    .reads = GSP_READS_PRIORITY | GSP_READS_QUEUE_GUARANTEE,
    .terms = UINT64_C(1) << GSP_TERM_ORDER
             | UINT64_C(1) << GSP_TERM_ORDER_PRIORITY,
    .job_order = queue_jobs_job_order,
};
