/* policies/state/module_jobs.c - the services about a job: its times, its
 * class, what it holds and needs, its tiers and its labels.
 */
#include <assert.h>

#include "base/strtab.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/module_services.h"
#include "policies/state/usage.h"
#include "topology/topology.h"
#include "traces/workload/slices.h"

gsp_time gsched_host_job_since(const struct gsp_job *j)
{
    return gsched_job(j->s, j->id)->since;
}

gsp_time gsched_host_job_ready(const struct gsp_job *j)
{
    const int64_t since = gsched_job(j->s, j->id)->since;
    const int64_t back_at = gsched_job_aside(j->s, j->id).back_at;

    return back_at > since ? back_at : since;
}

int32_t gsched_host_job_priority(const struct gsp_job *j)
{
    gsched_services_ask(j->s, GSP_READS_PRIORITY);
    return j->s->work->klass[gsched_class_of(j->s, j->id, j->group)].value;
}

int32_t gsched_host_task_priority(const struct gsp_job *j)
{
    gsched_services_ask(j->s, GSP_READS_PRIORITY);
    return j->group == NONE ? j->s->work->klass[gsched_spec(j)->klass].value
                            : gsched_task_value(j->s, j->id, j->group);
}

gsp_time gsched_host_job_max_wait(const struct gsp_job *j)
{
    gsched_services_ask(j->s, GSP_READS_MAX_WAIT);
    return gsched_spec(j)->aside->max_wait;
}

bool gsched_host_job_evicts(const struct gsp_job *j,
                            const struct gsp_job *victim)
{
    gsched_services_ask(j->s, GSP_READS_PREEMPTION);
    return trace_class_evicts(
        j->s->work, gsched_class_of(j->s, j->id, j->group),
        gsched_class_of(victim->s, victim->id, victim->group));
}

bool gsched_host_job_stays(const struct gsp_job *j)
{
    gsched_services_ask(j->s, GSP_READS_PREEMPTIBLE);
    return gsched_spec(j)->fixed;
}

const char *gsched_host_job_class(const struct gsp_job *j)
{
    const struct trace_workload *w = j->s->work;

    return gs_strtab_str(w->names, w->klass[gsched_spec(j)->klass].name);
}

const char *gsched_host_job_user(const struct gsp_job *j)
{
    return gs_strtab_str(j->s->work->names, gsched_spec(j)->user);
}

uint32_t gsched_host_job_queue(const struct gsp_job *j)
{
    return gsched_spec(j)->queue;
}

uint32_t gsched_host_job_gang(const struct gsp_job *j)
{
    return gsched_spec(j)->gang;
}

uint32_t gsched_host_job_placed(const struct gsp_job *j)
{
    return gsched_job(j->s, j->id)->placed;
}

uint32_t gsched_host_job_id(const struct gsp_job *j)
{
    return j->id;
}

gsp_time gsched_host_job_started(const struct gsp_job *j)
{
    const struct job_state *state = gsched_job(j->s, j->id);

    return state->phase == JOB_RUNNING ? state->allocated_since
                                       : j->s->adopts_since;
}

bool gsched_host_job_preempts(const struct gsp_job *j)
{
    gsched_services_ask(j->s, GSP_READS_PREEMPTION);
    return gsched_preempts(j->s, j->id, j->group);
}

gsp_time gsched_host_job_estimate(const struct gsp_job *j)
{
    gsched_services_ask(j->s, GSP_READS_ESTIMATE);
    return gsched_job(j->s, j->id)->estimate;
}

uint32_t gsched_host_job_life(const struct gsp_job *j)
{
    return gsched_job(j->s, j->id)->life;
}

static const int64_t *without_models(const struct gsched *s, int64_t *amount)
{
    for (uint32_t set = s->topo->model_dims; set; set &= set - 1)
        amount[__builtin_ctz(set)] = 0;
    return amount;
}

const int64_t *gsched_host_job_used(const struct gsp_job *j)
{
    gsched_job_used(j->s, j->id, j->s->services->used);
    return without_models(j->s, j->s->services->used);
}

