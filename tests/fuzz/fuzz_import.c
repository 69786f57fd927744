/* tests/fuzz/fuzz_import.c - objects of Kubernetes, among them the
 * configurations of schedulers, as a trace, a topology and profiles.  What is
 * made of them is written, and must then be read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/strtab.h"
#include "import/account.h"
#include "import/kubernetes/kubernetes.h"
#include "topology/read.h"
#include "topology/topology.h"
#include "topology/write.h"
#include "traces/formats/reader.h"
#include "traces/formats/writer.h"
#include "traces/workload/workload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What one import works on. */
struct imported {
    struct gs_arena *arena;
    struct gs_strtab *names;
    struct topo_dims dims;
    struct import_account *account;
    struct trace_workload *work;
    struct topo *topo;
};

static void check(int rc, const struct gs_err *err)
{
    if (rc < 0 && err->count == 0)
        __builtin_trap(); /* a failure without a reason */
}

/* Fail on a text that gsim would not read itself. */
static void refuse(const struct gs_err *err, const char *text)
{
    char why[512];

    fprintf(stderr, "%s\n%s\n", gs_err_format(err, 0, why, sizeof(why)), text);
    __builtin_trap();
}

static void trace_again(const struct trace_workload *w)
{
    const struct trace_options native = { .format = TRACE_YAML };
    struct gs_err err = { .limit = 1 };
    struct gs_arena *arena = gs_arena_create(4096);
    struct gs_strtab *names = gs_strtab_create();
    struct trace_facts facts = { .format = TRACE_AUTO };
    struct trace_workload *again;
    struct gs_input *in;
    struct topo_dims dims;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const int rc = trace_write_yaml(out, w, NULL, NULL, &err);

    fclose(out);
    if (rc < 0)
        refuse(&err, text);
    topo_dims_init(&dims, names);
    again = trace_workload_create(arena, names, &dims);
    in = gs_input_open_memory("trace.yaml", text, size);
    if (trace_read(in, &native, again, &facts, &err) < 0)
        refuse(&err, text);
    gs_input_close(in);
    trace_workload_destroy(again);
    gs_strtab_destroy(names);
    gs_arena_destroy(arena);
    free(text);
}

static void topology_again(const struct topo *t)
{
    struct gs_err err = { .limit = 1 };
    struct gs_arena *arena = gs_arena_create(4096);
    struct gs_strtab *names = gs_strtab_create();
    struct gs_input *in;
    struct topo_dims dims;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    topo_write(out, t);
    fclose(out);
    topo_dims_init(&dims, names);
    in = gs_input_open_memory("topology.yaml", text, size);
    if (!topo_read(in, arena, names, &dims, &err))
        refuse(&err, text);
    gs_input_close(in);
    gs_strtab_destroy(names);
    gs_arena_destroy(arena);
    free(text);
}

static void make(struct kube_import *x, struct imported *m)
{
    struct gs_err err = { .limit = 1 };

    if (kube_import_trace(x, m->work, &(int64_t){ 0 }, &err) < 0) {
        check(-1, &err);
        return;
    }
    if (kube_import_has_nodes(x)) {
        m->topo = topo_create(m->arena, m->names, &m->dims);
        if (kube_import_topology(x, m->topo, &err) < 0)
            check(-1, &err);
        else
            topology_again(m->topo);
    }
    if (m->work->job_count)
        trace_again(m->work);
    for (uint32_t i = 0; i < kube_import_profiles(x); i++) {
        struct gs_err why = { .limit = 1 };

        if (!kube_import_profile(x, i, "fuzz", m->arena, &why))
            check(-1, &why);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct kube_options o = kube_options_default;
    struct gs_err err = { .limit = 1 };
    struct imported m = { .arena = gs_arena_create(4096),
                          .names = gs_strtab_create(),
                          .account = import_account_create() };
    struct gs_input *in = gs_input_open_memory("fuzz", data, size);
    struct kube_import *x;
    int rc;

    topo_dims_init(&m.dims, m.names);
    m.work = trace_workload_create(m.arena, m.names, &m.dims);
    x = kube_import_create(m.names, &m.dims, m.account);
    o.history = size % 3 == 0;
    rc = kube_import_read_part(x, "fuzz", in, (enum kube_part)(size % 7 / 5),
                               &err);
    check(rc, &err);
    if (rc == 0 && kube_import_finish(x, &o, &err) == 0)
        make(x, &m);
    kube_import_destroy(x);
    gs_input_close(in);
    trace_workload_destroy(m.work);
    import_account_destroy(m.account);
    gs_strtab_destroy(m.names);
    gs_arena_destroy(m.arena);
    return 0;
}
