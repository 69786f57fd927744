/* policies/pending/service_order.c - the order in which queues and their
 * entries are served.
 *
 * Queues are served from the root of the tree down: of the children of a queue,
 * the one that modules put first; in it, the class queue whose first entry is
 * first in order.  The jobs of an inner queue come before the jobs of the
 * queues below it.  When no module distinguishes queues, there is one active
 * queue.  A pass calls gsched_service_begin(), then gsched_service_next() and
 * gsched_service_taken() until none is left; a class queue that a module
 * refuses is deferred until the next cycle (gsched_active_defer,
 * gsched_active_rejoin).
 */
#include "policies/pending/service_order.h"

#include <assert.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/heap.h"
#include "policies/pending/pending.h"
#include "policies/pending/refusals.h"
#include "policies/pending/unschedulable.h"
#include "policies/pending/wait_clock.h"
#include "policies/placement/placement.h"
#include "policies/state/entry.h"
#include "policies/state/module_calls.h"
#include "policies/state/quota_holds.h"
#include "policies/state/state.h"

/* --- active queues -------------------------------------------------------- */

/* Does the class queue wait for quota (action admit)? */
static bool is_for_quota(const struct gsched *s, const struct class_queue *b)
{
    return s->quotas && s->pending->rclass[b->rclass].kind == REQUEST_ADMISSION;
}

static int active_kind(const struct gsched *s, const struct class_queue *b)
{
    static const int active_of_kind[] = {
        [REQUEST_ADMISSION] = QUEUE_ADMISSION,
        [REQUEST_GANG] = QUEUE_GANGS,
        [REQUEST_TASK] = QUEUE_GANGS,
        [REQUEST_ELASTIC] = QUEUE_ELASTIC,
        [REQUEST_ANY] = QUEUE_GANGS,
    };

    return active_of_kind[s->pending->rclass[b->rclass].kind];
}

static struct gs_numbers *active_of(struct gsched *s,
                                    const struct class_queue *b)
{
    return is_for_quota(s, b)
               ? &s->quotas->queue[b->queue].active
               : &s->order->queue[b->queue].active_queue[active_kind(s, b)];
}

int gsched_active_kind(const struct gsched *s, uint32_t cqueue)
{
    return active_kind(s, &s->pending->cqueue[cqueue]);
}

/* Note that queue `q` has its first active class queue, or none any more. */
static void busy_update(struct gsched *s, uint32_t q, int kind, bool is_busy)
{
    struct gs_numbers *l = &s->order->busy[kind];
    uint32_t *at = &s->order->queue[q].busy_at[kind];

    if (is_busy) {
        *at = gs_numbers_add(l, q);
        return;
    }
    assert(l->at[*at] == q);
    s->order->queue[gs_numbers_take(l, *at)].busy_at[kind] = *at;
}

static void busy_note(struct gsched *s, uint32_t cqueue, bool is_busy)
{
    const struct class_queue *b = &s->pending->cqueue[cqueue];

    if (!is_for_quota(s, b))
        busy_update(s, b->queue, active_kind(s, b), is_busy);
}

/* One active queue of a queue. */
struct active {
    struct gsched *s;
    struct gs_numbers *l;
};

static bool active_before(const void *of, uint32_t a, uint32_t b)
{
    const struct active *q = of;

    return gsched_cqueue_before(q->s, q->l->at[a], q->l->at[b]);
}

static void active_put(struct gsched *s, struct gs_numbers *l, uint32_t i,
                       uint32_t cqueue)
{
    assert(i <= l->count);
    l->at[i] = cqueue;
    s->pending->cqueue[cqueue].at = i;
}

static void active_swap(void *of, uint32_t a, uint32_t b)
{
    const struct active *q = of;
    const uint32_t cqueue = q->l->at[a];

    active_put(q->s, q->l, a, q->l->at[b]);
    active_put(q->s, q->l, b, cqueue);
}

