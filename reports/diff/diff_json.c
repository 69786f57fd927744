/* reports/diff/diff_json.c - prints a difference as JSON. */
#include <jansson.h>
#include <math.h>

#include "reports/diff/diff_private.h"
#include "reports/store/run_inputs.h"
#include "reports/table/cell_text.h"

static const char *or_null(const char *s)
{
    return s && s[0] ? s : NULL;
}

static json_t *number(double v)
{
    return isfinite(v) ? json_real(v) : json_null();
}

static json_t *job_json(const struct report_diff_job *j)
{
    return json_pack("{s:I, s:s, s:s, s:I, s:[II], s:[s?s?]}", "job",
                     (json_int_t)j->job, "name", j->name, "queue", j->queue,
                     "gpu_milli", (json_int_t)j->gpu_milli, "waited_us",
                     (json_int_t)j->waited[0], (json_int_t)j->waited[1],
                     "cause", or_null(j->cause[0]), or_null(j->cause[1]));
}

static json_t *jobs_json(const struct report_diff_job *j, uint32_t count)
{
    json_t *all = json_array();

    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(all, job_json(&j[i]));
    return all;
}

static json_t *act_json(const struct report_diff_act *a)
{
    json_t *places = json_array();
    char devices[256];

    for (uint32_t i = 0; i < a->places; i++)
        json_array_append_new(
            places, json_pack("{s:s, s:I, s:s}", "node", a->place[i].node,
                              "tasks", (json_int_t)a->place[i].tasks, "devices",
                              report_format_devices(a->place[i].devices,
                                                    devices, sizeof(devices))));
    return json_pack("{s:s, s:s?, s:s?, s:s?, s:o}", "deed", a->deed, "kind",
                     or_null(a->kind), "by", or_null(a->by), "evicting",
                     or_null(a->victims), "places", places);
}

static json_t *nodes_json(const struct report_diff_reason *r)
{
    json_t *all = json_array();

    for (uint32_t i = 0; i < r->nodes; i++) {
        const struct report_diff_node *n = &r->node[i];
        json_t *points = json_object();

        for (uint32_t m = 0; m < r->modules; m++) {
            if (n->points[m])
                json_object_set_new(points, r->module_name[m],
                                    json_real((double)n->points[m] / 1e6));
        }
        json_array_append_new(
            all, json_pack("{s:s, s:s?, s:f, s:o}", "node", n->node, "refused",
                           or_null(n->refused), "score", (double)n->score / 1e6,
                           "points", points));
    }
    return all;
}

static json_t *queues_json(const struct report_diff_reason *r)
{
    json_t *all = json_array();

    for (uint32_t i = 0; i < r->queues; i++) {
        const struct report_diff_queue *q = &r->queue[i];

        json_array_append_new(
            all, json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "queue", q->name,
                           "held", number(q->used / 1000), "asked",
                           number(q->asked / 1000), "guarantee",
                           number(q->guarantee / 1000), "deserved",
                           number(q->deserved / 1000), "limit",
                           number(q->limit / 1000)));
    }
    return all;
}

static json_t *reason_json(const struct report_diff_reason *r)
{
    return json_pack("{s:s?, s:s?, s:s?, s:s?, s:s?, s:b, s:o, s:s?, s:o}",
                     "not_replayed", r->missing, "cause", or_null(r->cause),
                     "module", or_null(r->module), "other", or_null(r->other),
                     "order_by", or_null(r->order_by), "goes_first",
                     r->is_first, "nodes", nodes_json(r), "unit", r->unit,
                     "queues", queues_json(r));
}

static json_t *decision_json(const struct report_diff *d)
{
    if (!d->differs)
        return json_null();
    return json_pack("{s:I, s:I, s:o, s:o, s:[oo], s:[oo]}", "at_us",
                     (json_int_t)d->at, "equal_placements_before",
                     (json_int_t)d->before, "job", job_json(report_diff_job(d)),
                     "together", jobs_json(d->of, d->together_count), "deeds",
                     act_json(&d->act[0]), act_json(&d->act[1]), "reasons",
                     reason_json(&d->reason[0]), reason_json(&d->reason[1]));
}

static json_t *groups_json(const struct report_diff_groups *g)
{
    json_t *all = json_array();

    for (uint32_t i = 0; i < g->count; i++)
        json_array_append_new(
            all, json_pack("{s:s, s:I, s:I, s:[ff]}", "label", g->at[i].label,
                           "less", (json_int_t)g->at[i].gained, "more",
                           (json_int_t)g->at[i].lost, "waited",
                           g->at[i].waited[0] / 1e6, g->at[i].waited[1] / 1e6));
    return all;
}

static json_t *lines_json(const struct report_diff *d, int side)
{
    json_t *all = json_array();

    for (uint32_t i = 0; i < d->only_count[side]; i++)
        json_array_append_new(all, json_string(d->only[side][i]));
    return all;
}

void report_diff_json(const struct report_diff *d, FILE *out)
{
    char inputs[160] = "";
    json_t *all;

    if (d->inputs)
        report_inputs_names(d->inputs, inputs, sizeof(inputs));
    all = json_pack(
        "{s:[ss], s:s?, s:I, s:b, s:o, s:I, s:I, s:[ff], s:o, s:o, s:o, s:o,"
        " s:o, s:[oo]}",
        "runs", d->run[0].run.name, d->run[1].run.name, "inputs_differ",
        or_null(inputs), "jobs", (json_int_t)d->jobs, "differs", d->differs,
        "first", decision_json(d), "waited_less", (json_int_t)d->gained,
        "waited_more", (json_int_t)d->lost, "waited", d->waited[0] / 1e6,
        d->waited[1] / 1e6, "by_queue", groups_json(&d->queue), "by_size",
        groups_json(&d->size), "by_cause", groups_json(&d->cause),
        "gained_most", jobs_json(d->most_gained, d->gained_count), "lost_most",
        jobs_json(d->most_lost, d->lost_count), "profile_only",
        lines_json(d, 0), lines_json(d, 1));
    json_dumpf(all, out, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    fputc('\n', out);
    json_decref(all);
}
