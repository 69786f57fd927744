/* policies/preemption/turns.c - see turns.h.
 *
 * The order is a walk over the tree of queues whose children are sorted.  Where
 * modules promise that it follows from what queues hold, it is kept for all
 * searches of a pass (actions/room_list.h): only queues that hold another
 * amount than before find a new place among their siblings.
 */
#include "policies/preemption/turns.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/heap.h"
#include "policies/pending/pending.h"
#include "policies/pending/service_order.h"
#include "policies/preemption/preemption.h"
#include "policies/state/module_calls.h"
#include "policies/state/state.h"
#include "policies/state/usage.h"

#define MOVED_MAX 16u /* more of them, and all are sorted */

struct gsched_turns {
    uint32_t *slot;  /* children of each queue, as in order->child_slot */
    uint32_t *count; /* [queue, the root last] its children in there */
    uint32_t *at;    /* [queue] its index among its siblings */
    int64_t *held;   /* [queue][used, kept][dim] when it was ordered */
    uint64_t pass;   /* room_passes when all were sorted; 0: not kept */
    uint64_t ledger; /* changes of usage that are followed */
    bool stays;      /* the order follows from what queues hold */
};

/* Only the pass over a list of class queues, in which nothing is placed but for
 * what room is made, is known to keep the order.
 */
static bool orders_stay(const struct gsched *s)
{
    const struct gsched_modules *m = s->modules;
    bool stays = !m->retries && !m->keeps_order && !m->is_planned
                 && !s->profile->head_blocks;

    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        const struct gsp_module *by = m->module[i].module;

        stays &= !by->queue_order || (by->promises & GSP_ORDER_OF_HOLDINGS);
    }
    return stays;
}

void gsched_turns_open(struct gsched *s)
{
    struct gsched_turns *t = gs_arena_alloc(s->arena, 1, sizeof(*t));
    const uint32_t n = s->queue_count;

    t->slot = gs_arena_alloc(s->arena, n, sizeof(*t->slot));
    t->count = gs_arena_alloc(s->arena, n + 1, sizeof(*t->count));
    t->at = gs_arena_alloc(s->arena, n, sizeof(*t->at));
    t->held = gs_arena_alloc(s->arena, (size_t)n * 2 * s->dims,
                             sizeof(*t->held));
    for (uint32_t q = 0; q < n; q++) {
        const uint32_t up = s->order->queue[q].parent;

        t->slot[s->order->queue[up].first_child + t->count[up]++] = q;
    }
    t->stays = orders_stay(s);
    s->evict->turns = t;
}

/* --- the order of siblings ------------------------------------------------ */

/* The children of a queue. */
struct siblings {
    uint32_t *slot;
    const struct gsched *s;
};

static bool served_first(const struct gsched *s, uint32_t a, uint32_t b)
{
    const int order = gsched_modules_compare_queues(s, a, b);

    return order ? order < 0 : a < b;
}

/* gs_heap_sort() puts the last one first. */
static bool sibling_before(const void *of, uint32_t i, uint32_t k)
{
    const struct siblings *c = of;

    return served_first(c->s, c->slot[i], c->slot[k]);
}

/* Keep what the queue holds; true when that is another amount than before. */
static bool held_set(struct gsched *s, uint32_t queue)
{
    const size_t size = s->dims * sizeof(int64_t);
    int64_t *held = s->evict->turns->held + (size_t)queue * s->dims * 2;
    const int64_t *used = gsched_queue_amount(s, queue, GSP_USED);
    const int64_t *kept = gsched_queue_amount(s, queue, GSP_KEPT);

    if (memcmp(held, used, size) == 0
        && memcmp(held + s->dims, kept, size) == 0)
        return false;
    memcpy(held, used, size);
    memcpy(held + s->dims, kept, size);
    return true;
}

static bool are_sorted(const struct siblings *c, uint32_t count)
{
    uint32_t i = 1;

    while (i < count && served_first(c->s, c->slot[i], c->slot[i - 1]))
        i++;
    return i >= count;
}

