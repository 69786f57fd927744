/* tests/sim/live_world.h - a random workload through a live host. */
#ifndef TEST_LIVE_WORLD_H
#define TEST_LIVE_WORLD_H

#include "tests/sim/live.h"
#include "tests/sim/random_world.h"
#include "tests/suite.h"

#define WORKLOADS 60 /* times SEEDS */

struct live_case {
    const char *what, *profile;
    unsigned features; /* enum random_feature */
    int kind;          /* as the test likes */
};

/* Draw a world by `seed` and run it; `open` is called before.  The faults. */
static inline int live_faults(const struct live_case *c, uint64_t seed,
                              struct live *l, void (*open)(struct live *l))
{
    const struct trace_options o = { 0 };
    static struct text topology, trace;
    struct gs_rng r;
    struct world w;

    topology.len = trace.len = 0;
    gs_rng_init(&r, seed, "live");
    topology_make(&r, &topology, c->features);
    trace_make(&r, &trace, c->features);
    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(world_load(&w, topology.at, trace.at, &o), 0);
    l->w = &w;
    l->it = c;
    open(l);
    LIVE_FAULT(l, !live_run(l, world_profile(&w, c->profile)));
    if (l->faults)
        printf("\n%s, seed %llu: %d faults, the first in line %d\n%s\n%s\n",
               c->what, (unsigned long long)seed, l->faults, l->line,
               topology.at, trace.at);
    world_fini(&w);
    return l->faults;
}

#endif /* TEST_LIVE_WORLD_H */
