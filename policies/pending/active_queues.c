/* policies/pending/active_queues.c - the active queues of each queue: its class
 * queues that may be served, as heaps, the one whose first entry is first in
 * order on top.  See service_order.h.
 *
 * They stay there when their request class becomes unschedulable, which costs
 * the same however many there are, and leave when a pass comes to them while it
 * sleeps; only those that left are put back when it is activated.
 *
 * A class queue that a module refuses is deferred until the next cycle.
 */
#include <assert.h>

#include "base/heap.h"
#include "policies/pending/pending.h"
#include "policies/pending/queue_head.h"
#include "policies/pending/quota_aside.h"
#include "policies/pending/quota_lacks.h"
#include "policies/pending/refusals.h"
#include "policies/pending/service_order.h"
#include "policies/pending/unschedulable.h"
#include "policies/pending/wait_clock.h"
#include "policies/state/quota_holds.h"
#include "policies/state/state.h"

/* Does the class queue wait for quota (action admit)? */
static bool is_for_quota(const struct gsched *s, const struct class_queue *b)
{
    return s->quotas && s->pending->rclass[b->rclass].kind == REQUEST_ADMISSION;
}

static int active_kind(const struct gsched *s, uint32_t rclass)
{
    static const int active_of_kind[] = {
        [REQUEST_ADMISSION] = QUEUE_ADMISSION,
        [REQUEST_GANG] = QUEUE_GANGS,
        [REQUEST_TASK] = QUEUE_GANGS,
        [REQUEST_ELASTIC] = QUEUE_ELASTIC,
        [REQUEST_ANY] = QUEUE_GANGS,
    };
    const int kind = active_of_kind[s->pending->rclass[rclass].kind];

    return kind == QUEUE_ELASTIC && s->modules->grows_in_turn ? QUEUE_GANGS
                                                              : kind;
}

static struct gs_numbers *active_of(struct gsched *s,
                                    const struct class_queue *b)
{
    return is_for_quota(s, b) ? &s->quotas->queue[b->queue].active
                              : &s->order->queue[b->queue]
                                     .active_queue[active_kind(s, b->rclass)];
}

int gsched_active_kind(const struct gsched *s, uint32_t cqueue)
{
    return active_kind(s, s->pending->cqueue[cqueue].rclass);
}

/* One active queue of a queue. */
struct active {
    struct gsched *s;
    struct gs_numbers *l;
};

/* Of two that wait for quota by what their accounts use, then the one first
 * whose victims have gone; 0: neither.
 */
static int quota_compare(struct gsched *s, const struct class_queue *a,
                         const struct class_queue *b)
{
    if (s->modules->usage) {
        const double x = gsched_quota_usage(s, a->heap[0].job);
        const double y = gsched_quota_usage(s, b->heap[0].job);

        if (x < y || x > y)
            return x < y ? -1 : 1;
    }
    return gsched_sticky_compare(s, a->queue, a->heap[0].job, b->heap[0].job);
}

