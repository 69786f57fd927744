/* reports/compare/pivot_print.c - prints a pivot as a table, CSV and JSON. */
#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/csv_write.h"
#include "base/text.h"
#include "reports/compare/compare_private.h"
#include "reports/compare/pivot_private.h"
#include "reports/table/cell_text.h"

/* The value of an axis in a row and column. */
static const char *value_at(const struct report_pivot *p, uint32_t row,
                            uint32_t col, uint32_t axis)
{
    return axis < p->left ? p->row[row].value[axis]
                          : p->col[col].value[axis - p->left];
}

/* --- texts ---------------------------------------------------------------- */

/* "2h14m", with half its interval "2h14m +-3m" */
static const char *cell_text(const struct report_pivot *p,
                             const struct pivot_metric *m,
                             const struct pivot_cell *c)
{
    const enum report_unit unit = compare_unit(m->info, c->mean);
    char value[REPORT_VALUE_TEXT], spread[REPORT_VALUE_TEXT];

    if (c->n == 0)
        return "-";
    report_format_value(unit, c->mean, value);
    if (!(c->high > c->low)) /* one run, or all are equal */
        return gs_arena_printf(p->arena, "%s", value);
    report_format_value(unit, (c->high - c->low) / 2, spread);
    return gs_arena_printf(p->arena, "%s \xc2\xb1%s", value, spread);
}

static const char *metric_title(const struct report_pivot *p,
                                const struct pivot_metric *m)
{
    return gs_arena_printf(p->arena, m->label[0] ? "%s [%s]" : "%s%s", m->name,
                           m->label);
}

/* "binpack, 1.2" */
static const char *column_title(const struct report_pivot *p, uint32_t col)
{
    const char *title = "";

    for (uint32_t a = p->left; a < p->axes; a++)
        title = gs_arena_printf(p->arena, "%s%s%s", title,
                                a > p->left ? ", " : "",
                                value_at(p, 0, col, a));
    return title;
}

/* "load and cluster" */
static void axes_print(const char *const *axis, uint32_t count, FILE *out)
{
    for (uint32_t i = 0; i < count; i++)
        fprintf(out, "%s%s",
                i == 0          ? ""
                : i + 1 < count ? ", "
                                : " and ",
                axis[i]);
}

/* --- a sheet of texts ----------------------------------------------------- */

/* A table of texts; the first `left` columns are left-aligned. */
struct sheet {
    uint32_t columns, rows, left;
    const char **text;
};

static const char **at(const struct sheet *s, uint32_t row, uint32_t column)
{
    return &s->text[row * s->columns + column];
}

/* The table of metric `metric` by the column axes; without such axes all
 * metrics are the columns.
 */
static struct sheet sheet_make(const struct report_pivot *p, uint32_t metric)
{
    const bool has_axes = p->axes > p->left;
    const struct sheet s = {
        .columns = p->left + (has_axes ? p->cols : p->metrics),
        .rows = p->rows + 1,
        .left = p->left,
        .text = gs_arena_alloc(
            p->arena, (size_t)(p->left + p->cols + p->metrics) * (p->rows + 1),
            sizeof(*s.text)),
    };

    for (uint32_t a = 0; a < p->left; a++) {
        *at(&s, 0, a) = p->axis[a];
        for (uint32_t r = 0; r < p->rows; r++)
            *at(&s, r + 1, a) = value_at(p, r, 0, a);
    }
    for (uint32_t c = 0; c < s.columns - s.left; c++) {
        const struct pivot_metric *m = &p->metric[has_axes ? metric : c];

        *at(&s, 0, s.left + c) = has_axes ? column_title(p, c)
                                          : metric_title(p, m);
        for (uint32_t r = 0; r < p->rows; r++)
            *at(&s, r + 1, s.left + c) = cell_text(
                p, m, &m->cell[r * p->cols + (has_axes ? c : 0)]);
    }
    return s;
}

static uint32_t width_of(const struct sheet *s, uint32_t column)
{
    size_t width = 1;

    for (uint32_t r = 0; r < s->rows; r++) {
        const size_t n = gs_text_length(*at(s, r, column));

        width = n > width ? n : width;
    }
    return (uint32_t)width;
}

/* Columns [from, to) beside those of the rows' axes. */
static void part_print(const struct sheet *s, uint32_t from, uint32_t to,
                       const uint32_t *width, FILE *out)
{
    for (uint32_t r = 0; r < s->rows; r++) {
        for (uint32_t k = 0; k < s->left + (to - from); k++) {
            const uint32_t c = k < s->left ? k : from + (k - s->left);
            const char *text = *at(s, r, c);
            const int blanks = (int)(width[c] - gs_text_length(text));

            if (c < s->left)
                fprintf(out, "%s%s%*s", k ? "  " : "", text, blanks, "");
            else
                fprintf(out, "  %*s%s", blanks, "", text);
        }
        fputc('\n', out);
    }
}

/* Print the table; columns that do not fit go into further parts below. */
static void sheet_print(const struct report_pivot *p, const struct sheet *s,
                        uint32_t line, FILE *out)
{
    uint32_t *width = gs_arena_alloc(p->arena, s->columns + 1, sizeof(*width));
    uint32_t left = 0;

    for (uint32_t c = 0; c < s->columns; c++) {
        width[c] = width_of(s, c);
        left += c < s->left ? width[c] + (c ? 2 : 0) : 0;
    }
    for (uint32_t from = s->left, to; from < s->columns; from = to) {
        uint32_t used = left;

        for (to = from;
             to < s->columns && (to == from || used + 2 + width[to] <= line);
             to++)
            used += 2 + width[to];
        if (from > s->left)
            fputc('\n', out);
        part_print(s, from, to, width, out);
    }
}

