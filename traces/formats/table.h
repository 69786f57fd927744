/* traces/formats/table.h - a CSV trace: columns found by name, cells checked
 * against ranges. Private to traces/.
 */
#ifndef TRACES_FORMATS_TABLE_H
#define TRACES_FORMATS_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/csv.h"
#include "base/err.h"

struct gs_strtab;
struct trace_table;

#define TRACE_COLUMNS_MAX 64

/* Receives a row, whose cells are read by the functions below; rows count from
 * 1.
 */
typedef int (*trace_row_fn)(void *ctx, const struct trace_table *t,
                            uint32_t row, struct gs_err *err);

struct trace_table {
    const char *const *column; /* known columns; NULL-terminated */
    uint64_t required;         /* bit i: column[i] must be there */
    bool closed;               /* an unknown column is an error */
    trace_row_fn row;
    void *ctx;
    struct gs_csv csv;         /* private */
    struct gs_err own;         /* of the current row; private */
    int at[TRACE_COLUMNS_MAX]; /* place of column[i] in the file, or -1;
                                  private */
    int given[TRACE_COLUMNS_MAX], given_count; /* the columns that the file
                                                  has, in the order of
                                                  column[] */
};

/* Call `row` for all rows of `in`; continue after mistakes while more are
 * wanted.
 */
int trace_table_read(struct trace_table *t, struct gs_input *in,
                     struct gs_err *err);

/* In all functions below `i` is an index into t->column. */

/* The cell, or NULL when it is empty or there is no such column. */
static inline const struct gs_csv_field *trace_cell(const struct trace_table *t,
                                                    int i)
{
    const int c = t->at[i];

    return c < 0 || t->csv.field[c].len == 0 ? NULL : &t->csv.field[c];
}

/* "'gpus' must be ALLOWED (got '...')".  Returns -1. */
int trace_cell_bad(const struct trace_table *t, int i, const char *allowed,
                   struct gs_err *err);

/* These fail with what is allowed and what was found; an empty cell is a
 * failure, too.
 */
int trace_cell_whole(const struct trace_table *t, int i, int64_t min,
                     int64_t max, int64_t *out, struct gs_err *err);
/* A decimal number of `unit` microseconds, 0 to GS_TIME_MAX. */
int trace_cell_time(const struct trace_table *t, int i, int64_t unit,
                    int64_t *us, struct gs_err *err);
/* Printable text, as an id of `names`. */
int trace_cell_text(const struct trace_table *t, int i, struct gs_strtab *names,
                    uint32_t *id, struct gs_err *err);
/* The same of a job's own name: gs_strtab_put_rising. */
int trace_cell_own(const struct trace_table *t, int i, struct gs_strtab *names,
                   uint32_t *id, struct gs_err *err);

/* The place of the current row, for messages. */
struct gs_mark trace_table_mark(const struct trace_table *t);

#endif /* TRACES_FORMATS_TABLE_H */
