/* policies/pending/service_order.c - the order in which queues and their
 * entries are served.
 *
 * Queues are served from the root of the tree down: of the children of a queue,
 * the one that modules put first; in it, the class queue whose first entry is
 * first in order.  The jobs of an inner queue come before the jobs of the
 * queues below it.  When no module distinguishes queues, there is one active
 * queue.  A pass calls gsched_service_begin(), then gsched_service_next() and
 * gsched_service_taken() until none is left.
 *
 * A pass looks at the children of a queue once it comes to the queue, and only
 * at those of which a class may be awake, their own or below: each queue has a
 * mask of classes.  So what a pass costs follows from the queues on the way to
 * those served, not from all that have something waiting.
 */
#include "policies/pending/service_order.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/heap.h"
#include "policies/pending/pending.h"
#include "policies/pending/queue_head.h"
#include "policies/pending/refusals.h"
#include "policies/pending/unschedulable.h"
#include "policies/pending/wait_clock.h"
#include "policies/placement/placement.h"
#include "policies/state/entry.h"
#include "policies/state/module_calls.h"
#include "policies/state/queue_keys.h"
#include "policies/state/state.h"

/* --- queues in order ------------------------------------------------------ */

int gsched_queue_compare(const struct gsched *s, uint32_t a, uint32_t b)
{
    uint32_t x = a, y = b, dx, dy;

    assert(a < s->queue_count && b < s->queue_count);
    if (a == b)
        return 0;
    dx = s->order->queue[x].depth;
    dy = s->order->queue[y].depth;
    for (; dx > dy; dx--)
        x = s->order->queue[x].parent;
    for (; dy > dx; dy--)
        y = s->order->queue[y].parent;
    if (x == y)
        return s->order->queue[a].depth < s->order->queue[b].depth ? -1 : 1;
    while (s->order->queue[x].parent != s->order->queue[y].parent) {
        x = s->order->queue[x].parent;
        y = s->order->queue[y].parent;
    }
    dx = (uint32_t)gsched_modules_compare_queues(s, x, y);
    if ((int)dx != 0)
        return (int)dx;
    return x < y ? -1 : 1;
}

int gsched_cqueue_compare(const struct gsched *s, uint32_t a, uint32_t b)
{
    const int order = s->modules->has_queues
                          ? gsched_queue_compare(s, s->pending->cqueue[a].queue,
                                                 s->pending->cqueue[b].queue)
                          : 0;

    return order ? order
                 : gsched_entry_compare(s, &s->pending->cqueue[a].heap[0],
                                        &s->pending->cqueue[b].heap[0]);
}

/* The children of a queue that have work in this pass. */
struct queue_children {
    uint32_t *slot;
    const struct gsched *s;
};

static bool child_before(const void *of, uint32_t i, uint32_t k)
{
    const struct queue_children *c = of;
    const uint32_t a = c->slot[i], b = c->slot[k];
    const int order = gsched_modules_compare_queues(c->s, a, b);

    return order != 0 ? order < 0 : a < b;
}

static const struct gs_heap by_turn = { child_before, gs_heap_swap_numbers };

static struct queue_children children_of(const struct gsched *s,
                                         uint32_t parent)
{
    return (struct queue_children){
        s->order->child_slot + s->order->queue[parent].first_child, s
    };
}

/* List the children with work for this pass, unless they are: those of which a
 * class may be awake, their own or below.
 */
static void children_list(const struct gsched *s, uint32_t queue)
{
    struct gsched_order *o = s->order;
    struct queue *q = &o->queue[queue];
    uint32_t *slot = o->child_slot + q->first_child;
    const int kind = o->serving;
    uint64_t mask = q->active_queue[kind].count ? q->mask[kind] : 0;

    if (q->listed_in == o->pass)
        return;
    q->listed_in = o->pass;
    q->is_ordered = false;
    q->active = 0;
    for (uint32_t i = 0; i < q->ready; i++) { /* by_change: none */
        const uint32_t child = slot[i];
        struct queue *c = &o->queue[child];

        if (c->below == 0) {
            c->is_ready = false;
            slot[i--] = slot[--q->ready];
            continue;
        }
        mask |= c->mask[kind];
        if (c->mask[kind] & o->awake[kind].mask) {
            slot[i] = slot[q->active];
            slot[q->active++] = child;
        }
    }
    q->mask[kind] = mask;
}