static bool active_before(const void *of, uint32_t a, uint32_t b)
{
    const struct active *q = of;
    const struct class_queue *x = &q->s->pending->cqueue[q->l->at[a]];
    const int order = is_for_quota(q->s, x) ? quota_compare(
                          q->s, x, &q->s->pending->cqueue[q->l->at[b]])
                                            : 0;

    if (order)
        return order < 0;
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

/* Put the class queue into the active queue `l`, or take it out. */
static void list_add(struct gsched *s, struct gs_numbers *l, uint32_t cqueue)
{
    const uint32_t i = gs_numbers_add(l, cqueue);

    s->pending->cqueue[cqueue].at = i;
    if (i > 0)
        active_settle(s, l, i);
}

static void list_take(struct gsched *s, struct gs_numbers *l, uint32_t cqueue)
{
    const uint32_t i = s->pending->cqueue[cqueue].at;
    uint32_t last;

    assert(i < l->count && l->at[i] == cqueue);
    s->pending->cqueue[cqueue].at = NONE;
    last = gs_numbers_take(l, i);
    if (i == l->count)
        return;
    active_put(s, l, i, last);
    active_settle(s, l, i);
}

static uint64_t bit_of(uint32_t rclass)
{
    return UINT64_C(1) << rclass % 64;
}

/* Count the class among those that are awake (sign 1), or no longer. */
static void awake_count(struct gsched *s, uint32_t rclass, int kind, int sign)
{
    struct awake *w = &s->order->awake[kind];
    uint32_t *classes = &w->classes[rclass % 64];

    *classes += (uint32_t)sign;
    w->mask = *classes ? w->mask | bit_of(rclass) : w->mask & ~bit_of(rclass);
}

/* The number of class queues of the class in active queues. */
static uint32_t present(const struct request_class *a)
{
    return a->filled.count - a->absent.count;
}

/* by_change: note that queue `q` has its first active class queue, or none any
 * more.
 */
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

/* The queue and those above it have one more: they are ready. */
static void ready_add(struct gsched *s, uint32_t queue, int kind, uint64_t bit)
{
    struct gsched_order *o = s->order;

    for (uint32_t q = queue;; q = o->queue[q].parent) {
        struct queue *up;

        o->queue[q].below++;
        o->queue[q].mask[kind] |= bit;
        if (q == s->queue_count)
            return;
        up = &o->queue[o->queue[q].parent];
        if (!o->queue[q].is_ready)
            o->child_slot[up->first_child + up->ready++] = q;
        o->queue[q].is_ready = true;
    }
}

static void ready_take(struct gsched *s, uint32_t queue, int kind)
{
    struct queue *q = &s->order->queue[queue];

    if (q->active_queue[kind].count == 0 && q->child_count == 0)
        q->mask[kind] = 0;
    for (uint32_t i = queue; i != s->queue_count; i = s->order->queue[i].parent)
        s->order->queue[i].below--;
}

/* The same, not of one that waits for quota. */
static void plain_add(struct gsched *s, uint32_t cqueue, int kind)
{
    const struct class_queue *b = &s->pending->cqueue[cqueue];
    struct gs_numbers *l = &s->order->queue[b->queue].active_queue[kind];

    list_add(s, l, cqueue);
    gsched_cqueue_present(s, cqueue);
    if (present(&s->pending->rclass[b->rclass]) == 1
        && gsched_rclass_is_served(s, b->rclass))
        awake_count(s, b->rclass, kind, 1);
    if (!s->order->by_change)
        ready_add(s, b->queue, kind, bit_of(b->rclass));
    else if (l->count == 1)
        busy_update(s, b->queue, kind, true);
}

static void plain_take(struct gsched *s, uint32_t cqueue, int kind)
{
    const struct class_queue *b = &s->pending->cqueue[cqueue];
    struct gs_numbers *l = &s->order->queue[b->queue].active_queue[kind];

    list_take(s, l, cqueue);
    gsched_cqueue_absent(s, cqueue);
    if (present(&s->pending->rclass[b->rclass]) == 0
        && gsched_rclass_is_served(s, b->rclass))
        awake_count(s, b->rclass, kind, -1);
    if (!s->order->by_change)
        ready_take(s, b->queue, kind);
    else if (l->count == 0)
        busy_update(s, b->queue, kind, false);
}

/* No job gets quota now: those of the class queue wait for that, unless they
 * are known to lack some.
 */
static void hold_tell(struct gsched *s, uint32_t cqueue)
{
    struct class_queue *b = &s->pending->cqueue[cqueue];

    if (b->aside_at)
        return;
    if (b->reason == GSCHED_QUOTA && !gsched_lack_is_hold(s, cqueue))
        return;
    gsched_cqueue_refused(s, b, s->quotas->gate);
    gsched_lack_hold(s, cqueue);
}

void gsched_active_add(struct gsched *s, uint32_t cqueue)
{
    struct class_queue *b = &s->pending->cqueue[cqueue];

    assert(b->count > 0 && gsched_rclass_is_served(s, b->rclass));
    gsched_refusal_end(s, cqueue);
    if (s->quotas && s->quotas->is_held && is_for_quota(s, b))
        hold_tell(s, cqueue);
    if (b->at != NONE || b->aside_at)
        return;
    if (!is_for_quota(s, b)) {
        plain_add(s, cqueue, active_kind(s, b->rclass));
        return;
    }
    list_add(s, active_of(s, b), cqueue);
    gsched_quota_news(s, b->queue);
    /* its head was tried, and is not before it changes */
    if (!s->quotas->is_held && s->quotas->queue[b->queue].is_blocked
        && b->at > 0)
        gsched_cqueue_waits_for(s, b, GSCHED_ORDER);
}

void gsched_active_drop(struct gsched *s, uint32_t cqueue)
{
    const struct class_queue *b = &s->pending->cqueue[cqueue];

    if (b->at == NONE)
        return;
    if (!is_for_quota(s, b)) {
        plain_take(s, cqueue, active_kind(s, b->rclass));
        return;
    }
    list_take(s, active_of(s, b), cqueue);
    gsched_quota_news(s, b->queue);
}

/* Is the class served even when it is unschedulable? */
static bool is_always_served(const struct gsched *s, uint32_t rclass)
{
    return s->modules->keeps_order
           && s->pending->rclass[rclass].kind != REQUEST_ELASTIC;
}

/* The class queue is served again, unless it is still refused. */
static void cqueue_wake(struct gsched *s, uint32_t cqueue, int kind)
{
    struct class_queue *b = &s->pending->cqueue[cqueue];

    if (b->group != NONE && gsched_refusal_stands(s, cqueue)) {
        gsched_cqueue_refused(s, b, b->gate);
        return;
    }
    gsched_refusal_end(s, cqueue);
    if (b->at == NONE)
        plain_add(s, cqueue, kind);
}

void gsched_active_wake(struct gsched *s, uint32_t rclass)
{
    const struct request_class *a = &s->pending->rclass[rclass];
    const int kind = active_kind(s, rclass);

    assert(a->kind != REQUEST_ADMISSION && gsched_rclass_is_served(s, rclass));
    if (present(a) && !is_always_served(s, rclass))
        awake_count(s, rclass, kind, 1);
    for (uint32_t i = 0; s->order->by_change && i < a->filled.count; i++)
        cqueue_wake(s, a->filled.at[i], kind);
    for (uint32_t i = a->absent.count; !s->order->by_change && i-- > 0;)
        cqueue_wake(s, a->absent.at[i], kind);
}

void gsched_active_sleep(struct gsched *s, uint32_t rclass)
{
    const struct request_class *a = &s->pending->rclass[rclass];
    const int kind = active_kind(s, rclass);

    assert(a->kind != REQUEST_ADMISSION);
    for (uint32_t i = 0; i < a->filled.count && a->reasons; i++)
        gsched_cqueue_waits_for(s, &s->pending->cqueue[a->filled.at[i]],
                                GSCHED_NO_CAUSE);
    if (is_always_served(s, rclass))
        return;
    if (present(a))
        awake_count(s, rclass, kind, -1);
    for (uint32_t i = 0; s->order->by_change && i < a->filled.count; i++) {
        if (s->pending->cqueue[a->filled.at[i]].at != NONE)
            plain_take(s, a->filled.at[i], kind);
    }
}

uint32_t gsched_active_first(struct gsched *s, uint32_t queue, int kind)
{
    const struct gs_numbers *l = &s->order->queue[queue].active_queue[kind];

    while (l->count
           && !gsched_rclass_is_served(s, s->pending->cqueue[l->at[0]].rclass))
        plain_take(s, l->at[0], kind);
    return l->count ? l->at[0] : NONE;
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

void gsched_quota_order(struct gsched *s, uint32_t queue)
{
    struct active of = { s, &s->quotas->queue[queue].active };

    gs_heap_build(&by_first, &of, of.l->count);
    s->quotas->queue[queue].ordered = s->quotas->tells;
}

void gsched_order_reorder(struct gsched *s)
{
    for (uint32_t q = 0; q < s->queue_count; q++) {
        struct queue *queue = &s->order->queue[q];

        for (int a = 0; a < ACTIVE_QUEUES; a++) {
            struct active of = { s, &queue->active_queue[a] };

            gs_heap_build(&by_first, &of, of.l->count);
        }
        gsched_head_reorder(s, q);
    }
    for (uint32_t q = 0; s->quotas && q < s->queues; q++) {
        gsched_quota_order(s, q);
        gsched_aside_rouse(s, q);
        if (s->quotas->queue[q].active.count)
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

void gsched_active_pass(struct gsched *s, uint32_t cqueue)
{
    gsched_active_drop(s, cqueue);
    gsched_cqueue_waits_for(s, &s->pending->cqueue[cqueue], GSCHED_ORDER);
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
    gsched_refusals_begin(s);
}
