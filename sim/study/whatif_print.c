/* sim/study/whatif_print.c - the answer in words, and as tables. */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/csv_write.h"
#include "base/text.h"
#include "reports/glossary/glossary.h"
#include "reports/table/cell_text.h"
#include "sim/study/inputs.h"
#include "sim/study/whatif.h"

/* --- values --------------------------------------------------------------------- */

static enum report_unit unit_of(const struct whatif *w, const char *key)
{
    const char *name = gs_arena_strndup(w->arena, key, strcspn(key, "["));
    const struct report_metric_info *info = report_glossary_find(name);

    return info ? info->unit : REPORT_RATIO;
}

static const char *trace_name(const struct whatif *w, uint32_t trace)
{
    return w->in[trace].trace_path;
}

/* "12m30s", "12m30s ±1m" */
static const char *figure_text(const struct whatif *w, uint32_t key, double v,
                               double half)
{
    char text[REPORT_VALUE_TEXT];

    if (isnan(v))
        return "-";
    if (isinf(v))
        return "endless";
    report_format_value(unit_of(w, w->key[key]), v, text);
    if (half > 0) {
        char reach[REPORT_VALUE_TEXT], both[2 * REPORT_VALUE_TEXT + 8];

        report_format_value(unit_of(w, w->key[key]), half, reach);
        snprintf(both, sizeof(both), "%s \xc2\xb1%s", text, reach);
        return gs_arena_strndup(w->arena, both, strlen(both));
    }
    return gs_arena_strndup(w->arena, text, strlen(text));
}

/* On one trace; "-" where there is none. */
static const char *value_text_on(const struct whatif *w,
                                 const struct whatif_point *p, uint32_t trace,
                                 uint32_t key)
{
    if (!p->is_known)
        return "-";
    if (p->has_no_nodes)
        return "no nodes";
    return figure_text(w, key, p->on[trace].value[key],
                       p->on[trace].reach[key]);
}

/* Of all traces. */
static const char *value_text(const struct whatif *w,
                              const struct whatif_point *p, uint32_t key)
{
    if (!p->is_known)
        return "-";
    if (p->has_no_nodes)
        return "no nodes";
    return figure_text(w, key, p->value[key], p->reach[key]);
}

/* " on busy.yaml", the trace of the target's worst value. */
static void on_trace(const struct whatif *w, const struct whatif_point *p,
                     FILE *out)
{
    if (w->traces > 1 && !p->has_no_nodes)
        fprintf(out, " on %s", trace_name(w, p->worst));
}

static const char *limit_text(const struct whatif *w)
{
    char text[REPORT_VALUE_TEXT];

    report_format_value(w->target->info->unit, w->target->amount, text);
    return gs_arena_strndup(w->arena, text, strlen(text));
}

/* "binpack", "binpack with load=1.2" */
static void line_name(const struct whatif *w, const struct whatif_line *l,
                      FILE *out)
{
    fputs(w->policy[l->policy], out);
    if (w->axes > 1)
        fprintf(out, " with %s=%s", w->axis[1].path,
                w->axis[1].value[l->second]);
}

/* "nodes.h100=24" */
static void place(const struct whatif *w, const struct whatif_point *p,
                  FILE *out)
{
    fprintf(out, "%s=%s", w->axis[0].path, w->axis[0].value[p->at[0]]);
}

/* "(192 GPUs, 480 an hour)" */
static void size_of(const struct whatif *w, const struct whatif_point *p,
                    FILE *out)
{
    fprintf(out, "%.0f GPUs", p->gpus);
    if (w->prices)
        fprintf(out, ", %.2f an hour", p->cost);
}

/* --- words ---------------------------------------------------------------------- */

/* The replayed point whose value is nearest to the target's. */
static const struct whatif_point *nearest(const struct whatif *w,
                                          const struct whatif_line *l)
{
    const struct whatif_point *best = NULL;
    double least = (double)INFINITY;

    for (uint32_t i = l->point; i < l->point + l->search.count; i++) {
        const struct whatif_point *p = &w->point[i];
        const double off = p->is_known ? fabs(p->value[0] - w->target->amount)
                                       : (double)INFINITY;

        if (off < least
            || (!best && p->is_known && !p->has_no_nodes
                && isinf(p->value[0]))) {
            least = off;
            best = p;
        }
    }
    return best;
}

