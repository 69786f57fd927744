/* tests/lib/pairs.h - worlds drawn in pairs that differ in what must not count:
 * the same tasks start on the same nodes at the same times in both.
 */
#ifndef TESTS_LIB_PAIRS_H
#define TESTS_LIB_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "tests/lib/random_world.h"

struct pair_texts {
    struct drawn_text topology, trace, outages; /* no outages: empty */
};

struct pairs {
    const char *stream; /* of random numbers */
    const char *const *policy;
    size_t policies;
    /* Draw the first world of a pair, or the second from the same numbers. */
    void (*draw)(struct gs_rng *r, struct pair_texts *t, bool is_second);
    const char *beside; /* a job that is not compared; NULL */
    bool by_task;       /* compare which tasks of a job are where; else how many
                           of it */
    uint64_t least;     /* tasks that start in a world, on average */
};

/* Check so many pairs, up to the first one that parts. */
void pairs_check(const struct pairs *p, uint64_t pairs);

#endif /* TESTS_LIB_PAIRS_H */
