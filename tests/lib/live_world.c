#include "tests/lib/live_world.h"

int live_faults(const struct live_case *c, uint64_t seed, struct live *l,
                void (*open)(struct live *l))
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