/* How what was asked for holds on the other side of the answer. */
static void beside(const struct whatif *w, const struct whatif_line *l,
                   uint32_t answer, FILE *out)
{
    const uint32_t at = answer - l->point;
    const bool from = l->search.first == at;
    const uint32_t other = from ? at - 1 : at + 1;
    const struct whatif_point *p;

    if (other >= l->search.count || !w->axis[0].number)
        return;
    p = &w->point[l->point + other];
    if (p->is_known)
        fprintf(out, "; with %s it is %s", w->axis[0].value[other],
                value_text(w, p, 0));
    if (p->is_known)
        on_trace(w, p, out);
}

/* Jobs that never ran make the others' waits look better than they are. */
static void left_out(const struct whatif_point *p, FILE *out)
{
    if (p->rejected > 0)
        fprintf(out, "; but %.0f job%s rejected", p->rejected,
                p->rejected > 1 ? "s" : "");
    if (p->unfinished > 0)
        fprintf(out, "; but %.0f job%s never ended", p->unfinished,
                p->unfinished > 1 ? "s" : "");
}

static void line_answer(const struct whatif *w, const struct whatif_line *l,
                        FILE *out)
{
    const struct study_search *s = &l->search;
    const uint32_t answer = whatif_answer_of(w, l);
    const char *replayed = s->replayed < s->count ? " replayed" : "";
    const bool is_all = s->first == 0 && s->last == s->count - 1;
    const bool has_order = w->axis[0].number;
    const struct whatif_point *p;

    if (answer == STUDY_NO_POINT) {
        p = nearest(w, l);
        fprintf(out, "at no value%s%s", replayed,
                p ? "; the nearest is " : ", and no run has the metric");
        if (p) {
            fputs(value_text(w, p, 0), out);
            on_trace(w, p, out);
            fputs(" with ", out);
            place(w, p, out);
        }
        return;
    }
    p = &w->point[answer];
    if (is_all)
        fprintf(out, "at every value%s; with ", replayed);
    else if (has_order && answer - l->point == s->first)
        fputs("from ", out);
    else if (has_order && answer - l->point == s->last)
        fputs("up to ", out);
    else
        fputs("at ", out);
    place(w, p, out);
    if (has_order && answer - l->point == s->first && s->first > 0)
        fputs(" on", out);
    fprintf(out, "%s%s", is_all ? " it is " : ": ", value_text(w, p, 0));
    on_trace(w, p, out);
    fputs(" (", out);
    size_of(w, p, out);
    left_out(p, out);
    fputc(')', out);
    beside(w, l, answer, out);
}

/* What was looked at to say so. */
static void line_grounds(const struct whatif *w, const struct whatif_line *l,
                         FILE *out)
{
    const struct study_search *s = &l->search;

    if (s->replayed < s->count)
        fprintf(out,
                "    replayed %u of %u values: over these it only rises or "
                "only falls\n",
                s->replayed, s->count);
    else if (!s->is_monotone && w->axis[0].number)
        fprintf(out,
                "    replayed all %u values: %s goes up and down along them\n",
                s->count, w->target->key);
}

void whatif_words(const struct whatif *w, FILE *out)
{
    uint32_t answer;

    if (!w->target || w->axes == 0)
        return;
    fprintf(out, "%s is at %s %s", w->target->key,
            w->target->kind == REPORT_RULE_MAX ? "most" : "least",
            limit_text(w));
    if (w->traces > 1)
        fprintf(out, " on each of %u traces", w->traces);
    fputs(":\n", out);
    for (uint32_t i = 0; i < w->lines; i++) {
        fputs("  ", out);
        line_name(w, &w->line[i], out);
        fputs(": ", out);
        line_answer(w, &w->line[i], out);
        fputc('\n', out);
        line_grounds(w, &w->line[i], out);
    }
    answer = whatif_answer(w);
    if (w->lines < 2 || answer == STUDY_NO_POINT)
        return;
    fprintf(out, "%s: ", w->prices ? "Cheapest" : "Best");
    line_name(w, &w->line[answer / w->axis[0].count], out);
    fputs(w->axes > 1 ? " and " : " with ", out);
    place(w, &w->point[answer], out);
    fputs(", ", out);
    size_of(w, &w->point[answer], out);
    fputs(".\n", out);
}

/* --- tables --------------------------------------------------------------------- */

/* Columns of texts, which end on the right. */
struct grid {
    struct gs_arena *arena;
    const char **cell;
    uint32_t columns, rows;
    bool is_left; /* the first column begins on the left instead */
};

