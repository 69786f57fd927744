/* traces/formats/reading.c - code shared by the formats. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/far.h"
#include "base/input.h"
#include "base/strtab.h"
#include "base/text.h"
#include "topology/mig.h"
#include "traces/formats/reading.h"

struct gs_mark trace_reading_mark(const struct trace_reading *r, int line,
                                  int column)
{
    return (struct gs_mark){ gs_input_name(r->in), line, column };
}

/* Check a job with completions, whose tasks start and end one by one. */
static int completions_check(const struct trace_job *job,
                             const struct trace_group *group, struct gs_mark at,
                             struct gs_err *err)
{
    const char *const excluded = group->min      ? "replicas: {min, max}"
                                 : job->gang > 1 ? "gang"
                                 : job->aside->task_interval ? "task_interval"
                                 : job->aside->checkpoint    ? "checkpoint"
                                 : job->aside->resumes       ? "restart: resume"
                                 : job->aside->withdraws     ? "withdraw"
                                 : job->aside->communication ? "communication"
                                                             : NULL;

    if (job->group_count > 1)
        return gs_fail(err, GS_INPUT, at,
                       "'completions' needs tasks of one kind (got %u groups)",
                       job->group_count);
    if (job->duration == TRACE_FOREVER)
        return gs_fail(err, GS_INPUT, at,
                       "'completions' needs a 'duration' with an end");
    if (excluded)
        return gs_fail(err, GS_INPUT, at,
                       "'completions' and '%s' exclude each other: each task"
                       " starts, runs and is repeated by itself",
                       excluded);
    return 0;
}

int trace_reading_add(struct trace_reading *r, const struct trace_job *job,
                      const struct trace_group *group, struct gs_mark at,
                      struct gs_err *err)
{
    uint32_t i;

    assert(r && job && job->group_count > 0);
    if (job->aside && job->aside->completions
        && completions_check(job, group, at, err) < 0)
        return -1;
    if (r->w->job_count >= TRACE_JOBS_MAX)
        return gs_fail(err, GS_LIMIT, at, "more than %d jobs", TRACE_JOBS_MAX);
    if (job->group_count > TRACE_GROUPS_MAX - r->w->group_count)
        return gs_fail(err, GS_LIMIT, at, "more than %d task groups",
                       TRACE_GROUPS_MAX);
    i = trace_workload_add(r->w, job, group);
    r->w->job[i].line = at.line > 0 ? (uint32_t)at.line : 0;
    return 0;
}

/* The shape of a task of `units` units. */
static uint32_t shape_of(struct trace_reading *r, uint64_t units)
{
    struct topo_request q = { 0 };
    uint32_t shape;

    if (units <= TOPO_DEVICES_MAX && r->unit_shape[units])
        return r->unit_shape[units] - 1;
    if (r->units_are_gpus)
        q.gpus = (uint32_t)units;
    else
        q.amount[TOPO_CPU] = (int64_t)units * 1000;
    shape = trace_workload_shape(r->w, &q);
    if (units <= TOPO_DEVICES_MAX)
        r->unit_shape[units] = shape + 1;
    return shape;
}

int trace_reading_add_units(struct trace_reading *r, struct trace_job *job,
                            uint64_t units, struct gs_mark at,
                            struct gs_err *err)
{
    struct trace_group group[2] = { { .replicas = 1 }, { .replicas = 1 } };
    const uint64_t full = units / r->task_size, rest = units % r->task_size;
    uint32_t n = 0;

    if (full + (rest > 0) > TRACE_REPLICAS_MAX)
        return gs_fail(err, GS_INPUT, at,
                       "a job may have at most %d tasks (%llu %s make %llu)",
                       TRACE_REPLICAS_MAX, (unsigned long long)units,
                       r->units_are_gpus ? "GPUs" : "processors",
                       (unsigned long long)(full + (rest > 0)));
    if (full) {
        group[n].replicas = (uint32_t)full;
        group[n++].shape = shape_of(r, r->task_size);
    }
    if (rest || !full)
        group[n++].shape = shape_of(r, rest);
    job->group_count = n;
    return trace_reading_add(r, job, group, at, err);
}

int trace_reading_claim(struct trace_reading *r, uint32_t name, int line,
                        struct gs_mark at, struct gs_err *err)
{
    r->line_of = gs_far_grow(r->w->far, r->line_of, &r->line_of_cap, name + 1,
                             sizeof(*r->line_of));
    if (r->line_of[name])
        return gs_fail(err, GS_INPUT, at,
                       "two jobs are called '%s' (the first is at line %u)",
                       gs_strtab_str(r->w->names, name), r->line_of[name]);
    r->line_of[name] = (uint32_t)line;
    return 0;
}

uint32_t trace_models_tidy(const struct gs_strtab *names, uint32_t *model,
                           uint32_t count)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < count; i++) {
        const uint32_t m = model[i];
        const char *name = gs_strtab_str(names, m);
        uint32_t at = n;

        while (at > 0 && strcmp(gs_strtab_str(names, model[at - 1]), name) >= 0)
            at--;
        if (at < n && model[at] == m)
            continue;
        for (uint32_t k = n++; k > at; k--)
            model[k] = model[k - 1];
        model[at] = m;
    }
    return n;
}

uint32_t trace_models_parse(struct gs_strtab *names, const char *s, size_t len,
                            uint32_t *model)
{
    const char *end = s + len;
    uint32_t count = 0;

    assert(s || len == 0);
    if (!gs_text_is_clean(s, len))
        return 0;
    for (;;) {
        const char *bar = memchr(s, '|', (size_t)(end - s));
        const char *stop = bar ? bar : end;

        if (stop == s || count == TRACE_MODELS_MAX)
            return 0;
        model[count++] = gs_strtab_put(names, s, (size_t)(stop - s));
        if (!bar)
            return trace_models_tidy(names, model, count);
        s = bar + 1;
    }
}

int trace_mig_check(const struct gs_strtab *names, const struct topo_request *q,
                    struct gs_mark at, struct gs_err *err)
{
    const struct topo_mig_model *m = NULL;
    char known[128] = "";

    for (uint32_t i = 0; i < q->model_count; i++) {
        m = topo_mig_model_find(gs_strtab_str(names, q->model[i]));
        if (m && topo_mig_profile(m, q->mig))
            return 0;
    }
    if (q->model_count == 0)
        return 0;
    if (!m)
        return gs_fail(err, GS_INPUT, at,
                       "no MIG profiles are known of '%.40s' (known models "
                       "are: %s)",
                       gs_strtab_str(names, q->model[q->model_count - 1]),
                       topo_mig_models());
    for (uint32_t i = 0; i < TOPO_MIG_PROFILES; i++)
        gs_text_add(known, sizeof(known), "%s%s", i ? ", " : "",
                    topo_mig_kind_name(m->profile[i].kind));
    return gs_fail(err, GS_INPUT, at, "%s has no MIG profile '%s' (it has: %s)",
                   m->name, topo_mig_kind_name(q->mig), known);
}

int trace_communication_check(const struct trace_job *j, struct gs_mark at,
                              struct gs_err *err)
{
    if (j->aside->communication
        || (!j->aside->measured_on && !j->aside->gradient))
        return 0;
    return gs_fail(err, GS_INPUT, at, "'%s' needs a 'communication' above 0",
                   j->aside->gradient ? "gradient" : "measured_on");
}
