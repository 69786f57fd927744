/* sim/replay/event.c - the queue of events, see event.h. */
#include <assert.h>
#include <stddef.h>

#include "base/array.h"
#include "sim/replay/event.h"

#define KIND_SHIFT 56 /* no run pushes 2^56 events */

bool event_before(const struct event *a, const struct event *b)
{
    if (a->at != b->at)
        return a->at < b->at;
    return a->order < b->order;
}

enum event_kind event_kind_of(const struct event *e)
{
    assert(e->order >> KIND_SHIFT <= EVENT_TASK);
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
    uint32_t i = q->count++;

    assert(at >= 0 && kind <= EVENT_TASK);
    assert(q->seq < UINT64_C(1) << KIND_SHIFT);
    q->heap = gs_array_grow(q->heap, &q->cap, q->count, sizeof(*q->heap));
    for (; i > 0 && event_before(&e, &q->heap[(i - 1) / 2]); i = (i - 1) / 2)
        q->heap[i] = q->heap[(i - 1) / 2];
    q->heap[i] = e;
}

const struct event *event_first(const struct event_queue *q)
{
    return q->count ? &q->heap[0] : NULL;
}

struct event event_pop(struct event_queue *q)
{
    const struct event first = q->heap[0];
    const struct event last = q->heap[--q->count];
    uint32_t i = 0;

    assert(q->count < q->cap); /* there was one */
    for (uint32_t k = 1; k < q->count; k = 2 * i + 1) {
        if (k + 1 < q->count && event_before(&q->heap[k + 1], &q->heap[k]))
            k++;
        if (!event_before(&q->heap[k], &last))
            break;
        q->heap[i] = q->heap[k];
        i = k;
    }
    if (q->count)
        q->heap[i] = last;
    return first;
}
