/* policies/modules/fifo.c - first come, first served. */
#include "policies/policy.h"

struct fifo {
    const struct gsp_host *host;
};

static int fifo_open(const struct gsp_host *host, void *ctx,
                     const union gsp_value *value, void **self)
{
    struct fifo *f = host->keep(ctx, sizeof(*f));

    (void)value; /* has no knobs */
    f->host = host;
    *self = f;
    return 0;
}

static int fifo_job_order(void *self, const struct gsp_job *a,
                          const struct gsp_job *b)
{
    const struct fifo *f = self;
    const gsp_time x = f->host->job_since(a), y = f->host->job_since(b);

    return (x > y) - (x < y);
}

extern const struct gsp_module gsp_module_fifo;
const struct gsp_module gsp_module_fifo = {
    .abi_major = GSP_ABI_MAJOR,
    .abi_minor = GSP_ABI_MINOR,
    .size = sizeof(struct gsp_module),
    .name = "fifo",
    .summary = "jobs in the order in which they entered the queue",
    .open = fifo_open,
    .job_order = fifo_job_order,
};
