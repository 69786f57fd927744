/* policies/modules/overcommit.c - limits the requests of admitted jobs.
 *
 * Volcano's plugin: a job is admitted while what the admitted gangs still wait
 * for, and its own gang, is at most
 *   total x factor - used
 * in every resource that its gang asks for.  A factor below 1 counts as 1.2.
 */
#include "policies/policy.h"

#define FACTOR 1.2
#define SLACK 0.1 /* as in Volcano: smaller amounts are ignored */

struct overcommit {
    const struct gsp_host *host;
    void *ctx;
    double factor;
    uint32_t *top; /* top-level queues */
    uint32_t count;
    double *promised; /* [dim] */
    uint64_t ledger;  /* ledger for which `promised` was computed */
};

static const struct gsp_param params[] = {
    { "factor", GSP_REAL, "1.2", 0, 1000000,
      "of the cluster, that jobs may enter for; below 1: 1.2", NULL },
};

static int overcommit_open(const struct gsp_host *host, void *ctx,
                           const union gsp_value *value, void **self)
{
    struct overcommit *o = host->keep(ctx, sizeof(*o));

    o->host = host;
    o->ctx = ctx;
    o->factor = value[0].real < 1 ? FACTOR : value[0].real;
    o->ledger = UINT64_MAX;
    o->promised = host->keep(ctx, host->dims(ctx) * sizeof(*o->promised));
    o->top = host->keep(ctx, host->queues(ctx) * sizeof(*o->top));
    for (uint32_t q = 0; q < host->queues(ctx); q++) {
        if (host->queue_parent(ctx, q) == GSP_NONE)
            o->top[o->count++] = q;
    }
    *self = o;
    return 0;
}

/* Amounts held by, or still to be given to, admitted gangs of all queues. */
static const double *promised(struct overcommit *o)
{
    const uint32_t dims = o->host->dims(o->ctx);

    if (o->ledger == o->host->ledger(o->ctx))
        return o->promised;
    o->ledger = o->host->ledger(o->ctx);
    for (uint32_t d = 0; d < dims; d++)
        o->promised[d] = 0;
    for (uint32_t i = 0; i < o->count; i++) {
        const int64_t *used = o->host->queue_amount(o->ctx, o->top[i],
                                                    GSP_USED);
        const int64_t *entered = o->host->queue_amount(o->ctx, o->top[i],
                                                       GSP_ENTERED);

        for (uint32_t d = 0; d < dims; d++)
            o->promised[d] += (double)used[d] + (double)entered[d];
    }
    return o->promised;
}

static bool overcommit_enqueue(void *self, const struct gsp_job *j)
{
    struct overcommit *o = self;
    const double *all = promised(o);
    const uint32_t dims = o->host->dims(o->ctx);
    const int64_t *minimum = o->host->job_admission(j);

    for (uint32_t d = 0; d < dims; d++) {
        const double total = (double)o->host->dim_total(o->ctx, d);

        /* resources that no node has are left to the filters */
        if (minimum[d] > 0 && total > 0
            && all[d] + (double)minimum[d] > total * o->factor + SLACK) {
            o->host->refused_by(o->ctx, GSP_NONE);
            return false;
        }
    }
    return true;
}

extern const struct gsp_module gsp_module_overcommit;
const struct gsp_module gsp_module_overcommit = {
    GSP_ABI,
    .name = "overcommit",
    .summary = "jobs enter while the cluster, somewhat enlarged, has room",
    GSP_PARAMS(params),
    .reads = GSP_READS_ADMISSION,
    .open = overcommit_open,
    .enqueue = overcommit_enqueue,
};
