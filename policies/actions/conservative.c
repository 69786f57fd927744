/* policies/actions/conservative.c - conservative backfilling: a reserved start
 * for every job.
 *
 * A new job gets the earliest time at which there is room for it for its
 * estimated run time, so no job delays an earlier one.  When a job ends early,
 * the plan has a gap:
 *
 *   keep    planned jobs move up into it, in queue order, never back
 *   replan  all starts are planned anew, in queue order, at every instant
 *
 * The modules choose the nodes of a job that starts, unless that would use what
 * is reserved for others: then it gets its reserved slots.  Profiles have the
 * sum of GPU shares of a node, so a start may be late when no single device has
 * enough.
 */
#include <assert.h>

#include "base/array.h"
#include "policies/actions/actions.h"
#include "policies/lifecycle/commit.h"
#include "policies/pending/pending.h"
#include "policies/pending/queue_head.h"
#include "policies/pending/service_order.h"
#include "policies/placement/candidates.h"
#include "policies/placement/placement.h"
#include "policies/reservation/reservation.h"
#include "policies/state/entry.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/transaction.h"
#include "topology/cluster.h"

/* Place the job on its reserved slots. */
static bool take_slots(struct gsched *s, const struct reservation *r)
{
    struct reservation at = *r;
    bool takes;

    if (s->plan->counts || r->start > s->now
        || gsched_has_label_rules(s, r->job))
        return false;
    if (!r->nodes)
        return gsched_reservation_take(s, r);
    gsched_whole_slots(s, &at);
    takes = gsched_reservation_take(s, &at);
    gs_array_free(at.slot);
    return takes;
}

/* Start the job now; its own reservation is not in the plan. */
static bool start(struct gsched *s, const struct reservation *r)
{
    const uint32_t first = s->decision_count, job = r->job;
    const struct queue_entry it = { 0, 0, job, NONE };
    uint32_t mark;

    assert(gsched_job(s, job)->phase == JOB_WAITING);
    if (!gsched_entry_allocatable(s, &it) || !gsched_gang_has_room(s, job))
        return false;
    mark = topo_cluster_begin(s->cluster);
    if (gsched_gang_place(s, job, NULL)
        && gsched_plan_respects(s, job, first)) {
        topo_cluster_commit(s->cluster, mark);
    } else {
        gsched_undo(s, mark, first);
        if (!take_slots(s, r))
            return false;
    }
    s->plan->is_starting = true;
    gsched_gang_commit(s, job, first);
    gsched_entry_served(s, &it);
    s->plan->is_starting = false;
    return true;
}

/* Reserve the earliest start; not later than before, if that is still to come.
 */
static void reserve(struct gsched *s, struct reservation *r)
{
    struct reservation anew = { .job = r->job };
    const bool stands = r->slots > 0 && r->start >= s->now;

    anew.start = gsched_earliest_slot(s, &anew,
                                      stands ? r->start : GSCHED_NEVER);
    if (stands && anew.start > r->start) {
        gsched_reservation_close(s->plan, &anew);
        return;
    }
    gsched_reservation_close(s->plan, r);
    *r = anew;
}

/* Cancel the reservations to be made anew: all of them (replan), or those of
 * jobs that could not start at their time.
 */
static void forget_old(struct gsched *s)
{
    struct gsched_plan *p = s->plan;

    for (uint32_t i = 0; i < p->count; i++) {
        struct reservation *r = &p->queue[i];

        if (r->start >= s->now && !s->modules->backfill.replan)
            continue;
        gsched_reservation_forget(s, r);
    }
}

/* In queue order, start the jobs whose time has come and reserve for the first
 * `depth` that do not start; with `anew` reservations move to earlier times
 * where possible.
 */
static void plan_all(struct gsched *s, bool anew)
{
    struct gsched_plan *p = s->plan;

    p->next = GSCHED_NEVER;
    for (uint32_t i = 0; i < p->count && !gsched_is_full(s);) {
        struct reservation *r = &p->queue[i];

        if ((anew || r->slots == 0 || r->start <= s->now)
            && !(i < s->modules->depth && gsched_whole_renew(s, r))) {
            gsched_plan_reserve(s, r, 1);
            if (start(s, r))
                continue;
            if (i < s->modules->depth)
                reserve(s, r);
            if (r->start <= s->now && start(s, r)) /* there, then */
                continue;
            gsched_plan_reserve(s, r, -1);
        }
        if (r->start > s->now && r->start < p->next)
            p->next = r->start;
        i++;
    }
}

/* True when any job has a reservation. */
static bool has_promised(const struct gsched *s)
{
    const struct gsched_plan *p = s->plan;

    for (uint32_t i = 0; i < p->count; i++) {
        if (p->queue[i].start > s->now && p->queue[i].start != GSCHED_NEVER)
            return true;
    }
    return false;
}

void gsched_conservative(struct gsched *s)
{
    struct gsched_plan *p = gsched_plan_of(s);

    assert(s->modules->is_planned);
    if (p->counts && s->work->shape_count > 1)
        gsched_plan_by_nodes(s);
    gsched_whole_begin(s);
    forget_old(s);
    plan_all(s, s->modules->backfill.replan || p->has_gap);
    p->has_gap &= gsched_is_full(s); /* otherwise all gaps were handled */
    if (!has_promised(s)) /* free nodes are for jobs with reservations */
        gsched_grow(s);
    gsched_wait_reasons_set(s);
}
