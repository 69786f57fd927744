/* policies/actions/entry_room.c - makes room by eviction for one entry.
 *
 * Everything is tentative first: victims are evicted, the job is placed in the
 * freed room, and then all of it is committed or undone.  For a task that does
 * not fit, preemption/best_node.c chooses the node.
 */
#include "policies/actions/entry_room.h"

#include <assert.h>
#include <string.h>

#include "policies/lifecycle/allocations.h"
#include "policies/lifecycle/commit.h"
#include "policies/lifecycle/grace_ends.h"
#include "policies/placement/candidates.h"
#include "policies/placement/placement.h"
#include "policies/solver/solver.h"
#include "policies/state/entry.h"
#include "policies/state/grace.h"
#include "policies/state/job_labels.h"
#include "policies/state/running_index.h"
#include "policies/state/spans.h"
#include "policies/state/transaction.h"
#include "traces/workload/slices.h"

/* Place one task of a group, on free room or on room made by eviction. */
static bool task_try(struct gsched *s, struct attempt *a, uint32_t task)
{
    struct topo_grant g;
    struct node_fit best;
    uint32_t node = NONE;

    assert(a->request && a->shape < s->work->shape_count);
    if (gsched_quota_allows(s, a)
        && gsched_shape_best(s, a->shape, &a->scope, &best))
        node = best.node;
    if (node == NONE && gsched_preempts(s, a->job, a->scope.group))
        node = gsched_task_clear(s, a);
    if (node == NONE)
        return false;
    g = gsched_take(s, node, a->request, 1);
    gsched_propose(s, a->job, a->scope.group, task, &g);
    for (uint32_t d = 0; d < s->topo->dims->count; d++)
        a->asked[d] += a->request->amount[d];
    return true;
}

static bool group_try(struct gsched *s, struct attempt *a, uint32_t group,
                      uint32_t from, uint32_t count)
{
    assert(group < s->work->job[a->job].group_count);
    assert(from + count <= gsched_group(s, a->job, group)->replicas);
    a->scope.group = group;
    a->shape = gsched_group(s, a->job, group)->shape;
    a->request = &s->work->shape[a->shape];
    a->group = group;
    a->value = a->within ? gsched_task_value(s, a->job, group)
                         : gsched_value_of(s, a->job, group);
    a->asks_nothing = gsched_asks_nothing(s, a->request->amount);
    for (uint32_t t = 0; t < count; t++) {
        if (!task_try(s, a, from + t))
            return false;
        gsched_group_stay(s, &a->scope,
                          s->decision[s->decision_count - 1].grant.node);
    }
    return true;
}

/* The group's tasks of the gang, in the domain of those of groups that share
 * it, placed from decision `first` on.
 */
static bool gang_part_try(struct gsched *s, struct attempt *a, uint32_t group,
                          uint32_t first)
{
    const struct scope all = a->scope;
    bool fits;

    a->scope.group = group;
    for (uint32_t i = first; i < s->decision_count; i++) {
        if (trace_groups_join(s->work, &s->work->job[a->job], group,
                              s->decision[i].group))
            gsched_group_stay(s, &a->scope, s->decision[i].grant.node);
    }
    fits = group_try(s, a, group, 0, gsched_gang_of(s, a->job, group));
    a->scope = all;
    return fits;
}

static bool entry_try(struct gsched *s, struct attempt *a,
                      const struct queue_entry *it)
{
    const struct trace_job *j = &s->work->job[it->job];
    const uint32_t first = s->decision_count;

    memset(a->asked, 0, sizeof(a->asked));
    if (it->group != NONE) {
        a->scope.group = it->group;
        gsched_topology_stay(s, &a->scope);
        return group_try(s, a, it->group,
                         gsched_task_next(s, it->job, it->group), 1);
    }
    for (uint32_t k = 0; k < j->group_count; k++) {
        if (!gang_part_try(s, a, gsched_group_at(s, it->job, k), first))
            return false;
    }
    return true;
}

/* May a victim find victims of its own? */
static bool may_evict_others(const struct gsched *s, uint32_t job)
{
    return (s->modules->victims_are_lower
            && gsched_value_of(s, job, NONE) > s->running->place_value[0])
           || s->work->klass[s->work->job[job].klass].victim_count;
}

static int64_t grace_of(const struct gsched *s, const struct evicted *v)
{
    return s->grace ? gsched_grace_of(s, v->job) : 0;
}

/* Evict the victim; or with a grace time warn it. */
static void victim_go(struct gsched *s, const struct attempt *a,
                      const struct evicted *v, uint32_t claim,
                      struct gsched_decision *why)
{
    const int64_t grace = grace_of(s, v);