static const struct gs_heap by_first = { active_before, active_swap };

static void active_settle(struct gsched *s, struct gs_numbers *l, uint32_t i)
{
    struct active q = { s, l };

    (void)gs_heap_settle(&by_first, &q, l->count, i);
}

void gsched_active_add(struct gsched *s, uint32_t cqueue)
{
    struct gs_numbers *l = active_of(s, &s->pending->cqueue[cqueue]);

    assert(s->pending->cqueue[cqueue].count > 0
           && gsched_rclass_is_served(s, s->pending->cqueue[cqueue].rclass));
    gsched_refusal_end(s, cqueue);
    if (s->pending->cqueue[cqueue].at != NONE
        || s->pending->cqueue[cqueue].aside_for
               == s->pending->cqueue[cqueue].heap[0].job)
        return;
    s->pending->cqueue[cqueue].aside_for = NONE;
    s->pending->cqueue[cqueue].at = gs_numbers_add(l, cqueue);
    active_settle(s, l, l->count - 1);
    if (l->count == 1)
        busy_note(s, cqueue, true);
    s->order->active_entries++;
    if (is_for_quota(s, &s->pending->cqueue[cqueue]))
        gsched_quota_news(s, s->pending->cqueue[cqueue].queue);
}

void gsched_active_drop(struct gsched *s, uint32_t cqueue)
{
    struct gs_numbers *l = active_of(s, &s->pending->cqueue[cqueue]);
    const uint32_t i = s->pending->cqueue[cqueue].at;
    uint32_t last;

    if (i == NONE)
        return;
    assert(s->order->active_entries > 0 && i < l->count && l->at[i] == cqueue);
    s->pending->cqueue[cqueue].at = NONE;
    s->order->active_entries--;
    last = gs_numbers_take(l, i);
    if (l->count == 0)
        busy_note(s, cqueue, false);
    if (is_for_quota(s, &s->pending->cqueue[cqueue]))
        gsched_quota_news(s, s->pending->cqueue[cqueue].queue);
    if (i == l->count)
        return;
    active_put(s, l, i, last);
    active_settle(s, l, i);
}

void gsched_active_moved(struct gsched *s, uint32_t cqueue)
{
    struct gs_numbers *l = active_of(s, &s->pending->cqueue[cqueue]);

    assert(s->pending->cqueue[cqueue].at == NONE
           || l->at[s->pending->cqueue[cqueue].at] == cqueue);
    if (s->pending->cqueue[cqueue].at == NONE)
        return;
    active_settle(s, l, s->pending->cqueue[cqueue].at);
    if (is_for_quota(s, &s->pending->cqueue[cqueue]))
        gsched_quota_news(s, s->pending->cqueue[cqueue].queue);
}

void gsched_order_reorder(struct gsched *s)
{
    for (uint32_t q = 0; q < s->queue_count; q++) {
        struct queue *queue = &s->order->queue[q];

        for (int a = 0; a < ACTIVE_QUEUES; a++) {
            struct active of = { s, &queue->active_queue[a] };

            gs_heap_build(&by_first, &of, of.l->count);
        }
        queue->head = NONE;
    }
    for (uint32_t q = 0; s->quotas && q < s->queues; q++) {
        struct active of = { s, &s->quotas->queue[q].active };

        gs_heap_build(&by_first, &of, of.l->count);
        if (of.l->count)
            gsched_quota_news(s, q);
    }
}

void gsched_active_defer(struct gsched *s, uint32_t cqueue, uint8_t gate)
{
    gsched_active_drop(s, cqueue);
    gsched_cqueue_refused(s, &s->pending->cqueue[cqueue], gate);
    gsched_refusal_note(s, cqueue, false);
    (void)gs_numbers_add(&s->order->deferred, cqueue);
}

