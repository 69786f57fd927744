/* policies/modules/account_usage.h - what accounts hold on average, decayed.
 *
 * The average of an account follows what it holds with a half-life: after a
 * time e it is (1 - a) x average + a x held, with a = 1 - 0.5^(e / half-life).
 * It is computed at each multiple of an interval, with what is held then, and
 * when the account gets quota: then the request is added, times a of one
 * interval, so that the next request of the account finds it used at once.  As
 * Kueue's admission fair sharing.
 */
#ifndef GSP_ACCOUNT_USAGE_H
#define GSP_ACCOUNT_USAGE_H

#include <assert.h>
#include <math.h>

#include "policies/modules/exact_math.h"
#include "policies/policy.h"

#define ACCOUNT_GIB 1073741824.0

/* An account. */
struct account_usage {
    double average; /* of the weighted amounts */
    gsp_time at;    /* time of that */
};

/* One time for all accounts. */
struct account_clock {
    gsp_time half_life; /* 0: nothing is remembered */
    gsp_time interval;  /* above 0 */
};

/* How much of what is held is in the average after `elapsed`. */
static inline double account_alpha(const struct account_clock *c,
                                   gsp_time elapsed)
{
    return c->half_life > 0
               ? 1 - exact_exp2(-(double)elapsed / (double)c->half_life)
               : 0;
}

/* The amounts, weighted; a weight below 0 is not stated: 1.  In CPUs, GiB of
 * memory, pods and devices.
 */
static inline double account_sum(const double *weight, const int64_t *amount,
                                 uint32_t dims)
{
    double sum = 0;

    for (uint32_t d = 0; d < dims; d++) {
        const double unit = d == GSP_MEMORY ? ACCOUNT_GIB
                            : d == GSP_PODS ? 1
                                            : 1000;

        sum += (weight[d] < 0 ? 1 : weight[d]) * ((double)amount[d] / unit);
    }
    return sum;
}

/* Go on to `now`, with `held` all the time. */
static inline void account_advance(const struct account_clock *c,
                                   struct account_usage *u, double held,
                                   gsp_time now)
{
    const double a = account_alpha(c, now > u->at ? now - u->at : 0);

    if (now <= u->at)
        return;
    u->average = c->half_life > 0 ? (1 - a) * u->average + a * held : 0;
    u->at = now;
}

/* The account got what weighs `asked`. */
static inline void account_enter(const struct account_clock *c,
                                 struct account_usage *u, double asked)
{
    u->average += account_alpha(c, c->interval) * asked;
}

/* Its part of the queue, by which it is ordered. */
static inline double account_level(const struct account_usage *u, double shares)
{
    return shares > 0 ? u->average / shares : HUGE_VAL;
}

#endif /* GSP_ACCOUNT_USAGE_H */
