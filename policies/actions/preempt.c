/* policies/actions/preempt.c - the actions that make room for pending jobs. */
#include "policies/actions/actions.h"

#include <assert.h>

#include "policies/actions/queue_depth.h"
#include "policies/actions/room_list.h"
#include "policies/pending/back_off.h"
#include "policies/pending/pending.h"
#include "policies/pending/service_order.h"
#include "policies/placement/placement.h"
#include "policies/reservation/reservation.h"
#include "policies/solver/solver.h"
#include "policies/state/grace.h"
#include "policies/state/running_index.h"
#include "policies/state/spans.h"
#include "policies/state/transaction.h"

/* Make room for the entry.  If that fails only because victims were placed in
 * this cycle, the next cycle is due at once.
 */
static bool entry_make_room(struct gsched *s, uint32_t cqueue, struct way way,
                            const struct queue_entry *it)
{
    const bool was_early = s->early.is_early;
    const uint32_t claims = gsched_claims_of(s, it->job, it->group);
    bool may, done;

    s->early.is_early = false;
    gsched_claims_count_own(s, true);
    may = gsched_room_may(s, way, it, NULL);
    done = may && gsched_entry_room(s, way, it, NULL);
    if (way.by_trials && may && !done
        && gsched_claims_of(s, it->job, it->group) == claims)
        gsched_alike_note(s, &s->solver->alike, it->job);
    gsched_claims_count_own(s, false);
    if (!done && !s->early.is_early)
        gsched_room_tried(s, cqueue, it->job, way);
    s->early.is_early |= was_early;
    return done;
}

bool gsched_make_room(struct gsched *s, uint32_t job, const uint8_t *avoid)
{
    const struct queue_entry it = { gsched_job(s, job)->since, 0, job, NONE };
    const struct way way = { .why = GSP_PREEMPT };

    if (!gsched_has_action(s, GSCHED_PREEMPT) || gsched_room_is_awaited(s, &it)
        || !gsched_room_may(s, way, &it, NULL)
        || !gsched_entry_room(s, way, &it, avoid))
        return false;
    gsched_entry_served(s, &it);
    return true;
}

/* Make room for the first entry of the class queue, then for those after it. */
static bool cqueue_make_room(struct gsched *s, uint32_t cqueue, struct way way)
{
    uint32_t i;
    bool any = false;

    assert(cqueue < s->pending->cqueue_count);
    while (!gsched_is_full(s)
           && (i = gsched_room_entry(s, &s->pending->cqueue[cqueue])) != NONE
           && !gsched_room_is_tried(s, &s->pending->cqueue[cqueue], i, way)) {
        const struct queue_entry it = s->pending->cqueue[cqueue].heap[i];
        const uint32_t claims = gsched_claims_of(s, it.job, it.group);

        if (!gsched_depth_allows(s, cqueue, &it))
            break;
        if (entry_make_room(s, cqueue, way, &it)) {
            any = true;
            gsched_entry_served(s, &it);
            gsched_depth_served(s, s->pending->cqueue[cqueue].queue);
        } else if (gsched_claims_of(s, it.job, it.group) == claims) {
            break;
        }
    }
    return any;
}

/* The same for the first job of the plan. */
static bool plan_make_room(struct gsched *s, struct way way)
{
    const uint32_t job = gsched_plan_first(s);

    return job != NONE && !gsched_is_full(s)
           && cqueue_make_room(s, gsched_cqueue_of(s, job), way);
}

/* --- by trials ------------------------------------------------------------ */

static struct queue_entry first_of(const struct gsched *s, uint32_t cqueue)
{
    const struct class_queue *b = &s->pending->cqueue[cqueue];
    const uint32_t first = gsched_room_entry(s, b);

    return b->heap[first == NONE ? 0 : first];
}

