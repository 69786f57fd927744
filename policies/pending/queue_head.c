/* policies/pending/queue_head.c - the head of each queue, and whether
 * fragmentation blocks it.
 *
 * Unschedulable class queues are in no active queue, so the head of a queue is
 * searched among all its class queues, but only on demand: a class queue stays
 * the head until its first entry is removed, or until another comes before it.
 *
 * Each queue is counted once, with the request class for which its head waits,
 * or as blocked by itself.  A queue whose head, or the wait reason of that, may
 * have changed is due, and counted anew when gsched_is_blocked() is next asked.
 */
#include "policies/pending/queue_head.h"

#include <assert.h>

#include "base/array.h"
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
    if (q->waiting.count == 0)
        s->order->queue[gs_numbers_take(&s->order->waiting, q->waiting_at)]
            .waiting_at = q->waiting_at;
}

static uint32_t head_of(const struct gsched *s, struct queue *q)
{
    if (q->head != NONE)
        return q->head;
    for (uint32_t i = 0; i < q->waiting.count; i++) {
        if (q->head == NONE
            || gsched_cqueue_before(s, q->waiting.at[i], q->head))
            q->head = q->waiting.at[i];
    }
    return q->head;
}

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
