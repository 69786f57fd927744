/* policies/pending/queue_head.c - the head of each queue, and whether
 * fragmentation blocks it.
 *
 * Unschedulable class queues are in no active queue, so the head of a queue is
 * searched among all its class queues, but only on demand: a class queue stays
 * the head until its first entry is removed, or until another comes before it.
 */
#include "policies/pending/queue_head.h"

#include <assert.h>

#include "base/array.h"
#include "policies/pending/pending.h"
#include "policies/pending/service_order.h"
#include "policies/pending/wait_clock.h"
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
    a->is_fragmented = is;
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
    q->firsts++;
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
    q->firsts++;
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

static bool is_kept(const struct gsched *s, uint32_t cqueue)
{
    const struct class_queue *b = &s->pending->cqueue[cqueue];
    const struct job_state *j = gsched_job(s, b->heap[0].job);
    enum gsched_cause why;

    assert(b->count > 0);
    if (j->phase == JOB_RUNNING)
        return false; /* it has its gang; only elastic tasks wait */
    if (gsched_wait_is_head(s, b->heap[0].job, cqueue, &why))
        return why == GSCHED_FRAGMENTATION;
    return gsched_cqueue_cause(s, b) == GSCHED_FRAGMENTATION;
}

bool gsched_is_blocked(struct gsched *s)
{
    const bool may_be = s
                        && (s->pending->fragmented
                            || (s->profile->head_blocks
                                && !s->modules->keeps_order));

    for (uint32_t i = 0;
         may_be && s->jobs->waiting && i < s->order->waiting.count; i++) {
        if (is_kept(s, head_of(s, &s->order->queue[s->order->waiting.at[i]])))
            return true;
    }
    return false;
}