static void sheet_markdown(const struct sheet *s, FILE *out)
{
    for (uint32_t r = 0; r < s->rows; r++) {
        for (uint32_t c = 0; c < s->columns; c++) {
            fputs(c ? " | " : "| ", out);
            report_format_markdown(*at(s, r, c), out);
        }
        fputs(" |\n", out);
        for (uint32_t c = 0; r == 0 && c < s->columns; c++)
            fputs(c == 0 ? "| --- |" : c < s->left ? " --- |" : " ---: |", out);
        if (r == 0)
            fputc('\n', out);
    }
}

/* --- formats -------------------------------------------------------------- */

/* The number of runs in the means. */
static void legend_print(const struct report_pivot *p, FILE *out)
{
    uint32_t least = UINT32_MAX, most = 0;

    for (uint32_t i = 0; i < p->metrics; i++) {
        for (uint32_t k = 0; k < p->rows * p->cols; k++) {
            const uint32_t n = p->metric[i].cell[k].n;

            least = n && n < least ? n : least;
            most = n > most ? n : most;
        }
    }
    if (most < 2)
        return;
    fprintf(out, "\nMeans of %u", (unsigned)least);
    if (least < most)
        fprintf(out, " to %u", (unsigned)most);
    fputs(" seeds, with half the width of their 95 % confidence intervals.\n",
          out);
}

static void texts_print(const struct report_pivot *p,
                        const struct report_layout *l, FILE *out)
{
    const bool is_table = l->format == REPORT_TABLE;
    const bool has_axes = p->axes > p->left;

    for (uint32_t i = 0; i < (has_axes ? p->metrics : 1); i++) {
        const struct sheet s = sheet_make(p, i);

        fputs(i ? "\n" : "", out);
        if (has_axes) {
            fprintf(out, is_table ? "%s by " : "**%s** by ",
                    metric_title(p, &p->metric[i]));
            axes_print(p->axis, p->left, out);
            fputs(" and ", out);
            axes_print(p->axis + p->left, p->axes - p->left, out);
            fputs(is_table ? ":\n" : "\n\n", out);
        }
        if (is_table)
            sheet_print(p, &s, l->width, out);
        else
            sheet_markdown(&s, out);
    }
    legend_print(p, out);
}

/* Print a line for each cell with runs. */
static void csv_print(const struct report_pivot *p, FILE *out)
{
    for (uint32_t a = 0; a < p->axes; a++) {
        gs_csv_put_cell(p->axis[a], out);
        fputc(',', out);
    }
    fputs("metric,scope,label,n,mean,ci_low,ci_high\n", out);
    for (uint32_t i = 0; i < p->metrics; i++) {
        const struct pivot_metric *m = &p->metric[i];
        const char *const text[] = { m->name, m->scope, m->label };

        for (uint32_t k = 0; k < p->rows * p->cols; k++) {
            const struct pivot_cell *c = &m->cell[k];

            if (c->n == 0)
                continue;
            for (uint32_t a = 0; a < p->axes; a++) {
                gs_csv_put_cell(value_at(p, k / p->cols, k % p->cols, a), out);
                fputc(',', out);
            }
            for (int t = 0; t < 3; t++) {
                gs_csv_put_cell(text[t], out);
                fputc(',', out);
            }
            fprintf(out, "%u", (unsigned)c->n);
            compare_csv_number(c->n, c->mean, out);
            compare_csv_number(c->n > 1, c->low, out);
            compare_csv_number(c->n > 1, c->high, out);
            fputc('\n', out);
        }
    }
}

static json_t *cell_json(const struct report_pivot *p,
                         const struct pivot_cell *c, uint32_t row, uint32_t col)
{
    json_t *at_axes = json_object();

    for (uint32_t a = 0; a < p->axes; a++)
        json_object_set_new(at_axes, p->axis[a],
                            json_string(value_at(p, row, col, a)));
    return json_pack("{s:o, s:I, s:o, s:o, s:o}", "at", at_axes, "n",
                     (json_int_t)c->n, "mean",
                     compare_json_number(c->n, c->mean), "ci_low",
                     compare_json_number(c->n > 1, c->low), "ci_high",
                     compare_json_number(c->n > 1, c->high));
}

static void json_print(const struct report_pivot *p, FILE *out)
{
    json_t *metrics = json_array(), *rows = json_array(), *cols = json_array();

    for (uint32_t i = 0; i < p->metrics; i++) {
        const struct pivot_metric *m = &p->metric[i];
        json_t *cells = json_array();

        for (uint32_t k = 0; k < p->rows * p->cols; k++) {
            if (m->cell[k].n)
                json_array_append_new(
                    cells, cell_json(p, &m->cell[k], k / p->cols, k % p->cols));
        }
        json_array_append_new(
            metrics, json_pack("{s:s, s:s, s:s, s:s, s:o}", "name", m->name,
                               "scope", m->scope, "label", m->label, "unit",
                               m->info ? report_unit_name(m->info->unit) : "",
                               "cells", cells));
    }
    for (uint32_t a = 0; a < p->axes; a++)
        json_array_append_new(a < p->left ? rows : cols,
                              json_string(p->axis[a]));
    compare_json_print(json_pack("{s:o, s:o, s:o}", "rows", rows, "cols", cols,
                                 "metrics", metrics),
                       out);
}

void report_pivot_print(const struct report_pivot *p,
                        const struct report_layout *layout, FILE *out)
{
    assert(p && out);
    switch (layout->format) {
    case REPORT_TABLE:
    case REPORT_MARKDOWN:
        texts_print(p, layout, out);
        break;
    case REPORT_JSON:
        json_print(p, out);
        break;
    case REPORT_CSV:
        csv_print(p, out);
        break;
    case REPORT_FORMATS:
        break;
    }
}
