/* tests/lib/live_world.h - a random workload through a live host. */
#ifndef TEST_LIVE_WORLD_H
#define TEST_LIVE_WORLD_H

#include "tests/lib/live_host.h"
#include "tests/lib/random_world.h"
#include "tests/lib/suite.h"

#define WORKLOADS 60 /* times SEEDS */

struct live_case {
    const char *what, *profile;
    unsigned features; /* enum random_feature */
    int kind;          /* as the test likes */
};

/* Draw a world by `seed` and run it; `open` is called before.  The faults. */
int live_faults(const struct live_case *c, uint64_t seed, struct live *l,
                void (*open)(struct live *l));

#endif /* TEST_LIVE_WORLD_H */
