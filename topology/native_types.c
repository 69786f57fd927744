/* topology/native_types.c - reads the node types of a native topology file. */
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/strtab.h"
#include "base/text.h"
#include "base/yamldoc.h"
#include "topology/native_private.h"
#include "topology/topology.h"

#define TYPES_MAX 65536u

static int gpus_refuse(const struct gs_yctx *c, const struct gs_ynode *v,
                       struct gs_err *err)
{
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                   "'gpus' must be a number, or a mapping of 1 to %d models to "
                   "numbers of at least 1, at most %d in all, such as {A100: "
                   "4, V100: 2}",
                   TOPO_MODELS_MAX, TOPO_DEVICES_MAX);
}

/* {A100: 4, V100: 2} */
static int read_models(const struct gs_yctx *c, const struct gs_ynode *v,
                       struct topo_class *k, struct gs_err *err)
{
    const struct topo_loading *l = c->user;
    struct topo_model *m = gs_arena_alloc(l->arena, TOPO_MODELS_MAX,
                                          sizeof(*m));
    char *all = NULL;

    if (v->len == 0 || v->len > TOPO_MODELS_MAX)
        return gpus_refuse(c, v, err);
    for (const struct gs_ynode *e = v->child; e; e = e->next, m++) {
        char *more;

        if (topo_read_key(c, e->key, &m->name, err) < 0
            || gs_yread_whole(c, e, 1, TOPO_DEVICES_MAX - k->gpus, &m->gpus,
                              err)
                   < 0) {
            gs_array_free(all);
            return -1;
        }
        k->gpus += m->gpus;
        more = gs_text_make("%s%s%s", all ? all : "", all ? "+" : "",
                            e->key->text);
        gs_array_free(all);
        all = more;
    }
    k->model = gs_strtab_put(l->topo->names, all, strlen(all));
    if (v->len > 1) {
        k->models = m - v->len;
        k->model_count = (uint32_t)v->len;
    }
    gs_array_free(all);
    return 0;
}

static int read_gpus(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    struct topo_class *k = dest;
    const int rc = v->kind == GS_YMAP      ? read_models(c, v, k, err)
                   : v->kind == GS_YSCALAR ? gs_yread_whole(
                         c, v, 0, TOPO_DEVICES_MAX, &k->gpus, err)
                                           : gpus_refuse(c, v, err);

    k->capacity[TOPO_GPU] = (int64_t)k->gpus * TOPO_SHARE_ONE;
    return rc;
}

static int read_pods(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    uint32_t n = 0;

    if (gs_yread_u32(c, v, &n, err) < 0)
        return -1;
    *(int64_t *)dest = n;
    return 0;
}

/* The model of GPUs that `gpus` does not name. */
static int read_model(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err)
{
    struct topo_node_type *t = dest;

    t->model_at = v;
    return topo_read_name(c, v, &t->model, err);
}

static int model_check(const struct gs_yctx *c, struct topo_node_type *t,
                       struct gs_err *err)
{
    if (!t->model_at)
        return 0;
    if (t->klass.model)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, t->model_at),
                       "'gpus' names the models already: 'model' cannot stand "
                       "beside them");
    t->klass.model = t->model;
    return 0;
}

static int read_gpu_tasks(const struct gs_yctx *c, const struct gs_ynode *v,
                          void *dest, struct gs_err *err)
{
    return gs_yread_whole(c, v, 1, TOPO_GPU_TASKS_MAX, dest, err);
}

static int read_resources(const struct gs_yctx *c, const struct gs_ynode *v,
                          void *dest, struct gs_err *err)
{
    const struct topo_loading *l = c->user;
    struct topo_class *k = dest;
    int rc = 0;

    if (v->kind != GS_YMAP)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'resources' must be a mapping of names to amounts");
    for (const struct gs_ynode *e = v->child; e; e = e->next) {
        uint32_t name;
        int d;

        if (topo_read_key(c, e->key, &name, err) < 0) {
            rc = -1;
            continue;
        }
        if (topo_dim_is_model(e->key->text)
            || topo_dim_is_misnamed(e->key->text))
            return gs_fail(
                err, GS_INPUT, gs_ynode_mark(c, e->key),
                "'%s' is stated as 'gpus' beside 'resources', not in it",
                e->key->text);
        d = topo_dims_put(l->topo->dims, name);
        if (d < 0)
            return gs_fail(err, GS_LIMIT, gs_ynode_mark(c, e->key),
                           "more than %d kinds of resources", TOPO_DIMS_MAX);
        if (d < TOPO_DIMS_FIXED)
            rc = gs_fail(err, GS_INPUT, gs_ynode_mark(c, e->key),
                         "'%s' is stated beside 'resources', not in it",
                         e->key->text);
        else if (gs_yread_milli(c, e, &k->capacity[d], err) < 0)
            rc = -1;
    }
    return rc;
}

