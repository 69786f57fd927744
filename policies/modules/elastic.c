/* policies/modules/elastic.c - jobs that lack their gang before jobs that grow.
 *
 * Jobs with fewer tasks than their gang come first, then those that have just
 * it, then those above it (KAI Scheduler's plugin elastic).
 */
#include "policies/policy.h"

/* 0: it has less than its gang; 1: just that; 2: more. */
static int size_of(const struct gsp_self *e, const struct gsp_job *j)
{
    const uint32_t placed = e->host->job_placed(j);
    const uint32_t gang = e->host->job_gang(j);

    return (placed >= gang) + (placed > gang);
}

static int elastic_job_order(void *self, const struct gsp_job *a,
                             const struct gsp_job *b)
{
    return size_of(self, a) - size_of(self, b);
}

extern const struct gsp_module gsp_module_elastic;
const struct gsp_module gsp_module_elastic = {
    GSP_ABI,
    .name = "elastic",
    .summary = "jobs without their gang first, then those just at it",
    .job_order = elastic_job_order,
};