static void change_by_first(struct gsched *s, uint32_t queue, uint32_t cqueue,
                            int64_t *change)
{
    const struct queue_entry it = first_of(s, cqueue);

    (void)queue;
    gsched_entry_amount(s, &it, change);
}

/* A place in the class queues that have entries, by request class. */
struct cqueue_place {
    uint32_t rclass, next;
};

/* The next class queue for which room may be made; NONE.  *at begins with 0. */
static uint32_t cqueue_next(const struct gsched *s, struct way way,
                            struct cqueue_place *at)
{
    const struct gsched_pending *p = s->pending;

    for (; at->rclass < p->rclass_count; at->rclass++, at->next = 0) {
        const struct gs_numbers *l = &p->rclass[at->rclass].filled;

        if (at->next == 0 && !gsched_room_class_may(s, at->rclass, way))
            continue;
        while (at->next < l->count) {
            const uint32_t cqueue = l->at[at->next++];

            if (gsched_room_cqueue_may(s, cqueue, way))
                return cqueue;
        }
    }
    return NONE;
}

/* List the class queues for which room may be made. */
static void in_turn_list(struct gsched *s, struct way way)
{
    struct gsched_solver *v = s->solver;
    struct cqueue_place at = { 0 };
    uint32_t cqueue;

    v->class_queues.count = 0;
    while ((cqueue = cqueue_next(s, way, &at)) != NONE)
        (void)gs_numbers_add(&v->class_queues, cqueue);
    v->pending.entry_of = first_of;
    v->pending.change_by = change_by_first;
}

/* Is the sum of what is free on all nodes enough for the first entry of the
 * class queue?  Those of one request class ask for the same: they are asked
 * about once a turn.
 */
static bool has_capacity(struct gsched *s, uint32_t cqueue)
{
    struct request_class *a =
        &s->pending->rclass[s->pending->cqueue[cqueue].rclass];

    if (a->weighed_in != s->solver->turns || a->kind == REQUEST_ANY) {
        const struct queue_entry it = first_of(s, cqueue);

        a->weighed_in = s->solver->turns;
        a->has_capacity = gsched_moves_have_capacity(s, &it);
    }
    return a->has_capacity;
}

/* Could moves make room for any entry?  Not where the sum of what is free is
 * too small, nor where a gang had no room without all that may move.
 */
static bool any_may_move(struct gsched *s)
{
    const struct gsched_pending *p = s->pending;
    bool any = false, is_begun = false;

    s->solver->moves_are_early = false;
    for (uint32_t i = 0; i < p->rclass_count && !any; i++) {
        const struct request_class *a = &p->rclass[i];
        struct queue_entry it;

        if (a->filled.count == 0)
            continue;
        any = a->kind == REQUEST_ANY;
        if (any || !has_capacity(s, a->filled.at[0]))
            continue;
        it = first_of(s, a->filled.at[0]);
        any = a->kind != REQUEST_GANG
              || (!is_begun && !gsched_moves_begin(s, &it))
              || gsched_moves_may_help(s, &it);
        is_begun = true;
    }
    return any;
}

/* Is it known that modules refuse all for which room may be made?  They count
 * as tried then.  Those of tasks above a gang are not known to queues.
 */
static bool all_are_refused(struct gsched *s, struct way way)
{
    const struct gsched_pending *p = s->pending;
    struct cqueue_place first = { 0 };

    for (uint32_t i = 0; i < p->rclass_count; i++) {
        if (p->rclass[i].kind == REQUEST_ELASTIC && p->rclass[i].filled.count)
            return false;
    }
    if (cqueue_next(s, way, &first) == NONE)
        return true;
    if (gsched_room_list(s, way) > 0)
        return false;
    gsched_room_tried_all(s, way);
    return true;
}

/* Are there victims for any entry at all? */
static bool has_victims(const struct gsched *s, struct way way)
{
    return way.why != GSP_PREEMPT || !s->modules->victims_are_lower
           || s->running->place_count > 1;
}

