/* policies/modules/waterfill.h - deserved shares by water-filling.
 *
 * As Volcano's plugin proportion: the remaining amount is divided by weight
 * among the queues that are not satisfied.  Each is capped by its ceiling and
 * by what it asks for, and gets at least its guarantee.  Repeated until nothing
 * remains or nothing changes.
 */
#ifndef GSP_WATERFILL_H
#define GSP_WATERFILL_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define WATER_DIMS 16
#define WATER_DROP 0.1 /* negligible amount, as in Volcano */

struct water_cup {
    double weight;
    double asked[WATER_DIMS];
    double ceiling[WATER_DIMS]; /* the most it may hold */
    double floor[WATER_DIMS];   /* its guarantee */
    double level[WATER_DIMS];   /* out: deserved */
    bool is_met;
};

/* Give a cup its part of the remaining amount; true when its level changed. */
static inline bool water_pour(struct water_cup *c, const double *remaining,
                              double weights, uint32_t dims, double *moved)
{
    bool has_moved = false, is_met = true;

    assert(weights > 0 && c->weight >= 0);
    assert(dims <= WATER_DIMS);
    for (uint32_t d = 0; d < dims; d++) {
        const double old = c->level[d];
        double level = old + remaining[d] * c->weight / weights;

        level = level < c->ceiling[d] ? level : c->ceiling[d];
        level = level < c->asked[d] ? level : c->asked[d];
        level = level > c->floor[d] ? level : c->floor[d];
        c->level[d] = level;
        assert(level >= c->floor[d]);
        moved[d] += level - old;
        has_moved |= level != old;
        is_met &= c->asked[d] <= level + WATER_DROP;
    }
    c->is_met = is_met || !has_moved;
    return has_moved;
}

/* Fill `count` cups from `total`; their levels begin at 0. */
static inline void water_fill(struct water_cup *const *cup, uint32_t count,
                              const double *total, uint32_t dims)
{
    double remaining[WATER_DIMS];
    bool goes_on = true;

    assert(dims <= WATER_DIMS && (cup || count == 0));
    for (uint32_t d = 0; d < dims; d++)
        remaining[d] = total[d];
    for (uint32_t i = 0; i < count; i++) {
        cup[i]->is_met = false;
        for (uint32_t d = 0; d < dims; d++)
            cup[i]->level[d] = 0;
    }
    while (goes_on) {
        double moved[WATER_DIMS] = { 0 }, weights = 0;

        goes_on = false;
        for (uint32_t i = 0; i < count; i++)
            weights += cup[i]->is_met ? 0 : cup[i]->weight;
        for (uint32_t i = 0; i < count && weights > 0; i++) {
            if (!cup[i]->is_met)
                water_pour(cup[i], remaining, weights, dims, moved);
        }
        for (uint32_t d = 0; d < dims; d++) {
            goes_on |= moved[d] != 0 && remaining[d] - moved[d] > WATER_DROP;
            remaining[d] -= moved[d];
            if (remaining[d] < 0)
                remaining[d] = 0;
        }
    }
}

#endif /* GSP_WATERFILL_H */
