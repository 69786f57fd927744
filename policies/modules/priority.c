/* policies/modules/priority.c - orders jobs, and the tasks of a job, by
 * priority class.
 *
 * A job may evict jobs of strictly lower priority, or those of the classes that
 * its own lists; one whose class says `preemption: never` evicts no job.  Of
 * its own job a task may evict those of strictly lower priority.
 */
#include "policies/policy.h"

static int priority_job_order(void *self, const struct gsp_job *a,
                              const struct gsp_job *b)
{
    const struct gsp_self *p = self;
    int32_t x = p->host->job_priority(a), y = p->host->job_priority(b);

    if (p->host->job_id(a) == p->host->job_id(b)) {
        x = p->host->task_priority(a);
        y = p->host->task_priority(b);
    }
    return (x < y) - (x > y);
}

static bool priority_victims(void *self, enum gsp_why why,
                             const struct gsp_job *j,
                             const struct gsp_victims *v, uint8_t *spared)
{
    const struct gsp_self *p = self;

    if (why != GSP_PREEMPT && p->host->job_preempts(j))
        return false;
    for (uint32_t i = 0; i < v->count; i++) {
        const struct gsp_job *of = v->at[i].job;
        const bool own = p->host->job_id(j) == p->host->job_id(of);

        if (own ? p->host->task_priority(of) >= p->host->task_priority(j)
                : !p->host->job_evicts(j, of))
            spared[i] = 1;
    }
    return true;
}

extern const struct gsp_module gsp_module_priority;
const struct gsp_module gsp_module_priority = {
    GSP_ABI,
    .name = "priority",
    .promises = GSP_VICTIMS_ARE_LOWER,
    .summary = "higher priority classes first, and in the place of lower",
    .reads = GSP_READS_PRIORITY | GSP_READS_PREEMPTION,
    .job_order = priority_job_order,
    .victims = priority_victims,
    .gang_victims = priority_victims,
};