static void cell_add(struct grid *g, uint32_t row, uint32_t column,
                     const char *text)
{
    g->cell[row * g->columns + column] = text;
    g->rows = row + 1 > g->rows ? row + 1 : g->rows;
}

static void grid_init(struct grid *g, struct gs_arena *arena, uint32_t columns,
                      uint32_t rows)
{
    *g = (struct grid){ .arena = arena, .columns = columns };
    g->cell = gs_arena_alloc(arena, (size_t)columns * rows, sizeof(*g->cell));
}

static const char *cell_at(const struct grid *g, uint32_t row, uint32_t column)
{
    return g->cell[row * g->columns + column];
}

static int width_of(const struct grid *g, uint32_t column)
{
    size_t width = 0;

    for (uint32_t row = 0; row < g->rows; row++) {
        const size_t n = gs_text_length(cell_at(g, row, column));

        width = n > width ? n : width;
    }
    return (int)width;
}

static void grid_print(const struct grid *g, FILE *out)
{
    int *width = gs_arena_alloc(g->arena, g->columns, sizeof(*width));

    for (uint32_t c = 0; c < g->columns; c++)
        width[c] = width_of(g, c);
    for (uint32_t r = 0; r < g->rows; r++) {
        for (uint32_t c = 0; c < g->columns; c++) {
            const char *text = cell_at(g, r, c);
            const int blanks = width[c] - (int)gs_text_length(text);

            if (c == 0 && g->is_left)
                fprintf(out, "%s%*s", text, blanks, "");
            else
                fprintf(out, "%s%*s%s", c ? "  " : "", blanks, "", text);
        }
        fputc('\n', out);
    }
}

static const char *number_text(const struct whatif *w, int decimals, double v)
{
    char text[64];
    const int n = snprintf(text, sizeof(text), "%.*f", decimals, v);

    return gs_arena_strndup(w->arena, text, (size_t)n);
}

/* "+12m", "-3.00 %" */
static const char *signed_text(const struct whatif *w, enum report_unit unit,
                               double v)
{
    char text[REPORT_VALUE_TEXT + 1];

    if (v == 0)
        return "=";
    text[0] = v < 0 ? '-' : '+';
    report_format_value(unit, fabs(v), text + 1);
    return gs_arena_strndup(w->arena, text, strlen(text));
}

/* A value on a trace, marked when it meets the target there. */
static const char *marked(const struct whatif *w, const struct whatif_point *p,
                          uint32_t trace, uint32_t key)
{
    const char *text = value_text_on(w, p, trace, key);
    char *out;

    if (!w->target || key > 0)
        return text;
    if (!p->is_known || !whatif_meets(w, p->on[trace].value[0]))
        return text;
    out = gs_arena_alloc(w->arena, strlen(text) + 2, 1);
    out[0] = '*';
    return strcat(out, text);
}

/* Is anything of the value `at` of the first axis known? */
static bool row_is_known(const struct whatif *w, uint32_t at)
{
    for (uint32_t i = 0; i < w->lines; i++) {
        if (w->point[w->line[i].point + at].is_known)
            return true;
    }
    return false;
}

/* Of the cluster, unless it differs between lines. */
static const char *gpus_text(const struct whatif *w, uint32_t at)
{
    double gpus = (double)NAN;

    for (uint32_t i = 0; i < w->lines; i++) {
        const struct whatif_point *p = &w->point[w->line[i].point + at];

        if (!p->is_known)
            continue;
        if (!isnan(gpus) && gpus != p->gpus)
            return "";
        gpus = p->gpus;
    }
    return number_text(w, 0, gpus);
}

