/* policies/actions/conservative.c - conservative backfilling: a start planned
 * for every job.
 *
 * A job that comes gets the earliest time at which there is room for it for
 * as long as it may run; so no job delays one that came before it.  When a job
 * ends early the plan has slack:
 *
 *   keep    planned jobs move up into it, in queue order, never back
 *   replan  all starts are planned anew, in queue order, at every instant
 *
 * The modules choose the nodes of a job that starts, unless that would take
 * what is promised to others: then it stands where it was planned.  Shares of
 * a GPU are summed up by node, so a start may slip when no device has enough.
 */
#include "policies/actions/conservative.h"

#include <assert.h>

#include "base/array.h"
#include "policies/actions/allocate.h"
#include "policies/lifecycle/commit.h"
#include "policies/pending/pending.h"
#include "policies/pending/queue_head.h"
#include "policies/pending/service_order.h"
#include "policies/pending/unschedulable.h"
#include "policies/pending/wait_clock.h"
#include "policies/placement/candidates.h"
#include "policies/placement/diagnosis.h"
#include "policies/placement/gang_fit.h"
#include "policies/placement/topology_fit.h"
#include "policies/reservation/plan.h"
#include "policies/state/entry.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/transaction.h"
#include "topology/cluster.h"

/* The tasks of one slot, as far as the cluster really has room. */
static bool slot_take(struct gsched *s, uint32_t job, const struct plan_slot *c,
                      uint32_t *task)
{
    const struct topo_request *r =
        &s->work->shape[gsched_group(s, job, c->group)->shape];
    const uint32_t step = topo_request_is_part(r) ? 1 : c->tasks;

    assert(c->tasks > 0 && step > 0);
    for (uint32_t done = 0; done < c->tasks; done += step) {
        struct topo_grant g;

        if (topo_group_fit(s->cluster,
                           topo_cluster_group_of(s->cluster, c->place), r)
            < step)
            return false;
        g = gsched_take(s, c->place, r, step);
        gsched_propose(s, job, c->group, *task, &g);
        *task += step;
    }
    return true;
}

/* Where it was planned. */
static bool take_slots(struct gsched *s, const struct planned *j)
{
    uint32_t group = 0, task = 0;

    if (s->plan->counts || j->start > s->now || j->slots == 0
        || gsched_has_rules(s, j->job))
        return false;
    for (uint32_t i = 0; i < j->slots; i++) {
        task = j->slot[i].group == group ? task : 0;
        group = j->slot[i].group;
        if (!slot_take(s, j->job, &j->slot[i], &task))
            return false;
    }
    return true;
}

/* The job, whose own reservation is not in the plan, starts now. */
static bool start(struct gsched *s, const struct planned *j)
{
    const uint32_t first = s->decision_count, job = j->job;
    const struct queue_entry it = { 0, 0, job, NONE };
    uint32_t mark;

    assert(s->jobs->job[job].phase == JOB_WAITING);
    if (!gsched_entry_allocatable(s, &it) || !gsched_gang_has_room(s, job))
        return false;
    mark = topo_cluster_begin(s->cluster);
    if (!gsched_gang_place(s, job, NULL)
        || !gsched_plan_respects(s, job, first)) {
        gsched_undo(s, mark, first);
        mark = topo_cluster_begin(s->cluster);
        if (!take_slots(s, j)) {
            gsched_undo(s, mark, first);
            return false;
        }
    }
    topo_cluster_commit(s->cluster, mark);
    s->plan->is_starting = true;
    gsched_gang_commit(s, job, first);
    gsched_entry_served(s, &it);
    s->plan->is_starting = false;
    return true;
}

/* The earliest start; not later than it was, if that is still to come. */
static void plan_start(struct gsched *s, struct planned *j)
{
    struct planned anew = { .job = j->job, .is_missed = j->is_missed };

    assert(anew.slots == 0);
    anew.start = gsched_earliest_slot_find(s, &anew);
    if (j->slots > 0 && j->start >= s->now && anew.start > j->start) {
        gs_array_free(anew.slot);
        return;
    }
    gs_array_free(j->slot);
    *j = anew;
}

