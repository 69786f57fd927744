/* tests/fuzz/fuzz_topology.c - topology files of both formats. */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/strtab.h"
#include "tests/lib/cluster_check.h"
#include "topology/cluster.h"
#include "topology/read.h"
#include "topology/topology.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gs_err err = { .limit = GS_ERR_MAX };
    struct gs_arena *arena = gs_arena_create(1 << 12);
    struct gs_strtab *names = gs_strtab_create();
    struct gs_input *in = gs_input_open_memory("fuzz", data, size);
    struct topo_dims dims;
    const struct topo *t;

    topo_dims_init(&dims, names);
    t = topo_read(in, arena, names, &dims, &err);
    if (t && t->node_count < 4096) {
        struct topo_cluster *c = topo_cluster_create(t);

        if (!cluster_is_right(c))
            __builtin_trap();
        topo_cluster_destroy(c);
    }
    if (!t && err.count == 0)
        __builtin_trap(); /* a failure without a reason */
    gs_input_close(in);
    gs_strtab_destroy(names);
    gs_arena_destroy(arena);
    return 0;
}