/* One line: metrics are columns; a row for each trace. */
static void table_of_line(const struct whatif *w, FILE *out)
{
    const uint32_t traces = w->traces > 1;
    const uint32_t first = (w->prices ? 3 : 2) + traces;
    struct grid g;
    uint32_t row = 1;

    grid_init(&g, w->arena, first + w->keys, w->axis[0].count * w->traces + 1);
    g.is_left = !w->axis[0].number;
    cell_add(&g, 0, 0, w->axis[0].path);
    cell_add(&g, 0, 1, "GPUs");
    if (w->prices)
        cell_add(&g, 0, 2, "cost/h");
    if (traces)
        cell_add(&g, 0, first - 1, "trace");
    for (uint32_t k = 0; k < w->keys; k++)
        cell_add(&g, 0, first + k, w->key[k]);
    for (uint32_t i = 0; i < w->axis[0].count * w->traces; i++) {
        const uint32_t at = i / w->traces, trace = i % w->traces;
        const struct whatif_point *p = &w->point[at];

        if (!p->is_known)
            continue;
        cell_add(&g, row, 0, trace ? "" : w->axis[0].value[at]);
        cell_add(&g, row, 1, trace ? "" : number_text(w, 0, p->gpus));
        if (w->prices)
            cell_add(&g, row, 2, trace ? "" : number_text(w, 2, p->cost));
        if (traces)
            cell_add(&g, row, first - 1, trace_name(w, trace));
        for (uint32_t k = 0; k < w->keys; k++)
            cell_add(&g, row, first + k, marked(w, p, trace, k));
        row++;
    }
    grid_print(&g, out);
}

static const char *line_title(const struct whatif *w,
                              const struct whatif_line *l)
{
    const char *policy = w->policy[l->policy];
    const char *value = w->axes > 1 ? w->axis[1].value[l->second] : "";
    const size_t size = strlen(policy) + strlen(value) + 2;
    char *title = gs_arena_alloc(w->arena, size, 1);

    if (w->axes == 1)
        return policy;
    if (w->policies == 1)
        return value;
    snprintf(title, size, "%s %s", policy, value);
    return title;
}

/* Several lines: they are columns, of one metric; a row for each trace. */
static void table_of_metric(const struct whatif *w, uint32_t key, FILE *out)
{
    const uint32_t first = w->traces > 1 ? 3 : 2;
    struct grid g;
    uint32_t row = 1;

    fputs(w->key[key], out);
    if (w->axes > 1)
        fprintf(out, " by %s", w->axis[1].path);
    fputs(":\n", out);
    grid_init(&g, w->arena, first + w->lines, w->axis[0].count * w->traces + 1);
    g.is_left = !w->axis[0].number;
    cell_add(&g, 0, 0, w->axis[0].path);
    cell_add(&g, 0, 1, "GPUs");
    if (w->traces > 1)
        cell_add(&g, 0, 2, "trace");
    for (uint32_t i = 0; i < w->lines; i++)
        cell_add(&g, 0, first + i, line_title(w, &w->line[i]));
    for (uint32_t i = 0; i < w->axis[0].count * w->traces; i++) {
        const uint32_t at = i / w->traces, trace = i % w->traces;

        if (!row_is_known(w, at))
            continue;
        cell_add(&g, row, 0, trace ? "" : w->axis[0].value[at]);
        cell_add(&g, row, 1, trace ? "" : gpus_text(w, at));
        if (w->traces > 1)
            cell_add(&g, row, 2, trace_name(w, trace));
        for (uint32_t l = 0; l < w->lines; l++)
            cell_add(&g, row, first + l,
                     marked(w, &w->point[w->line[l].point + at], trace, key));
        row++;
    }
    grid_print(&g, out);
}

/* What was read and what is changed, side by side, under one policy. */
static void table_of_pair(const struct whatif *w, const struct whatif_line *l,
                          uint32_t trace, FILE *out)
{
    const struct whatif_point *was = &w->point[l->point], *is = was + 1;
    const double *x = was->on[trace].value, *y = is->on[trace].value;
    struct grid g;
    uint32_t row = 1;

    if (w->traces > 1)
        fprintf(out, "%s:\n", trace_name(w, trace));
    grid_init(&g, w->arena, 4, w->keys + 2);
    g.is_left = true;
    cell_add(&g, 0, 0, w->policy[l->policy]);
    cell_add(&g, 0, 1, w->axis[0].value[0]);
    cell_add(&g, 0, 2, w->axis[0].value[1]);
    cell_add(&g, 0, 3, "difference");
    cell_add(&g, row, 0, "GPUs");
    cell_add(&g, row, 1, number_text(w, 0, was->gpus));
    cell_add(&g, row, 2, number_text(w, 0, is->gpus));
    cell_add(&g, row, 3, signed_text(w, REPORT_COUNT, is->gpus - was->gpus));
    for (uint32_t k = 0; k < w->keys; k++) {
        if (isnan(x[k]) && isnan(y[k]))
            continue;
        row++;
        cell_add(&g, row, 0, w->key[k]);
        cell_add(&g, row, 1, value_text_on(w, was, trace, k));
        cell_add(&g, row, 2, marked(w, is, trace, k));
        cell_add(&g, row, 3,
                 !isfinite(x[k]) || !isfinite(y[k])
                     ? ""
                     : signed_text(w, unit_of(w, w->key[k]), y[k] - x[k]));
    }
    grid_print(&g, out);
}

