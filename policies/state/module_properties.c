/* policies/state/module_properties.c - see module_properties.h. */
#include "policies/state/module_properties.h"

#include <assert.h>
#include <string.h>

#include "policies/profile/extension_points.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "topology/cluster.h"
#include "traces/workload/queue_terms.h"

/* Does a queue state how many jobs, or jobs of a user, may hold tasks? */
static bool jobs_are_limited(const struct gsched *s)
{
    bool any = false;

    for (uint32_t q = 0; q < s->queues && !any; q++) {
        const struct trace_queue_extra *x = trace_queue_extra(
            s->work, &s->work->queue[q]);

        any = x->term[TRACE_TERM_MAX_JOBS] >= 0 || x->user_limits > 0;
    }
    return any;
}

static void note_points(struct gsched *s, const struct gsched_module *use)
{
    const struct gsp_module *m = use->module;

    assert(s->modules->order_count <= GSCHED_MODULES_MAX);
    if (m->job_order)
        s->modules->order_by[s->modules->order_count++] = use;
    if (m->queue_order)
        s->modules->queues_by[s->modules->queues_by_count++] = use;
    if (m->on_place || m->on_release)
        s->modules->told[s->modules->told_count++] = use;
    if (m->overused)
        s->modules->overused_by[s->modules->overused_count++] = use;
    if (m->victims_ok)
        s->modules->judge[s->modules->judges++] = use;
    if (m->pick)
        s->modules->pick = use;
    if (m->subtree)
        s->modules->subtree = use;
    if (m->make_room)
        s->modules->room = use;
    if (m->fair_share)
        s->modules->fair_share = use;
    if (m->usage)
        s->modules->usage = use;
    s->modules->reorders |= m->reorder != NULL;
    if (m->pick || (m->score && !(m->promises & GSP_SCORE_RISES)))
        s->modules->fills_nodes = false;
    if (m->filter && !(m->promises & GSP_FILTER_STAYS)) {
        s->modules->filter_opens = true;
        s->modules->fills_nodes = false;
    }
    s->modules->has_queues |= m->queue_order || m->overused
                              || (m->allocatable
                                  && !(m->promises & GSP_ANY_QUEUE))
                              || m->preemptive || m->make_room;
    s->modules->has_quota |= m->allocatable || m->overused;
    s->modules->may_refuse |= m->refuses != NULL;
    s->modules->refuses_by_labels &= !m->refuses
                                     || (m->promises & GSP_REFUSES_BY_LABELS);
    s->modules->may_prefer |= m->regards && m->prefer;
    s->modules->orders_domains |= m->prefer_domain != NULL;
    s->modules->orders_groups |= m->group_order != NULL;
    s->modules->orders_tasks |= m->next_group != NULL;
    s->modules->may_break |= m->breaks != NULL;
    s->modules->bounds_gifts |= m->victims_ok && m->gives;
    s->modules->may_admit |= m->admits_at != NULL;
    s->modules->picks_devices |= m->device != NULL;
    if (m->promises & GSP_FOLLOWS_KINDS)
        topo_cluster_follow_kinds(s->cluster);
    s->modules->victims_are_lower |= m->victims
                                     && (m->promises & GSP_VICTIMS_ARE_LOWER)
                                     && gsched_points_have(use->only,
                                                           GSP_PREEMPT);
    s->modules->counts_entered |= m->enqueue != NULL;
    s->modules->counts_kept |= m->allocatable
                               && (m->reads & GSP_READS_PREEMPTIBLE);
    s->modules->counts_jobs |=
        m->allocatable && (m->terms & (UINT64_C(1) << GSP_TERM_MAX_JOBS))
        && jobs_are_limited(s);
}

/* The number of the gate of a module that may refuse a job for its queue or the
 * load; modules beyond GSCHED_GATES have none and are not named in reports.
 */
static uint8_t gate_number(struct gsched *s, const struct gsp_module *m)
{
    const bool refuses = m->overused || m->allocatable || m->enqueue
                         || m->admit;

    for (uint32_t g = 0; refuses && g < s->modules->gates; g++) {
        if (strcmp(s->modules->gate[g], m->name) == 0)
            return (uint8_t)g;
    }
    if (!refuses || s->modules->gates == GSCHED_GATES)
        return NO_GATE;
    s->modules->gate[s->modules->gates] = m->name;
    return (uint8_t)s->modules->gates++;
}

void gsched_modules_sum_up(struct gsched *s)
{
    struct gsched_modules *mods = s->modules;

    assert(mods->module_count <= GSCHED_MODULES_MAX + 1);
    mods->fills_nodes = mods->refuses_by_labels = true;
    mods->consolidation =
        (struct gsp_consolidation){ .price = INT64_C(600000000),
                                    .jobs = 16,
                                    .trials = 1000,
                                    .keeps_off = true };
    mods->refuser = NO_GATE;
    mods->hold_time = s->early.min_runtime_at = GSCHED_NEVER;
    s->early.admits_at = GSCHED_NEVER;
    for (uint32_t i = 0; i < mods->module_count; i++) {
        struct gsched_module *m = &mods->module[i];

        m->gate = gate_number(s, m->module);
        note_points(s, m);
        mods->needs_admission |= m->module->enqueue != NULL
                                 && gsched_has_action(s, GSCHED_ENQUEUE);
        if (m->module->hold_time) {
            const gsp_time t = m->module->hold_time(m->self);

            /* with 0, eviction and placement would repeat at once */
            if (t > 0 && t < mods->hold_time)
                mods->hold_time = t;
            mods->limits_hold = true;
            mods->holds_once |= m->module->holds_once
                                && m->module->holds_once(m->self);
        }
        mods->grows_in_turn |= m->module->grows_in_turn
                               && m->module->grows_in_turn(m->self);
        if (m->module->spare_time) {
            const gsp_time t = m->module->spare_time(m->self);

            mods->min_runtime = t > mods->min_runtime ? t : mods->min_runtime;
        }
        if (m->module->backfill)
            m->module->backfill(m->self, &mods->backfill);
        if (m->module->preemption)
            m->module->preemption(m->self, &mods->preemption);
        if (m->module->consolidation)
            (void)m->module->consolidation(m->self, &mods->consolidation);
        if (m->module->usage_decay)
            (void)m->module->usage_decay(m->self, &mods->decay);
        if (m->module->passes)
            mods->has_passes |= m->module->passes(m->self, &mods->passes);
        if (m->module->retry)
            (void)m->module->retry(m->self, &mods->retry);
        if (m->module->keep && m->module->misfit
            && s->profile->unit == GSCHED_UNIT_POD
            && m->module->keep(m->self, &mods->keep))
            mods->keeper = m;
        if (m->module->number)
            mods->number = m;
        if (m->module->choice)
            mods->has_choice |= m->module->choice(m->self, &mods->choice);
    }
    mods->keep.delay = mods->keep.delay > 0 ? mods->keep.delay : 0;
    mods->retries = mods->retry.first > 0 || mods->retry.gang > 0;
    if (s->profile->unit != GSCHED_UNIT_POD)
        mods->retry.part = 0;
    for (uint32_t k = 0; k < s->work->class_count; k++)
        mods->victims_are_lower &= s->work->klass[k].victim_count == 0;
    for (uint32_t i = 0; mods->may_refuse && i < s->work->rule_count; i++)
        s->labels->has_rules |= s->work->rule[i].weight == 0;
}

bool gsched_modules_promise(const struct gsched *s, enum gsp_promise what)
{
    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        if (s->modules->module[i].module->promises & what)
            return true;
    }
    return false;
}
