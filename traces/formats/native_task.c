/* traces/formats/native_task.c - the request of one task in native YAML. */
#include <string.h>

#include "base/quantity.h"
#include "base/strtab.h"
#include "base/text.h"
#include "topology/mig.h"
#include "traces/formats/native_task.h"

int trace_yread_tasks(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err)
{
    return gs_yread_whole(c, v, 1, TRACE_REPLICAS_MAX, dest, err);
}

int trace_yread_replicas(const struct gs_yctx *c, const struct gs_ynode *v,
                         void *dest, struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "min", gs_yread_u32, offsetof(struct trace_task_range, min), true },
        { "max", trace_yread_tasks, offsetof(struct trace_task_range, max),
          true },
    };
    struct trace_task_range *span = dest;

    if (v->kind != GS_YMAP)
        return trace_yread_tasks(c, v, &span->max, err);
    if (gs_ynode_fields(c, v, "replicas", fields, 2, span, err) < 0)
        return -1;
    if (span->min > span->max)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, gs_ynode_find(v, "min")),
                       "'min' (%u) is more than 'max' (%u)", span->min,
                       span->max);
    return 0;
}

int trace_yread_gpus(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    return gs_yread_whole(c, v, 1, TOPO_DEVICES_MAX, dest, err);
}

int trace_yread_share(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err)
{
    int64_t milli;

    if (v->kind != GS_YSCALAR
        || gs_quantity_parse_milli(v->text, v->len, &milli) < 0 || milli <= 0
        || milli >= TOPO_SHARE_ONE)
        return gs_yread_refuse(c, v, TRACE_SHARE_ALLOWED, err);
    *(uint32_t *)dest = (uint32_t)milli;
    return 0;
}

int trace_yread_mig(const struct gs_yctx *c, const struct gs_ynode *v,
                    void *dest, struct gs_err *err)
{
    const uint32_t kind = v->kind == GS_YSCALAR ? topo_mig_kind_find(v->text)
                                                : 0;

    if (kind == 0)
        return gs_yread_refuse(c, v, TRACE_MIG_ALLOWED, err);
    *(uint32_t *)dest = kind;
    return 0;
}

int trace_dim_put(const struct gs_yctx *c, const struct gs_ynode *v,
                  struct gs_err *err)
{
    const struct trace_workload *w = c->user;
    const char *key = v->key->text;
    const bool is_gpus = topo_dim_is_misnamed(key);
    const int dim = *key && !is_gpus && gs_text_is_clean(key, strlen(key))
                        ? topo_dims_put(
                            w->dims, gs_strtab_put(w->names, key, strlen(key)))
                        : -1;

    if (is_gpus)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v->key),
                       "as a resource GPUs are called 'gpu', not '%s'", key);
    if (dim < 0)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v->key),
                       "no room for the resource '%s' (at most %d)", key,
                       TOPO_DIMS_MAX);
    return dim;
}

/* --- lists ---------------------------------------------------------------- */

static int read_resources(const struct gs_yctx *c, const struct gs_ynode *map,
                          struct topo_request *q, struct gs_err *err)
{
    int rc = 0;

    if (map->kind != GS_YMAP)
        return gs_yread_refuse(c, map, "a mapping of names to amounts", err);
    for (const struct gs_ynode *v = map->child; v; v = v->next) {
        int64_t amount = 0;
        const int dim = trace_dim_put(c, v, err);

        if (gs_yread_milli(c, v, &amount, err) < 0 || dim < 0)
            rc = -1;
        else if (topo_dim_is_model(v->key->text))
            rc = gs_fail(err, GS_INPUT, gs_ynode_mark(c, v->key),
                         "'%s' is stated as 'gpus' and 'model', not in "
                         "'resources'",
                         v->key->text);
        else if (dim < TOPO_DIMS_FIXED)
            rc = gs_fail(err, GS_INPUT, gs_ynode_mark(c, v->key),
                         "'%s' is not one of the other resources (they are "
                         "what the topology declares)",
                         v->key->text);
        else
            q->amount[dim] = amount;
    }
    return rc;
}

/* "A|B" or [A, B] */
static int read_models(const struct gs_yctx *c, const struct gs_ynode *v,
                       struct trace_lists *lists, struct topo_request *q,
                       struct gs_err *err)
{
    const struct trace_workload *w = c->user;
    uint32_t n = 0;

