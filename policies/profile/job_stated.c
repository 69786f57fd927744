/* policies/profile/job_stated.c - see job_stated.h. */
#include "policies/profile/job_stated.h"

#include <assert.h>

#include "traces/workload/slices.h"

static bool is_fixed(const struct trace_workload *w, const struct trace_job *j)
{
    bool any = j->fixed;

    for (uint32_t k = 0; k < j->group_count && !any; k++)
        any = trace_group_at(w, j->first_group + k)->fixed;
    return any;
}

static bool has_rule(const struct trace_workload *w, const struct trace_job *j,
                     enum trace_rule_kind kind, bool is_soft)
{
    for (uint32_t k = 0; k < j->group_count; k++) {
        const struct trace_group *g = trace_group_at(w, j->first_group + k);
        const uint32_t first = g->first_rule + (is_soft ? g->rule_count : 0);

        for (uint32_t r = 0; r < (is_soft ? g->soft_count : g->rule_count);
             r++) {
            if (w->rule[first + r].kind == kind
                && (kind != TRACE_SPREAD || g->replicas > 1
                    || w->rule[first + r].label))
                return true;
        }
    }
    return false;
}

static bool prefers(const struct trace_workload *w, const struct trace_job *j)
{
    for (uint32_t k = 0; k < j->group_count; k++) {
        if (w->shape[trace_group_at(w, j->first_group + k)->shape]
                .preference_count)
            return true;
    }
    return false;
}

/* Has a class of the job, or of a group of it, a priority; does it never
 * preempt?
 */
static bool class_states(const struct trace_workload *w,
                         const struct trace_job *j, bool priority)
{
    bool any = false;

    for (uint32_t k = 0; k < j->group_count && !any; k++) {
        const struct trace_class *c = &w->klass[trace_group_class(
            j, trace_group_at(w, j->first_group + k))];

        any = priority ? c->value != 0 : !c->preempts;
    }
    return any;
}

/* Does a group have a tier of its own, or with `slices` what only a choice by
 * domains reads?
 */
static bool has_own_topology(const struct trace_workload *w,
                             const struct trace_job *j, bool slices)
{
    bool any = false;

    for (uint32_t g = 0; g < j->group_count; g++) {
        const struct trace_topology t = trace_group_topology(
            w, j, trace_group_at(w, j->first_group + g));

        any |= slices ? t.slices || t.within == TRACE_UNCONSTRAINED
                      : t.tier != 0;
    }
    return any;
}

static bool holds_flavors(const struct trace_workload *w,
                          const struct trace_job *j)
{
    bool any = false;

    for (uint32_t g = 0; g < j->group_count; g++)
        any |= trace_group_at(w, j->first_group + g)->held_count > 0;
    return any;
}

bool gsched_job_states(const struct trace_workload *w,
                       const struct trace_job *j, enum stated what)
{
    assert(what >= JOB_PRIORITY && what < BUDGET);
    switch (what) {
    case JOB_PRIORITY:
        return class_states(w, j, true);
    case JOB_PREEMPTION:
        return class_states(w, j, false);
    case JOB_PREEMPTIBLE:
        return is_fixed(w, j);
    case JOB_TOPOLOGY:
        return j->aside->within_tier || has_own_topology(w, j, false);
    case JOB_SLICES:
        return j->aside->slices || j->aside->within == TRACE_UNCONSTRAINED
               || has_own_topology(w, j, true);
    case JOB_FLAVORS:
        return holds_flavors(w, j);
    case JOB_AFFINITY:
        return has_rule(w, j, TRACE_NEAR, false);
    case JOB_ANTI_AFFINITY:
        return has_rule(w, j, TRACE_APART, false);
    case JOB_SPREAD:
        return has_rule(w, j, TRACE_SPREAD, false);
    case JOB_PREFER:
        return prefers(w, j);
    case JOB_SOFT_AFFINITY:
        return has_rule(w, j, TRACE_NEAR, true);
    case JOB_SOFT_ANTI_AFFINITY:
        return has_rule(w, j, TRACE_APART, true);
    case JOB_MIN_RESOURCES:
        return j->aside->minimum != 0;
    case JOB_TASK_AFFINITY:
        return j->aside->task_rules != 0;
    case JOB_MAX_WAIT:
        return j->aside->max_wait > 0;
    case JOB_GANG_TIMEOUT:
        return j->aside->gang_timeout > 0;
    case JOB_NICE:
        return j->aside->nice != 0;
    case JOB_ESTIMATE:
        return j->estimate != j->duration;
    default:
        return has_rule(w, j, TRACE_SPREAD, true);
    }
}
