/* traces/formats/native_after.c - dependencies of jobs: `after`. */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"
#include "base/text.h"
#include "traces/formats/native.h"
#include "traces/workload/dependencies.h"

#define AFTER_ALLOWED                                                 \
    "a list of jobs, such as [prepare, {job: server, when: started, " \
    "delay: 5m}], or {any: [...]}"

struct after_in {
    const char *job;
    int64_t delay;
    enum trace_when when;
};

static int read_when(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    const int i = gs_yread_word(c, v, trace_when_names, TRACE_WHENS, err);

    *(enum trace_when *)dest = i < 0 ? TRACE_COMPLETED : (enum trace_when)i;
    return i < 0 ? -1 : 0;
}

static int read_one(struct trace_native *l, const struct gs_ynode *v,
                    struct trace_dependency *out, struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "job", gs_yread_text, offsetof(struct after_in, job), true },
        { "when", read_when, offsetof(struct after_in, when), false },
        { "delay", gs_yread_duration, offsetof(struct after_in, delay), false },
    };
    struct after_in in = { .when = TRACE_COMPLETED };

    if (v->kind == GS_YSCALAR && !gs_ynode_is_null(v) && v->len
        && gs_text_is_clean(v->text, v->len))
        in.job = v->text;
    else if (v->kind != GS_YMAP)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, v),
                       "'after' must be " AFTER_ALLOWED);
    else if (gs_ynode_fields(&l->c, v, "dependency", fields, 3, &in, err) < 0)
        return -1;
    *out = (struct trace_dependency){
        .delay = in.delay,
        .job = gs_strtab_put(l->r->w->names, in.job, strlen(in.job)),
        .when = in.when,
    };
    return 0;
}

static int read_list(struct trace_native *l, const struct gs_ynode *list,
                     struct trace_job *job, struct gs_err *err)
{
    struct trace_workload *w = l->r->w;
    int rc = 0;

    if (list->len > TRACE_DEPENDENCIES_MAX)
        return gs_fail(err, GS_LIMIT, gs_ynode_mark(&l->c, list),
                       "a job may depend on at most %d others",
                       TRACE_DEPENDENCIES_MAX);
    if (list->len > TRACE_TABLE_MAX - w->dependencies->dependency_count)
        return gs_fail(err, GS_LIMIT, gs_ynode_mark(&l->c, list),
                       "more than %u dependencies of all jobs",
                       TRACE_TABLE_MAX);
    job->aside->first_dependency = w->dependencies->dependency_count;
    for (const struct gs_ynode *v = list->child; v; v = v->next) {
        struct trace_dependency d = { 0 };
        uint32_t at;

        if (read_one(l, v, &d, err) < 0) {
            rc = -1;
            continue;
        }
        at = trace_workload_dependencies(w, &d, 1);
        l->needed = gs_array_grow(l->needed, &l->needed_cap, at + 1,
                                  sizeof(*l->needed));
        l->needed[at] = (struct trace_place){ v->line, v->column };
        job->aside->dependency_count++;
    }
    return rc;
}

int trace_read_after(struct trace_native *l, const struct gs_ynode *v,
                     struct trace_job *job, struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "any", gs_yread_node, 0, true },
    };
    const struct gs_ynode *list = v;

    assert(l && job);
    if (!v)
        return 0;
    if (v->kind == GS_YMAP) {
        if (gs_ynode_fields(&l->c, v, "after", fields, 1, &list, err) < 0)
            return -1;
        job->aside->needs_any = true;
    }
    if (list->kind != GS_YSEQ || list->len == 0)
        return gs_yread_refuse(&l->c, v, AFTER_ALLOWED, err);
    return read_list(l, list, job, err);
}

static struct gs_mark mark_of(const struct trace_reading *r,
                              const struct trace_place *at)
{
    return trace_reading_mark(r, at->line, at->column);
}

static int names_check(const struct trace_reading *r,
                       const struct trace_place *at, const uint32_t *named,
                       struct gs_err *err)
{
    const struct trace_workload *w = r->w;
    int rc = 0;

    for (uint32_t i = 0; i < w->dependencies->dependency_count; i++) {
        if (named[w->dependencies->dependency[i].job])
            continue;
        rc = gs_fail(
            err, GS_INPUT, mark_of(r, &at[i]),
            "'after' names '%s', which is no job of the trace",
            gs_strtab_str(w->names, w->dependencies->dependency[i].job));
        if (!gs_err_wants_more(err))
            return -1;
    }
    return rc;
}

int trace_after_check(const struct trace_reading *r,
                      const struct trace_place *at, struct gs_err *err)
{
    const struct trace_workload *w = r->w;
    uint32_t *named, job;
    int rc;

    if (w->dependencies->dependency_count == 0)
        return 0;
    named = trace_jobs_by_name(w);
    rc = names_check(r, at, named, err);
    job = rc < 0 ? TRACE_NONE : trace_dependency_cycle(w, named);
    gs_array_free(named);
    if (job == TRACE_NONE)
        return rc;
    return gs_fail(err, GS_INPUT,
                   mark_of(r, &at[w->job[job].aside->first_dependency]),
                   "job '%s' depends on itself, by way of what it is 'after'",
                   gs_strtab_str(w->names, w->job[job].name));
}
