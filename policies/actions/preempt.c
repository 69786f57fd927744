/* policies/actions/preempt.c - the actions that make room for pending jobs: which
 * of them may, and in which order.
 */
#include "policies/actions/actions.h"

#include <assert.h>

#include "base/heap.h"
#include "policies/actions/entry_room.h"
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

#define WITHIN 4u
#define MOVES 5u

static uint32_t number_of(struct way way)
{
    return way.moves    ? MOVES
           : way.within ? WITHIN
                        : (uint32_t)way.why + (way.by_bundle ? 2 : 0);
}

/* True when the less important jobs of the queue and the free resources could
 * be enough.
 */
static bool is_hopeful(const struct gsched *s, const struct queue_entry *it)
{
    const struct running_list *list =
        &s->running->running_list[gsched_queue_of(s, it->job)
                                  * s->running->place_count];
    const int32_t value = gsched_value_of(s, it->job, it->group);
    int64_t asked[TOPO_DIMS_MAX];

    gsched_entry_amount(s, it, asked);
    for (uint32_t d = 0; d < s->topo->dims->count; d++) {
        int64_t sum = 0;

        if (asked[d] <= 0 || s->topo->model_dims >> d & 1)
            continue;
        for (uint32_t k = 0; k < s->topo->class_count; k++)
            sum += topo_class_free(s->cluster, k, d);
        for (uint32_t p = 0; p < s->running->place_count; p++) {
            if (!s->modules->victims_are_lower
                || s->running->place_value[p] < value)
                sum += list[p].used[d];
        }
        if (sum < asked[d])
            return false;
    }
    return true;
}

static bool may_reclaim(struct gsched *s, const struct queue_entry *it)
{
    int64_t asked[TOPO_DIMS_MAX];

    if (gsched_modules_overused(s, s->work->job[it->job].queue))
        return false; /* queues above it may be full of jobs about to be
                         evicted */
    gsched_entry_amount(s, it, asked);
    return gsched_modules_preemptive(s, it->job, asked);
}

/* A job with a complete gang evicts less important jobs only: otherwise equals
 * would evict surplus tasks of one another for ever.
 */
static bool may_preempt(const struct gsched *s, const struct queue_entry *it)
{
    return (s->modules->victims_are_lower
            || s->jobs->job[it->job].phase != JOB_RUNNING || s->modules->room)
           && (s->modules->room || is_hopeful(s, it));
}

/* Does a less important task of the job, which runs, stand anywhere? */
static bool may_take_own(const struct gsched *s, const struct queue_entry *it)
{
    const struct trace_job *j = &s->work->job[it->job];
    bool any = false;

    if (it->group == NONE || !s->jobs->job[it->job].has_classes
        || s->jobs->job[it->job].phase != JOB_RUNNING)
        return false;
    for (uint32_t g = 0; g < j->group_count && !any; g++)
        any = s->jobs->group_placed[j->first_group + g] > 0
              && gsched_task_value(s, it->job, g)
                     < gsched_task_value(s, it->job, it->group);
    return any;
}

/* True while the entry, or each of its tasks, waits for victims to leave. */
static bool is_waiting_for_victims(const struct gsched *s,
                                   const struct queue_entry *it)
{
    const uint32_t claims = gsched_claims_of(s, it->job, it->group);

    return claims
           && (it->group == NONE
               || claims >= gsched_group_missing(s, it->job, it->group));
}

/* The place of the first entry in order, from that at `i` on in the heap, which
 * does not wait for victims to leave; NONE.
 */
static uint32_t entry_from(const struct gsched *s, const struct class_queue *b,
                           uint32_t i)
{
    uint32_t left, right;

    if (i >= b->count)
        return NONE;
    if (!is_waiting_for_victims(s, &b->heap[i]))
        return i;
    left = entry_from(s, b, 2 * i + 1);
    right = entry_from(s, b, 2 * i + 2);
    if (left == NONE || right == NONE)
        return left == NONE ? right : left;
    return gsched_entry_compare(s, &b->heap[left], &b->heap[right]) < 0 ? left
                                                                        : right;
}

/* The place of the entry of the class queue for which room is made: the first;
 * where each makes room for itself, of those that do not wait for victims.
 */
static uint32_t next_entry(const struct gsched *s, const struct class_queue *b)
{
    const bool is_first = s->modules->is_planned || s->modules->keeps_order;

    if (b->count == 0 || !gsched_has_claims(s))
        return b->count ? 0 : NONE;
    if (is_first)
        return is_waiting_for_victims(s, &b->heap[0]) ? NONE : 0;
    return entry_from(s, b, 0);
}

/* True when the attempt for the entry of the class queue failed and nothing has
 * changed since.
 */
static bool is_tried(const struct gsched *s, const struct class_queue *b,
                     uint32_t entry, struct way way)
{
    const uint32_t n = number_of(way);

    return b->tried[n] == s->allocations->allocation_changes
           && b->tried_for[n] == b->heap[entry].job;
}

static bool may_try(struct gsched *s, struct way way,
                    const struct queue_entry *it)
{
    if (way.moves)
        return !s->modules->consolidation.for_preemptible
               || !s->work->job[it->job].fixed;
    return gsched_preempts(s, it->job, it->group)
           && (way.within ? may_take_own(s, it)
               : way.why == GSP_PREEMPT
                   ? may_preempt(s, it)
                         && gsched_room_is_due(s, it->job, it->group)
                   : may_reclaim(s, it));
}

/* Make room for the entry.  If that fails only because victims were placed in
 * this cycle, the next cycle is due at once.
 */