/* Bring the children of the queue into order, unless they are. */
static void children_order(const struct gsched *s, uint32_t queue)
{
    struct queue *q = &s->order->queue[queue];
    struct queue_children c = children_of(s, queue);

    children_list(s, queue);
    if (q->is_ordered)
        return;
    q->is_ordered = true;
    if (q->active > 1)
        gs_heap_build(&by_turn, &c, q->active);
}

/* Has the queue, or one below it, nothing for this pass any more? */
static bool is_through(struct gsched *s, uint32_t queue)
{
    if (gsched_active_first(s, queue, s->order->serving) != NONE)
        return false;
    children_list(s, queue);
    return s->order->queue[queue].active == 0;
}

const int64_t *gsched_queue_change(const struct gsched *s, uint32_t queue)
{
    struct gsched_order *o = s->order;
    const struct queue *q = &o->queue[queue];
    const struct gs_numbers *own = &q->active_queue[o->serving];
    uint32_t first;

    assert(queue < s->queue_count);
    if (o->change)
        return o->change + (size_t)queue * s->dims;
    while (own->count == 0) {
        if (q->listed_in != o->pass || q->active == 0)
            return NULL;
        children_order(s, (uint32_t)(q - o->queue));
        q = &o->queue[o->child_slot[q->first_child]];
        own = &q->active_queue[o->serving];
    }
    first = gsched_head_turn(s, (uint32_t)(q - o->queue), own->at[0]);
    gsched_entry_amount(s, &s->pending->cqueue[first].heap[0], o->asked);
    return o->asked;
}

/* Move the first child of `parent` down to its place in the heap. */
static void child_down(struct gsched *s, uint32_t parent)
{
    struct queue_children c = children_of(s, parent);

    if (!s->order->queue[parent].is_ordered)
        return;
    (void)gs_heap_sink(&by_turn, &c, s->order->queue[parent].active, 0);
}

/* by_change: the queue and those above it are among those of their parents. */
static void join(struct gsched *s, uint32_t queue)
{
    struct gsched_order *o = s->order;

    for (uint32_t q = queue;
         q != s->queue_count && o->queue[q].joined_in != o->pass;
         q = o->queue[q].parent) {
        struct queue *up = &o->queue[o->queue[q].parent];

        children_list(s, o->queue[q].parent);
        o->queue[q].joined_in = o->pass;
        o->child_slot[up->first_child + up->active++] = q;
    }
}

/* Order them below `queue`, those of the lowest queues first. */
static void all_order(struct gsched *s, uint32_t queue)
{
    const struct queue *q = &s->order->queue[queue];

    children_list(s, queue);
    for (uint32_t i = 0; i < q->active; i++)
        all_order(s, s->order->child_slot[q->first_child + i]);
    children_order(s, queue);
}

#ifndef NDEBUG
/* Are those classes counted that are served and in active queues? */
static bool awake_is_right(const struct gsched *s, int kind)
{
    const struct gsched_pending *p = s->pending;
    uint32_t classes[64] = { 0 };

    for (uint32_t a = 0; a < p->rclass_count; a++) {
        const uint32_t b = p->rclass[a].first_cqueue;

        if (b != NONE && gsched_active_kind(s, b) == kind
            && !(s->quotas && kind == QUEUE_ADMISSION)
            && gsched_rclass_is_served(s, a)
            && p->rclass[a].filled.count > p->rclass[a].absent.count)
            classes[a % 64]++;
    }
    return memcmp(classes, s->order->awake[kind].classes, sizeof(classes)) == 0;
}
#endif

