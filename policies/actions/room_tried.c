/* policies/actions/room_tried.c - see room_tried.h. */
#include "policies/actions/room_tried.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "policies/pending/back_off.h"
#include "policies/preemption/preemption.h"
#include "policies/state/entry.h"
#include "policies/state/grace.h"
#include "policies/state/jobs.h"
#include "policies/state/running_index.h"
#include "policies/state/spans.h"

uint32_t gsched_room_number(struct way way)
{
    return way.moves    ? ROOM_MOVES
           : way.within ? ROOM_WITHIN
                        : (uint32_t)way.why + (way.by_bundle ? 2 : 0);
}

bool gsched_room_is_awaited(const struct gsched *s,
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
    if (!gsched_room_is_awaited(s, &b->heap[i]))
        return i;
    left = entry_from(s, b, 2 * i + 1);
    right = entry_from(s, b, 2 * i + 2);
    if (left == NONE || right == NONE)
        return left == NONE ? right : left;
    return gsched_entry_compare(s, &b->heap[left], &b->heap[right]) < 0 ? left
                                                                        : right;
}

uint32_t gsched_room_entry(const struct gsched *s, const struct class_queue *b)
{
    const bool is_first = s->modules->is_planned || s->modules->keeps_order;

    if (b->count == 0 || !gsched_has_claims(s))
        return b->count ? 0 : NONE;
    if (is_first)
        return gsched_room_is_awaited(s, &b->heap[0]) ? NONE : 0;
    return entry_from(s, b, 0);
}

/* Were entries refused as they are that had become first by then? */
static bool is_refused(const struct gsched *s, const struct request_class *a,
                       uint64_t firsts, struct way way)
{
    const struct class_refused *r = &a->refused[gsched_room_number(way)];

    return r->changes == s->allocations->allocation_changes
           && firsts <= r->firsts;
}

bool gsched_room_is_tried(const struct gsched *s, const struct class_queue *b,
                          uint32_t entry, struct way way)
{
    const uint32_t n = gsched_room_number(way);

    return (b->tries && b->tries->at[n] == s->allocations->allocation_changes
            && b->tries->job[n] == b->heap[entry].job)
           || (entry == 0
               && is_refused(s, &s->pending->rclass[b->rclass], b->firsts,
                             way));
}

void gsched_room_tried(struct gsched *s, uint32_t cqueue, uint32_t job,
                       struct way way)
{
    struct class_queue *b = &s->pending->cqueue[cqueue];

    assert(cqueue < s->pending->cqueue_count);
    if (!b->tries) {
        b->tries = gs_arena_alloc(s->arena, 1, sizeof(*b->tries));
        memset(b->tries->at, UINT8_MAX, sizeof(b->tries->at));
    }
    b->tries->at[gsched_room_number(way)] = s->allocations->allocation_changes;
    b->tries->job[gsched_room_number(way)] = job;
}

static bool is_kind(const struct request_class *a, struct way way)
{
    return a->kind == REQUEST_GANG || a->kind == REQUEST_TASK
           || a->kind == REQUEST_ANY
           || (a->kind == REQUEST_ELASTIC && way.by_trials);
}

/* May the first entry as it is? */
static bool is_above_others(const struct gsched *s, const struct class_queue *b,
                            struct way way)
{
    return !s->modules->victims_are_lower || way.why == GSP_RECLAIM
           || gsched_value_of(s, b->heap[0].job, b->heap[0].group)
                  > s->running->place_value[0];
}

bool gsched_room_is_of_kind(const struct gsched *s, const struct class_queue *b,
                            struct way way)
{
    return is_kind(&s->pending->rclass[b->rclass], way)
           && is_above_others(s, b, way);
}

bool gsched_room_is_open(const struct gsched *s, const struct class_queue *b,
                         uint32_t i, struct way way)
{
    return i != NONE && !gsched_room_is_tried(s, b, i, way)
           && !gsched_is_paused(s, &s->pending->rclass[b->rclass]);
}

bool gsched_room_cqueue_may(const struct gsched *s, uint32_t cqueue,
                            struct way way)
{
    const struct class_queue *b = &s->pending->cqueue[cqueue];

    assert(cqueue < s->pending->cqueue_count);
    return gsched_room_is_open(s, b, gsched_room_entry(s, b), way)
           && gsched_room_is_of_kind(s, b, way);
}

bool gsched_room_class_may(const struct gsched *s, uint32_t rclass,
                           struct way way)
{
    const struct request_class *a = &s->pending->rclass[rclass];

    assert(rclass < s->pending->rclass_count);
    return a->filled.count > 0 && is_kind(a, way) && !gsched_is_paused(s, a)
           && (gsched_has_claims(s) || !is_refused(s, a, a->firsts, way));
}

/* The first entries of the class count as tried, each by itself. */
static void class_tried(struct gsched *s, const struct request_class *a,
                        struct way way)
{
    for (uint32_t k = 0; k < a->filled.count; k++) {
        const struct class_queue *b = &s->pending->cqueue[a->filled.at[k]];
        const uint32_t first = gsched_room_entry(s, b);

        if (first != NONE && is_above_others(s, b, way))
            gsched_room_tried(s, a->filled.at[k], b->heap[first].job, way);
    }
}

void gsched_room_tried_all(struct gsched *s, struct way way)
{
    struct gsched_pending *p = s->pending;
    const bool by_entry = gsched_has_claims(s)
                          || (s->modules->victims_are_lower
                              && way.why != GSP_RECLAIM);

    for (uint32_t i = 0; i < p->rclass_count; i++) {
        struct request_class *a = &p->rclass[i];

        if (!is_kind(a, way) || gsched_is_paused(s, a))
            continue;
        if (by_entry)
            class_tried(s, a, way);
        else
            a->refused[gsched_room_number(way)] = (struct class_refused){
                s->allocations->allocation_changes, p->firsts
            };
    }
}
