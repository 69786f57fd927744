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

/* Of one resource. */
struct water_level {
    double asked;
    double ceiling; /* the most that the cup may hold */
    double floor;   /* its guarantee */
    double level;   /* out: deserved */
};

struct water_cup {
    double weight;
    struct water_level *of; /* [dim] */
};

/* The resources that are divided; of others nothing is asked for. */
struct water_dims {
    uint32_t at[WATER_DIMS], count;
};

/* Give a cup its part of the remaining amount; true when it gets nothing more.
 */
static inline bool water_pour(const struct water_cup *c,
                              const double *remaining, double weights,
                              const struct water_dims *dims, double *moved)
{
    bool has_moved = false, is_met = true;

    assert(weights > 0 && c->weight >= 0);
    for (uint32_t i = 0; i < dims->count; i++) {
        struct water_level *w = &c->of[dims->at[i]];
        const double old = w->level;
        double level = old + remaining[i] * c->weight / weights;

        level = level < w->ceiling ? level : w->ceiling;
        level = level < w->asked ? level : w->asked;
        level = level > w->floor ? level : w->floor;
        w->level = level;
        assert(level >= w->floor);
        moved[i] += level - old;
        has_moved |= level != old;
        is_met &= w->asked <= level + WATER_DROP;
    }
    return is_met || !has_moved;
}

/* Fill `count` cups from total[dim]; their levels begin at 0.  Cups that get
 * nothing more leave the list.
 */
static inline void water_fill(const struct water_cup **cup, uint32_t count,
                              const double *total,
                              const struct water_dims *dims)
{
    double remaining[WATER_DIMS];
    bool goes_on = true;

    assert(dims->count <= WATER_DIMS && (cup || count == 0));
    for (uint32_t i = 0; i < dims->count; i++)
        remaining[i] = total[dims->at[i]];
    for (uint32_t c = 0; c < count; c++) {
        for (uint32_t i = 0; i < dims->count; i++)
            cup[c]->of[dims->at[i]].level = 0;
    }
    while (goes_on) {
        double moved[WATER_DIMS] = { 0 }, weights = 0;
        uint32_t left = 0;

        goes_on = false;
        for (uint32_t c = 0; c < count; c++)
            weights += cup[c]->weight;
        for (uint32_t c = 0; c < count && weights > 0; c++) {
            if (!water_pour(cup[c], remaining, weights, dims, moved))
                cup[left++] = cup[c];
        }
        count = left;
        for (uint32_t i = 0; i < dims->count; i++) {
            goes_on |= moved[i] != 0 && remaining[i] - moved[i] > WATER_DROP;
            remaining[i] -= moved[i];
            if (remaining[i] < 0)
                remaining[i] = 0;
        }
    }
}

#endif /* GSP_WATERFILL_H */
