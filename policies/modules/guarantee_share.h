/* policies/modules/guarantee_share.h - shares of what is guaranteed, as
 * YuniKorn computes them (pkg/common/resources, scheduler/objects/queue.go).
 *
 * An amount that is not stated is GUARANTEE_NONE; one that is 0 or less counts
 * as full with any usage.  No function keeps state.
 */
#ifndef GSP_GUARANTEE_SHARE_H
#define GSP_GUARANTEE_SHARE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "policies/policy.h"

#define GUARANTEE_NONE INT64_MIN
#define GUARANTEE_DIMS 32u

static inline bool guarantee_part(int64_t used, int64_t of, double *part)
{
    if (of == GUARANTEE_NONE)
        return false;
    *part = of > 0 ? (double)used / (double)of : used > 0 ? 1 : 0;
    return true;
}

/* The share of a queue: the largest part that it holds of its guarantee; of a
 * resource without one, of its fair maximum.
 */
static inline double guarantee_share(uint32_t dims, const int64_t *used,
                                     const int64_t *guaranteed,
                                     const int64_t *fair_max)
{
    double most = 0, part;

    for (uint32_t d = 0; d < dims; d++) {
        if (used[d] < 0) /* also GUARANTEE_NONE */
            continue;
        if ((guarantee_part(used[d], guaranteed[d], &part)
             || guarantee_part(used[d], fair_max[d], &part))
            && part > most)
            most = part;
    }
    return most;
}

/* The fair maximum on the way down: the limits of a queue take the place of
 * those above it.
 */
static inline void guarantee_fair_max(uint32_t dims, const int64_t *limit,
                                      int64_t *fair_max)
{
    for (uint32_t d = 0; d < dims; d++) {
        if (limit[d] != GUARANTEE_NONE)
            fair_max[d] = limit[d];
    }
}

/* The parts of `total` that `used` is of, ascending; of a resource without a
 * total the amount itself.  Returns their number, at most `dims`.
 */
static inline uint32_t guarantee_parts(uint32_t dims, const int64_t *used,
                                       const int64_t *total, double *out)
{
    uint32_t n = 0;

    assert(dims <= GUARANTEE_DIMS);
    for (uint32_t d = 0; d < dims; d++) {
        const bool whole = total[d] == GUARANTEE_NONE || total[d] == 0;
        double part;
        uint32_t i = n;

        if (used[d] == GUARANTEE_NONE)
            continue;
        part = whole ? (double)used[d] : (double)used[d] / (double)total[d];
        for (; i > 0 && out[i - 1] > part; i--)
            out[i] = out[i - 1];
        out[i] = part;
        n++;
    }
    return n;
}

/* < 0: `a` holds a smaller share of `total` than `b`: the parts are compared
 * from the largest down; of two that are equal so far the longer one is larger,
 * if what is left is above 0.
 */
static inline int guarantee_compare(uint32_t dims, const int64_t *a,
                                    const int64_t *b, const int64_t *total)
{
    double x[GUARANTEE_DIMS], y[GUARANTEE_DIMS];
    uint32_t n = guarantee_parts(dims, a, total, x);
    uint32_t m = guarantee_parts(dims, b, total, y);

    for (; n > 0 && m > 0; n--, m--) {
        if (x[n - 1] < y[m - 1] || x[n - 1] > y[m - 1])
            return x[n - 1] < y[m - 1] ? -1 : 1;
    }
    for (; n > 0; n--) {
        if (x[n - 1] < 0 || x[n - 1] > 0)
            return x[n - 1] > 0 ? 1 : -1;
    }
    for (; m > 0; m--) {
        if (y[m - 1] < 0 || y[m - 1] > 0)
            return y[m - 1] > 0 ? -1 : 1;
    }
    return 0;
}

/* The priority that a queue shows to the queue above it, of what waits in it
 * with `most`; where nothing does, INT32_MIN, it shows none.
 */
static inline int32_t guarantee_priority(int32_t most, int64_t offset,
                                         bool fence)
{
    const int64_t sum = fence ? offset : offset + most;

    return (int32_t)(most == INT32_MIN ? INT32_MIN
                     : sum > INT32_MAX ? INT32_MAX
                     : sum < INT32_MIN ? INT32_MIN
                                       : sum);
}

/* How little of the request has room: 1 for each resource of which nothing is
 * free, the part that is missing of others.
 */
static inline double guarantee_misfit(uint32_t dims, const int64_t *free,
                                      const int64_t *asked)
{
    double sum = 0;

    for (uint32_t d = 0; d < dims; d++) {
        if (asked[d] <= 0)
            continue;
        if (free[d] <= 0) /* also GUARANTEE_NONE */
            sum += 1;
        else if (asked[d] > free[d])
            sum += (double)(asked[d] - free[d]) / (double)asked[d];
    }
    return sum;
}

#endif /* GSP_GUARANTEE_SHARE_H */
