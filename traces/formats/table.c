/* traces/formats/table.c - a CSV trace. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/input.h"
#include "base/quantity.h"
#include "base/strtab.h"
#include "base/text.h"
#include "traces/formats/reading.h"
#include "traces/formats/table.h"

struct gs_mark trace_table_mark(const struct trace_table *t)
{
    return (struct gs_mark){ gs_input_name(t->csv.in),
                             gs_input_line_number(t->csv.in), 0 };
}

static int unknown_column(const struct trace_table *t, const char *name,
                          size_t count, struct gs_err *err)
{
    const char *near = gs_nearest(name, t->column, count);
    char known[480];

    return gs_fail(
        err, GS_INPUT, trace_table_mark(t),
        near ? "unknown column '%.64s' (did you mean '%s'?)"
             : "unknown column '%.64s' (known: %s)",
        name,
        near ? near : gs_names_join(known, sizeof(known), t->column, count));
}

static int find_columns(struct trace_table *t, struct gs_err *err)
{
    int known = 0;

    t->given_count = 0;
    for (; t->column[known]; known++) {
        t->at[known] = gs_csv_column(&t->csv, t->column[known]);
        if (t->at[known] >= 0)
            t->given[t->given_count++] = known;
        if (t->at[known] < 0 && (t->required >> known & 1))
            return gs_fail(err, GS_INPUT, trace_table_mark(t),
                           "the header has no column '%s'", t->column[known]);
    }
    for (uint32_t c = 0; t->closed && c < t->csv.count; c++) {
        int i = 0;

        while (i < known && t->at[i] != (int)c)
            i++;
        if (i == known)
            return unknown_column(t, t->csv.name[c], (size_t)known, err);
    }
    return 0;
}

/* Pass a row to the callback; its mistakes are in the order of columns. */
static int read_row(struct trace_table *t, uint32_t row, struct gs_err *err)
{
    t->own.count = 0;
    t->own.limit = GS_ERR_MAX;
    if (t->row(t->ctx, t, row, &t->own) == 0)
        return 0;
    gs_err_sort(&t->own);
    gs_err_append(err, &t->own);
    return -1;
}

static int read_rows(struct trace_table *t, struct gs_err *err)
{
    bool failed = false;
    int more, line = 0; /* line of the last mistake */

    /* an unreadable file ends the loop */
    for (uint32_t row = 1; (more = gs_csv_next(&t->csv, err)) != 0; row++) {
        if (more > 0 && read_row(t, row, err) == 0)
            continue;
        failed = true;
        if (!gs_err_wants_more(err) || gs_input_line_number(t->csv.in) == line)
            break;
        line = gs_input_line_number(t->csv.in);
    }
    return failed ? -1 : 0;
}

int trace_table_read(struct trace_table *t, struct gs_input *in,
                     struct gs_err *err)
{
    int rc;

    assert(t && in);
    if (gs_csv_open(&t->csv, in, err) < 0)
        return -1;
    rc = find_columns(t, err);
    if (rc == 0)
        rc = read_rows(t, err);
    gs_csv_close(&t->csv);
    return rc;
}

int trace_cell_bad(const struct trace_table *t, int i, const char *allowed,
                   struct gs_err *err)
{
    const uint32_t c = (uint32_t)t->at[i];

    return gs_fail(err, GS_INPUT, gs_csv_mark(&t->csv, c),
                   "'%s' must be %s (got '%s')", t->column[i], allowed,
                   t->csv.field[c].text);
}

int trace_cell_whole(const struct trace_table *t, int i, int64_t min,
                     int64_t max, int64_t *out, struct gs_err *err)
{
    const struct gs_csv_field *f = &t->csv.field[t->at[i]];
    const bool negative = f->text[0] == '-';
    uint32_t n = negative;
    int64_t v = 0;
    char allowed[80];

    assert(i < 0 || (uint32_t)i < TRACE_COLUMNS_MAX);
    /* 18 digits cannot overflow */
    for (; n < f->len && n < 18 && f->text[n] >= '0' && f->text[n] <= '9'; n++)
        v = v * 10 + (f->text[n] - '0');
    if (negative)
        v = -v;
    if (n == f->len && n > negative && v >= min && v <= max) {
        *out = v;
        return 0;
    }
    if (min == max)
        snprintf(allowed, sizeof(allowed), "%lld", (long long)min);
    else
        snprintf(allowed, sizeof(allowed), "a whole number from %lld to %lld",
                 (long long)min, (long long)max);
    return trace_cell_bad(t, i, allowed, err);
}

int trace_cell_time(const struct trace_table *t, int i, int64_t unit,
                    int64_t *us, struct gs_err *err)
{
    const struct gs_csv_field *f = &t->csv.field[t->at[i]];

    if (f->len == 0
        || gs_decimal_parse(f->text, f->len, unit, us, NULL) != f->len)
        return trace_cell_bad(t, i,
                              unit == GS_SECOND
                                  ? "a number of seconds of at least 0"
                                  : "a number of milliseconds of at least 0",
                              err);
    return 0;
}

static int check_text(const struct trace_table *t, int i, struct gs_err *err)
{
    const struct gs_csv_field *f = &t->csv.field[t->at[i]];

    return f->len && gs_text_is_clean(f->text, f->len)
               ? 0
               : trace_cell_bad(t, i, "printable text", err);
}

int trace_cell_text(const struct trace_table *t, int i, struct gs_strtab *names,
                    uint32_t *id, struct gs_err *err)
{
    const struct gs_csv_field *f = &t->csv.field[t->at[i]];

    if (check_text(t, i, err) < 0)
        return -1;
    *id = gs_strtab_put(names, f->text, f->len);
    return 0;
}

int trace_cell_own(const struct trace_table *t, int i, struct gs_strtab *names,
                   uint32_t *id, struct gs_err *err)
{
    const struct gs_csv_field *f = &t->csv.field[t->at[i]];

    if (check_text(t, i, err) < 0)
        return -1;
    *id = gs_strtab_put_rising(names, f->text, f->len);
    return 0;
}
