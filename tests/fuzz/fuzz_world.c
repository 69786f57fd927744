/* tests/fuzz/fuzz_world.c - scenario files, and a short run with each. */
#include <stddef.h>
#include <stdint.h>

#include "tests/lib/world.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char topology[] = "tiers: [{name: rack}, {name: node}]\n"
                               "node_types: {g: {gpus: 2}, s: {gpus: 1}}\n"
                               "nodes:\n"
                               "  - {name: 'n[1-3]', type: g, rack: r1}\n"
                               "  - {name: 's[1-2]', type: s, rack: r2}\n";
static const char trace[] =
    "jobs:\n"
    "  - {name: a, submit: 0, duration: 3h, gpus: 2, replicas: 2,"
    " labels: {app: x}}\n"
    "  - {name: b, submit: 1h, duration: 9h, gpus: 1, checkpoint: 1h}\n"
    "  - {name: c, submit: 2h, duration: 1h, gpus: 1, replicas: 7}\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct trace_options o = { 0 };
    struct gsched_profile *p;
    struct gs_input *in;
    struct world w;

    world_init(&w);
    if (world_load(&w, topology, trace, &o) < 0)
        __builtin_trap();
    w.err.limit = GS_ERR_MAX;
    in = gs_input_open_memory("fuzz", data, size);
    w.outages = sim_scenario_read(in, w.arena, w.topo, &w.err);
    gs_input_close(in);
    if (!w.outages && w.err.count == 0)
        __builtin_trap(); /* a failure without a reason */
    p = gsched_profile_named("easy", w.arena, &w.err);
    if (w.outages && w.outages->event_count < 1000)
        (void)world_run_profile(&w, p, NULL);
    world_fini(&w);
    return 0;
}