#define CLASS(member) offsetof(struct topo_node_type, klass.member)
#define CAPACITY(dim) (CLASS(capacity) + (dim) * sizeof(int64_t))
#define WHOLE_CLASS offsetof(struct topo_node_type, klass)

static const struct gs_yfield type_fields[] = {
    { "gpus", read_gpus, WHOLE_CLASS, false },
    { "model", read_model, 0, false },
    { "gpu_memory", gs_yread_bytes, CLASS(gpu_memory), false },
    { "tasks_per_gpu", read_gpu_tasks, CLASS(gpu_tasks), false },
    { "mig", gs_yread_node, offsetof(struct topo_node_type, mig), false },
    { "cpu", gs_yread_milli, CAPACITY(TOPO_CPU), false },
    { "memory", gs_yread_bytes, CAPACITY(TOPO_MEMORY), false },
    { "rdma", gs_yread_milli, CAPACITY(TOPO_RDMA), false },
    { "pods", read_pods, CAPACITY(TOPO_PODS), false },
    { "numa", gs_yread_u32, CLASS(numa), false },
    { "generation", topo_read_generation, WHOLE_CLASS, false },
    { "speed", topo_read_speed, WHOLE_CLASS, false },
    { "labels", topo_read_labels, WHOLE_CLASS, false },
    { "taints", topo_read_taints, WHOLE_CLASS, false },
    { "resources", read_resources, WHOLE_CLASS, false },
    { "load", topo_read_load, WHOLE_CLASS, false },
};

#define N_TYPE_FIELDS (sizeof(type_fields) / sizeof(type_fields[0]))

/* Index the types by string id: there may be a million entries. */
static void types_index(struct topo_loading *l)
{
    l->type_ids = gs_strtab_count(l->topo->names);
    l->type_of = gs_arena_alloc(l->arena, l->type_ids, sizeof(*l->type_of));
    for (uint32_t i = 0; i < l->type_count; i++)
        l->type_of[l->type[i].klass.type] = i + 1;
}

int topo_types_read(const struct gs_yctx *c, struct topo_loading *l,
                    struct gs_err *err)
{
    const struct gs_ynode *n = l->types;
    int rc = 0;

    if (n->kind != GS_YMAP || n->len == 0 || n->len > TYPES_MAX)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, n),
                       "'node_types' must be a mapping of 1 to %u names to "
                       "types",
                       TYPES_MAX);
    l->type = gs_arena_alloc(l->arena, n->len, sizeof(*l->type));
    for (n = n->child; n; n = n->next) {
        struct topo_node_type *t = &l->type[l->type_count++];

        t->klass.capacity[TOPO_PODS] = TOPO_PODS_UNLIMITED;
        t->name = "";
        if (gs_yread_text(c, n->key, &t->name, NULL) < 0)
            rc = gs_fail(err, GS_INPUT, gs_ynode_mark(c, n->key),
                         "a node type needs a printable name");
        t->klass.type = gs_strtab_put(l->topo->names, t->name, strlen(t->name));
        if (gs_ynode_fields(c, n, "node type", type_fields, N_TYPE_FIELDS, t,
                            err)
                < 0
            || model_check(c, t, err) < 0
            || (t->mig && topo_read_mig(c, t->mig, &t->klass, err) < 0))
            rc = -1;
        if (t->klass.numa)
            topo_unused_note(&l->topo->numa, t->klass.type,
                             gs_ynode_find(n, "numa")->key);
        if (t->klass.gpus == 0)
            t->klass.model = 0; /* no GPUs, no model */
        if (rc < 0 && !gs_err_wants_more(err))
            return -1;
    }
    types_index(l);
    return rc;
}

static int type_unknown(const struct gs_yctx *c, const struct topo_loading *l,
                        const struct gs_ynode *v, const char *text,
                        struct gs_err *err)
{
    const char **known = gs_arena_alloc(l->arena, l->type_count,
                                        sizeof(*known));
    const char *near;

    for (uint32_t i = 0; i < l->type_count; i++)
        known[i] = l->type[i].name;
    near = gs_nearest(text, known, l->type_count);
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                   "no node type is called '%.60s' (%s '%s'%s)", text,
                   near ? "did you mean" : "known are", near ? near : known[0],
                   near                ? "?"
                   : l->type_count > 1 ? " and others"
                                       : "");
}

int topo_type_find(const struct gs_yctx *c, const struct topo_loading *l,
                   const struct gs_ynode *v, struct topo_class *out,
                   struct gs_err *err)
{
    const char *text = NULL;
    uint32_t id;

    if (gs_yread_text(c, v, &text, err) < 0)
        return -1;
    id = gs_strtab_find(l->topo->names, text, v->len);
    if (id >= l->type_ids || l->type_of[id] == 0)
        return type_unknown(c, l, v, text, err);
    *out = l->type[l->type_of[id] - 1].klass;
    return 0;
}
