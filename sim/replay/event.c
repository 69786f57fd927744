/* sim/replay/event.c - the queue of events, see event.h. */
#include <assert.h>
#include <stddef.h>

#include "base/array.h"
#include "base/heap.h"
#include "sim/replay/event.h"

#define KIND_SHIFT 56 /* no run pushes 2^56 events */

bool event_before(const struct event *a, const struct event *b)
{
    if (a->at != b->at)
        return a->at < b->at;
    return a->order < b->order;
}

static bool is_before(const void *heap, uint32_t a, uint32_t b)
{
    const struct event *e = heap;

    return event_before(&e[a], &e[b]);
}

static void swap(void *heap, uint32_t a, uint32_t b)
{
    struct event *e = heap;
    const struct event it = e[a];

    e[a] = e[b];
    e[b] = it;
}

static const struct gs_heap by_order = { is_before, swap };

enum event_kind event_kind_of(const struct event *e)
{
    assert(e->order >> KIND_SHIFT <= EVENT_RUN);
    return (enum event_kind)(e->order >> KIND_SHIFT);
}

void event_queue_fini(struct event_queue *q)
{
    gs_array_free(q->heap);
    *q = (struct event_queue){ 0 };
}

void event_push(struct event_queue *q, int64_t at, enum event_kind kind,
                uint32_t job, uint32_t attempt)
{
    const struct event e = { at, (uint64_t)kind << KIND_SHIFT | q->seq++, job,
                             attempt };

    assert(at >= 0 && kind <= EVENT_RUN);
    assert(q->seq < UINT64_C(1) << KIND_SHIFT);
    q->heap = gs_array_grow(q->heap, &q->cap, q->count + 1, sizeof(*q->heap));
    q->heap[q->count] = e;
    (void)gs_heap_rise(&by_order, q->heap, q->count++);
}

const struct event *event_first(const struct event_queue *q)
{
    return q->count ? &q->heap[0] : NULL;
}

struct event event_pop(struct event_queue *q)
{
    const struct event first = q->heap[0];

    assert(q->count > 0);
    q->heap[0] = q->heap[--q->count];
    (void)gs_heap_sink(&by_order, q->heap, q->count, 0);
    return first;
}