void gsched_active_rejoin(struct gsched *s)
{
    assert(s->order->deferred.count == 0 || s->pending->cqueue_count > 0);
    for (uint32_t i = 0; i < s->order->deferred.count; i++) {
        const struct class_queue *b =
            &s->pending->cqueue[s->order->deferred.at[i]];

        if (!gsched_refusal_stays(s, s->order->deferred.at[i]) && b->count
            && gsched_rclass_is_served(s, b->rclass))
            gsched_active_add(s, s->order->deferred.at[i]);
    }
    s->order->deferred.count = 0;
}

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
    const struct gsched *s;
    uint32_t *slot;
};

static bool child_before(const void *of, uint32_t i, uint32_t k)
{
    const struct queue_children *c = of;
    const uint32_t a = c->slot[i], b = c->slot[k];
    const int order = gsched_modules_compare_queues(c->s, a, b);

    return order != 0 ? order < 0 : a < b;
}

static void child_swap(void *of, uint32_t i, uint32_t k)
{
    uint32_t *slot = ((struct queue_children *)of)->slot;
    const uint32_t queue = slot[i];

    slot[i] = slot[k];
    slot[k] = queue;
}

static const struct gs_heap by_turn = { child_before, child_swap };

static struct queue_children children_of(const struct gsched *s,
                                         uint32_t parent)
{
    return (struct queue_children){
        s, s->order->child_slot + s->order->queue[parent].first_child
    };
}

const int64_t *gsched_queue_change(const struct gsched *s, uint32_t queue)
{
    const struct queue *q = &s->order->queue[queue];
    const struct gs_numbers *active = &q->active_queue[s->order->serving];

    assert(queue < s->queue_count);
    if (s->order->change)
        return s->order->change + (size_t)queue * s->dims;
    while (active->count == 0) {
        if (q->active == 0)
            return NULL;
        q = &s->order->queue[s->order->child_slot[q->first_child]];
        active = &q->active_queue[s->order->serving];
    }
    gsched_entry_amount(s, &s->pending->cqueue[active->at[0]].heap[0],
                        s->order->asked);
    return s->order->asked;
}

/* Move the first child of `parent` down to its place in the heap. */
static void child_down(struct gsched *s, uint32_t parent)
{
    struct queue_children c = children_of(s, parent);

    (void)gs_heap_sink(&by_turn, &c, s->order->queue[parent].active, 0);
}

static void activate(struct gsched *s, uint32_t queue)
{
    for (uint32_t q = queue;
         q != s->queue_count && !s->order->queue[q].is_active;
         q = s->order->queue[q].parent) {
        struct queue *up = &s->order->queue[s->order->queue[q].parent];

        s->order->queue[q].is_active = true;
        s->order->child_slot[up->first_child + up->active++] = q;
        (void)gs_numbers_add(&s->order->served[s->order->queue[q].depth - 1],
                             q);
    }
}

/* No queue has work any more. */
static void deactivate(struct gsched *s)
{
    struct gsched_order *o = s->order;

    o->queue[s->queue_count].active = 0;
    for (int d = 0; d < TRACE_QUEUE_DEPTH_MAX; d++) {
        for (uint32_t i = 0; i < o->served[d].count; i++) {
            struct queue *q = &o->queue[o->served[d].at[i]];

            q->active = 0;
            q->is_active = false;
        }
        o->served[d].count = 0;
    }
}

static void children_order(struct gsched *s, uint32_t q)
{
    struct queue_children c = children_of(s, q);

    if (s->order->queue[q].active > 1)
        gs_heap_build(&by_turn, &c, s->order->queue[q].active);
}

void gsched_service_begin(struct gsched *s, int active_queue)
{
    struct gsched_order *o = s->order;

    assert(active_queue >= 0 && active_queue < ACTIVE_QUEUES);
    o->serving = active_queue;
    gsched_refusals_follow(s, active_queue);
    if (!s->modules->has_queues || o->active_entries == 0)
        return;
    deactivate(s);
    for (uint32_t i = 0; i < o->busy[active_queue].count; i++)
        activate(s, o->busy[active_queue].at[i]);
    for (int d = TRACE_QUEUE_DEPTH_MAX; d-- > 0;) {
        for (uint32_t i = 0; i < o->served[d].count; i++)
            children_order(s, o->served[d].at[i]);
    }
    children_order(s, s->queue_count);
}

