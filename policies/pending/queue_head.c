/* policies/pending/queue_head.c - the head of each queue, and whether
 * fragmentation blocks it.
 *
 * Unschedulable class queues are in no active queue, so the head of a queue is
 * searched among all its class queues, but only on demand: a class queue stays
 * the head until its first entry is removed, or until another comes before it.
 * Where the order of queues follows from what each serves next (by_change), it
 * is asked for at each turn: there they are a heap with the head on top.
 *
 * Each queue is counted once, with the request class for which its head waits,
 * or as blocked by itself.  A queue whose head, or the wait reason of that, may
 * have changed is due, and counted anew when gsched_is_blocked() is next asked.
 */
#include "policies/pending/queue_head.h"

#include <assert.h>

#include "base/array.h"
#include "base/heap.h"
#include "policies/pending/job_waits.h"
#include "policies/pending/pending.h"
#include "policies/pending/service_order.h"
#include "policies/state/entry.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/state.h"

/* Jobs that wait for admission, and elastic tasks of running jobs, are not
 * counted.
 */
static bool is_counted(const struct gsched *s, const struct class_queue *b)
{
    const uint8_t kind = s->pending->rclass[b->rclass].kind;

    return kind != REQUEST_ADMISSION && kind != REQUEST_ELASTIC;
}

void gsched_head_reason(struct gsched *s, struct request_class *a)
{
    const bool is = a->waiting > 0 && a->cause == GSCHED_FRAGMENTATION;

    assert(is || !a->is_fragmented || s->pending->fragmented > 0);
    s->pending->fragmented += (uint32_t)is - (uint32_t)a->is_fragmented;
    if (is != a->is_fragmented)
        s->pending->blocked += is ? a->heads : -a->heads;
    a->is_fragmented = is;
}

void gsched_head_due(struct gsched *s, uint32_t queue)
{
    struct queue *q = &s->order->queue[queue];

    if (q->is_due)
        return;
    q->is_due = true;
    q->next_due = s->order->due;
    s->order->due = queue;
}

void gsched_room_look(struct gsched *s, uint32_t queue, uint32_t way)
{
    struct queue *q = &s->order->queue[queue];
    struct room_looks *l = &s->order->looks[way];

    if (q->looked_at >> way & 1)
        return;
    q->looked_at |= (uint8_t)(1u << way);
    l->at[l->count++] = queue;
}

void gsched_head_news(struct gsched *s, uint32_t queue)
{
    s->order->queue[queue].firsts++;
    gsched_head_due(s, queue);
    for (uint32_t w = 0; w < s->order->looks_count; w++)
        gsched_room_look(s, queue, w);
}

void gsched_head_waits(struct gsched *s, const struct class_queue *b)
{
    if (is_counted(s, b))
        gsched_head_due(s, b->queue);
}

/* --- the class queues of a queue as a heap -------------------------------- */

/* Those with entries. */
struct waiting {
    struct gsched *s;
    struct gs_numbers *l;
};

static bool waiting_before(const void *of, uint32_t a, uint32_t b)
{
    const struct waiting *w = of;

    return gsched_cqueue_before(w->s, w->l->at[a], w->l->at[b]);
}

static void waiting_swap(void *of, uint32_t a, uint32_t b)
{
    const struct waiting *w = of;
    const uint32_t cqueue = w->l->at[a];

    w->l->at[a] = w->l->at[b];
    w->l->at[b] = cqueue;
    w->s->pending->cqueue[w->l->at[a]].among = a;
    w->s->pending->cqueue[cqueue].among = b;
}

static const struct gs_heap by_first = { waiting_before, waiting_swap };

/* The one at place `i` is another one, or has another first entry. */
static void waiting_settle(struct gsched *s, struct queue *q, uint32_t i)
{
    struct waiting w = { s, &q->waiting };

    if (s->order->by_change && i < q->waiting.count)
        (void)gs_heap_settle(&by_first, &w, q->waiting.count, i);
}

void gsched_head_reorder(struct gsched *s, uint32_t queue)
{
    struct queue *q = &s->order->queue[queue];
    struct waiting w = { s, &q->waiting };

    if (s->order->by_change)
        gs_heap_build(&by_first, &w, q->waiting.count);
    q->head = NONE;
    gsched_head_news(s, queue);
}

/* --- the head ------------------------------------------------------------- */

void gsched_head_came(struct gsched *s, uint32_t cqueue)
{
    struct queue *q;

    assert(s->pending->cqueue[cqueue].count > 0);
    if (!is_counted(s, &s->pending->cqueue[cqueue]))
        return;
    q = &s->order->queue[s->pending->cqueue[cqueue].queue];
    if (s->pending->cqueue[cqueue].count == 1) {
        s->pending->cqueue[cqueue].among = gs_numbers_add(&q->waiting, cqueue);
        if (q->waiting.count == 1)
            q->waiting_at = gs_numbers_add(&s->order->waiting,
                                           s->pending->cqueue[cqueue].queue);
    }
    waiting_settle(s, q, s->pending->cqueue[cqueue].among);
    gsched_head_news(s, s->pending->cqueue[cqueue].queue);
    if (q->head != NONE && q->head != cqueue
        && gsched_cqueue_before(s, cqueue, q->head))
        q->head = cqueue;
}

