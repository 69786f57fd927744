/* policies/pending/entry_heap.c - see entry_heap.h. */
#include "policies/pending/entry_heap.h"

#include <assert.h>

#include "base/heap.h"
#include "policies/pending/pending.h"
#include "policies/pending/quota_rivals.h"
#include "policies/pending/service_order.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/quota_holds.h"
#include "policies/state/state.h"

static int64_t estimate_of(const struct gsched *s, const struct queue_entry *it)
{
    return gsched_job(s, it->job)->estimate;
}

/* Set the minimum of the estimates of the subtree at `i`. */
static void least_set(const struct gsched *s, struct class_queue *b, uint32_t i)
{
    struct queue_entry *it = &b->heap[i];

    it->least = estimate_of(s, it);
    for (uint32_t k = 2 * i + 1; k <= 2 * i + 2 && k < b->count; k++) {
        if (b->heap[k].least < it->least)
            it->least = b->heap[k].least;
    }
}

void gsched_entry_put(struct gsched *s, uint32_t cqueue, uint32_t i,
                      const struct queue_entry *it)
{
    struct class_queue *b = &s->pending->cqueue[cqueue];
    const uint32_t key = gsched_entry_key(s, it);

    if (i == 0) {
        b->firsts = ++s->pending->firsts;
        s->pending->rclass[b->rclass].firsts = b->firsts;
        if (b->aside_at)
            gsched_rivals_leave(s, b->queue);
    }
    b->heap[i] = *it;
    s->pending->group_cqueue[key] = cqueue;
    s->pending->group_at[key] = i;
}

/* The entries of one class queue. */
struct entries {
    struct gsched *s;
    uint32_t cqueue;
};

static bool entry_before(const void *of, uint32_t a, uint32_t b)
{
    const struct entries *e = of;
    const struct class_queue *of_queue = &e->s->pending->cqueue[e->cqueue];
    const struct queue_entry *heap = of_queue->heap;
    const int order = gsched_sticky_compare(e->s, of_queue->queue, heap[a].job,
                                            heap[b].job);

    return order ? order < 0
                 : gsched_entry_compare(e->s, &heap[a], &heap[b]) < 0;
}

static void entry_swap(void *of, uint32_t a, uint32_t b)
{
    const struct entries *e = of;
    const struct queue_entry *heap = e->s->pending->cqueue[e->cqueue].heap;
    const struct queue_entry it = heap[a];

    gsched_entry_put(e->s, e->cqueue, a, &heap[b]);
    gsched_entry_put(e->s, e->cqueue, b, &it);
}

static const struct gs_heap by_order = { entry_before, entry_swap };

void gsched_entry_settle(struct gsched *s, uint32_t cqueue, uint32_t i)
{
    struct class_queue *b = &s->pending->cqueue[cqueue];
    struct entries e = { s, cqueue };
    uint32_t low;

    assert(i < b->count);
    low = gs_heap_settle(&by_order, &e, b->count, i);
    if (!s->modules->keeps_order)
        return;
    for (low = low > i ? low : i;; low = (low - 1) / 2) {
        least_set(s, b, low);
        if (low == 0)
            break;
    }
}

bool gsched_entries_reorder(struct gsched *s, uint32_t cqueue)
{
    struct class_queue *b = &s->pending->cqueue[cqueue];
    const uint32_t first = b->count ? b->heap[0].job : NONE;
    struct entries e = { s, cqueue };

    if (b->count < 2)
        return false;
    gs_heap_build(&by_order, &e, b->count);
    for (uint32_t i = b->count; s->modules->keeps_order && i-- > 0;)
        least_set(s, b, i);
    return b->heap[0].job != first;
}