/* Remove the first child of `parent`: it is done in this pass. */
static void child_drop(struct gsched *s, uint32_t parent)
{
    uint32_t *slot = s->order->child_slot + s->order->queue[parent].first_child;

    assert(s->order->queue[parent].active > 0);
    slot[0] = slot[--s->order->queue[parent].active];
    child_down(s, parent);
}

/* Defer all entries below the queue because of its quota: in this pass, or while
 * the queue that refuses is known.
 */
static void quota_refuses(struct gsched *s, uint32_t queue, int active_queue,
                          uint32_t blocker)
{
    const struct queue *q = &s->order->queue[queue];
    const struct gs_numbers *l = &q->active_queue[active_queue];

    for (uint32_t i = l->count; i-- > 0;) {
        const uint32_t cqueue = l->at[i];

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
    for (uint32_t i = 0; i < q->active; i++)
        quota_refuses(s, s->order->child_slot[q->first_child + i], active_queue,
                      blocker);
}

/* Descend to the first queue with an active class queue.  NONE after removing a
 * queue that may get nothing more, or whose class queues became unschedulable
 * with their request class.
 */
static uint32_t descend(struct gsched *s, int active_queue)
{
    uint32_t q = s->queue_count;

    while (q == s->queue_count
           || s->order->queue[q].active_queue[active_queue].count == 0) {
        const uint32_t child =
            s->order->child_slot[s->order->queue[q].first_child];
        const bool is_through =
            s->order->queue[child].active_queue[active_queue].count == 0
            && s->order->queue[child].active == 0;

        if (is_through
            || (active_queue != QUEUE_ADMISSION
                && gsched_modules_overused(s, child))) {
            quota_refuses(s, child, active_queue,
                          is_through || !s->refusals ? NONE
                                                     : s->modules->blocker);
            child_drop(s, q);
            gsched_service_taken(s, q, active_queue);
            return NONE;
        }
        q = child;
    }
    return q;
}

uint32_t gsched_service_next(struct gsched *s, int active_queue)
{
    uint32_t cqueue = NONE;

    assert(active_queue >= 0 && active_queue < ACTIVE_QUEUES);
    if (!s->modules->has_queues) {
        if (s->order->queue[0].active_queue[active_queue].count)
            cqueue = s->order->queue[0].active_queue[active_queue].at[0];
    } else if (s->order->active_entries) {
        while (cqueue == NONE && s->order->queue[s->queue_count].active) {
            const uint32_t q = descend(s, active_queue);

            cqueue = q == NONE
                         ? NONE
                         : s->order->queue[q].active_queue[active_queue].at[0];
        }
    }
    if (cqueue != NONE)
        gsched_cqueue_waits_for(s, &s->pending->cqueue[cqueue],
                                GSCHED_NO_CAUSE);
    return cqueue;
}

void gsched_service_taken(struct gsched *s, uint32_t queue, int active_queue)
{
    assert(queue <= s->queue_count && active_queue >= 0
           && active_queue < ACTIVE_QUEUES);
    if (!s->modules->has_queues)
        return;
    for (uint32_t q = queue; q != s->queue_count;
         q = s->order->queue[q].parent) {
        const uint32_t parent = s->order->queue[q].parent;

        if (s->order->queue[q].active_queue[active_queue].count
            || s->order->queue[q].active)
            child_down(s, parent);
        else
            child_drop(s, parent);
    }
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
    for (int d = 0; d < TRACE_QUEUE_DEPTH_MAX; d++)
        gs_array_free(s->order->served[d].at);
    gs_array_free(s->order->waiting.at);
    gs_array_free(s->order->deferred.at);
}
