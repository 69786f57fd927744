/* policies/modules/decayed_usage.h - usage that decays with a half-life.
 *
 * A holder (an account, a queue) uses amounts at a rate.  Usage is added at the
 * end of each period: what was used before and in the period is multiplied by
 * d^P, with P seconds in the period and d = 1 - 0.693 / half-life as Slurm
 * reckons.  Between two ends usage does not change.  Slurm multiplies what a
 * job used in a part of a period by the power of that part alone.
 */
#ifndef GSP_DECAYED_USAGE_H
#define GSP_DECAYED_USAGE_H

#include <assert.h>

#include "policies/modules/exact_math.h"
#include "policies/policy.h"

#define DECAYED_SECOND INT64_C(1000000)
#define DECAYED_ONE 1e6 /* of a rate: an amount of 1 */

/* The weighted amounts: their sum, or the greatest of them. */
static inline double decayed_billing(const double *weight, const double *amount,
                                     uint32_t count, bool is_most)
{
    double sum = 0;

    for (uint32_t i = 0; i < count; i++) {
        const double x = weight[i] > 0 ? weight[i] * amount[i] : 0;

        sum = !is_most ? sum + x : x > sum ? x : sum;
    }
    return sum;
}

struct decayed_holder {
    double used;    /* amount x seconds, at the last end of a period */
    double fresh;   /* rate x us since then, until `since` */
    int64_t rate;   /* now, in millionths of the amount */
    gsp_time since; /* when the rate changed */
};

struct decayed_usage {
    double decay;        /* of a period */
    double length;       /* of a period, seconds */
    gsp_time period, at; /* its length; the begin of the present one */
    gsp_time reset;      /* all usage is 0 after each multiple; 0: never */
    gsp_time next_reset;
    uint32_t count;
    struct decayed_holder *holder;
};

/* `period` is at least a second, in whole seconds, and one ends at `phase`;
 * half_life 0: no decay.
 */
static inline void decayed_open(struct decayed_usage *u,
                                const struct gsp_host *host, void *ctx,
                                uint32_t count, gsp_time half_life,
                                gsp_time period, gsp_time phase, gsp_time reset)
{
    const double seconds = (double)half_life / (double)DECAYED_SECOND;
    const double second = half_life > 0 ? 1 - 0.693 / seconds : 1;

    assert(period >= DECAYED_SECOND && period % DECAYED_SECOND == 0);
    u->decay = exact_power(second > 0 ? second : 0,
                           (uint64_t)(period / DECAYED_SECOND));
    u->length = (double)(period / DECAYED_SECOND);
    u->period = period;
    u->at = phase % period ? phase % period - period : 0;
    u->reset = u->next_reset = reset;
    u->count = count;
    u->holder = host->keep(ctx, ((size_t)count + 1) * sizeof(*u->holder));
}

static inline double decayed_rate(const struct decayed_holder *h)
{
    return (double)h->rate / DECAYED_ONE;
}

/* Add `periods` of them, at least 1, to the usage of the holder. */
static inline void decayed_add(const struct decayed_usage *u,
                               struct decayed_holder *h, uint64_t periods)
{
    h->fresh += (double)h->rate * (double)(u->at + u->period - h->since);
    h->used = (h->used + h->fresh / (DECAYED_ONE * (double)DECAYED_SECOND))
              * u->decay;
    if (periods > 1)
        h->used = h->used * exact_power(u->decay, periods - 1)
                  + decayed_rate(h) * u->length
                        * exact_power_sum(u->decay, periods - 1);
    h->fresh = 0;
    h->since = u->at + (gsp_time)periods * u->period;
}

/* Forget all usage before the period in which the last reset by `end` is. */
static inline void decayed_reset(struct decayed_usage *u, gsp_time end)
{
    const gsp_time last = u->next_reset
                          + (end - u->next_reset) / u->reset * u->reset;
    const gsp_time begin = u->at + (last - 1 - u->at) / u->period * u->period;

    for (uint32_t i = 0; i < u->count; i++) {
        struct decayed_holder *h = &u->holder[i];

        h->used = 0;
        if (h->since < begin) {
            h->fresh = 0;
            h->since = begin;
        }
    }
    u->at = begin;
    u->next_reset = last + u->reset;
}

/* Add the periods that ended by `now`; false when none did. */
static inline bool decayed_advance(struct decayed_usage *u, gsp_time now)
{
    const gsp_time end = u->at + (now - u->at) / u->period * u->period;
    uint64_t periods;

    assert(now >= u->at);
    if (end == u->at)
        return false;
    if (u->reset > 0 && end >= u->next_reset)
        decayed_reset(u, end);
    periods = (uint64_t)((end - u->at) / u->period);
    for (uint32_t i = 0; i < u->count; i++)
        decayed_add(u, &u->holder[i], periods);
    u->at = end;
    return true;
}

/* The rate of the holder changes by `more` millionths now. */
static inline void decayed_change(struct decayed_usage *u, uint32_t holder,
                                  int64_t more, gsp_time now)
{
    struct decayed_holder *h = &u->holder[holder];

    assert(holder < u->count);
    (void)decayed_advance(u, now);
    h->fresh += (double)h->rate * (double)(now - h->since);
    h->since = now;
    h->rate += more;
}

#endif /* GSP_DECAYED_USAGE_H */