const int64_t *gsched_host_job_minimum(const struct gsp_job *j)
{
    gsched_job_minimum(j->s, j->id, j->s->services->minimum);
    return without_models(j->s, j->s->services->minimum);
}

const int64_t *gsched_host_job_admission(const struct gsp_job *j)
{
    gsched_services_ask(j->s, GSP_READS_ADMISSION);
    return gsched_spec(j)->aside->minimum
               ? j->s->work->minimum[gsched_spec(j)->aside->minimum - 1].amount
               : gsched_host_job_minimum(j);
}

const int64_t *gsched_host_user_used(const struct gsp_job *j)
{
    return gsched_user_used(j->s, j->id);
}

uint32_t gsched_host_domain_kind(const struct gsp_job *j)
{
    return j->group != NONE && gsched_group(j->s, j->id, j->group)->topology
               ? trace_groups_first(j->s->work, gsched_spec(j), j->group)
               : GSP_NONE;
}

uint64_t gsched_host_attempts(void *ctx)
{
    return gsched_of_module(ctx)->attempts;
}

const int64_t *gsched_host_domain_minimum(const struct gsp_job *j)
{
    const uint32_t kind = gsched_host_domain_kind(j);
    int64_t *to = j->s->services->minimum;

    if (kind == GSP_NONE)
        return gsched_host_job_minimum(j);
    gsched_group_minimum(j->s, j->id, kind, to);
    return without_models(j->s, to);
}

static struct trace_topology topology_of(const struct gsp_job *j)
{
    const uint32_t kind = gsched_host_domain_kind(j);

    gsched_services_ask(j->s, GSP_READS_WITHIN);
    return kind == GSP_NONE
               ? trace_job_topology(gsched_spec(j))
               : trace_group_topology(j->s->work, gsched_spec(j),
                                      gsched_group(j->s, j->id, kind));
}

uint32_t gsched_host_job_within(const struct gsp_job *j, bool *required)
{
    const struct trace_topology t = topology_of(j);

    *required = t.within == TRACE_REQUIRED;
    return t.tier ? gsched_level_named(j->s->topo, t.tier) : GSP_NONE;
}

uint32_t gsched_host_job_prefers_tier(const struct gsp_job *j)
{
    const struct trace_topology t = topology_of(j);
    const uint32_t tier = t.within == TRACE_REQUIRED ? t.prefers : t.tier;

    return tier ? gsched_level_named(j->s->topo, tier) : GSP_NONE;
}

uint32_t gsched_host_job_labels(const struct gsp_job *j)
{
    return gsched_spec(j)->aside->label_count;
}

uint32_t gsched_host_job_label(const struct gsp_job *j, uint32_t i)
{
    assert(i < gsched_spec(j)->aside->label_count);
    return gsched_label_number(
        j->s, j->s->work->label[gsched_spec(j)->aside->first_label + i]);
}

bool gsched_host_job_has_label(const struct gsp_job *j, uint32_t label)
{
    for (uint32_t i = 0; i < gsched_spec(j)->aside->label_count; i++) {
        if (gsched_host_job_label(j, i) == label)
            return true;
    }
    return false;
}

uint32_t gsched_host_task_labels(const struct gsp_job *j, uint32_t group)
{
    return gsched_label_count(j->s, j->id, group);
}

uint32_t gsched_host_task_label(const struct gsp_job *j, uint32_t group,
                                uint32_t i)
{
    return gsched_label_number(j->s, gsched_label_of(j->s, j->id, group, i));
}

bool gsched_host_task_has_label(const struct gsp_job *j, uint32_t group,
                                uint32_t label)
{
    for (uint32_t i = 0; i < gsched_host_task_labels(j, group); i++) {
        if (gsched_host_task_label(j, group, i) == label)
            return true;
    }
    return false;
}

uint32_t gsched_host_job_tasks(const struct gsp_job *j)
{
    return gsched_spec(j)->tasks;
}

const struct gsp_task *gsched_host_job_task(const struct gsp_job *j,
                                            uint32_t group)
{
    const uint32_t shape = gsched_group(j->s, j->id, group)->shape;

    return (const struct gsp_task *)(const void *)&j->s->work->shape[shape];
}
