/* policies/state/module_task_rules.c - the services, and the call to modules,
 * about kinds of tasks of one job.
 */
#include <assert.h>

#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/module_services.h"
#include "policies/state/spans.h"
#include "traces/workload/task_rules.h"

struct gsp_task_rules gsched_host_job_task_rules(const struct gsp_job *j)
{
    const struct trace_job *of = gsched_spec(j);
    const struct trace_task_rules *r =
        of->aside->task_rules
            ? &j->s->work->task_rules[of->aside->task_rules - 1]
            : NULL;

    gsched_services_ask(j->s, GSP_READS_TASK_RULES);
    return r ? (struct gsp_task_rules){ of->group_count, r->together, r->apart,
                                        r->order }
             : (struct gsp_task_rules){ .groups = of->group_count };
}

uint32_t gsched_host_group_tasks(const struct gsp_job *j, uint32_t group)
{
    return gsched_group(j->s, j->id, group)->replicas;
}

bool gsched_host_job_stands(const struct gsp_job *j, uint32_t *at,
                            struct gsp_placed *out)
{
    const uint32_t i = *at == NONE ? gsched_job(j->s, j->id)->first_allocation
                                   : j->s->allocations->allocation[*at].next;
    const struct allocation *a = gsched_allocation_at(j->s, i);

    if (!a)
        return false;
    *at = i;
    *out = (struct gsp_placed){ j, a->group, a->grant.node, a->grant.tasks,
                                false };
    return true;
}

bool gsched_orders_tasks(const struct gsched *s, uint32_t job)
{
    return s->modules->orders_tasks && !s->modules->has_choice
           && s->work->job[job].aside->task_rules
           && !gsched_job(s, job)->has_classes;
}

uint32_t gsched_modules_next_group(const struct gsched *s, uint32_t job,
                                   const uint32_t *left)
{
    const struct gsp_job j = { .s = s, .id = job, .group = NONE };
    uint32_t group = NONE, first = 0;

    for (uint32_t i = 0; i < s->modules->module_count && group == NONE; i++) {
        const struct gsched_module *m = &s->modules->module[i];

        if (m->module->next_group)
            group = m->module->next_group(m->self, &j, left);
    }
    assert(group == NONE
           || (group < s->work->job[job].group_count && left[group] > 0));
    while (group == NONE && left[gsched_group_at(s, job, first)] == 0)
        first++;
    return group != NONE ? group : gsched_group_at(s, job, first);
}