static bool entry_make_room(struct gsched *s, uint32_t cqueue, struct way way,
                            const struct queue_entry *it)
{
    const bool was_early = s->early.is_early;
    bool done;

    s->early.is_early = false;
    gsched_claims_count_own(s, true);
    done = may_try(s, way, it) && gsched_entry_room(s, way, it, NULL);
    gsched_claims_count_own(s, false);
    if (!done && !s->early.is_early) {
        struct class_queue *b = &s->pending->cqueue[cqueue];

        b->tried[number_of(way)] = s->allocations->allocation_changes;
        b->tried_for[number_of(way)] = it->job;
    }
    s->early.is_early |= was_early;
    return done;
}

bool gsched_make_room(struct gsched *s, uint32_t job, const uint8_t *avoid)
{
    const struct queue_entry it = { s->jobs->job[job].since, 0, job, NONE };

    if (!gsched_has_action(s, GSCHED_PREEMPT) || !gsched_preempts(s, job, NONE)
        || is_waiting_for_victims(s, &it) || !may_preempt(s, &it)
        || !gsched_entry_room(s, (struct way){ .why = GSP_PREEMPT }, &it,
                              avoid))
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
           && (i = next_entry(s, &s->pending->cqueue[cqueue])) != NONE
           && !is_tried(s, &s->pending->cqueue[cqueue], i, way)) {
        const struct queue_entry it = s->pending->cqueue[cqueue].heap[i];
        const uint32_t claims = gsched_claims_of(s, it.job, it.group);

        if (entry_make_room(s, cqueue, way, &it)) {
            any = true;
            gsched_entry_served(s, &it);
        } else if (gsched_claims_of(s, it.job, it.group) == claims) {
            break;
        }
    }
    return any;
}

static bool cqueue_may(const struct gsched *s, uint32_t cqueue, struct way way)
{
    const struct class_queue *b = &s->pending->cqueue[cqueue];
    const struct request_class *a = &s->pending->rclass[b->rclass];
    const uint32_t i = next_entry(s, b);

    return i != NONE && !is_tried(s, b, i, way) && !gsched_is_paused(s, a)
           && (a->kind == REQUEST_GANG || a->kind == REQUEST_TASK
               || a->kind == REQUEST_ANY
               || (a->kind == REQUEST_ELASTIC && way.by_trials))
           && (!s->modules->victims_are_lower || way.why == GSP_RECLAIM
               || gsched_value_of(s, b->heap[0].job, b->heap[0].group)
                      > s->running->place_value[0]);
}

static bool cqueue_after(const void *of, uint32_t a, uint32_t b)
{
    const struct gsched *s = of;

    return gsched_cqueue_compare(s, s->evict->cqueue[a], s->evict->cqueue[b])
           > 0;
}

static void cqueue_swap(void *of, uint32_t a, uint32_t b)
{
    uint32_t *at = ((struct gsched *)of)->evict->cqueue;
    const uint32_t swap = at[a];

    at[a] = at[b];
    at[b] = swap;
}

/* The class queues for which room may be made, in order. */
static uint32_t cqueues_sort(struct gsched *s, struct way way)
{
    static const struct gs_heap order = { cqueue_after, cqueue_swap };
    struct gsched_evict *e = s->evict;
    uint32_t n = 0;

    e->cqueue = gs_array_grow(e->cqueue, &e->cqueue_cap,
                              s->pending->cqueue_count + 1, sizeof(*e->cqueue));
    for (uint32_t b = 0; b < s->pending->cqueue_count; b++) {
        if (cqueue_may(s, b, way))
            e->cqueue[n++] = b;
    }
    gs_heap_build(&order, s, n);
    for (uint32_t k = n; k > 1;) {
        cqueue_swap(s, 0, --k);
        (void)gs_heap_sink(&order, s, k, 0);
    }
    return n;
}

/* The same for the first job of the plan. */
static bool plan_make_room(struct gsched *s, struct way way)
{
    const uint32_t job = gsched_plan_first(s);

    return job != NONE && !gsched_is_full(s)
           && cqueue_make_room(s, gsched_cqueue_of(s, job), way);
}

/* Make room for one entry, the first in order for which that succeeds. */
static bool make_room_in_turn(struct gsched *s, struct way way)
{
    for (uint32_t i = 0, n = cqueues_sort(s, way); i < n && !gsched_is_full(s);
         i++) {
        const uint32_t cqueue = s->evict->cqueue[i];
        const struct class_queue *b = &s->pending->cqueue[cqueue];
        const uint32_t first = next_entry(s, b);
        struct queue_entry it;

        if (first == NONE)
            continue;
        it = b->heap[first];
        if (entry_make_room(s, cqueue, way, &it)) {
            gsched_entry_served(s, &it);
            return true;
        }
    }
    return false;
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
        while (make_room_in_turn(s, way)) {
        }
        return;
    }
    for (uint32_t i = 0, n = cqueues_sort(s, way); i < n && !gsched_is_full(s);
         i++)
        cqueue_make_room(s, s->evict->cqueue[i], way);
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
            && q->tried[WITHIN] != s->allocations->allocation_changes)
            cqueue_make_room_within(s, b);
    }
}

static bool by_trials(const struct gsched *s)
{
    return s->modules->preemption.search == GSP_SEARCH_TRIALS;
}

void gsched_preempt(struct gsched *s)
{
    make_room(s, (struct way){ .why = GSP_PREEMPT, .by_trials = by_trials(s) });
    if (s->jobs->any_classes)
        make_room_within(s);
}

void gsched_reclaim(struct gsched *s)
{
    if (s->modules->has_queues)
        make_room(
            s, (struct way){ .why = GSP_RECLAIM, .by_trials = by_trials(s) });
}

void gsched_consolidate(struct gsched *s)
{
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
