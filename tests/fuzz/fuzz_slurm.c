/* tests/fuzz/fuzz_slurm.c - files of Slurm, by their content: with what is read
 * of them a trace, a topology and a profile are made.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/strtab.h"
#include "import/account.h"
#include "import/slurm/slurm_import.h"
#include "policies/profile/profile.h"
#include "topology/resources.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A failure has a reason. */
static int told(int rc, const struct gs_err *err)
{
    if (rc < 0 && err->count == 0)
        __builtin_trap();
    return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gs_err err = { .limit = size % 2 ? 1 : GS_ERR_MAX };
    struct gs_arena *arena = gs_arena_create(1 << 14);
    struct gs_strtab *names = gs_strtab_create();
    struct import_account *account = import_account_create();
    const struct slurm_options options = {
        size % 3 ? NULL : "CET-1CEST,M3.5.0,M10.5.0/3",
        size % 5 ? NULL : "JobID,Submit,Start,End,State,AllocTRES,NodeList",
    };
    struct slurm_file file = { .path = "fuzz" };
    struct trace_workload *w;
    struct slurm_import *x;
    struct topo_dims dims;
    int64_t epoch;

    topo_dims_init(&dims, names);
    x = slurm_import_create(names, &dims, account);
    w = trace_workload_create(arena, names, &dims);
    file.in = gs_input_open_memory("fuzz", data, size);
    if (told(slurm_import_options(x, &options, &err), &err) == 0
        && told(slurm_import_read(x, &file, 1, &err), &err) == 0
        && told(slurm_import_finish(x, &err), &err) == 0
        && told(slurm_import_trace(x, w, &epoch, &err), &err) == 0) {
        if (slurm_import_has_nodes(x))
            (void)told(slurm_import_topology(
                           x, topo_create(arena, names, &dims), &err),
                       &err);
        if (slurm_import_has_conf(x)
            && !slurm_import_profile(x, "fuzz", arena, &err))
            __builtin_trap(); /* what is made is a profile */
    }
    gs_input_close(file.in);
    trace_workload_destroy(w);
    slurm_import_destroy(x);
    import_account_destroy(account);
    gs_strtab_destroy(names);
    gs_arena_destroy(arena);
    return 0;
}