void gsched_service_begin(struct gsched *s, int active_queue)
{
    struct gsched_order *o = s->order;

    assert(active_queue >= 0 && active_queue < ACTIVE_QUEUES);
    assert(awake_is_right(s, active_queue));
    o->serving = active_queue;
    gsched_refusals_follow(s, active_queue);
    if (!s->modules->has_queues)
        return;
    o->pass++;
    for (uint32_t i = 0; i < o->busy[active_queue].count; i++)
        join(s, o->busy[active_queue].at[i]);
    if (o->by_change)
        all_order(s, s->queue_count);
}

/* Remove the first child of `parent`: it is done in this pass. */
static void child_drop(struct gsched *s, uint32_t parent)
{
    struct queue *q = &s->order->queue[parent];
    uint32_t *slot = s->order->child_slot + q->first_child;
    const uint32_t child = slot[0];

    assert(q->active > 0 && q->is_ordered);
    slot[0] = slot[--q->active];
    slot[q->active] = child;
    child_down(s, parent);
}

/* Defer all entries below the queue because of its quota: in this pass, or
 * while the queue that refuses is known.
 */
static void quota_refuses(struct gsched *s, uint32_t queue, int active_queue,
                          uint32_t blocker)
{
    const struct queue *q = &s->order->queue[queue];
    const struct gs_numbers *l = &q->active_queue[active_queue];

    for (uint32_t i = l->count; i-- > 0;) {
        const uint32_t cqueue = l->at[i];

        if (!gsched_rclass_is_served(s, s->pending->cqueue[cqueue].rclass)) {
            gsched_active_drop(s, cqueue);
            i = l->count;
            continue;
        }
        gsched_cqueue_refused(s, &s->pending->cqueue[cqueue],
                              s->modules->refuser);
        if (blocker == NONE)
            continue;
        gsched_active_drop(s, cqueue);
        s->modules->blocker = blocker;
        gsched_refusal_note(s, cqueue, true);
        (void)gs_numbers_add(&s->order->deferred, cqueue);
        i = l->count;
    }
    children_list(s, queue);
    for (uint32_t i = 0; i < q->active; i++)
        quota_refuses(s, s->order->child_slot[q->first_child + i], active_queue,
                      blocker);
}

/* Descend to the first queue with an active class queue, which is returned.
 * NONE after removing a queue that may get nothing more, or whose class queues
 * became unschedulable with their request class; or after the turn of a head
 * that is not served.
 */
static uint32_t descend(struct gsched *s, int active_queue)
{
    uint32_t q = s->queue_count, cqueue = NONE;

    while (cqueue == NONE) {
        uint32_t child;
        bool is_done;

        children_order(s, q);
        child = s->order->child_slot[s->order->queue[q].first_child];
        is_done = is_through(s, child);
        if (is_done
            || (active_queue != QUEUE_ADMISSION
                && gsched_modules_overused(s, child))) {
            if (!is_done)
                quota_refuses(s, child, active_queue,
                              s->refusals ? s->modules->blocker : NONE);
            child_drop(s, q);
            gsched_service_taken(s, q);
            return NONE;
        }
        q = child;
        cqueue = gsched_active_first(s, q, active_queue);
    }
    if (gsched_head_turn(s, q, cqueue) == cqueue)
        return cqueue;
    gsched_head_pass(s, q);
    gsched_service_taken(s, q);
    return NONE;
}

uint32_t gsched_service_next(struct gsched *s, int active_queue)
{
    struct gsched_order *o = s->order;
    uint32_t cqueue = NONE;

    assert(active_queue >= 0 && active_queue < ACTIVE_QUEUES);
    if (!s->modules->has_queues) {
        cqueue = gsched_active_first(s, 0, active_queue);
    } else {
        while (cqueue == NONE && o->awake[active_queue].mask) {
            children_list(s, s->queue_count);
            if (o->queue[s->queue_count].active == 0)
                break;
            cqueue = descend(s, active_queue);
        }
        /* those that have lost all they had are not found in order */
        if (o->awake[active_queue].mask == 0)
            o->pass++;
    }
    if (cqueue == NONE)
        return NONE;
    gsched_head_serve(s, cqueue);
    gsched_cqueue_waits_for(s, &s->pending->cqueue[cqueue], GSCHED_NO_CAUSE);
    return cqueue;
}

