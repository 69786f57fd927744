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
#include "policies/pending/wait_clock.h"
#include "policies/state/entry.h"
#include "policies/state/state.h"

/* Those who wait to enter stand in no queue, and an elastic job runs. */
static bool is_counted(const struct gsched *s, const struct bin *b)
{
    const uint8_t kind = s->ask[b->ask].kind;

    return kind != ASK_ENTER && kind != ASK_ELASTIC;
}

static bool is_before(const struct gsched *s, uint32_t a, uint32_t b)
{
    assert(s->bin[a].count > 0 && s->bin[b].count > 0);
    return gsched_item_compare(s, &s->bin[a].heap[0], &s->bin[b].heap[0]) < 0;
}

void gsched_front_blame(struct gsched *s, struct ask *a)
{
    const bool is = a->waiting > 0 && a->cause == GSCHED_FRAGMENTATION;

    assert(is || !a->is_fragmented || s->fragmented > 0);
    s->fragmented += (uint32_t)is - (uint32_t)a->is_fragmented;
    a->is_fragmented = is;
}

void gsched_front_came(struct gsched *s, uint32_t bin)
{
    struct queue *q = &s->queue[s->bin[bin].queue];

    assert(s->bin[bin].count > 0);
    if (!is_counted(s, &s->bin[bin]))
        return;
    if (s->bin[bin].count == 1) {
        q->waiting = gs_array_grow(q->waiting, &q->waiting_cap,
                                   q->waiting_count + 1, sizeof(*q->waiting));
        q->waiting[s->bin[bin].among = q->waiting_count++] = bin;
    }
    if (q->front != NONE && q->front != bin && is_before(s, bin, q->front))
        q->front = bin;
}

void gsched_front_moved(struct gsched *s, uint32_t bin)
{
    struct queue *q = &s->queue[s->bin[bin].queue];

    if (!is_counted(s, &s->bin[bin]))
        return;
    if (q->front == bin)
        q->front = NONE;
    else if (q->front != NONE && is_before(s, bin, q->front))
        q->front = bin;
}

void gsched_front_left(struct gsched *s, uint32_t bin)
{
    struct queue *q = &s->queue[s->bin[bin].queue];
    uint32_t last;

    assert(s->bin[bin].count == 1);
    if (!is_counted(s, &s->bin[bin]))
        return;
    if (q->front == bin)
        q->front = NONE;
    assert(q->waiting_count > 0 && q->waiting[s->bin[bin].among] == bin);
    last = q->waiting[--q->waiting_count];
    q->waiting[s->bin[bin].among] = last;
    s->bin[last].among = s->bin[bin].among;
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
    const struct bin *b = &s->bin[bin];
    const struct job_state *j = &s->job[b->heap[0].job];
    const struct wait *w = j->wait == NONE ? NULL : &s->wait[j->wait];

    assert(b->count > 0);
    if (j->phase == JOB_RUNNING)
        return false; /* it has its gang, and waits for more */
    if (w && w->is_head && w->bin == bin && !b->held)
        return w->cause == GSCHED_FRAGMENTATION;
    return gsched_bin_cause(s, b) == GSCHED_FRAGMENTATION;
}

bool gsched_is_blocked(struct gsched *s)
{
    const bool may_be =
        s && (s->fragmented || (s->profile->head_blocks && !s->keeps_lines));

    for (uint32_t q = 0; may_be && s->waiting && q < s->queue_count; q++) {
        if (s->queue[q].waiting_count && is_kept(s, front_of(s, &s->queue[q])))
            return true;
    }
    return false;
}
