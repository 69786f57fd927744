/* tests/fuzz/fuzz_speed.c - speed models; what is read gives speeds in bounds.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/strtab.h"
#include "sim/speed/speed.h"
#include "topology/read.h"
#include "topology/topology.h"
#include "traces/formats/reader.h"
#include "traces/workload/workload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char nodes[] =
    "tiers: [{name: rack, bandwidth: 1GB/s, latency: 1us},"
    " {name: node, bandwidth: 9GB/s}]\n"
    "node_types: {a: {gpus: 8, model: V100}}\n"
    "nodes: [{name: \"n[1-4]\", type: a, rack: \"r[1-2]\"}]\n";
static const char jobs[] =
    "jobs: [{name: bert-1, submit: 0, duration: 1, gpus: 8, replicas: 2,"
    " labels: {class: nlp}, communication: 0.5, gradient: 1GB}]\n";

static void check(const struct sim_speed *m, const struct topo *t,
                  const struct trace_workload *w)
{
    const uint32_t model = gs_strtab_find(t->names, "V100", 4);

    for (uint32_t level = 0; level <= t->tier_count + 1; level++) {
        const struct sim_speed_row *r = sim_speed_find(m, w, 0, model, 16000,
                                                       level);
        const uint32_t speed = r ? r->milli * 1000
                                 : sim_speed_reduce(t, w, 0, level);

        if (speed < 1 || speed > 1000 * SIM_FULL_SPEED
            || (m->is_all_reduce && speed > sim_speed_most(m, t, w)))
            __builtin_trap();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct trace_options o = { 0 };
    struct gs_err err = { 0 };
    struct gs_arena *arena = gs_arena_create(1 << 12);
    struct gs_strtab *names = gs_strtab_create();
    struct gs_input *in[] = { gs_input_open_memory("t", nodes, strlen(nodes)),
                              gs_input_open_memory("j", jobs, strlen(jobs)),
                              gs_input_open_memory("fuzz", data, size) };
    struct trace_workload *w;
    struct trace_facts facts = { 0 };
    const struct topo *t;
    const struct sim_speed *m;
    struct topo_dims dims;

    topo_dims_init(&dims, names);
    t = topo_read(in[0], arena, names, &dims, &err);
    w = trace_workload_create(arena, names, &dims);
    if (!t || trace_read(in[1], &o, w, &facts, &err) < 0)
        __builtin_trap();
    m = sim_speed_read(in[2], t, arena, &err);
    if (m)
        check(m, t, w);
    else if (err.count == 0)
        __builtin_trap(); /* a failure without a reason */
    for (size_t i = 0; i < 3; i++)
        gs_input_close(in[i]);
    trace_workload_destroy(w);
    gs_strtab_destroy(names);
    gs_arena_destroy(arena);
    return 0;
}
