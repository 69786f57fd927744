/* policies/pending/queue_head.c - who stands first, and whether fragmentation keeps it.
 *
 * Bins that sleep stand in no line, so the first of a queue is looked for among
 * all of its bins, but only when it is asked for: it stays first until its own
 * first item goes, or until another comes before it.
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

/* Those who wait to enter stand in no queue, and an elastic job runs. */
static bool is_counted(const struct gsched *s, const struct bin *b)
{
    const uint8_t kind = s->pending->ask[b->ask].kind;

    return kind != ASK_ENTER && kind != ASK_ELASTIC;
}

static bool is_before(const struct gsched *s, uint32_t a, uint32_t b)
{
    assert(s->pending->bin[a].count > 0 && s->pending->bin[b].count > 0);
    return gsched_item_compare(s, &s->pending->bin[a].heap[0],
                               &s->pending->bin[b].heap[0])
           < 0;
}

void gsched_front_blame(struct gsched *s, struct ask *a)
{
    const bool is = a->waiting > 0 && a->cause == GSCHED_FRAGMENTATION;

    assert(is || !a->is_fragmented || s->pending->fragmented > 0);
    s->pending->fragmented += (uint32_t)is - (uint32_t)a->is_fragmented;
    a->is_fragmented = is;
}

void gsched_front_came(struct gsched *s, uint32_t bin)
{
    struct queue *q = &s->order->queue[s->pending->bin[bin].queue];

    assert(s->pending->bin[bin].count > 0);
    if (!is_counted(s, &s->pending->bin[bin]))
        return;
    if (s->pending->bin[bin].count == 1) {
        q->waiting = gs_array_grow(q->waiting, &q->waiting_cap,
                                   q->waiting_count + 1, sizeof(*q->waiting));
        q->waiting[s->pending->bin[bin].among = q->waiting_count++] = bin;
    }
    if (q->front != NONE && q->front != bin && is_before(s, bin, q->front))
        q->front = bin;
}

void gsched_front_moved(struct gsched *s, uint32_t bin)
{
    struct queue *q = &s->order->queue[s->pending->bin[bin].queue];

    if (!is_counted(s, &s->pending->bin[bin]))
        return;
    if (q->front == bin)
        q->front = NONE;
    else if (q->front != NONE && is_before(s, bin, q->front))
        q->front = bin;
}

void gsched_front_left(struct gsched *s, uint32_t bin)
{
    struct queue *q = &s->order->queue[s->pending->bin[bin].queue];
    uint32_t last;

    assert(s->pending->bin[bin].count == 1);
    if (!is_counted(s, &s->pending->bin[bin]))
        return;
    if (q->front == bin)
        q->front = NONE;
    assert(q->waiting_count > 0
           && q->waiting[s->pending->bin[bin].among] == bin);
    last = q->waiting[--q->waiting_count];
    q->waiting[s->pending->bin[bin].among] = last;
    s->pending->bin[last].among = s->pending->bin[bin].among;
}

static uint32_t front_of(const struct gsched *s, struct queue *q)
{
    if (q->front != NONE)
        return q->front;
    for (uint32_t i = 0; i < q->waiting_count; i++) {
        if (q->front == NONE || is_before(s, q->waiting[i], q->front))
            q->front = q->waiting[i];
    }
    return q->front;
}

static bool is_kept(const struct gsched *s, uint32_t bin)
{
    const struct bin *b = &s->pending->bin[bin];
    const struct job_state *j = &s->jobs->job[b->heap[0].job];
    enum gsched_cause why;

    assert(b->count > 0);
    if (j->phase == JOB_RUNNING)
        return false; /* it has its gang, and waits for more */
    if (gsched_wait_is_head(s, b->heap[0].job, bin, &why))
        return why == GSCHED_FRAGMENTATION;
    return gsched_bin_cause(s, b) == GSCHED_FRAGMENTATION;
}

bool gsched_is_blocked(struct gsched *s)
{
    const bool may_be = s
                        && (s->pending->fragmented
                            || (s->profile->head_blocks
                                && !s->modules->keeps_lines));

    for (uint32_t q = 0; may_be && s->jobs->waiting && q < s->queue_count;
         q++) {
        if (s->order->queue[q].waiting_count
            && is_kept(s, front_of(s, &s->order->queue[q])))
            return true;
    }
    return false;
}