/* Points beside each other along the axis; NULL: it has none. */
static const struct whatif_point *next_on(const struct whatif *w, uint32_t axis,
                                          uint32_t i)
{
    const uint32_t by = axis == 0 ? 1 : w->axis[0].count;

    for (uint32_t k = w->point[i].at[axis] + 1; k < w->axis[axis].count; k++) {
        i += by;
        if (w->point[i].is_known)
            return &w->point[i];
    }
    return NULL;
}

void whatif_effects(const struct whatif *w, FILE *out)
{
    for (uint32_t a = 0; a < w->axes; a++) {
        uint32_t pairs = 0;
        bool is_same = true;

        for (uint32_t i = 0; i < w->points; i++) {
            const struct whatif_point *p = &w->point[i];
            const struct whatif_point *q = p->is_known ? next_on(w, a, i)
                                                       : NULL;

            if (!q)
                continue;
            pairs++;
            is_same = is_same && p->digest == q->digest
                      && p->has_no_nodes == q->has_no_nodes;
        }
        if (pairs && is_same)
            fprintf(out,
                    "%s has no effect: all its values that were replayed give "
                    "the same metrics.\n",
                    w->axis[a].path);
    }
}

void whatif_table(const struct whatif *w, FILE *out)
{
    if (w->axes == 0) {
        for (uint32_t i = 0; i < w->lines * w->traces; i++) {
            if (i)
                fputc('\n', out);
            table_of_pair(w, &w->line[i / w->traces], i % w->traces, out);
        }
    } else if (w->lines == 1) {
        table_of_line(w, out);
    } else {
        for (uint32_t k = 0; k < w->keys; k++) {
            if (k)
                fputc('\n', out);
            table_of_metric(w, k, out);
        }
    }
    whatif_effects(w, out);
    if (w->seeds > 1)
        fprintf(out,
                "Means of %u seeds, with half the width of their 95 %% "
                "confidence intervals.\n",
                w->seeds);
    if (w->target)
        fprintf(out, "* meets the target%s%s\n",
                w->traces > 1 ? " on the row's trace" : "",
                w->axes ? "; - not replayed" : "");
}

/* Is the value the length of deadlocks of which one is endless? */
static bool is_endless(const struct whatif_point *p, double value)
{
    return isinf(value) && !p->has_no_nodes;
}

static void csv_row(const struct whatif *w, const struct whatif_point *p,
                    uint32_t trace, FILE *out)
{
    const struct whatif_on_trace *on = &p->on[trace];

    if (w->traces > 1) {
        gs_csv_put_cell(trace_name(w, trace), out);
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

static json_t *values_json(const struct whatif *w, const struct whatif_point *p,
                           const double *value, const double *reach)
{
    json_t *values = json_object();

    for (uint32_t k = 0; k < w->keys; k++)
        json_object_set_new(values, w->key[k],
                            value_json(p, value[k], reach[k]));
    return values;
}

/* Of several traces, each with what it gives. */
static json_t *traces_json(const struct whatif *w, const struct whatif_point *p)
{
    json_t *all = json_array();

    for (uint32_t t = 0; t < w->traces; t++) {
        const struct whatif_on_trace *on = &p->on[t];
        json_t *one = json_pack("{s:s, s:f, s:f, s:o}", "trace",
                                trace_name(w, t), "rejected", on->rejected,
                                "unfinished", on->unfinished, "metrics",
                                values_json(w, p, on->value, on->reach));

        if (w->target)
            json_object_set_new(one, "met",
                                json_boolean(whatif_meets(w, on->value[0])));
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
    all = json_pack("{s:s, s:o, s:f, s:f, s:f, s:f, s:f, s:o}", "policy",
                    w->policy[p->policy], "at", at, "nodes", p->nodes, "gpus",
                    p->gpus, "cost_per_hour", p->cost, "rejected", p->rejected,
                    "unfinished", p->unfinished, "metrics",
                    values_json(w, p, p->value, p->reach));
    if (w->traces > 1)
        json_object_set_new(all, "traces", traces_json(w, p));
    if (w->target)
        json_object_set_new(all, "met", json_boolean(whatif_is_met(w, p)));
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
