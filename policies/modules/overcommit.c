/* policies/modules/overcommit.c - how many jobs may stand in the queue.
 *
 * Volcano's plugin: a job enters while what has entered and is not running
 * yet, with its own minimum, fits into the cluster's total x factor less what
 * is used.  A factor below 1 counts as the default.
 */
#include "policies/policy.h"

#define FACTOR 1.2

struct overcommit {
    const struct gsp_host *host;
    void *ctx;
    double factor;
};

static const struct gsp_param params[] = {
    { "factor", GSP_REAL, "1.2", 0, 1000,
      "of the cluster's total; below 1: the default", NULL },
};

static int overcommit_open(const struct gsp_host *host, void *ctx,
                           const union gsp_value *value, void **self)
{
    struct overcommit *o = host->keep(ctx, sizeof(*o));

    o->host = host;
    o->ctx = ctx;
    o->factor = value[0].real < 1 ? FACTOR : value[0].real;
    *self = o;
    return 0;
}

/* Sum over the queues at the top of the tree. */
static int64_t sum(const struct overcommit *o, uint32_t dim)
{
    int64_t n = 0;

    for (uint32_t q = 0; q < o->host->queues(o->ctx); q++) {
        if (o->host->queue_parent(o->ctx, q) == GSP_NONE)
            n += o->host->queue_used(o->ctx, q)[dim]
                 + o->host->queue_entered(o->ctx, q)[dim];
    }
    return n;
}

static bool overcommit_enqueue(void *self, const struct gsp_job *j)
{
    const struct overcommit *o = self;
    const int64_t *minimum = o->host->job_minimum(j);

    for (uint32_t d = 0; d < o->host->dims(o->ctx); d++) {
        const int64_t total = o->host->dim_total(o->ctx, d);

        if (d != GSP_PODS && minimum[d] > 0
            && (double)(sum(o, d) + minimum[d]) > (double)total * o->factor)
            return false;
    }
    return true;
}

extern const struct gsp_module gsp_module_overcommit;
const struct gsp_module gsp_module_overcommit = {
    .abi_major = GSP_ABI_MAJOR,
    .abi_minor = GSP_ABI_MINOR,
    .size = sizeof(struct gsp_module),
    .name = "overcommit",
    .summary = "jobs enter the queue while the cluster x factor has room",
    .param = params,
    .param_count = sizeof(params) / sizeof(params[0]),
    .open = overcommit_open,
    .enqueue = overcommit_enqueue,
};
