/* reports/explain/explain_json.c - prints a job as JSON. */
#include <assert.h>
#include <jansson.h>

#include "reports/explain/explain_private.h"
#include "reports/table/cell_text.h"

static json_t *us_json(int64_t us)
{
    return us < 0 ? json_null() : json_integer(us);
}

static const char *or_null(const char *s)
{
    return s[0] ? s : NULL;
}

static json_t *spans_json(const struct report_explained *e)
{
    json_t *all = json_array();

    for (uint32_t i = 0; i < e->spans; i++) {
        const struct report_explained_span *p = &e->span[i];
        char devices[256];

        json_array_append_new(
            all,
            json_pack(
                "{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:o}", "node", p->node,
                "domain", p->domain, "devices",
                report_format_devices(p->devices, devices, sizeof(devices)),
                "task_group", (json_int_t)p->group, "first_task",
                (json_int_t)p->first_task, "tasks", (json_int_t)p->tasks,
                "start_us", (json_int_t)p->start, "end_us", us_json(p->end)));
    }
    return all;
}

static json_t *evictions_json(const struct report_explained *e)
{
    json_t *all = json_array();

    for (uint32_t i = 0; i < e->evictions; i++) {
        const struct report_explained_eviction *v = &e->eviction[i];

        json_array_append_new(
            all,
            json_pack("{s:I, s:s, s:s?, s:o, s:s?, s:I, s:b, s:I, s:I}",
                      "at_us", (json_int_t)v->at, "kind", v->kind, "by",
                      or_null(v->by), "by_job", us_json(v->by_job), "by_queue",
                      or_null(v->by_queue), "tasks", (json_int_t)v->tasks,
                      "whole", v->is_whole, "lost_us", (json_int_t)v->lost,
                      "lost_gpu_us", (json_int_t)v->lost_gpu_us));
    }
    return all;
}

static json_t *segments_json(const struct report_explained *e)
{
    json_t *all = json_array();

    for (uint32_t i = 0; i < e->segments; i++) {
        const struct report_explained_segment *l = &e->segment[i];

        json_array_append_new(
            all, json_pack("{s:I, s:I, s:I, s:s, s:f, s:f, s:f, s:s}",
                           "start_us", (json_int_t)l->start, "us",
                           (json_int_t)l->us, "tasks", (json_int_t)l->tasks,
                           "tier", l->tier, "speed", (double)l->speed / 1e6,
                           "by_nodes", (double)l->nodes / 1e6, "by_model",
                           (double)l->model / 1e6, "source", l->source));
    }
    return all;
}

static json_t *deadlocks_json(const struct report_explained *e)
{
    json_t *all = json_array();

    for (uint32_t i = 0; i < e->deadlocks; i++) {
        const struct report_deadlock *d = &e->deadlock[i];
        json_t *jobs = json_array();

        for (uint32_t k = 0; k < d->jobs; k++) {
            const struct report_deadlocked *j = &d->job[k];

            json_array_append_new(
                jobs, json_pack("{s:I, s:s, s:o, s:o, s:s}", "job",
                                (json_int_t)j->job, "name", j->name, "held",
                                us_json(j->is_known ? j->held : -1), "lacked",
                                us_json(j->is_known ? j->lacked : -1), "of",
                                j->in_gpus ? "GPUs" : "tasks"));
        }
        json_array_append_new(all, json_pack("{s:I, s:o, s:b, s:o}", "start_us",
                                             (json_int_t)d->start, "end_us",
                                             us_json(d->end), "endless",
                                             d->is_endless, "jobs", jobs));
    }
    return all;
}

void explain_json(const struct report_explained *e, FILE *out)
{
    json_t *waits = json_array(), *refusals = json_array(), *all;

    for (uint32_t i = 0; i < e->waits; i++)
        json_array_append_new(waits,
                              json_pack("{s:s?, s:I, s:I}", "cause",
                                        or_null(e->wait[i].cause), "us",
                                        (json_int_t)e->wait[i].us, "first_us",
                                        (json_int_t)e->wait[i].first));
    for (uint32_t i = 0; i < e->refusals; i++)
        json_array_append_new(
            refusals, json_pack("{s:s, s:I}", "module", e->refusal[i].module,
                                "us", (json_int_t)e->refusal[i].us));
    all = json_pack(
        "{s:s, s:s, s:I, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:s, s:s?, s:s?, "
        "s:I, s:o, s:o, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:s?}",
        "run", e->run, "policy", e->policy, "job", (json_int_t)e->job, "name",
        e->name, "queue", e->queue, "user", e->user, "priority", e->priority,
        "tasks", (json_int_t)e->tasks, "gang", (json_int_t)e->gang, "gpu_milli",
        (json_int_t)e->gpu_milli, "state", e->state, "reason",
        or_null(e->reason), "tier", or_null(e->tier), "submit_us",
        (json_int_t)e->arrived, "start_us", us_json(e->start), "end_us",
        us_json(e->end), "waited_us", (json_int_t)e->waited, "preemptions",
        (json_int_t)e->preemptions, "lost_gpu_us", (json_int_t)e->lost_gpu_us,
        "waits", waits, "refusals", refusals, "placements", spans_json(e),
        "evictions", evictions_json(e), "legs", segments_json(e), "deadlocks",
        deadlocks_json(e), "completions",
        e->completions > 0 ? json_integer(e->completions) : json_null(),
        "eligible_us", (json_int_t)e->submit, "since_us",
        e->has_stood ? json_integer(-e->before) : json_null(), "scheduler",
        or_null(e->scheduler));
    json_dumpf(all, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(all);
}