void gsched_head_moved(struct gsched *s, uint32_t cqueue)
{
    struct queue *q;

    if (!is_counted(s, &s->pending->cqueue[cqueue]))
        return;
    q = &s->order->queue[s->pending->cqueue[cqueue].queue];
    waiting_settle(s, q, s->pending->cqueue[cqueue].among);
    gsched_head_news(s, s->pending->cqueue[cqueue].queue);
    if (q->head == cqueue)
        q->head = NONE;
    else if (q->head != NONE && gsched_cqueue_before(s, cqueue, q->head))
        q->head = cqueue;
}

void gsched_head_left(struct gsched *s, uint32_t cqueue)
{
    struct queue *q;
    uint32_t last;

    assert(s->pending->cqueue[cqueue].count == 1);
    if (!is_counted(s, &s->pending->cqueue[cqueue]))
        return;
    q = &s->order->queue[s->pending->cqueue[cqueue].queue];
    gsched_head_due(s, s->pending->cqueue[cqueue].queue);
    if (q->head == cqueue)
        q->head = NONE;
    assert(q->waiting.count > 0
           && q->waiting.at[s->pending->cqueue[cqueue].among] == cqueue);
    last = gs_numbers_take(&q->waiting, s->pending->cqueue[cqueue].among);
    s->pending->cqueue[last].among = s->pending->cqueue[cqueue].among;
    waiting_settle(s, q, s->pending->cqueue[cqueue].among);
    if (q->waiting.count == 0)
        s->order->queue[gs_numbers_take(&s->order->waiting, q->waiting_at)]
            .waiting_at = q->waiting_at;
}

static uint32_t head_of(const struct gsched *s, struct queue *q)
{
    if (s->order->by_change)
        return q->waiting.count ? q->waiting.at[0] : NONE;
    if (q->head != NONE)
        return q->head;
    for (uint32_t i = 0; i < q->waiting.count; i++) {
        if (q->head == NONE
            || gsched_cqueue_before(s, q->waiting.at[i], q->head))
            q->head = q->waiting.at[i];
    }
    return q->head;
}

/* --- its turn ------------------------------------------------------------- */

uint32_t gsched_head_turn(const struct gsched *s, uint32_t queue,
                          uint32_t first)
{
    const struct queue *q = &s->order->queue[queue];
    const struct queue_entry *it;
    uint32_t head;

    if (!s->order->by_change || s->order->serving != QUEUE_GANGS
        || q->waiting.count == 0)
        return first;
    head = q->waiting.at[0];
    it = &s->pending->cqueue[head].heap[0];
    if (head == first || !gsched_cqueue_before(s, head, first)
        || (q->passed_in == s->order->pass && q->passed_job == it->job
            && q->passed_group == it->group))
        return first;
    return head;
}

void gsched_head_pass(struct gsched *s, uint32_t queue)
{
    struct queue *q = &s->order->queue[queue];
    const struct queue_entry *it;

    assert(s->order->by_change && q->waiting.count > 0);
    it = &s->pending->cqueue[q->waiting.at[0]].heap[0];
    q->passed_in = s->order->pass;
    q->passed_job = it->job;
    q->passed_group = it->group;
}

void gsched_head_serve(struct gsched *s, uint32_t cqueue)
{
    const uint32_t queue = s->pending->cqueue[cqueue].queue;
    const struct gs_numbers *l = &s->order->queue[queue].waiting;

    if (s->order->by_change && s->order->serving == QUEUE_GANGS && l->count
        && l->at[0] == cqueue)
        gsched_head_pass(s, queue);
}

/* --- what blocks it ------------------------------------------------------- */

/* The head of the queue waits because of `why`, if that is its own reason, or
 * because of its request class (returned), or does not count; NONE.
 */
static uint32_t class_of_head(const struct gsched *s, uint32_t cqueue,
                              enum gsched_cause *why)
{
    const struct class_queue *b = &s->pending->cqueue[cqueue];

    assert(b->count > 0);
    *why = GSCHED_NO_CAUSE;
    if (gsched_job(s, b->heap[0].job)->phase == JOB_RUNNING)
        return NONE; /* it has its gang; only elastic tasks wait */
    if (gsched_wait_is_head(s, b->heap[0].job, cqueue, why))
        return NONE;
    *why = (enum gsched_cause)b->reason;
    return b->reason ? NONE : b->rclass;
}

/* Count the queue (sign 1) as it was noted, or no longer (-1). */
static void count(struct gsched *s, const struct queue *q, int32_t sign)
{
    struct gsched_pending *p = s->pending;
    struct request_class *a;

    p->blocked += q->is_blocked ? sign : 0;
    if (q->head_class == NONE)
        return;
    a = &p->rclass[q->head_class];
    a->heads += sign;
    p->blocked += a->is_fragmented ? sign : 0;
}

/* Count the queues that are due. */
static void heads_follow(struct gsched *s)
{
    for (uint32_t i; (i = s->order->due) != NONE;) {
        struct queue *q = &s->order->queue[i];
        enum gsched_cause why = GSCHED_NO_CAUSE;

        s->order->due = q->next_due;
        q->is_due = false;
        count(s, q, -1);
        q->head_class = q->waiting.count ? class_of_head(s, head_of(s, q), &why)
                                         : NONE;
        q->is_blocked = why == GSCHED_FRAGMENTATION;
        count(s, q, 1);
    }
}

bool gsched_is_blocked(struct gsched *s)
{
    if (!s || !s->jobs->waiting
        || (!s->pending->fragmented
            && (!s->profile->head_blocks || s->modules->keeps_order)))
        return false;
    heads_follow(s);
    assert(s->pending->blocked >= 0);
    return s->pending->blocked > 0;
}