static void sort_all(struct gsched *s)
{
    static const struct gs_heap last_first = { sibling_before,
                                               gs_heap_swap_numbers };
    struct gsched_turns *t = s->evict->turns;

    for (uint32_t p = 0; p <= s->queue_count; p++) {
        const struct queue *q = &s->order->queue[p];
        struct siblings c = { t->slot + q->first_child, s };

        if (!are_sorted(&c, q->child_count)) /* mostly they are */
            gs_heap_sort(&last_first, &c, q->child_count);
        for (uint32_t i = 0; i < q->child_count; i++)
            t->at[c.slot[i]] = i;
        if (p < s->queue_count)
            (void)held_set(s, p);
    }
}

static void take(struct gsched *s, uint32_t queue)
{
    const struct queue *up = &s->order->queue[s->order->queue[queue].parent];
    struct gsched_turns *t = s->evict->turns;
    uint32_t *slot = t->slot + up->first_child, i = 0;
    const uint32_t left = --t->count[s->order->queue[queue].parent];

    while (slot[i] != queue)
        i++;
    memmove(slot + i, slot + i + 1, (left - i) * sizeof(*slot));
}

/* Insert it among its siblings, which are in order. */
static void put(struct gsched *s, uint32_t queue)
{
    const uint32_t parent = s->order->queue[queue].parent;
    struct gsched_turns *t = s->evict->turns;
    uint32_t *slot = t->slot + s->order->queue[parent].first_child;
    uint32_t low = 0, high = t->count[parent];

    while (low < high) {
        const uint32_t mid = low + (high - low) / 2;

        if (served_first(s, queue, slot[mid]))
            low = mid + 1;
        else
            high = mid;
    }
    memmove(slot + low + 1, slot + low,
            (t->count[parent]++ - low) * sizeof(*slot));
    slot[low] = queue;
    for (uint32_t i = 0; i < t->count[parent]; i++)
        t->at[slot[i]] = i;
}

/* Move the queues that hold another amount; false: there are many. */
static bool moved_settle(struct gsched *s)
{
    uint32_t moved[MOVED_MAX], n = 0;

    for (uint32_t q = gsched_queue_changed(s, s->evict->turns->ledger, NONE);
         q != NONE; q = gsched_queue_changed(s, s->evict->turns->ledger, q)) {
        if (!held_set(s, q))
            continue;
        if (n == MOVED_MAX)
            return false;
        moved[n++] = q;
    }
    for (uint32_t i = 0; i < n; i++)
        take(s, moved[i]);
    for (uint32_t i = 0; i < n; i++)
        put(s, moved[i]);
    return true;
}

/* Is nothing served next, of which the order may depend too? */
static bool is_still(const struct gsched *s)
{
    return s->evict->turns->stays && !s->order->change
           && s->order->awake[s->order->serving].mask == 0;
}

void gsched_turns_follow(struct gsched *s)
{
    struct gsched_turns *t = s->evict->turns;
    const bool is_kept = is_still(s);

    assert(!is_kept || s->pending->room_passes > 0);
    if (!is_kept || t->pass != s->pending->room_passes || !moved_settle(s))
        sort_all(s);
    t->pass = is_kept ? s->pending->room_passes : 0;
    t->ledger = gsched_usage_changes(s);
}

/* --- the walk ------------------------------------------------------------- */

/* The first one of the queue and those below it. */
static uint32_t deepest(const struct gsched *s, uint32_t queue)
{
    while (s->order->queue[queue].child_count)
        queue = s->evict->turns->slot[s->order->queue[queue].first_child];
    return queue;
}

uint32_t gsched_turns_next(const struct gsched *s, uint32_t queue)
{
    const struct gsched_turns *t = s->evict->turns;
    const struct queue *up;
    uint32_t parent, next;

    if (queue == NONE)
        return deepest(s, s->queue_count);
    parent = s->order->queue[queue].parent;
    up = &s->order->queue[parent];
    next = t->at[queue] + 1;
    if (next < up->child_count) {
        /* else a module does not do what it promises */
        assert(served_first(s, t->slot[up->first_child + next], queue));
        return deepest(s, t->slot[up->first_child + next]);
    }
    return parent == s->queue_count ? NONE : parent;
}
