/* policies/pending/wait_clock.c - see wait_clock.h. */
#include "policies/pending/wait_clock.h"

#include <assert.h>

#include "base/arena.h"
#include "policies/pending/pending.h"
#include "policies/pending/queue_head.h"
#include "policies/state/module_calls.h"

/* Count what the waits of a class queue lack for its present cause (sign 1), or
 * no longer.
 */
static void cqueue_lack_count(struct gsched *s, const struct class_queue *b,
                              int sign)
{
    struct request_class *a = &s->pending->rclass[b->rclass];

    for (uint32_t k = 0; k < s->lacking->kinds; k++) {
        int64_t *all = s->lacking->all.milli[k];

        const int64_t lack = sign * gsched_lack_in(&b->lack, k);

        all[b->reason ? b->reason : a->cause] += lack;
        a->lack[k] += b->reason ? 0 : lack;
        for (uint32_t c = 0; b->heads && c < GSCHED_CAUSES; c++)
            all[b->reason ? b->reason : c] += sign * b->heads->milli[k][c];
    }
}

static int64_t rclass_reads(const struct request_class *a, uint32_t cause,
                            int64_t now)
{
    assert(cause < GSCHED_CAUSES && now >= a->clock_at);
    return a->clock[cause] + (cause == a->cause ? now - a->clock_at : 0);
}

static int64_t cqueue_reads(const struct gsched *s, const struct class_queue *b,
                            uint32_t cause)
{
    if (b->reason)
        return b->adjust[cause]
               + (cause == b->reason ? s->now - b->reason_at : 0);
    return b->adjust[cause]
           + rclass_reads(&s->pending->rclass[b->rclass], cause, s->now);
}

int64_t gsched_clock_reads(const struct gsched *s, const struct class_queue *b,
                           enum gsched_cause cause)
{
    return cqueue_reads(s, b, cause);
}

void gsched_clock_add(const struct gsched *s, const struct class_queue *b,
                      int sign, int64_t *us)
{
    const struct request_class *a = &s->pending->rclass[b->rclass];

    assert(sign == 1 || sign == -1);
    for (uint32_t c = 0; c < GSCHED_CAUSES; c++)
        us[c] += sign * (b->adjust[c] + (b->reason ? 0 : a->clock[c]));
    us[b->reason ? b->reason : a->cause] +=
        sign * (s->now - (b->reason ? b->reason_at : a->clock_at));
}

void gsched_rclass_waits_for(struct gsched *s, struct request_class *a,
                             enum gsched_cause why)
{
    assert(why < GSCHED_CAUSES && s->now >= a->clock_at);
    if (a->cause == why)
        return;
    a->clock[a->cause] += s->now - a->clock_at;
    a->clock_at = s->now;
    for (uint32_t k = 0; k < s->lacking->kinds; k++) {
        s->lacking->all.milli[k][a->cause] -= a->lack[k];
        s->lacking->all.milli[k][why] += a->lack[k];
    }
    a->cause = (uint8_t)why;
    gsched_head_reason(s, a);
}

static int64_t cqueue_refused(const struct gsched *s,
                              const struct class_queue *b, uint32_t gate)
{
    const bool goes_on = b->reason == GSCHED_QUOTA && b->gate == gate;

    return (gate < b->gates ? b->refused[gate] : 0)
           + (goes_on ? s->now - b->reason_at : 0);
}

void gsched_clock_refused_add(const struct gsched *s,
                              const struct class_queue *b, int sign,
                              int64_t *us)
{
    assert(sign == 1 || sign == -1);
    for (uint32_t g = 0; g < s->modules->gates; g++)
        us[g] += sign * cqueue_refused(s, b, g);
}

/* It was refused by its gate until now. */
static void refused_add(struct gsched *s, struct class_queue *b)
{
    int64_t *more;

    if (b->gate >= b->gates) {
        more = gs_arena_alloc(s->arena, s->modules->gates, sizeof(*more));
        for (uint32_t g = 0; g < b->gates; g++)
            more[g] = b->refused[g];
        b->refused = more;
        b->gates = (uint8_t)s->modules->gates;
    }
    b->refused[b->gate] += s->now - b->reason_at;
}

/* From now on the wait reason of the class queue is `why`. */
static void cqueue_hold(struct gsched *s, struct class_queue *b,
                        enum gsched_cause why)
{
    struct request_class *a = &s->pending->rclass[b->rclass];

    assert(why < GSCHED_CAUSES && b->rclass < s->pending->rclass_count);
    if (b->reason == GSCHED_QUOTA && b->gate != NO_GATE
        && s->now > b->reason_at)
        refused_add(s, b);
    for (uint32_t c = 0; c < GSCHED_CAUSES; c++)
        b->adjust[c] = cqueue_reads(s, b, c)
                       - (why ? 0 : rclass_reads(a, c, s->now));
    cqueue_lack_count(s, b, -1);
    a->reasons += (uint32_t)(why != 0) - (uint32_t)(b->reason != 0);
    b->reason = (uint8_t)why;
    b->reason_at = s->now;
    cqueue_lack_count(s, b, 1);
    gsched_head_waits(s, b);
}

void gsched_cqueue_waits_for(struct gsched *s, struct class_queue *b,
                             enum gsched_cause why)
{
    assert(why != GSCHED_QUOTA);
    if (b->reason != why)
        cqueue_hold(s, b, why);
}

void gsched_cqueue_refused(struct gsched *s, struct class_queue *b,
                           uint8_t gate)
{
    assert(gate == NO_GATE || gate < s->modules->gates);
    if (b->reason == GSCHED_QUOTA && b->gate == gate)
        return;
    cqueue_hold(s, b, GSCHED_QUOTA);
    b->gate = gate;
}

enum gsched_cause gsched_cqueue_cause(const struct gsched *s,
                                      const struct class_queue *b)
{
    return (enum gsched_cause)(b->reason ? b->reason
                                         : s->pending->rclass[b->rclass].cause);
}
