#include "tests/lib/world.h"

#include "base/array.h"

void world_init(struct world *w)
{
    memset(w, 0, sizeof(*w));
    w->arena = gs_arena_create(1 << 14);
    w->names = gs_strtab_create();
    topo_dims_init(&w->dims, w->names);
}

void world_fini(struct world *w)
{
    report_log_destroy(w->log);
    gs_array_free(w->job);
    sim_scenario_destroy(w->outages);
    trace_workload_destroy(w->work);
    gs_strtab_destroy(w->names);
    gs_arena_destroy(w->arena);
}

struct gs_input *world_open(struct world *w, const char *what)
{
    return strchr(what, '\n') ? gs_input_open_memory("text", what, strlen(what))
                              : gs_input_open(what, &w->err);
}

int world_load(struct world *w, const char *topology, const char *trace,
               const struct trace_options *o)
{
    struct gs_input *in = world_open(w, topology);
    int rc;

    if (!in)
        return -1;
    w->topo = topo_read(in, w->arena, w->names, &w->dims, &w->err);
    gs_input_close(in);
    in = w->topo ? world_open(w, trace) : NULL;
    if (!in)
        return -1;
    w->work = trace_workload_create(w->arena, w->names, &w->dims);
    rc = trace_read(in, o, w->work, &w->facts, &w->err);
    gs_input_close(in);
    if (rc == 0)
        w->topo = topo_relabel(w->topo,
                               topo_label_use(w->topo, w->work->shape,
                                              w->work->shape_count, w->arena),
                               w->arena);
    return rc;
}

int world_outages(struct world *w, const char *what)
{
    struct gs_input *in = world_open(w, what);

    if (!in)
        return -1;
    sim_scenario_destroy(w->outages);
    w->outages = sim_scenario_read(in, w->arena, w->topo, &w->err);
    gs_input_close(in);
    return w->outages ? 0 : -1;
}

int world_run_profile(struct world *w, const struct gsched_profile *p,
                      const struct report_observer *more)
{
    const struct sim_options o = {
        .source = "trace",
        .seed = 42,
        .speed = w->speed,
        .until = w->until ? w->until : SIM_FOREVER,
        .scenario = w->outages,
    };
    const struct report_observer *observer[2];
    int rc;

    report_log_destroy(w->log);
    w->log = report_log_create(w->work, false);
    observer[0] = &w->log->observer;
    observer[1] = more;
    rc = sim_replay(w->topo, w->work, p, &o, observer, more ? 2 : 1, &w->stats,
                    &w->err);
    gs_array_free(w->job);
    w->job = gs_array_new(w->work->job_count, sizeof(*w->job));
    for (uint32_t i = 0; i < w->work->job_count; i++)
        w->job[i] = report_log_job(w->log, i);
    return rc;
}

struct gsched_profile *world_profile(struct world *w, const char *policy)
{
    struct gsched_profile *p;
    struct gs_input *in;

    if (!strchr(policy, '\n'))
        return gsched_profile_named(policy, w->arena, &w->err);
    in = world_open(w, policy);
    p = gsched_profile_read(in, w->arena, &w->err);
    gs_input_close(in);
    return p;
}

int world_run(struct world *w, const char *policy, const char *set,
              const struct report_observer *more)
{
    struct gsched_profile *p = world_profile(w, policy);

    while (p && set) {
        const char *end = strstr(set, "; ");
        const size_t len = end ? (size_t)(end - set) : strlen(set);

        if (gsched_profile_set(p, gs_arena_strndup(w->arena, set, len),
                               w->arena, &w->err)
            < 0)
            return -1;
        set = end ? end + 2 : NULL;
    }
    if (!p)
        return -1;
    return world_run_profile(w, p, more);
}

const struct report_job *world_job(const struct world *w, const char *name)
{
    for (uint32_t i = 0; i < w->work->job_count; i++) {
        if (strcmp(gs_strtab_str(w->names, w->work->job[i].name), name) == 0)
            return &w->job[i];
    }
    return NULL;
}
