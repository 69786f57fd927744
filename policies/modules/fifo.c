/* policies/modules/fifo.c - first come, first served. */
#include "policies/policy.h"

static int fifo_job_order(void *self, const struct gsp_job *a,
                          const struct gsp_job *b)
{
    const struct gsp_self *f = self;
    const gsp_time x = f->host->job_since(a), y = f->host->job_since(b);

    return (x > y) - (x < y);
}

extern const struct gsp_module gsp_module_fifo;
const struct gsp_module gsp_module_fifo = {
    GSP_ABI,
    .name = "fifo",
    .summary = "jobs in the order in which they entered the queue",
    .job_order = fifo_job_order,
};
