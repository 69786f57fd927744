/* reports/compare/pivot_print.c - a pivot as a table, and for programs. */
#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/csv_write.h"
#include "base/text.h"
#include "reports/compare/pivot_private.h"
#include "reports/table/cell_text.h"

/* --- texts -------------------------------------------------------------------- */

static enum report_unit unit_of(const struct pivot_metric *m,
                                const struct pivot_cell *c)
{
    const enum report_unit unit = m->info ? m->info->unit : REPORT_RATIO;

    /* the mean of counts is none */
    return unit == REPORT_COUNT && c->mean != floor(c->mean) ? REPORT_RATIO
                                                             : unit;
}

/* "2h14m", with half its interval "2h14m +-3m" */
static const char *cell_text(const struct report_pivot *p,
                             const struct pivot_metric *m,
                             const struct pivot_cell *c)
{
    char value[REPORT_VALUE_TEXT], spread[REPORT_VALUE_TEXT];
    char text[2 * REPORT_VALUE_TEXT + 8];

    if (c->n == 0)
        return "-";
    report_format_value(unit_of(m, c), c->mean, value);
    if (!(c->high > c->low)) /* one run, or chance does nothing */
        return gs_arena_strndup(p->arena, value, strlen(value));
    report_format_value(unit_of(m, c), (c->high - c->low) / 2, spread);
    snprintf(text, sizeof(text), "%s \xc2\xb1%s", value, spread);
    return gs_arena_strndup(p->arena, text, strlen(text));
}

static const char *metric_title(const struct report_pivot *p,
                                const struct pivot_metric *m)
{
    const size_t size = strlen(m->name) + strlen(m->label) + 8;
    char *title = gs_arena_alloc(p->arena, size, 1);

    snprintf(title, size, m->label[0] ? "%s [%s]" : "%s%s", m->name, m->label);
    return title;
}

/* "binpack, 1.2" */
static const char *key_title(const struct report_pivot *p,
                             const struct pivot_key *key, size_t axes)
{
    size_t size = 1;
    char *title;

    for (size_t a = 0; a < axes; a++)
        size += strlen(key->value[a]) + 2;
    title = gs_arena_alloc(p->arena, size, 1);
    for (size_t a = 0; a < axes; a++)
        strcat(strcat(title, a ? ", " : ""), key->value[a]);
    return title;
}

/* "load and cluster" */
static void axes_print(const char *const *axis, size_t count, FILE *out)
{
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%s",
                i == 0          ? ""
                : i + 1 < count ? ", "
                                : " and ",
                axis[i]);
}

/* --- a sheet of texts ----------------------------------------------------------- */

/* The first `left` columns begin on the left. */
struct sheet {
    uint32_t columns, rows, left;
    const char **text;
};

static struct sheet sheet_make(const struct report_pivot *p, uint32_t columns,
                               uint32_t rows)
{
    return (struct sheet){ columns, rows, (uint32_t)p->axes.row_count,
                           gs_arena_alloc(p->arena, (size_t)columns * rows + 1,
                                          sizeof(const char *)) };
}

static const char **at(const struct sheet *s, uint32_t row, uint32_t column)
{
    return &s->text[row * s->columns + column];
}

static void keys_put(const struct report_pivot *p, const struct sheet *s)
{
    for (uint32_t a = 0; a < p->axes.row_count; a++) {
        *at(s, 0, a) = p->axes.rows[a];
        for (uint32_t r = 0; r < p->rows; r++)
            *at(s, r + 1, a) = p->row[r].value[a];
    }
}

/* One metric, its columns the values of axes. */
static struct sheet sheet_of(const struct report_pivot *p,
                             const struct pivot_metric *m)
{
    const uint32_t left = (uint32_t)p->axes.row_count;
    const struct sheet s = sheet_make(p, left + p->cols, p->rows + 1);

    keys_put(p, &s);
    for (uint32_t c = 0; c < p->cols; c++) {
        *at(&s, 0, left + c) = key_title(p, &p->col[c], p->axes.col_count);
        for (uint32_t r = 0; r < p->rows; r++)
            *at(&s, r + 1, left + c) = cell_text(p, m,
                                                 &m->cell[r * p->cols + c]);
    }
    return s;
}

/* All metrics as columns: there are no other ones. */
static struct sheet sheet_of_all(const struct report_pivot *p)
{
    const uint32_t left = (uint32_t)p->axes.row_count;
    const struct sheet s = sheet_make(p, left + p->metrics, p->rows + 1);