#ifndef NDEBUG
/* Does a search for moves find room for any entry? */
static bool any_moves_plainly(struct gsched *s)
{
    const struct gsched_pending *p = s->pending;
    bool any = false;

    for (uint32_t i = 0; i < p->rclass_count && !any; i++) {
        struct queue_entry it;

        if (p->rclass[i].filled.count == 0
            || !has_capacity(s, p->rclass[i].filled.at[0]))
            continue;
        it = first_of(s, p->rclass[i].filled.at[0]);
        any = gsched_solves_plainly(s, SOLVE_MOVE, &it);
    }
    return any;
}
#endif

/* Would an attempt be made for the class queue, that does not fail for the sum
 * of what is free?  One that is refused counts as tried.
 */
static bool is_open(struct gsched *s, uint32_t cqueue, struct way way)
{
    struct queue_entry it;
    bool may;

    if ((way.moves && !has_capacity(s, cqueue))
        || !gsched_room_cqueue_may(s, cqueue, way))
        return false;
    it = first_of(s, cqueue);
    if (gsched_alike_failed(s, &s->solver->alike, it.job))
        return false;
    gsched_claims_count_own(s, true);
    may = gsched_room_may(s, way, &it, NULL);
    gsched_claims_count_own(s, false);
    if (!may)
        gsched_room_tried(s, cqueue, it.job, way);
    return may;
}

/* Would an attempt be made for any of those that are listed?  As long as all
 * fail, one that is not open stays so: *from is the first that may be.
 */
static bool any_open(struct gsched *s, struct way way, uint32_t *from)
{
    const struct gs_numbers *l = &s->solver->class_queues;

    while (*from < l->count && !is_open(s, l->at[*from], way))
        (*from)++;
    return *from < l->count;
}

/* Would one be made for any, as far as the depth of queues goes? */
static bool any_allowed(struct gsched *s, struct way way)
{
    struct cqueue_place at = { 0 };
    bool any = false;
    uint32_t cqueue;

    while (!any && (cqueue = cqueue_next(s, way, &at)) != NONE) {
        const struct queue_entry it = first_of(s, cqueue);

        any = is_open(s, cqueue, way) && gsched_depth_allows(s, cqueue, &it);
    }
    return any;
}

/* Make room for each entry in turn, as far as none like it failed before.
 * Queues that victims leave keep their turns until they are served, as in KAI
 * Scheduler.  True when it succeeded for any: that job may now wait for more of
 * its tasks.
 */
static bool make_room_in_turn(struct gsched *s, struct way way)
{
    struct gsched_solver *v = s->solver;
    uint32_t queue, cqueue, open = 0;
    bool any = false, is_vain;

    v->turns++;
    if (!way.moves
        && (gsched_is_full(s) || !has_victims(s, way)
            || all_are_refused(s, way)))
        return false;
    is_vain = way.moves && !any_may_move(s);
    assert(!is_vain || !any_moves_plainly(s));
    gsched_alike_begin(&v->alike, !way.moves);
    if (is_vain) {
        s->early.is_early |= v->moves_are_early && any_allowed(s, way);
        return false;
    }
    in_turn_list(s, way);
    if (gsched_is_full(s) || !any_open(s, way, &open))
        return false;
    gsched_walk_begin(s, &v->pending, v->class_queues.at,
                      v->class_queues.count);
    while (!gsched_is_full(s) && (any || any_open(s, way, &open))
           && gsched_walk_first(s, &v->pending, &queue, &cqueue)) {
        bool goes_on = false;

        if (gsched_room_cqueue_may(s, cqueue, way)) {
            const struct queue_entry it = first_of(s, cqueue);
            const bool may = gsched_depth_allows(s, cqueue, &it)
                             && !gsched_alike_failed(s, &v->alike, it.job);

            if (may && entry_make_room(s, cqueue, way, &it)) {
                gsched_entry_served(s, &it);
                gsched_depth_served(s, s->pending->cqueue[cqueue].queue);
                goes_on = gsched_room_cqueue_may(s, cqueue, way);
                any = true;
            } else if (may && gsched_room_is_awaited(s, &it)) {
                goes_on = gsched_room_cqueue_may(s, cqueue, way);
            }
        }
        gsched_walk_next(s, &v->pending, queue, !goes_on);
    }
    return any;
}

