/* traces/formats/mix_file.c - a task mix in a file of its own: a list of kinds,
 * each with the task keys of a job and a weight.
 */
#include <inttypes.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/input.h"
#include "topology/task_mix.h"
#include "traces/formats/native_task.h"
#include "traces/workload/workload_mix.h"

struct kind_in {
    struct trace_task task;
    uint32_t weight;
};

#define FIELD(name, read, member) \
    TRACE_TASK_FIELD(offsetof(struct kind_in, task), name, read, member)

static const struct gs_yfield fields[] = {
    FIELD("gpus", trace_yread_gpus, gpus),
    FIELD("gpu_share", trace_yread_share, share),
    FIELD("cpu", gs_yread_milli, cpu),
    FIELD("memory", gs_yread_bytes, memory),
    FIELD("rdma", gs_yread_milli, rdma),
    FIELD("resources", gs_yread_node, resources),
    FIELD("model", gs_yread_node, model),
    FIELD("nodes", gs_yread_node, nodes),
    FIELD("tolerations", gs_yread_node, tolerations),
    { "weight", gs_yread_count, offsetof(struct kind_in, weight), true },
};

#define N_FIELDS (sizeof(fields) / sizeof(fields[0]))

static int take_kind(const struct gs_yctx *c, const struct gs_ynode *item,
                     struct topo_mix_kind *kind, struct gs_err *err)
{
    const struct trace_workload *w = c->user;
    struct trace_lists *lists = gs_arena_alloc(w->arena, 1, sizeof(*lists));
    struct kind_in in = { .weight = 0 };
    int rc = gs_ynode_fields(c, item, "kind", fields, N_FIELDS, &in, err);

    if (trace_task_request(c, &in.task, item, lists, &kind->request, err) < 0)
        rc = -1;
    kind->request.amount[TOPO_PODS] = 1; /* counts where nodes limit pods */
    kind->weight = in.weight;
    return rc;
}

static int take_kinds(const struct gs_yctx *c, const struct gs_ynode *root,
                      struct topo_mix_kind *kind, struct gs_err *err)
{
    int64_t weight = 0;
    int rc = 0;

    for (const struct gs_ynode *v = root->child; v; v = v->next, kind++) {
        if (take_kind(c, v, kind, err) < 0)
            rc = -1;
        weight += kind->weight;
        if (weight > TOPO_MIX_WEIGHT_MAX)
            rc = gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                         "the weights must be at most %" PRId64
                         " in all (up to here %" PRId64 ")",
                         TOPO_MIX_WEIGHT_MAX, weight);
        if (rc < 0 && !gs_err_wants_more(err))
            return -1;
    }
    return rc;
}

struct topo_mix *trace_mix_read(struct gs_input *in, struct trace_workload *w,
                                const struct topo *t, struct gs_err *err)
{
    struct gs_arena *arena = gs_arena_create(4096);
    const struct gs_ynode *root = gs_yaml_read(in, arena, NULL, err);
    const struct gs_yctx c = { gs_input_name(in), w };
    struct topo_mix_kind *kind = NULL;
    struct topo_mix *made = NULL;

    if (root && (root->kind != GS_YSEQ || !root->child))
        gs_fail(err, GS_INPUT, gs_ynode_mark(&c, root),
                "a mix must be a list of at least one kind of task, such as "
                "- {gpus: 1, cpu: 8, weight: 30}");
    else if (root) {
        kind = gs_array_new(root->len, sizeof(*kind));
        if (take_kinds(&c, root, kind, err) == 0)
            made = topo_mix_create(t, kind, root->len);
    }
    gs_array_free(kind);
    gs_arena_destroy(arena);
    return made;
}