void gsched_service_taken(struct gsched *s, uint32_t queue)
{
    assert(queue <= s->queue_count);
    if (!s->modules->has_queues)
        return;
    for (uint32_t q = queue; q != s->queue_count;
         q = s->order->queue[q].parent) {
        const uint32_t parent = s->order->queue[q].parent;

        if (is_through(s, q))
            child_drop(s, parent);
        else
            child_down(s, parent);
    }
}

uint32_t gsched_cqueue_short(const struct gsched *s, uint32_t cqueue,
                             int64_t most)
{
    const struct class_queue *b = &s->pending->cqueue[cqueue];
    uint32_t best = NONE, i = 0;

    assert(cqueue < s->pending->cqueue_count);
    /* Depth-first search; skips subtrees whose minimum is above `most` or whose
     * root comes after the best.
     */
    while (b->count) {
        const struct queue_entry *it = &b->heap[i];
        const bool is_after = best != NONE
                              && gsched_entry_compare(s, it, &b->heap[best])
                                     > 0;
        bool deeper = it->least <= most && !is_after;

        if (deeper && gsched_job(s, it->job)->estimate <= most) {
            best = i;
            deeper = false;
        }
        if (deeper && 2 * i + 1 < b->count) {
            i = 2 * i + 1;
            continue;
        }
        while (i > 0 && (i % 2 == 0 || i + 1 >= b->count))
            i = (i - 1) / 2;
        if (i == 0)
            break;
        i++;
    }
    return best;
}

/* The number of queues from the top to queue `q`, with it. */
static uint32_t depth_of(const struct gsched *s, uint32_t q)
{
    uint32_t depth = 0;

    for (; q != s->queue_count; q = s->order->queue[q].parent)
        depth++;
    return depth;
}

void gsched_order_open(struct gsched *s)
{
    const uint32_t n = s->modules->has_queues ? s->queues : 1;
    uint32_t slot = 0;

    s->order = gs_arena_alloc(s->arena, 1, sizeof(*s->order));
    s->queue_count = n;
    s->order->by_change = s->queue_keys && s->queue_keys->by_change;
    s->pending->cqueue_cap = n;
    s->pending->cqueue = gs_arena_alloc(s->arena, n,
                                        sizeof(*s->pending->cqueue));
    s->order->queue = gs_arena_alloc(s->arena, n + 1, sizeof(*s->order->queue));
    s->order->child_slot = gs_arena_alloc(s->arena, n,
                                          sizeof(*s->order->child_slot));
    for (uint32_t q = 0; q < n; q++) {
        const uint32_t parent = s->modules->has_queues
                                    ? s->work->queue[q].parent
                                    : TRACE_NONE;

        s->order->queue[q].head = NONE;
        s->order->queue[q].parent = parent == TRACE_NONE ? n : parent;
        s->order->queue[s->order->queue[q].parent].child_count++;
    }
    for (uint32_t q = 0; q <= n; q++) {
        s->order->queue[q].first_child = slot;
        slot += s->order->queue[q].child_count;
    }
    for (uint32_t q = 0; q < n; q++)
        s->order->queue[q].depth = depth_of(s, q);
    for (uint32_t q = 0; q <= n; q++)
        s->order->queue[q].head_class = NONE;
    s->order->due = NONE;
    s->order->asked = gs_arena_alloc(s->arena, TOPO_DIMS_MAX,
                                     sizeof(*s->order->asked));
    s->modules->queue_change = gsched_queue_change;
}

void gsched_order_close(struct gsched *s)
{
    if (!s->order)
        return;
    for (uint32_t q = 0; q < s->queue_count; q++) {
        for (int active_queue = 0; active_queue < ACTIVE_QUEUES; active_queue++)
            gs_array_free(s->order->queue[q].active_queue[active_queue].at);
        gs_array_free(s->order->queue[q].waiting.at);
    }
    for (int k = 0; k < ACTIVE_QUEUES; k++)
        gs_array_free(s->order->busy[k].at);
    gs_array_free(s->order->waiting.at);
    gs_array_free(s->order->deferred.at);
}
