/* sim/study/whatif_table.c - the replayed points as tables. */
#include <math.h>

#include "base/arena.h"
#include "base/text.h"
#include "reports/table/cell_text.h"
#include "sim/study/whatif.h"

/* --- tables of texts ------------------------------------------------------ */

/* A table filled row by row.  Texts are right-aligned; those of the first
 * column may be left-aligned.
 */
struct text_table {
    struct gs_arena *arena;
    const char **cell;
    uint32_t columns, count;
    bool is_left;
};

static struct text_table table_begin(struct gs_arena *arena, uint32_t columns,
                                     uint32_t rows, bool is_left)
{
    return (struct text_table){
        .arena = arena,
        .cell = gs_arena_alloc(arena, (size_t)columns * rows,
                               sizeof(const char *)),
        .columns = columns,
        .is_left = is_left,
    };
}

static void cell_put(struct text_table *t, const char *text)
{
    t->cell[t->count++] = text;
}

static size_t width_of(const struct text_table *t, uint32_t column)
{
    size_t width = 0;

    for (uint32_t i = column; i < t->count; i += t->columns) {
        const size_t n = gs_text_length(t->cell[i]);

        width = n > width ? n : width;
    }
    return width;
}

static void table_print(const struct text_table *t, FILE *out)
{
    size_t *width = gs_arena_alloc(t->arena, t->columns, sizeof(*width));

    for (uint32_t c = 0; c < t->columns; c++)
        width[c] = width_of(t, c);
    for (uint32_t i = 0; i < t->count; i++) {
        const uint32_t column = i % t->columns;
        const char *text = t->cell[i];
        const int blanks = (int)(width[column] - gs_text_length(text));

        if (column == 0 && t->is_left)
            fprintf(out, "%s%*s", text, blanks, "");
        else
            fprintf(out, "%s%*s%s", column ? "  " : "", blanks, "", text);
        if (column + 1 == t->columns)
            fputc('\n', out);
    }
}

/* --- values along the first axis ------------------------------------------ */

/* A value on a trace, marked when it meets the target there. */
static const char *marked(const struct whatif *w, const struct whatif_point *p,
                          uint32_t trace, uint32_t key)
{
    const struct whatif_figures *f = p->is_known ? &p->on[trace] : NULL;
    const char *text = whatif_text(w, p, f, key);
    const bool is_met = key == 0 && f && whatif_meets(w, f->value[0]);

    return is_met ? gs_arena_printf(w->arena, "*%s", text) : text;
}

/* True when any point with value `at` of the first axis is known. */
static bool row_is_known(const struct whatif *w, uint32_t at)
{
    for (uint32_t i = 0; i < w->lines; i++) {
        if (w->point[w->line[i].point + at].is_known)
            return true;
    }
    return false;
}

/* The GPUs of the cluster; "" when they differ between lines. */
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
    return gs_arena_printf(w->arena, "%.0f", gpus);
}

static const char *line_title(const struct whatif *w,
                              const struct whatif_line *l)
{
    const char *policy = w->policy[l->policy];
    const char *value = w->axes > 1 ? w->axis[1].value[l->second] : "";

    if (w->axes == 1)
        return policy;
    if (w->policies == 1)
        return value;
    return gs_arena_printf(w->arena, "%s %s", policy, value);
}

/* Print a row for each value and trace.  Columns are the metrics of the only
 * line, or the lines with metric `key`.
 */
