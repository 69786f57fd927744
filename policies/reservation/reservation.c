/* policies/reservation/reservation.c - code shared by both kinds of reservation
 */
#include "policies/reservation/reservation.h"

#include <assert.h>

#include "base/array.h"
#include "policies/placement/placement.h"
#include "policies/reservation/window.h"
#include "policies/state/check.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/transaction.h"
#include "topology/cluster.h"
#include "traces/workload/slices.h"

bool gsched_tasks_are_alike(const struct gsched *s)
{
    return s->work->shape_count == 1 && !s->modules->subtree && !s->nodes_change
           && !s->booked;
}

void gsched_reservations_started(struct gsched *s, uint32_t job)
{
    assert(gsched_job(s, job)->phase == JOB_RUNNING);
    if (s->modules->is_planned)
        gsched_plan_started(s, job);
    else if (s->modules->is_windowed)
        gsched_window_started(s, job);
    else if (s->modules->depth)
        gsched_shadow_started(s, job);
}

void gsched_reservations_ended(struct gsched *s, uint32_t job)
{
    if (s->modules->is_planned)
        gsched_plan_ended(s, job);
    else if (s->modules->is_windowed)
        gsched_window_ended(s, job);
    else if (s->modules->depth)
        gsched_shadow_ended(s, job);
}

void gsched_reservations_grew(struct gsched *s, uint32_t job, uint32_t group,
                              const struct topo_grant *g)
{
    assert(gsched_job(s, job)->phase == JOB_RUNNING);
    if (s->modules->is_planned)
        gsched_plan_grew(s, job, group, g);
    else if (s->modules->depth)
        gsched_shadow_grew(s, job, group, g);
}

void gsched_reservations_node_changed(struct gsched *s, uint32_t node,
                                      int64_t milli)
{
    assert(node < s->topo->node_count);
    if (s->plan)
        gsched_plan_changed(s, node, milli);
    if (s->shadow)
        gsched_shadow_changed(s, node);
}

bool gsched_reservations_stand(const struct gsched *s)
{
    return s->modules->is_planned ? s->plan && s->plan->count > 0
                                  : s->shadow && s->shadow->head != NONE;
}

void gsched_reservations_others(struct gsched *s, uint32_t job, uint32_t group,
                                const struct topo_grant *g, bool holds)
{
    assert(gsched_job(s, job)->phase == JOB_ELSEWHERE);
    if (s->plan)
        gsched_plan_others(s, job, group, g, holds);
    if (s->shadow)
        gsched_shadow_hold(s, job, group, g, holds);
}

void gsched_reservations_exchanged(struct gsched *s,
                                   const struct gsched_decision *d,
                                   const struct topo_grant *g, uint32_t count)
{
    if (!s->shadow)
        return; /* plans count devices, whichever they are */
    for (uint32_t i = 0; i < count; i++)
        gsched_shadow_hold(s, d[i].job, d[i].group, &d[i].grant, false);
    for (uint32_t i = 0; i < count; i++)
        gsched_shadow_hold(s, d[i].job, d[i].group, &g[i], true);
}

void gsched_reservations_free(struct gsched *s)
{
    gsched_plan_free(s);
    gsched_shadow_free(s);
    gsched_window_free(s);
}

int64_t gsched_promised(const struct gsched *s, uint32_t job)
{
    if (!gsched_is_live(s, job))
        return GSCHED_NEVER;
    if (s->modules->is_planned)
        return gsched_plan_start(s, job);
    return s->shadow && s->head != NONE && s->shadow->head == job
               ? s->reserved
               : GSCHED_NEVER;
}

/* --- slots ---------------------------------------------------------------- */

void gsched_slot_add(struct reservation *r, uint32_t group, uint32_t node,
                     uint32_t tasks)
{
    assert(tasks > 0);
    r->slot = gs_array_grow(r->slot, &r->slot_cap, r->slots + 1,
                            sizeof(*r->slot));
    r->slot[r->slots++] = (struct reserved_slot){ group, node, tasks };
}

/* Place the tasks of a slot from number *task on, as far as the node has room
 * and rules about other jobs allow; one by one when each may change the answer.
 */
static bool slot_take(struct gsched *s, uint32_t job,
                      const struct reserved_slot *at, uint32_t *task)
{
    const struct topo_request *r = gsched_request(s, job, at->group);
    const struct scope w = gsched_scope_all(s, job, at->group);
    const uint32_t step = topo_request_is_part(r) || w.has_rules ? 1
                                                                 : at->tasks;

    for (uint32_t done = 0; done < at->tasks; done += step) {
        struct topo_grant g;

        if (topo_group_fit(s->cluster,
                           topo_cluster_group_of(s->cluster, at->node), r)
                < step
            || gsched_modules_allow_node(s, &w, at->node) != at->node)
            return false;
        g = gsched_take(s, at->node, r, step);
        gsched_propose(s, job, at->group, *task, &g);
        *task += step;
    }
    return true;
}

/* The number, at the level, of the domain or the node that holds the node. */
static uint32_t domain_at(const struct gsched *s, uint32_t node, uint32_t level)
{
    return level > s->topo->tier_count ? node
                                       : topo_domain_of(s->topo, node, level);
}

/* Do kinds of tasks that must stand in one domain do so? */
static bool parts_stand(const struct gsched *s, const struct reservation *r)
{
    const struct trace_job *j = &s->work->job[r->job];

    for (uint32_t i = 0, k = 0; i < r->slots; i++) {
        const uint32_t group = r->slot[i].group;
        const uint32_t level = gsched_group_bound_level(s, r->job, group);

        if (level == 0)
            continue;
        if (!trace_groups_join(s->work, j, r->slot[k].group, group))
            k = 0; /* seek a slot that it joins: its own, at the latest */
        while (!trace_groups_join(s->work, j, r->slot[k].group, group))
            k++;
        if (domain_at(s, r->slot[i].node, level)
            != domain_at(s, r->slot[k].node, level))
            return false;
    }
    return true;
}

bool gsched_reservation_take(struct gsched *s, const struct reservation *r)
{
    const uint32_t first = s->decision_count;
    const uint32_t mark = topo_cluster_begin(s->cluster);
    bool fits = r->slots > 0 && parts_stand(s, r);
    uint32_t task = 0;

    for (uint32_t i = 0; i < r->slots && fits; i++) {
        if (i > 0 && r->slot[i].group != r->slot[i - 1].group)
            task = 0;
        fits = slot_take(s, r->job, &r->slot[i], &task);
    }
    if (!fits || !gsched_gang_is_ready(s, r->job)) {
        gsched_undo(s, mark, first);
        return false;
    }
    topo_cluster_commit(s->cluster, mark);
    return true;
}
