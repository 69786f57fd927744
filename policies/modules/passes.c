/* policies/modules/passes.c - jobs are tried in order, in passes.
 *
 * Slurm's main scheduler: a pass over the first jobs at events, a pass over all
 * of them at intervals.  A job that cannot start closes its partition: jobs
 * behind it start on no node of it in this pass.
 */
#include "policies/policy.h"

static const char *const limits[] = { "skip", "close", NULL };

enum {
    DEPTH,
    INTERVAL,
    SUBMIT_DELAY,
    STARTS,
    MIN_WAIT,
    MIN_PRIORITY,
    PHASE,
    PER_PARTITION,
    LIMITS
};

static const struct gsp_param params[] = {
    { "depth", GSP_WHOLE, "100", 0, 1000000,
      "jobs looked at in a pass after an event; 0: all", NULL },
    { "interval", GSP_TIME, "60s", 0, 0,
      "time between passes over all jobs; 0: none", NULL },
    { "submit_delay", GSP_TIME, "3s", 0, 0,
      "least time between passes because of submissions", NULL },
    { "starts", GSP_WHOLE, "0", 0, 1000000,
      "jobs started in one pass at most; 0: any number", NULL },
    { "min_wait", GSP_TIME, "0", 0, 0,
      "a job that waits for less closes nothing", NULL },
    { "min_priority", GSP_WHOLE, "0", 0, INT32_MAX,
      "a job of lower priority closes nothing; 0: none", NULL },
    { "phase", GSP_TIME, "0", 0, 0, "time of the first pass over all jobs",
      NULL },
    { "per_partition", GSP_WHOLE, "0", 0, 1000000,
      "jobs of a partition looked at in a pass; 0: all", NULL },
    { "limits", GSP_CHOICE, "skip", 0, 0,
      "a job that a limit refuses is skipped, or closes its partition",
      limits },
};

static bool passes_passes(void *self, struct gsp_passes *out)
{
    const struct gsp_self *p = self;

    *out = (struct gsp_passes){
        .interval = p->value[INTERVAL].whole,
        .phase = p->value[PHASE].whole,
        .submit_delay = p->value[SUBMIT_DELAY].whole,
        .depth = (uint32_t)p->value[DEPTH].whole,
        .starts = (uint32_t)p->value[STARTS].whole,
        .min_wait = p->value[MIN_WAIT].whole,
        .min_priority = (int32_t)p->value[MIN_PRIORITY].whole,
        .per_partition = (uint32_t)p->value[PER_PARTITION].whole,
        .limits_block = p->value[LIMITS].whole == 1,
    };
    return true;
}

extern const struct gsp_module gsp_module_passes;
const struct gsp_module gsp_module_passes = {
    GSP_ABI,
    .name = "passes",
    .summary = "jobs are tried in order; one that cannot start closes its "
               "partition",
    GSP_PARAMS(params),
    .passes = passes_passes,
};
