/* sim/study/probe_job.c - reads the job of a probe, see probe.h. */
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/strtab.h"
#include "sim/study/inputs.h"
#include "sim/study/probe.h"
#include "sim/study/sources.h"
#include "traces/edit/merge.h"
#include "traces/workload/workload.h"

static bool is_named(const struct trace_workload *w, uint32_t name)
{
    for (uint32_t i = 0; i < w->job_count; i++) {
        if (w->job[i].name == name)
            return true;
    }
    return false;
}

static uint32_t name_put(struct inputs *in, const char *name)
{
    return gs_strtab_put(in->names, name, strlen(name));
}

/* A job of a name that the trace has becomes "NAME'". */
static uint32_t free_name(struct inputs *in, uint32_t name)
{
    while (is_named(in->work, name))
        name = name_put(in, gs_arena_printf(in->arena, "%s'",
                                            gs_strtab_str(in->names, name)));
    return name;
}

static int job_check(const struct inputs *in, const struct inputs *of,
                     const char *path, struct gs_err *err)
{
    const struct gs_mark at = { .source = path };
    const struct trace_workload *w = of->work;

    if (w->job_count != 1)
        return gs_fail(err, GS_INPUT, at, "holds %u jobs: it must hold one",
                       w->job_count);
    if (of->dims.count > in->dims.count)
        return gs_fail(err, GS_INPUT, at, "the cluster has no resource '%.60s'",
                       gs_strtab_str(in->names, of->dims.name[in->dims.count]));
    if (w->job[0].aside->dependency_count || w->job[0].aside->stand_count)
        return gs_fail(err, GS_INPUT, at,
                       "a job with 'after' or 'running_on' cannot be probed");
    return 0;
}

int study_probe_job(struct inputs *in, const char *path, bool tells,
                    uint32_t *job, struct gs_err *err)
{
    const struct trace_options o = { .limit = 0 };
    struct inputs of = { .arena = in->arena,
                         .names = in->names,
                         .dims = in->dims,
                         .topo = in->topo,
                         .topology_path = in->topology_path,
                         .objects = in->objects };
    int rc = inputs_read_trace(&of, path, &o, err);

    if (rc == 0)
        rc = job_check(in, &of, path, err);
    if (rc == 0 && tells)
        inputs_tell_sources(&of);
    if (rc == 0) {
        struct trace_job *j = &of.work->job[0];
        struct trace_job_aside aside = *j->aside;

        j->submit = GS_TIME_MAX; /* after all others */
        aside.withdraws = false;
        trace_job_aside_set(of.work, 0, &aside);
        j->name = free_name(in, j->name);
        of.work->dims = &in->dims;
        rc = trace_workload_merge(in->work, of.work, 0, err);
    }
    if (rc == 0) {
        trace_workload_finish(in->work, 0);
        *job = in->work->job_count - 1;
        rc = inputs_check(in, err);
    }
    trace_workload_destroy(of.work);
    sources_destroy(of.sources);
    return rc;
}
