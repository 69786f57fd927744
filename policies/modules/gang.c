/* policies/modules/gang.c - runs a job only with all of its gang (minMember).
 *
 * With `unit: gang` nothing of a job is committed before its gang is placed.
 * With `unit: pod` tasks are placed one by one, and a job that does not
 * complete its gang within `timeout` is evicted, as with the Permit timeout of
 * the coscheduling plugin of kube-scheduler.  So is, with `unit: gang`, a job
 * that stands in part when the trace begins, and lacks its gang, or a kind of
 * tasks its minimum.
 *
 * With `victims: surplus` only tasks above the gang may be evicted, as with the
 * gang plugin of Volcano; otherwise a whole gang may be evicted, and the tasks
 * of a job that has not its gang one by one.  For action gang-preempt all of
 * them may go; gang-reclaim asks the modules that know the shares of queues.
 */
#include "policies/policy.h"

enum { WHOLE, SURPLUS };
static const char *const victims[] = { "whole", "surplus", NULL };

enum { TIMEOUT, VICTIMS, AGAIN };

static const struct gsp_param params[] = {
    { "timeout", GSP_TIME, "0s", 0, INT64_MAX,
      "a partly placed job gives back after that long; 0s: never", NULL },
    { "victims", GSP_CHOICE, "whole", 0, 0,
      "what may be evicted: whole gangs too, or the surplus only", victims },
    { "again", GSP_YESNO, "yes", 0, 0,
      "whether a job that gave back is held to the timeout again", NULL },
};

static bool gang_gang_ready(void *self, const struct gsp_job *j)
{
    const struct gsp_self *g = self;

    return g->host->job_placed(j) >= g->host->job_gang(j);
}

static gsp_time gang_hold_time(void *self)
{
    const struct gsp_self *g = self;

    return g->value[TIMEOUT].whole ? g->value[TIMEOUT].whole : GSP_NEVER;
}

static bool gang_holds_once(void *self)
{
    const struct gsp_self *g = self;

    return g->value[TIMEOUT].whole && !g->value[AGAIN].whole;
}

static bool gang_victims(void *self, enum gsp_why why, const struct gsp_job *j,
                         const struct gsp_victims *v, uint8_t *spared)
{
    const struct gsp_self *g = self;

    (void)why; /* the same for both kinds */
    (void)j;   /* and for every preemptor */
    if (g->value[VICTIMS].whole != SURPLUS)
        return false;
    for (uint32_t i = 0; i < v->count; i++) {
        const struct gsp_job *of = v->at[i].job;

        if (v->at[i].is_whole
            || g->host->job_placed(of) <= g->host->job_gang(of))
            spared[i] = 1;
    }
    return true;
}

static bool gang_gang_victims(void *self, enum gsp_why why,
                              const struct gsp_job *j,
                              const struct gsp_victims *v, uint8_t *spared)
{
    (void)self;
    (void)j;
    (void)v;
    (void)spared; /* none */
    return why == GSP_PREEMPT;
}

extern const struct gsp_module gsp_module_gang;
const struct gsp_module gsp_module_gang = {
    GSP_ABI,
    .name = "gang",
    .summary = "a job starts with all of its gang or not at all",
    GSP_PARAMS(params),
    .gang_ready = gang_gang_ready,
    .hold_time = gang_hold_time,
    .holds_once = gang_holds_once,
    .victims = gang_victims,
    .gang_victims = gang_gang_victims,
};
