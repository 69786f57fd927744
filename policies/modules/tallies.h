/* policies/modules/tallies.h - tasks counted by what they are and where they
 * stand: what modules about rules between jobs share.
 *
 * A place is a domain of one level.  The table is open addressed, and holds
 * only what is not 0, so that its size follows the tasks that run.
 */
#ifndef GSP_TALLIES_H
#define GSP_TALLIES_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "policies/policy.h"

/* Tasks at one place. */
struct tally {
    uint64_t id; /* + 1, of a label or of a group of tasks; 0: free */
    uint32_t place;
    int64_t having; /* tasks that are counted under the id */
    int64_t asking; /* what tasks there say about the id */
};

struct tallies {
    const struct gsp_host *host;
    void *ctx;
    uint32_t levels;
    uint32_t *first; /* [level] place of its first domain; the cluster's is 0 */
    uint32_t places; /* of all levels; as a place: anywhere */
    struct tally *at;
    uint32_t slots, used;
};

#define TALLIES_MIN 64u

static inline void tallies_open(struct tallies *t, const struct gsp_host *host,
                                void *ctx)
{
    *t = (struct tallies){ .host = host,
                           .ctx = ctx,
                           .levels = host->levels(ctx),
                           .slots = TALLIES_MIN };
    assert(t->levels >= 2); /* cluster and node */
    t->first = host->keep(ctx, t->levels * sizeof(*t->first));
    for (uint32_t l = 0; l < t->levels; l++) {
        t->first[l] = t->places;
        t->places += host->domains(ctx, l);
    }
    t->at = host->keep(ctx, t->slots * sizeof(*t->at));
}

static inline uint32_t tallies_place(const struct tallies *t, uint32_t level,
                                     uint32_t node)
{
    assert(level < t->levels);
    return t->first[level] + t->host->domain_of(t->ctx, node, level);
}

static inline uint32_t tallies_slot(const struct tallies *t, uint64_t id,
                                    uint32_t place)
{
    const uint64_t key = (id ^ (uint64_t)place << 40)
                         * UINT64_C(0x9e3779b97f4a7c15);

    return (uint32_t)(key >> 32) & (t->slots - 1);
}

/* The slot of the id's tally at the place, or the free one for it. */
static inline struct tally *tallies_find(const struct tallies *t, uint64_t id,
                                         uint32_t place)
{
    uint32_t i = tallies_slot(t, id, place);

    assert((t->slots & (t->slots - 1)) == 0 && t->used < t->slots);
    assert(place <= t->places);
    while (t->at[i].id && (t->at[i].id != id + 1 || t->at[i].place != place))
        i = (i + 1) & (t->slots - 1);
    return &t->at[i];
}

/* Twice as many slots. */
static inline void tallies_grow(struct tallies *t)
{
    const struct tally *old = t->at;
    const uint32_t n = t->slots;

    assert(t->slots <= UINT32_MAX / 2);
    t->slots = n * 2;
    t->at = t->host->keep(t->ctx, t->slots * sizeof(*t->at));
    for (uint32_t i = 0; i < n; i++) {
        if (old[i].id)
            *tallies_find(t, old[i].id - 1, old[i].place) = old[i];
    }
}

/* Free a slot; those behind it that were pushed on move up. */
static inline void tallies_drop(struct tallies *t, struct tally *of)
{
    uint32_t hole = (uint32_t)(of - t->at);

    for (uint32_t i = (hole + 1) & (t->slots - 1); t->at[i].id;
         i = (i + 1) & (t->slots - 1)) {
        const uint32_t home = tallies_slot(t, t->at[i].id - 1, t->at[i].place);

        if (((i - home) & (t->slots - 1)) >= ((i - hole) & (t->slots - 1))) {
            t->at[hole] = t->at[i];
            hole = i;
        }
    }
    t->at[hole] = (struct tally){ 0 };
    t->used--;
}

/* Add to what is counted there. */
static inline void tallies_add(struct tallies *t, uint64_t id, uint32_t place,
                               int64_t having, int64_t asking)
{
    struct tally *one = tallies_find(t, id, place);

    if (!one->id) {
        if ((t->used + 1) * 2 > t->slots) {
            tallies_grow(t);
            one = tallies_find(t, id, place);
        }
        t->used++;
        one->id = id + 1;
        one->place = place;
    }
    one->having += having;
    one->asking += asking;
    assert(one->having >= 0);
    if (one->having == 0 && one->asking == 0)
        tallies_drop(t, one);
}

/* The same in the domains of all tiers around the node. */
static inline void tallies_add_around(struct tallies *t, uint64_t id,
                                      uint32_t node, int64_t having)
{
    for (uint32_t l = 0; l < t->levels; l++)
        tallies_add(t, id, tallies_place(t, l, node), having, 0);
}

static inline const struct tally *tallies_at(const struct tallies *t,
                                             uint64_t id, uint32_t level,
                                             uint32_t node)
{
    return tallies_find(t, id, tallies_place(t, level, node));
}

#endif /* GSP_TALLIES_H */