/* Make room for all class queues.  With reservations only the first blocked job
 * may evict, then the next becomes first.
 */
static void make_room(struct gsched *s, struct way way)
{
    if (s->modules->is_planned) {
        while (plan_make_room(s, way))
            gsched_plan_clear(s);
        return;
    }
    if (s->modules->keeps_order) {
        while (s->head != NONE && cqueue_make_room(s, s->head, way))
            gsched_allocate(s);
        return;
    }
    if (way.by_trials) {
        gsched_claims_count(s, true);
        while (make_room_in_turn(s, way)) {
        }
        gsched_claims_count(s, false);
        return;
    }
    for (uint32_t i = 0, n = gsched_room_list(s, way);
         i < n && !gsched_is_full(s); i++) {
        if (cqueue_make_room(s, s->evict->cqueue[i], way))
            n = gsched_room_list_more(s, way, i + 1, n);
    }
}

/* Make room for tasks by less important ones of their own jobs: for all entries
 * of the class queue, as only some of their jobs may have such tasks.
 */
static void cqueue_make_room_within(struct gsched *s, uint32_t cqueue)
{
    const struct way way = { .why = GSP_PREEMPT, .within = true };
    uint32_t i = 0;

    while (i < s->pending->cqueue[cqueue].count && !gsched_is_full(s)) {
        const struct queue_entry it = s->pending->cqueue[cqueue].heap[i];

        if (!entry_make_room(s, cqueue, way, &it)) {
            i++;
            continue;
        }
        gsched_entry_served(s, &it);
    }
}

static void make_room_within(struct gsched *s)
{
    for (uint32_t b = 0; b < s->pending->cqueue_count; b++) {
        const struct class_queue *q = &s->pending->cqueue[b];
        const struct request_class *a = &s->pending->rclass[q->rclass];

        if ((a->kind == REQUEST_TASK || a->kind == REQUEST_ELASTIC)
            && !gsched_is_paused(s, a)
            && (!q->tries
                || q->tries->at[ROOM_WITHIN]
                       != s->allocations->allocation_changes))
            cqueue_make_room_within(s, b);
    }
}

static bool by_trials(const struct gsched *s)
{
    return s->modules->preemption.search == GSP_SEARCH_TRIALS;
}

void gsched_preempt(struct gsched *s)
{
    gsched_depths_begin(s, GSCHED_PREEMPT);
    make_room(s, (struct way){ .why = GSP_PREEMPT, .by_trials = by_trials(s) });
    if (s->jobs->any_classes)
        make_room_within(s);
}

void gsched_reclaim(struct gsched *s)
{
    gsched_depths_begin(s, GSCHED_RECLAIM);
    if (s->modules->has_queues)
        make_room(
            s, (struct way){ .why = GSP_RECLAIM, .by_trials = by_trials(s) });
}

void gsched_consolidate(struct gsched *s)
{
    gsched_depths_begin(s, GSCHED_CONSOLIDATE);
    make_room(s, (struct way){
                     .why = GSP_RECLAIM, .by_trials = true, .moves = true });
    if (!gsched_is_full(s))
        gsched_nodes_free(s);
}

void gsched_gang_preempt(struct gsched *s)
{
    make_room(s, (struct way){ .why = GSP_PREEMPT, .by_bundle = true });
}

void gsched_gang_reclaim(struct gsched *s)
{
    if (s->modules->has_queues)
        make_room(s, (struct way){ .why = GSP_RECLAIM, .by_bundle = true });
}