    keys_put(p, &s);
    for (uint32_t i = 0; i < p->metrics; i++) {
        *at(&s, 0, left + i) = metric_title(p, &p->metric[i]);
        for (uint32_t r = 0; r < p->rows; r++)
            *at(&s, r + 1, left + i) = cell_text(p, &p->metric[i],
                                                 &p->metric[i].cell[r]);
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

/* As many columns beside each other as the line has room for. */
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

/* --- formats ------------------------------------------------------------------ */

/* How many runs the cells are means of. */
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

    for (uint32_t i = 0; i < (p->axes.col_count ? p->metrics : 1); i++) {
        const struct sheet s = p->axes.col_count ? sheet_of(p, &p->metric[i])
                                                 : sheet_of_all(p);

        fputs(i ? "\n" : "", out);
        if (p->axes.col_count) {
            fprintf(out, is_table ? "%s by " : "**%s** by ",
                    metric_title(p, &p->metric[i]));
            axes_print(p->axes.rows, p->axes.row_count, out);
            fputs(" and ", out);
            axes_print(p->axes.cols, p->axes.col_count, out);
            fputs(is_table ? ":\n" : "\n\n", out);
        }
        if (is_table)
            sheet_print(p, &s, l->width, out);
        else
            sheet_markdown(&s, out);
    }
    legend_print(p, out);
}

static void number_csv(bool is_there, double v, FILE *out)
{
    fputc(',', out);
    if (is_there)
        fprintf(out, "%.17g", v);
}

static void cell_csv(const struct report_pivot *p, const struct pivot_metric *m,
                     uint32_t row, uint32_t col, FILE *out)
{
    const struct pivot_cell *c = &m->cell[row * p->cols + col];

    for (size_t a = 0; a < p->axes.row_count; a++) {
        gs_csv_put_cell(p->row[row].value[a], out);
        fputc(',', out);
    }
    for (size_t a = 0; a < p->axes.col_count; a++) {
        gs_csv_put_cell(p->col[col].value[a], out);
        fputc(',', out);
    }
    gs_csv_put_cell(m->name, out);
    fputc(',', out);
    gs_csv_put_cell(m->scope, out);
    fputc(',', out);
    gs_csv_put_cell(m->label, out);
    fprintf(out, ",%u", (unsigned)c->n);
    number_csv(c->n, c->mean, out);
    number_csv(c->n > 1, c->low, out);
    number_csv(c->n > 1, c->high, out);
    fputc('\n', out);
}

/* A line a cell. */
static void csv_print(const struct report_pivot *p, FILE *out)
{
    for (size_t a = 0; a < p->axes.row_count; a++) {
        gs_csv_put_cell(p->axes.rows[a], out);
        fputc(',', out);
    }
    for (size_t a = 0; a < p->axes.col_count; a++) {
        gs_csv_put_cell(p->axes.cols[a], out);
        fputc(',', out);
    }
    fputs("metric,scope,label,n,mean,ci_low,ci_high\n", out);
    for (uint32_t i = 0; i < p->metrics; i++) {
        for (uint32_t k = 0; k < p->rows * p->cols; k++) {
            if (p->metric[i].cell[k].n)
                cell_csv(p, &p->metric[i], k / p->cols, k % p->cols, out);
        }
    }
}

static json_t *number(bool is_there, double v)
{
    return is_there ? json_real(v) : json_null();
}

static json_t *cell_json(const struct report_pivot *p,
                         const struct pivot_metric *m, uint32_t row,
                         uint32_t col)
{
    const struct pivot_cell *c = &m->cell[row * p->cols + col];
    json_t *at_axes = json_object();

    for (size_t a = 0; a < p->axes.row_count; a++)
        json_object_set_new(at_axes, p->axes.rows[a],
                            json_string(p->row[row].value[a]));
    for (size_t a = 0; a < p->axes.col_count; a++)
        json_object_set_new(at_axes, p->axes.cols[a],
                            json_string(p->col[col].value[a]));
    return json_pack("{s:o, s:I, s:o, s:o, s:o}", "at", at_axes, "n",
                     (json_int_t)c->n, "mean", number(c->n, c->mean), "ci_low",
                     number(c->n > 1, c->low), "ci_high",
                     number(c->n > 1, c->high));
}

static void json_print(const struct report_pivot *p, FILE *out)
{
    json_t *metrics = json_array(), *rows = json_array(), *cols = json_array();
    json_t *all;

    for (uint32_t i = 0; i < p->metrics; i++) {
        const struct pivot_metric *m = &p->metric[i];
        json_t *cells = json_array();

        for (uint32_t k = 0; k < p->rows * p->cols; k++) {
            if (m->cell[k].n)
                json_array_append_new(
                    cells, cell_json(p, m, k / p->cols, k % p->cols));
        }
        json_array_append_new(
            metrics, json_pack("{s:s, s:s, s:s, s:s, s:o}", "name", m->name,
                               "scope", m->scope, "label", m->label, "unit",
                               m->info ? report_unit_name(m->info->unit) : "",
                               "cells", cells));
    }
    for (size_t a = 0; a < p->axes.row_count; a++)
        json_array_append_new(rows, json_string(p->axes.rows[a]));
    for (size_t a = 0; a < p->axes.col_count; a++)
        json_array_append_new(cols, json_string(p->axes.cols[a]));
    all = json_pack("{s:o, s:o, s:o}", "rows", rows, "cols", cols, "metrics",
                    metrics);
    json_dumpf(all, out, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    fputc('\n', out);
    json_decref(all);
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