    if (v->kind == GS_YSCALAR && !gs_ynode_is_null(v))
        n = trace_models_parse(w->names, v->text, v->len, lists->model);
    if (v->kind == GS_YSEQ && v->len <= TRACE_MODELS_MAX) {
        for (const struct gs_ynode *m = v->child; m; m = m->next) {
            if (m->kind != GS_YSCALAR || m->len == 0
                || !gs_text_is_clean(m->text, m->len))
                return gs_yread_refuse(c, v, TRACE_MODELS_ALLOWED, err);
            lists->model[n++] = gs_strtab_put(w->names, m->text, m->len);
        }
        n = trace_models_tidy(w->names, lists->model, n);
    }
    if (n == 0)
        return gs_yread_refuse(c, v, TRACE_MODELS_ALLOWED, err);
    q->model = lists->model;
    q->model_count = n;
    return 0;
}

/* Parse a toleration.  The key '*' is every key; an empty value is that of
 * taints without one.
 */
static int parse_toleration(struct gs_strtab *names, const char *s,
                            struct topo_taint *t)
{
    if (topo_taint_parse(names, s, t) < 0)
        return -1;
    if (s[0] == '*' && (s[1] == '\0' || s[1] == ':'))
        t->key = 0;
    if (strchr(s, '=') && !t->value)
        t->value = TOPO_NO_VALUE;
    return 0;
}

int trace_read_tolerations(const struct gs_yctx *c, const struct gs_ynode *v,
                           struct trace_lists *lists, struct topo_request *q,
                           struct gs_err *err)
{
    static const char allowed[] =
        "a list of tolerations such as key=value:NoSchedule, key:NoExecute, "
        "key:PreferNoSchedule, key or * for all";
    const struct trace_workload *w = c->user;
    int rc = 0;

    if (v->kind != GS_YSEQ || v->len > TRACE_LIST_MAX)
        return gs_yread_refuse(c, v, allowed, err);
    for (const struct gs_ynode *t = v->child; t; t = t->next) {
        if (t->kind != GS_YSCALAR || !gs_text_is_clean(t->text, t->len)
            || parse_toleration(w->names, t->text,
                                &lists->toleration[q->toleration_count])
                   < 0)
            rc = gs_fail(err, GS_INPUT, gs_ynode_mark(c, t),
                         "'tolerations' must be %s (got '%s')", allowed,
                         t->kind == GS_YSCALAR ? t->text : "a collection");
        else
            q->toleration_count++;
    }
    q->toleration = lists->toleration;
    return rc;
}

/* Fail unless the task asks for GPUs in only one way. */
static int excludes(const struct gs_yctx *c, const struct trace_task *t,
                    const struct gs_ynode *at, struct gs_err *err)
{
    const struct {
        const char *key;
        bool is_there;
    } ways[] = { { "gpus", t->gpus > 0 },
                 { "gpu_share", t->share > 0 },
                 { "gpu_memory", t->gpu_memory > 0 },
                 { "mig", t->mig > 0 } };
    const char *first = NULL;

    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        if (!ways[i].is_there)
            continue;
        if (first)
            return gs_fail(
                err, GS_INPUT, gs_ynode_mark(c, gs_ynode_find(at, ways[i].key)),
                "'%s' and '%s' exclude each other", first, ways[i].key);
        first = ways[i].key;
    }
    return 0;
}

int trace_task_request(const struct gs_yctx *c, const struct trace_task *t,
                       const struct gs_ynode *at, struct trace_lists *lists,
                       struct topo_request *q, struct gs_err *err)
{
    const struct gs_ynode *mig = gs_ynode_find(at, "mig");
    int rc;

    *q = (struct topo_request){ .gpus = t->gpus,
                                .share = t->share,
                                .mig = t->mig };
    q->amount[TOPO_CPU] = t->cpu;
    q->amount[TOPO_MEMORY] = t->memory;
    q->amount[TOPO_RDMA] = t->rdma;
    q->share_memory = t->gpu_memory;
    lists->value_count = lists->condition_count = 0;
    rc = excludes(c, t, at, err);
    if (t->resources && read_resources(c, t->resources, q, err) < 0)
        rc = -1;
    if (t->model && read_models(c, t->model, lists, q, err) < 0)
        rc = -1;
    if (t->nodes && trace_read_nodes(c, t->nodes, lists, q, err) < 0)
        rc = -1;
    if (t->prefer && trace_read_prefer(c, t->prefer, lists, q, err) < 0)
        rc = -1;
    if (t->tolerations
        && trace_read_tolerations(c, t->tolerations, lists, q, err) < 0)
        rc = -1;
    if (t->mig
        && trace_mig_check(((struct trace_workload *)c->user)->names, q,
                           gs_ynode_mark(c, mig), err)
               < 0)
        rc = -1;
    return rc;
}
