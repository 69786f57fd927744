/* base/csv.h - comma-separated lines with a header (RFC 4180, one line a
 * row: a quoted field may not span lines).
 */
#ifndef GS_CSV_H
#define GS_CSV_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct gs_input;

#define GS_CSV_COLUMNS_MAX 128

struct gs_csv_field {
    const char *text; /* NUL-terminated, unquoted, in the line */
    uint32_t len;
    uint32_t column; /* where it begins in the line, from 1 */
};

/* One file being read: gs_csv_open takes the header line. */
struct gs_csv {
    struct gs_input *in;
    uint32_t count;                       /* columns the header names */
    const char *name[GS_CSV_COLUMNS_MAX]; /* in `names` below */
    struct gs_csv_field field[GS_CSV_COLUMNS_MAX]; /* of the current row */
    char *names;                                   /* owned */
};

/* Read the header of `in` (not taken).  A UTF-8 mark at the start is
 * skipped; an empty, missing or repeated name is an error.
 */
int gs_csv_open(struct gs_csv *csv, struct gs_input *in, struct gs_err *err);
void gs_csv_close(struct gs_csv *csv);

/* The column called `name`, or -1. */
int gs_csv_column(const struct gs_csv *csv, const char *name);

/* Read the next row into csv->field.  Returns 1, 0 at the end, -1 on failure
 * (another number of fields than the header has, an unclosed quote).  Blank
 * lines are skipped.
 */
int gs_csv_next(struct gs_csv *csv, struct gs_err *err);

/* The place of column `c` of the current row, for messages. */
struct gs_mark gs_csv_mark(const struct gs_csv *csv, uint32_t c);

#endif /* GS_CSV_H */
