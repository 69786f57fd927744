/* traces/formats/native_quotas.c - quotas of a native trace: their definitions,
 * and those that a job counts against.
 */
#include <assert.h>

#include "base/array.h"
#include "base/strtab.h"
#include "base/text.h"
#include "traces/formats/native.h"
#include "traces/formats/terms.h"
#include "traces/workload/quotas.h"

#define QUOTAS_ALLOWED "the name of a quota, or a list of at most 32"

/* The quota called as the text at `v`, which it may be defined by later. */
static int quota_of(struct trace_native *l, const struct gs_ynode *v,
                    uint32_t *quota, struct gs_err *err)
{
    struct trace_workload *w = l->r->w;

    if (v->kind != GS_YSCALAR || gs_ynode_is_null(v) || v->len == 0
        || !gs_text_is_clean(v->text, v->len))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, v),
                       "'quotas' must be " QUOTAS_ALLOWED);
    *quota = trace_quota_put(w, gs_strtab_put(w->names, v->text, v->len));
    l->quota = gs_array_grow(l->quota, &l->quota_cap, *quota + 1,
                             sizeof(*l->quota));
    if (l->quota[*quota].line == 0) {
        l->quota[*quota].line = v->line;
        l->quota[*quota].column = v->column;
    }
    return 0;
}

int trace_read_quotas(struct trace_native *l, const struct gs_ynode *v,
                      struct trace_job *job, struct gs_err *err)
{
    const bool is_list = v && v->kind == GS_YSEQ;
    uint32_t quota[TRACE_QUOTAS_MAX] = { 0 }, n = 0;

    assert(l && job);
    if (!v)
        return 0;
    if (is_list && (v->len == 0 || v->len > TRACE_QUOTAS_MAX))
        return gs_yread_refuse(&l->c, v, QUOTAS_ALLOWED, err);
    for (const struct gs_ynode *x = is_list ? v->child : v; x;
         x = is_list ? x->next : NULL) {
        if (quota_of(l, x, &quota[n++], err) < 0)
            return -1;
    }
    job->aside->quotas = trace_quota_set_put(l->r->w, quota, n);
    return 0;
}

static int take_entry(struct trace_native *l, const struct gs_ynode *item,
                      struct gs_err *err)
{
    struct trace_workload *w = l->r->w;
    struct trace_quota in = { .jobs = -1 };
    const struct gs_ynode *name = NULL;
    uint32_t i;
    int rc;

    for (int d = 0; d < TOPO_DIMS_MAX; d++)
        in.limit[d] = -1;
    rc = trace_quota_terms(&l->c, item, &name, &in, err);
    if (!name)
        return -1;
    if (name->kind != GS_YSCALAR || gs_ynode_is_null(name) || name->len == 0
        || !gs_text_is_clean(name->text, name->len))
        return gs_yread_refuse(&l->c, name, "a printable name", err);
    i = trace_quota_put(w, gs_strtab_put(w->names, name->text, name->len));
    l->quota = gs_array_grow(l->quota, &l->quota_cap, i + 1, sizeof(*l->quota));
    if (l->quota[i].defined)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, name),
                       "two quotas are called '%s'", name->text);
    l->quota[i].defined = true;
    in.name = w->quotas->quota[i].name;
    in.line = (uint32_t)item->line;
    w->quotas->quota[i] = in;
    return rc;
}

int trace_native_quotas(struct trace_native *l, const struct gs_ynode *list,
                        struct gs_err *err)
{
    const struct trace_workload *w = l->r->w;
    int rc = 0;

    if (list && list->kind != GS_YSEQ)
        return gs_yread_refuse(&l->c, list, "a list of quotas", err);
    for (const struct gs_ynode *v = list ? list->child : NULL; v; v = v->next) {
        if (take_entry(l, v, err) < 0)
            rc = -1;
        if (rc < 0 && !gs_err_wants_more(err))
            return -1;
    }
    for (uint32_t i = 0; i < w->quotas->quota_count; i++) {
        if (l->quota[i].defined)
            continue;
        rc = gs_fail(
            err, GS_INPUT,
            trace_reading_mark(l->r, l->quota[i].line, l->quota[i].column),
            "no entry of 'quotas' is called '%s'",
            gs_strtab_str(w->names, w->quotas->quota[i].name));
        if (!gs_err_wants_more(err))
            return -1;
    }
    return rc;
}
