/* policies/modules/min-runtime.c - a job that has just started is left alone.
 *
 * Volcano's cdp plugin with one time for all jobs: what has run for less than
 * `time` does not make room, neither by preemption nor by reclaim.
 */
#include "policies/policy.h"

struct min_runtime {
    const struct gsp_host *host;
    void *ctx;
    gsp_time time;
};

static const struct gsp_param params[] = {
    { "time", GSP_TIME, "0s", 0, INT64_MAX,
      "what has run for less is not evicted; 0s: no opinion", NULL },
};

static int min_runtime_open(const struct gsp_host *host, void *ctx,
                            const union gsp_value *value, void **self)
{
    struct min_runtime *m = host->keep(ctx, sizeof(*m));

    m->host = host;
    m->ctx = ctx;
    m->time = value[0].whole;
    *self = m;
    return 0;
}

static bool min_runtime_victims(void *self, enum gsp_why why,
                                const struct gsp_job *j,
                                const struct gsp_victims *v, uint8_t *spared)
{
    const struct min_runtime *m = self;
    const uint32_t n = m->host->victims(v);
    const gsp_time now = m->host->now(m->ctx);

    (void)why; /* the same for both, */
    (void)j;   /* and for whomever room is made */
    if (m->time <= 0)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const gsp_time since = m->host->job_started(m->host->victim_job(v, i));

        if (since == GSP_NEVER || now - since < m->time)
            spared[i] = 1;
    }
    return true;
}

static gsp_time min_runtime_spare_time(void *self)
{
    const struct min_runtime *m = self;

    return m->time;
}

extern const struct gsp_module gsp_module_min_runtime;
const struct gsp_module gsp_module_min_runtime = {
    .abi_major = GSP_ABI_MAJOR,
    .abi_minor = GSP_ABI_MINOR,
    .size = sizeof(struct gsp_module),
    .name = "min-runtime",
    .summary = "jobs are not evicted before they have run for some time",
    .param = params,
    .promises = GSP_VICTIMS_ARE_SPARED,
    .param_count = sizeof(params) / sizeof(params[0]),
    .open = min_runtime_open,
    .victims = min_runtime_victims,
    .spare_time = min_runtime_spare_time,
};
