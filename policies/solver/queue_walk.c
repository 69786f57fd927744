/* policies/solver/queue_walk.c - see queue_walk.h. */
#include "policies/solver/queue_walk.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/heap.h"
#include "policies/lifecycle/allocations.h"
#include "policies/pending/service_order.h"
#include "policies/state/entry.h"

void gsched_walk_open(struct gsched *s, struct queue_walk *w)
{
    w->queue_count = s->queue_count;
    w->queue = gs_arena_alloc(s->arena, s->queue_count + 1, sizeof(*w->queue));
    w->child = gs_arena_alloc(s->arena, s->queue_count + 1, sizeof(*w->child));
    w->change = gs_arena_alloc(s->arena, (size_t)s->queue_count * s->dims,
                               sizeof(*w->change));
    w->keys = gsched_queue_key_set(s);
}

void gsched_walk_free(struct queue_walk *w)
{
    for (uint32_t d = 0; d <= TRACE_QUEUE_DEPTH_MAX; d++)
        gs_array_free(w->at[d].at);
    for (uint32_t q = 0; q < w->queue_count; q++)
        gs_array_free(w->queue[q].items.at);
}

/* --- heaps ---------------------------------------------------------------- */

/* A heap of items of a queue, or of children of one. */
struct heap_of {
    uint32_t *at;
    const struct gsched *s;
    const struct queue_walk *w;
};

static bool item_before(const void *of, uint32_t a, uint32_t b)
{
    const struct heap_of *h = of;
    const struct queue_entry x = h->w->entry_of(h->s, h->at[a]);
    const struct queue_entry y = h->w->entry_of(h->s, h->at[b]);

    return gsched_entry_compare(h->s, &x, &y) < 0;
}

static bool queue_before(const void *of, uint32_t a, uint32_t b)
{
    const struct heap_of *h = of;
    const uint32_t x = h->at[a], y = h->at[b];
    const int order = gsched_modules_compare_queues(h->s, x, y);

    return order ? order < 0 : x < y;
}

static const struct gs_heap by_item = { item_before, gs_heap_swap_numbers };
static const struct gs_heap by_queue = { queue_before, gs_heap_swap_numbers };

static struct heap_of items_of(const struct gsched *s,
                               const struct queue_walk *w, uint32_t queue)
{
    return (struct heap_of){ w->queue[queue].items.at, s, w };
}

static struct heap_of children_of(const struct gsched *s,
                                  const struct queue_walk *w, uint32_t queue)
{
    return (struct heap_of){ w->child + s->order->queue[queue].first_child, s,
                             w };
}

/* --- the walk ------------------------------------------------------------- */

/* Changes of queues are those of the walk; NULL: those of service. */
static void changes_state(struct gsched *s, const struct queue_walk *w)
{
    s->order->change = w ? w->change : NULL;
    gsched_queue_keys_use(s, w ? w->keys : NULL);
}

/* A queue changes by its next item; a queue above others by that of its first
 * child.
 */
static void change_set(struct gsched *s, const struct queue_walk *w,
                       uint32_t queue)
{
    int64_t *change = w->change + (size_t)queue * s->dims;
    int64_t own[TOPO_DIMS_MAX], *now = own;

    if (w->queue[queue].children)
        now = w->change + (size_t)*children_of(s, w, queue).at * s->dims;
    else
        w->change_by(s, queue, w->queue[queue].items.at[0], now);
    if (memcmp(change, now, s->dims * sizeof(*now)) == 0)
        return;
    memcpy(change, now, s->dims * sizeof(*now));
    gsched_queue_key_changes(w->keys, queue);
}

/* Begin with the queue and those above it in this walk. */
static void queue_touch(struct gsched *s, struct queue_walk *w, uint32_t queue)
{
    while (w->queue[queue].walk != w->walk) {
        const struct queue *q = &s->order->queue[queue];

        w->queue[queue].walk = w->walk;
        w->queue[queue].children = w->queue[queue].items.count = 0;
        if (queue == s->queue_count)
            return;
        gs_numbers_add(&w->at[q->depth], queue);
        queue = q->parent;
    }
}

static bool is_empty(const struct walk_queue *q)
{
    return !q->items.count && !q->children;
}

/* Order what is in and below the queue, whose children are ready, and put it,
 * unless it is the root, behind its siblings.
 */
static void queue_ready(struct gsched *s, struct queue_walk *w, uint32_t queue)
{
    const struct walk_queue *q = &w->queue[queue];
    struct heap_of children = children_of(s, w, queue);
    struct heap_of items = items_of(s, w, queue);
    uint32_t parent;

    if (q->children > 1)
        gs_heap_build(&by_queue, &children, q->children);
    if (queue == s->queue_count)
        return;
    if (q->items.count > 1)
        gs_heap_build(&by_item, &items, q->items.count);
    if (is_empty(q))
        return;
    change_set(s, w, queue);
    parent = s->order->queue[queue].parent;
    children_of(s, w, parent).at[w->queue[parent].children++] = queue;
}

void gsched_walk_begin(struct gsched *s, struct queue_walk *w,
                       const uint32_t *item, uint32_t count)
{
    w->walk++;
    queue_touch(s, w, s->queue_count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t queue = gsched_queue_of(s, w->entry_of(s, item[i]).job);

        queue_touch(s, w, queue);
        (void)gs_numbers_add(&w->queue[queue].items, item[i]);
    }
    changes_state(s, w);
    for (uint32_t d = TRACE_QUEUE_DEPTH_MAX + 1; d-- > 0;) {
        for (uint32_t i = 0; i < w->at[d].count; i++)
            queue_ready(s, w, w->at[d].at[i]);
        w->at[d].count = 0;
    }
    queue_ready(s, w, s->queue_count);
    changes_state(s, NULL);
}

bool gsched_walk_first(struct gsched *s, const struct queue_walk *w,
                       uint32_t *queue, uint32_t *item)
{
    uint32_t q = s->queue_count;

    if (!w->queue[q].children)
        return false;
    while (w->queue[q].children)
        q = *children_of(s, w, q).at;
    *queue = q;
    *item = w->queue[q].items.at[0];
    return true;
}

void gsched_walk_next(struct gsched *s, struct queue_walk *w, uint32_t queue,
                      bool drop)
{
    struct heap_of items = items_of(s, w, queue);
    struct walk_queue *q = &w->queue[queue];

    assert(q->items.count > 0 && !q->children);
    if (drop)
        (void)gs_numbers_take(&q->items, 0);
    (void)gs_heap_sink(&by_item, &items, q->items.count, 0);
    changes_state(s, w);
    while (queue != s->queue_count) {
        const uint32_t parent = s->order->queue[queue].parent;
        struct walk_queue *up = &w->queue[parent];
        struct heap_of siblings = children_of(s, w, parent);

        assert(*siblings.at == queue);
        if (is_empty(&w->queue[queue]))
            siblings.at[0] = siblings.at[--up->children];
        else
            change_set(s, w, queue);
        (void)gs_heap_sink(&by_queue, &siblings, up->children, 0);
        queue = parent;
    }
    changes_state(s, NULL);
}