static void values_table(const struct whatif *w, const uint32_t *key, FILE *out)
{
    const struct study_axis *axis = &w->axis[0];
    const uint32_t columns = key ? w->lines : w->keys;
    const bool has_cost = w->prices && !key, has_trace = w->traces > 1;
    struct text_table t = table_begin(
        w->arena, (uint32_t)(2 + has_cost + has_trace) + columns,
        axis->count * w->traces + 1, !axis->number);

    if (key)
        fprintf(out, "%s%s%s:\n", w->key[*key], w->axes > 1 ? " by " : "",
                w->axes > 1 ? w->axis[1].path : "");
    cell_put(&t, axis->path);
    cell_put(&t, "GPUs");
    if (has_cost)
        cell_put(&t, "cost/h");
    if (has_trace)
        cell_put(&t, "trace");
    for (uint32_t c = 0; c < columns; c++)
        cell_put(&t, key ? line_title(w, &w->line[c]) : w->key[c]);
    for (uint32_t i = 0; i < axis->count * w->traces; i++) {
        const uint32_t at = i / w->traces, trace = i % w->traces;

        if (!row_is_known(w, at))
            continue;
        cell_put(&t, trace ? "" : axis->value[at]);
        cell_put(&t, trace ? "" : gpus_text(w, at));
        if (has_cost)
            cell_put(&t, trace ? ""
                               : gs_arena_printf(w->arena, "%.2f",
                                                 w->point[at].cost));
        if (has_trace)
            cell_put(&t, whatif_trace_name(w, trace));
        for (uint32_t c = 0; c < columns; c++) {
            const uint32_t line = key ? c : 0;

            cell_put(&t, marked(w, &w->point[w->line[line].point + at], trace,
                                key ? *key : c));
        }
    }
    table_print(&t, out);
}

/* --- as it is and changed ------------------------------------------------- */

/* The difference, "+12m" or "-3.00 %"; "" when a value is missing. */
static const char *difference(const struct whatif *w, enum report_unit unit,
                              double from, double to)
{
    char text[REPORT_VALUE_TEXT];

    if (!isfinite(from) || !isfinite(to))
        return "";
    if (from == to)
        return "=";
    report_format_value(unit, fabs(to - from), text);
    return gs_arena_printf(w->arena, "%c%s", to < from ? '-' : '+', text);
}

/* Print the results without and with the changes, side by side, under one
 * policy.
 */
static void pair_table(const struct whatif *w, const struct whatif_line *l,
                       uint32_t trace, FILE *out)
{
    const struct whatif_point *was = &w->point[l->point], *is = was + 1;
    const double *x = was->on[trace].value, *y = is->on[trace].value;
    struct text_table t = table_begin(w->arena, 4, w->keys + 2, true);

    if (w->traces > 1)
        fprintf(out, "%s:\n", whatif_trace_name(w, trace));
    cell_put(&t, w->policy[l->policy]);
    cell_put(&t, w->axis[0].value[0]);
    cell_put(&t, w->axis[0].value[1]);
    cell_put(&t, "difference");
    cell_put(&t, "GPUs");
    cell_put(&t, gs_arena_printf(w->arena, "%.0f", was->gpus));
    cell_put(&t, gs_arena_printf(w->arena, "%.0f", is->gpus));
    cell_put(&t, difference(w, REPORT_COUNT, was->gpus, is->gpus));
    for (uint32_t k = 0; k < w->keys; k++) {
        if (isnan(x[k]) && isnan(y[k]))
            continue;
        cell_put(&t, w->key[k]);
        cell_put(&t, whatif_text(w, was, &was->on[trace], k));
        cell_put(&t, marked(w, is, trace, k));
        cell_put(&t, difference(w, whatif_unit(w, k), x[k], y[k]));
    }
    table_print(&t, out);
}

/* --- all ------------------------------------------------------------------ */

/* The next known point along the axis; NULL: there is none. */
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

/* Print a line for each axis whose values all gave the same metrics. */
static void effects_tell(const struct whatif *w, FILE *out)
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
            pair_table(w, &w->line[i / w->traces], i % w->traces, out);
        }
    } else if (w->lines == 1) {
        values_table(w, NULL, out);
    } else {
        for (uint32_t k = 0; k < w->keys; k++) {
            if (k)
                fputc('\n', out);
            values_table(w, &k, out);
        }
    }
    effects_tell(w, out);
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