static void slots_drop(struct gsched_plan *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        p->queue[i].slots = 0;
        p->queue[i].start = GSCHED_NEVER;
    }
}

static void replan(struct gsched *s)
{
    struct gsched_plan *p = s->plan;

    assert(p->running);
    for (uint32_t i = 0; i < p->count; i++)
        p->queue[i].is_missed |= p->queue[i].start <= s->now;
    for (uint32_t i = 0; i < p->places; i++) {
        availability_trim(&p->running[i], p->dims, s->now);
        availability_copy(&p->all[i], &p->running[i], p->dims);
    }
    slots_drop(p);
}

/* Those that could not start when it was time are planned anew, in order. */
static void forget_missed(struct gsched *s)
{
    struct gsched_plan *p = s->plan;

    for (uint32_t i = 0; i < p->count; i++) {
        if (p->queue[i].start < s->now) {
            gsched_planned_forget(s, &p->queue[i]);
            p->queue[i].is_missed = true;
        }
    }
}

/* In queue order: start those whose time has come, plan those that are new;
 * with `anew`, all, moving up.
 */
static void plan_all(struct gsched *s, bool anew)
{
    struct gsched_plan *p = s->plan;

    p->next = GSCHED_NEVER;
    for (uint32_t i = 0; i < p->count && !gsched_is_full(s);) {
        struct planned *j = &p->queue[i];

        if (anew || j->slots == 0 || j->start <= s->now) {
            gsched_plan_reserve(s, j, 1);
            if (start(s, j))
                continue;
            j->is_missed |= j->start <= s->now;
            plan_start(s, j);
            if (j->start <= s->now && start(s, j)) /* there, then */
                continue;
            gsched_plan_reserve(s, j, -1);
        }
        if (!j->is_missed && j->start > s->now && j->start < p->next)
            p->next = j->start;
        i++;
    }
}

/* Note why the others wait: no room for them, or jobs before them. */
static void wait_reason_set(struct gsched *s)
{
    for (uint32_t i = s->pending->active_count; i-- > 0;) {
        const uint32_t rclass = s->pending->active[i],
                       cqueue = s->pending->rclass[rclass].first_cqueue;

        if (s->pending->rclass[rclass].waiting == 0) {
            gsched_rclass_unlist(s, rclass);
        } else if (s->pending->cqueue[cqueue].count
                   && !gsched_gang_has_room(
                       s, s->pending->cqueue[cqueue].heap[0].job)) {
            gsched_rclass_unschedulable(
                s, rclass,
                gsched_cause_of(s, &s->pending->cqueue[cqueue].heap[0]));
        } else {
            for (uint32_t b = cqueue; b != NONE; b = s->pending->cqueue[b].next)
                gsched_cqueue_waits_for(s, &s->pending->cqueue[b],
                                        GSCHED_ORDER);
        }
    }
}

/* Is room kept for any of them, from some time on? */
static bool has_promised(const struct gsched *s)
{
    const struct gsched_plan *p = s->plan;
    uint32_t i = 0;

    while (
        i < p->count
        && (p->queue[i].start <= s->now || p->queue[i].start == GSCHED_NEVER))
        i++;
    return i < p->count;
}

void gsched_plan_run(struct gsched *s)
{
    struct gsched_plan *p = gsched_plan_of(s);

    assert(s->modules->is_planned);
    if (p->counts && s->work->shape_count > 1)
        gsched_plan_by_nodes(s);
    if (s->modules->backfill.replan)
        replan(s);
    else
        forget_missed(s);
    plan_all(s, s->modules->backfill.replan || p->has_gap);
    p->has_gap &= gsched_is_full(s); /* else the gaps are seen to */
    if (!has_promised(s)) /* what is left is for those that are planned */
        gsched_grow(s);
    wait_reason_set(s);
}
