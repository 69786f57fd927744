/* policies/modules/decayed_usage.h - usage that decays with a half-life.
 *
 * A holder (an account, a queue) uses amounts at a rate, those of its jobs.  As
 * Slurm reckons, with P seconds in a period and d = 1 - 0.693 / half-life: at
 * the end of a period usage is multiplied by d^P, then a job that used its
 * amounts for x seconds of the period adds x d^x.  A job that ends adds this at
 * once, so that it is multiplied by d^P as well, or it does not count.  Between
 * two ends usage does not change.
 *
 * What running jobs will have added is kept as sums of whole millionths, so
 * that a start that is taken back leaves nothing behind.
 */
#ifndef GSP_DECAYED_USAGE_H
#define GSP_DECAYED_USAGE_H

#include <assert.h>

#include "policies/modules/exact_math.h"
#include "policies/policy.h"

#define DECAYED_SECOND INT64_C(1000000)
#define DECAYED_ONE 1e6 /* of a rate: an amount of 1 */

/* The sum of the weighted amounts; of those that compete only the greatest. */
static inline double decayed_billing(const double *weight, const double *amount,
                                     const bool *competes, uint32_t count)
{
    double sum = 0, most = 0;

    for (uint32_t i = 0; i < count; i++) {
        const double x = weight[i] > 0 ? weight[i] * amount[i] : 0;

        if (!competes[i])
            sum += x;
        else if (x > most)
            most = x;
    }
    return sum + most;
}

struct decayed_holder {
    double used;      /* amount x seconds, at the last end of a period */
    double ended;     /* ... added since then, x DECAYED_ONE */
    double young;     /* ... that those begun since then add at the next end */
    int64_t rate;     /* now, in millionths of the amount */
    int64_t old_rate; /* of those that were there at the last end */
};

struct decayed_usage {
    double decay;        /* of a period */
    double log_second;   /* log2 of the decay of a second */
    bool forgets;        /* nothing is left after a second */
    bool counts_ended;   /* the last part of a job counts */
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
    u->log_second = second > 0 ? exact_log2(second) : 0;
    u->forgets = second <= 0;
    u->length = (double)(period / DECAYED_SECOND);
    u->period = period;
    u->at = phase % period ? phase % period - period : 0;
    u->reset = u->next_reset = reset;
    u->counts_ended = true;
    u->count = count;
    u->holder = host->keep(ctx, ((size_t)count + 1) * sizeof(*u->holder));
}

static inline double decayed_rate(const struct decayed_holder *h)
{
    return (double)h->rate / DECAYED_ONE;
}

/* What `rate` adds in `us` of a period, in whole millionths. */
static inline double decayed_part(const struct decayed_usage *u, int64_t rate,
                                  gsp_time us)
{
    const double x = (double)us / (double)DECAYED_SECOND;
    const double part = u->forgets
                            ? 0
                            : (double)rate * x * exact_exp2(x * u->log_second);

    return part < 9e15 ? (double)(int64_t)(part + 0.5) : part;
}

/* Add `periods` of them, at least 1, to the usage of the holder. */
static inline void decayed_add(const struct decayed_usage *u,
                               struct decayed_holder *h, uint64_t periods)
{
    const double old = (double)h->old_rate / DECAYED_ONE;

    h->used = (h->used + h->ended / DECAYED_ONE + old * u->length) * u->decay
              + h->young / DECAYED_ONE;
    if (periods > 1)
        h->used = h->used * exact_power(u->decay, periods - 1)
                  + decayed_rate(h) * u->length
                        * exact_power_sum(u->decay, periods - 1);
    h->used = h->used > 0 ? h->used : 0;
    h->ended = h->young = 0;
    h->old_rate = h->rate;
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
        if (u->at < begin) {
            h->ended = h->young = 0;
            h->old_rate = h->rate;
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

/* The rate of the holder changes by `more` millionths now; of less than 0 they
 * began at `start`.
 */
static inline void decayed_change(struct decayed_usage *u, uint32_t holder,
                                  int64_t more, gsp_time start, gsp_time now)
{
    struct decayed_holder *h = &u->holder[holder];
    const int64_t rate = more < 0 ? -more : more;
    const double sign = more < 0 ? -1 : 1;
    gsp_time begin;

    assert(holder < u->count);
    (void)decayed_advance(u, now);
    begin = start > u->at ? start : u->at;
    begin = begin < now ? begin : now;
    h->rate += more;
    if (u->counts_ended)
        h->ended -= sign * decayed_part(u, rate, now - begin);
    if (begin > u->at)
        h->young += sign * decayed_part(u, rate, u->at + u->period - begin);
    else
        h->old_rate += more;
}

#endif /* GSP_DECAYED_USAGE_H */
