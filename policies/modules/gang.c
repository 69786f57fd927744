/* policies/modules/gang.c - all of a job's minMember tasks, or none.
 *
 * With `unit: gang` nothing of a job is committed before its gang is placed.
 * With `unit: pod` tasks are placed one by one, and a job that does not
 * complete its gang within `timeout` gives everything back, as the Permit
 * timeout of kube-scheduler's coscheduling plugin does.
 *
 * With `victims: surplus` only tasks above a job's gang make room for others,
 * as with Volcano's gang plugin; otherwise a gang may be evicted as a whole.
 */
#include "policies/policy.h"

struct gang {
    const struct gsp_host *host;
    gsp_time timeout;
    bool surplus_only;
};

enum { WHOLE, SURPLUS };
static const char *const victims[] = { "whole", "surplus", NULL };

static const struct gsp_param params[] = {
    { "timeout", GSP_TIME, "0s", 0, INT64_MAX,
      "a partly placed job gives back after that long; 0s: never", NULL },
    { "victims", GSP_CHOICE, "whole", 0, 0,
      "what may be evicted: whole gangs too, or the surplus only", victims },
};

static int gang_open(const struct gsp_host *host, void *ctx,
                     const union gsp_value *value, void **self)
{
    struct gang *g = host->keep(ctx, sizeof(*g));

    g->host = host;
    g->timeout = value[0].whole ? value[0].whole : GSP_NEVER;
    g->surplus_only = value[1].whole == SURPLUS;
    *self = g;
    return 0;
}

static bool gang_gang_ready(void *self, const struct gsp_job *j)
{
    const struct gang *g = self;

    return g->host->job_placed(j) >= g->host->job_gang(j);
}

static gsp_time gang_hold_time(void *self)
{
    const struct gang *g = self;

    return g->timeout;
}

static bool gang_victims(void *self, enum gsp_why why, const struct gsp_job *j,
                         const struct gsp_victims *v, uint8_t *spared)
{
    const struct gang *g = self;
    const uint32_t n = g->host->victims(v);

    (void)why; /* the same for both, */
    (void)j;   /* and for whomever room is made */
    if (!g->surplus_only)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (g->host->victim_is_whole(v, i))
            spared[i] = 1;
    }
    return true;
}

extern const struct gsp_module gsp_module_gang;
const struct gsp_module gsp_module_gang = {
    .abi_major = GSP_ABI_MAJOR,
    .abi_minor = GSP_ABI_MINOR,
    .size = sizeof(struct gsp_module),
    .name = "gang",
    .summary = "a job starts with all of its gang or not at all",
    .param = params,
    .param_count = sizeof(params) / sizeof(params[0]),
    .open = gang_open,
    .gang_ready = gang_gang_ready,
    .hold_time = gang_hold_time,
    .victims = gang_victims,
};
