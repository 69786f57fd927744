/* sim/replay/event.c - the queue of events, see event.h. */
#include <assert.h>
#include <stddef.h>

#include "base/array.h"
#include "sim/replay/event.h"

#define KIND_SHIFT 56 /* no run pushes 2^56 events */
#define WIDTH \
    4u /* children of a place: half the levels of two, and the
                         children stand side by side */

static bool is_before(const struct event *a, const struct event *b)
{
    if (a->at != b->at)
        return a->at < b->at;
    return a->order < b->order;
}

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
    uint32_t i;

    assert(at >= 0 && kind <= EVENT_RUN);
    assert(q->seq < UINT64_C(1) << KIND_SHIFT);
    q->heap = gs_array_grow(q->heap, &q->cap, q->count + 1, sizeof(*q->heap));
    for (i = q->count++; i > 0 && is_before(&e, &q->heap[(i - 1) / WIDTH]);
         i = (i - 1) / WIDTH)
        q->heap[i] = q->heap[(i - 1) / WIDTH];
    q->heap[i] = e;
}

const struct event *event_first(const struct event_queue *q)
{
    return q->count ? &q->heap[0] : NULL;
}

/* The first of the children of place `i`, which has some. */
static uint32_t first_child(const struct event_queue *q, uint32_t i)
{
    uint32_t first = WIDTH * i + 1;
    const uint32_t end = q->count - first < WIDTH ? q->count : first + WIDTH;

    for (uint32_t k = first + 1; k < end; k++)
        first = is_before(&q->heap[k], &q->heap[first]) ? k : first;
    return first;
}

struct event event_pop(struct event_queue *q)
{
    const struct event first = q->heap[0];
    struct event last;
    uint32_t i = 0;

    assert(q->count > 0);
    last = q->heap[--q->count];
    while (WIDTH * i + 1 < q->count) {
        const uint32_t k = first_child(q, i);

        if (!is_before(&q->heap[k], &last))
            break;
        q->heap[i] = q->heap[k];
        i = k;
    }
    q->heap[i] = last;
    return first;
}
