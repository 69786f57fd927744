/* policies/actions/allocate.c - the action that places pending jobs.
 *
 * Queues are served in turn; in a queue the first entry in order is served.  A
 * gang is placed in one transaction or not at all.  Pods are placed one by one,
 * and so are members above the gang, in turn with gangs (grows_in_turn) or
 * after all of them.
 */
#include "policies/actions/actions.h"

#include <assert.h>

#include "policies/actions/keep_nodes.h"
#include "policies/actions/passes.h"
#include "policies/actions/queue_depth.h"
#include "policies/lifecycle/commit.h"
#include "policies/pending/entry_heap.h"
#include "policies/pending/job_waits.h"
#include "policies/pending/pending.h"
#include "policies/pending/roused.h"
#include "policies/pending/ruled_turns.h"
#include "policies/pending/service_order.h"
#include "policies/pending/unschedulable.h"
#include "policies/placement/placement.h"
#include "policies/state/entry.h"
#include "policies/state/grace.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/state.h"
#include "policies/state/transaction.h"

/* The entry cannot be placed: make its request class unschedulable. */
static void fail(struct gsched *s, uint32_t cqueue,
                 const struct queue_entry *it)
{
    const enum gsched_cause why = gsched_cause_of(s, it);
    const uint32_t rclass = s->pending->cqueue[cqueue].rclass;

    assert(s->pending->cqueue[cqueue].count > 0);
    if (s->pending->rclass[rclass].kind == REQUEST_ANY)
        gsched_wait_head(s, it->job, why);
    gsched_rclass_unschedulable(s, rclass, why);
}

/* Serve the first entry of the class queue; false when the cluster has no room
 * for it.
 */
static bool serve(struct gsched *s, uint32_t cqueue)
{
    const struct queue_entry it = s->pending->cqueue[cqueue].heap[0];

    assert(cqueue < s->pending->cqueue_count
           && s->pending->cqueue[cqueue].count > 0);
    gsched_rclass_wake(s, s->pending->cqueue[cqueue].rclass);
    if (gsched_rclass_is_unschedulable(s, s->pending->cqueue[cqueue].rclass))
        return false;
    if (!gsched_depth_allows(s, cqueue, &it)) {
        gsched_active_pass(s, cqueue);
        return true;
    }
    if (!gsched_entry_allocatable(s, &it)) {
        gsched_active_defer(s, cqueue, s->modules->refuser);
        return true;
    }
    if (!gsched_place_entry(s, &it)) {
        fail(s, cqueue, &it);
        return false;
    }
    gsched_entry_served(s, &it);
    gsched_depth_served(s, s->pending->cqueue[cqueue].queue);
    return true;
}

/* The class queue to be served next, after those with rules whose turn is
 * before it; NONE.
 */
static uint32_t next_in_turn(struct gsched *s, int active_queue)
{
    uint32_t cqueue = gsched_service_next(s, active_queue);

    if (active_queue == QUEUE_GANGS && gsched_ruled_reach(s, cqueue))
        cqueue = gsched_service_next(s, active_queue);
    return cqueue;
}

/* Serve all entries.  When jobs must keep their order, the first blocked entry
 * ends the pass.
 */
static void serve_all(struct gsched *s, int active_queue)
{
    assert(active_queue == QUEUE_GANGS || active_queue == QUEUE_ELASTIC);
    gsched_service_begin(s, active_queue);
    while (!gsched_is_full(s)) {
        const uint32_t cqueue = next_in_turn(s, active_queue);
        uint32_t queue;

        if (cqueue == NONE)
            return;
        queue = s->pending->cqueue[cqueue].queue;
        if (!serve(s, cqueue) && s->modules->keeps_order
            && active_queue == QUEUE_GANGS) {
            s->head = cqueue;
            return;
        }
        gsched_service_taken(s, queue);
    }
}

/* After an eviction a pass is due at once. */
static void pass(struct gsched *s)
{
    bool full;

    if (gsched_main_is_due(s, &full) || s->early.has_evicted)
        gsched_main_pass(s, full);
}

/* A claim outlives the entry: a job that was evicted since waits as a whole. */
static bool is_queued(const struct gsched *s, const struct queue_entry *it)
{
    const struct gsched_pending *p = s->pending;
    const uint8_t phase = gsched_job(s, it->job)->phase;
    const uint32_t key = gsched_entry_key(s, it), cqueue = p->group_cqueue[key];

    return (phase == JOB_WAITING
            || (it->group != NONE
                && (phase == JOB_PARTIAL || phase == JOB_RUNNING)))
           && cqueue != NONE
           && p->cqueue[cqueue].heap[p->group_at[key]].group == it->group;
}

/* Place what room was claimed for, if it waits. */
static void claimed_place(struct gsched *s, uint32_t job, uint32_t group)
{
    const struct queue_entry it = { gsched_job(s, job)->since, 0, job, group };

    if (is_queued(s, &it) && gsched_entry_allocatable(s, &it)
        && gsched_place_entry(s, &it))
        gsched_entry_served(s, &it);
}

/* List the victims that are to move to room of the claim, each with the group
 * of the room.
 */
static void movers_list(struct gsched_grace *g, const struct claim *c)
{
    g->movers.count = 0;
    for (uint32_t i = c->first; i != NONE; i = g->room[i].next) {
        if (g->room[i].job == c->job)
            continue;
        (void)gs_numbers_add(&g->movers, g->room[i].job);
        (void)gs_numbers_add(&g->movers, g->room[i].group);
    }
}

/* Place them before others take the room. */
static void movers_place(struct gsched *s)
{
    const struct gs_numbers *m = &s->grace->movers;

    for (uint32_t i = 0; i < m->count && !gsched_is_full(s); i += 2) {
        const bool is_whole = s->profile->unit == GSCHED_UNIT_GANG
                              && gsched_job(s, m->at[i])->phase == JOB_WAITING;

        claimed_place(s, m->at[i], is_whole ? NONE : m->at[i + 1]);
    }
}

void gsched_claims_serve(struct gsched *s)
{
    const struct gsched_modules *m = s->modules;
    const struct gsched_grace *g = s->grace;

    if (!gsched_has_claims(s) || m->is_planned || m->keeps_order
        || m->has_passes || m->is_windowed)
        return; /* the order decides */
    for (uint32_t i = 0; i < g->gone.count && !gsched_is_full(s); i++) {
        const struct claim c = g->claim[g->gone.at[i]];

        if (c.first == NONE || c.leavers)
            continue;
        movers_list(s->grace, &c);
        if (c.job != NONE)
            claimed_place(s, c.job, c.group);
        movers_place(s);
    }
}

void gsched_allocate(struct gsched *s)
{
    assert(s->early.has_evicted || s->head == NONE || s->modules->keeps_order);
    s->head = NONE;
    gsched_depths_begin(s, GSCHED_ALLOCATE);
    gsched_pending_activate(s);
    gsched_kept_serve(s);
    if (s->modules->is_planned)
        return; /* the plan starts gangs, see conservative.c */
    if (s->modules->has_passes)
        pass(s);
    else
        serve_all(s, QUEUE_GANGS);
    while (gsched_kept_reopen(s)) {
        gsched_pending_activate(s);
        serve_all(s, QUEUE_GANGS);
    }
    gsched_nodes_keep(s);
    if (s->head == NONE) /* free nodes are for the head */
        gsched_grow(s);
}

void gsched_grow(struct gsched *s)
{
    serve_all(s, QUEUE_ELASTIC);
}
