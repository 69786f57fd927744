/* policies/modules/min-runtime.c - protects jobs that started recently.
 *
 * Volcano's cdp plugin with one time for all jobs: a job that has run for less
 * than `time` is not evicted, neither by preempt nor by reclaim.
 */
#include "policies/policy.h"

enum { TIME };

static const struct gsp_param params[] = {
    { "time", GSP_TIME, "0s", 0, INT64_MAX,
      "what has run for less is not evicted; 0s: no opinion", NULL },
};

static bool min_runtime_victims(void *self, enum gsp_why why,
                                const struct gsp_job *j,
                                const struct gsp_victims *v, uint8_t *spared)
{
    const struct gsp_self *m = self;
    const gsp_time now = m->host->now(m->ctx);

    (void)why; /* the same for both kinds */
    (void)j;   /* and for every preemptor */
    if (m->value[TIME].whole <= 0)
        return false;
    for (uint32_t i = 0; i < v->count; i++) {
        const gsp_time since = m->host->job_started(v->at[i].job);

        if (since == GSP_NEVER || now - since < m->value[TIME].whole)
            spared[i] = 1;
    }
    return true;
}

static gsp_time min_runtime_spare_time(void *self)
{
    const struct gsp_self *m = self;

    return m->value[TIME].whole;
}

extern const struct gsp_module gsp_module_min_runtime;
const struct gsp_module gsp_module_min_runtime = {
    GSP_ABI,
    .name = "min-runtime",
    .summary = "jobs are not evicted before they have run for some time",
    GSP_PARAMS(params),
    .promises = GSP_VICTIMS_ARE_SPARED,
    .victims = min_runtime_victims,
    .gang_victims = min_runtime_victims,
    .spare_time = min_runtime_spare_time,
};
