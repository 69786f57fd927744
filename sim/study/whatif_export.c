/* sim/study/whatif_export.c - the replayed points as CSV and JSON. */
#include <jansson.h>
#include <math.h>

#include "base/csv_write.h"
#include "sim/study/whatif.h"

/* True when the value is the length of deadlocks and one is endless. */
static bool is_endless(const struct whatif_point *p, double value)
{
    return isinf(value) && !p->has_no_nodes;
}

static void csv_row(const struct whatif *w, const struct whatif_point *p,
                    uint32_t trace, FILE *out)
{
    const struct whatif_figures *on = &p->on[trace];

    if (w->traces > 1) {
        gs_csv_put_cell(whatif_trace_name(w, trace), out);
        fputc(',', out);
    }
    gs_csv_put_cell(w->policy[p->policy], out);
    for (uint32_t a = 0; a < w->axes; a++) {
        fputc(',', out);
        gs_csv_put_cell(w->axis[a].value[p->at[a]], out);
    }
    fprintf(out, ",%.0f,%.0f,%.6g,%.0f,%.0f", p->nodes, p->gpus, p->cost,
            on->rejected, on->unfinished);
    for (uint32_t k = 0; k < w->keys; k++) {
        const double v = on->value[k];

        fprintf(out, isfinite(v) || is_endless(p, v) ? ",%.17g" : ",", v);
        if (w->seeds > 1)
            fprintf(out, isfinite(v) ? ",%.17g" : ",", on->reach[k]);
    }
    fprintf(out, w->target ? ",%d\n" : "\n", whatif_meets(w, on->value[0]));
}

void whatif_csv(const struct whatif *w, FILE *out)
{
    fputs(w->traces > 1 ? "trace,policy" : "policy", out);
    for (uint32_t i = 0; i < w->axes; i++) {
        fputc(',', out);
        gs_csv_put_cell(w->axis[i].path, out);
    }
    fputs(",nodes,gpus,cost_per_hour,rejected,unfinished", out);
    for (uint32_t k = 0; k < w->keys; k++) {
        fputc(',', out);
        gs_csv_put_cell(w->key[k], out);
        if (w->seeds > 1)
            fputs(",ci_half", out);
    }
    fputs(w->target ? ",met\n" : "\n", out);
    for (uint32_t i = 0; i < w->points * w->traces; i++) {
        if (w->point[i / w->traces].is_known)
            csv_row(w, &w->point[i / w->traces], i % w->traces, out);
    }
}

static json_t *value_json(const struct whatif_point *p, double value,
                          double reach)
{
    if (isfinite(value))
        return json_pack("{s:f, s:f}", "mean", value, "ci_half", reach);
    if (is_endless(p, value))
        return json_pack("{s:n, s:n, s:b}", "mean", "ci_half", "endless", 1);
    return json_null();
}

static void figures_put(json_t *to, const struct whatif *w,
                        const struct whatif_point *p,
                        const struct whatif_figures *f)
{
    json_t *values = json_object();

    for (uint32_t k = 0; k < w->keys; k++)
        json_object_set_new(values, w->key[k],
                            value_json(p, f->value[k], f->reach[k]));
    json_object_set_new(to, "rejected", json_real(f->rejected));
    json_object_set_new(to, "unfinished", json_real(f->unfinished));
    json_object_set_new(to, "metrics", values);
}

static void met_put(json_t *to, const struct whatif *w, double value)
{
    if (w->target)
        json_object_set_new(to, "met", json_boolean(whatif_meets(w, value)));
}

/* The figures of each trace. */
static json_t *traces_json(const struct whatif *w, const struct whatif_point *p)
{
    json_t *all = json_array();

    for (uint32_t t = 0; t < w->traces; t++) {
        json_t *one = json_pack("{s:s}", "trace", whatif_trace_name(w, t));

        figures_put(one, w, p, &p->on[t]);
        met_put(one, w, p->on[t].value[0]);
        json_array_append_new(all, one);
    }
    return all;
}

static json_t *point_json(const struct whatif *w, const struct whatif_point *p)
{
    json_t *at = json_object(), *all;

    for (uint32_t a = 0; a < w->axes; a++)
        json_object_set_new(at, w->axis[a].path,
                            json_string(w->axis[a].value[p->at[a]]));
    all = json_pack("{s:s, s:o, s:f, s:f, s:f}", "policy", w->policy[p->policy],
                    "at", at, "nodes", p->nodes, "gpus", p->gpus,
                    "cost_per_hour", p->cost);
    figures_put(all, w, p, &p->all);
    if (w->traces > 1)
        json_object_set_new(all, "traces", traces_json(w, p));
    met_put(all, w, p->all.value[0]);
    return all;
}

void whatif_json(const struct whatif *w, FILE *out)
{
    const uint32_t answer = w->target ? whatif_answer(w) : STUDY_NO_POINT;
    json_t *points = json_array(), *all;

    for (uint32_t i = 0; i < w->points; i++) {
        if (w->point[i].is_known)
            json_array_append_new(points, point_json(w, &w->point[i]));
    }
    all = json_pack("{s:I, s:o, s:o}", "seeds", (json_int_t)w->seeds, "points",
                    points, "answer",
                    answer == STUDY_NO_POINT
                        ? json_null()
                        : point_json(w, &w->point[answer]));
    json_dumpf(all, out, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    fputc('\n', out);
    json_decref(all);
}
