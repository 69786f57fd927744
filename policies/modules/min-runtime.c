/* policies/modules/min-runtime.c - nobody is evicted before it ran so long. */
#include "policies/policy.h"

struct min_runtime {
    const struct gsp_host *host;
    void *ctx;
    gsp_time time;
};

static const struct gsp_param params[] = {
    { "time", GSP_TIME, "0s", 0, INT64_MAX,
      "a job that ran for less makes no room", NULL },
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
    const gsp_time now = m->host->now(m->ctx);

    (void)why; /* either way */
    (void)j;
    for (uint32_t i = 0; i < m->host->victims(v); i++) {
        const gsp_time start = m->host->job_started(m->host->victim_job(v, i));

        spared[i] = start != GSP_NEVER && now - start < m->time;
    }
    return true;
}

extern const struct gsp_module gsp_module_min_runtime;
const struct gsp_module gsp_module_min_runtime = {
    .abi_major = GSP_ABI_MAJOR,
    .abi_minor = GSP_ABI_MINOR,
    .size = sizeof(struct gsp_module),
    .name = "min-runtime",
    .summary = "nobody is evicted before it ran for some time",
    .param = params,
    .param_count = sizeof(params) / sizeof(params[0]),
    .open = min_runtime_open,
    .victims = min_runtime_victims,
};