    why->breaks = v->breaks;
    if (grace)
        gsched_grace_begin(s, claim, v->job, v->is_whole ? NONE : v->head,
                           grace, why);
    else if (v->is_whole)
        gsched_return(s, v->job, gsched_since_again(s, v->job), why);
    else
        gsched_release_allocation(s, v->head, why);
    /* It may evict others in turn; this ends, as victims have lower priority.
     */
    s->early.is_early |= !grace && a->why == GSP_PREEMPT
                         && may_evict_others(s, v->job);
    s->early.has_evicted |= !grace;
}

/* Commit the attempt: evictions, then placements; these wait where a victim has
 * a grace time: false.
 */
static bool carry_out(struct gsched *s, const struct attempt *a,
                      const struct queue_entry *it)
{
    struct gsched_evict *e = s->evict;
    struct gsched_decision why = {
        .reason = a->why == GSP_PREEMPT ? GSCHED_PREEMPTED : GSCHED_RECLAIMED,
        .by = a->job,
    };

    uint32_t claim = NONE;

    assert(e->proposal_count > 0);
    for (uint32_t i = 0; i < e->tentative_count && claim == NONE; i++) {
        if (grace_of(s, &e->tentative[i]))
            claim = gsched_claim_open(s, it->job, it->group, e->proposal,
                                      e->proposal_count);
    }
    for (uint32_t i = 0; i < e->tentative_count; i++)
        victim_go(s, a, &e->tentative[i], claim, &why);
    if (claim != NONE)
        return false;
    for (uint32_t i = 0; i < e->proposal_count; i++) {
        const struct gsched_decision *d = &e->proposal[i];

        topo_cluster_take(s->cluster, gsched_request(s, d->job, d->group),
                          &d->grant);
        gsched_propose(s, d->job, d->group, d->first_task, &d->grant);
        gsched_allocation_add(s, d->job, d->group, d->first_task, &d->grant,
                              s->now);
    }
    s->early.has_evicted = true;
    return true;
}

/* Victims of single tasks are sought on nodes. */
static bool is_in_order(const struct gsched *s, enum gsp_why why,
                        const struct queue_entry *it)
{
    return why == GSP_PREEMPT && it->group == NONE
           && s->modules->preemption.search == GSP_SEARCH_ORDER;
}

/* Try within each domain that the job requires, or anywhere, but not on nodes
 * in `avoid` (NULL: none).
 */
static bool entry_place(struct gsched *s, struct way way,
                        const struct queue_entry *it, const uint8_t *avoid)
{
    struct attempt a = { .why = way.why,
                         .within = way.within,
                         .job = it->job,
                         .group = it->group,
                         .value = gsched_value_of(s, it->job, it->group) };
    const uint32_t first = s->decision_count;
    const uint64_t changes = s->allocations->allocation_changes;

    for (uint32_t d = NONE; gsched_topology_next(s, it->job, &d, &a.scope);) {
        uint32_t mark;
        bool fits;

        a.scope.avoid = avoid;
        if (!way.within && is_in_order(s, way.why, it)) {
            if (!gsched_order_clear(s, &a, it))
                continue;
            return carry_out(s, &a, it);
        }
        mark = topo_cluster_begin(s->cluster);
        s->evict->evicted_count = 0;
        fits = entry_try(s, &a, it) && gsched_rules_stand(s, it->job, first);
        gsched_attempt_remember(s, first);
        gsched_attempt_undo(s, mark, first);
        if (fits) {
            if (it->group == NONE && s->work->job[it->job].gang > 1
                && !gsched_has_rules(s, it->job))
                gsched_attempt_reprieve(s, &a, it);
            if (s->modules->subtree && it->group == NONE)
                gsched_order_ranks(s->evict->proposal,
                                   s->evict->proposal_count);
            return carry_out(s, &a, it);
        }
    }
    s->allocations->allocation_changes = changes; /* all changes were undone */
    return false;
}

/* The same in bundles. */
static bool entry_place_gang(struct gsched *s, enum gsp_why why,
                             const struct queue_entry *it)
{
    struct attempt a = { .why = why,
                         .by_bundle = true,
                         .job = it->job,
                         .group = it->group,
                         .value = gsched_value_of(s, it->job, it->group) };
    const uint64_t changes = s->allocations->allocation_changes;

    if (!gsched_bundles_place(s, &a, it)) {
        s->allocations->allocation_changes = changes; /* all were undone */
        return false;
    }
    if (s->modules->subtree && it->group == NONE)
        gsched_order_ranks(s->evict->proposal, s->evict->proposal_count);
    return carry_out(s, &a, it);
}

bool gsched_entry_room(struct gsched *s, struct way way,
                       const struct queue_entry *it, const uint8_t *avoid)
{
    if (way.by_trials)
        return gsched_solve(s,
                            way.moves                ? SOLVE_MOVE
                            : way.why == GSP_PREEMPT ? SOLVE_PREEMPT
                                                     : SOLVE_RECLAIM,
                            it);
    return way.by_bundle ? entry_place_gang(s, way.why, it)
                         : entry_place(s, way, it, avoid);
}
