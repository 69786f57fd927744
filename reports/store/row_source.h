/* reports/store/row_source.h - rows in memory that SQLite reads as a table.
 *
 * INSERT ... SELECT from such a table takes less than half the time of
 * binding and stepping an INSERT for each row.
 */
#ifndef REPORTS_STORE_ROW_SOURCE_H
#define REPORTS_STORE_ROW_SOURCE_H

#include <sqlite3.h>
#include <stdint.h>

struct report_row_source {
    const char *table; /* that the rows go to */
    int columns;       /* of it, the first being the run's number */
    int64_t run;
    int64_t count; /* rows */
    const void *self;
    /* Give column 1, 2 ... of `row` to `out` by sqlite3_result_*; nothing
     * given is NULL.  Texts must live until the insertion is over.
     */
    void (*value)(const void *self, int64_t row, int column,
                  sqlite3_context *out);
};

/* Insert all rows; 0, or -1 with the reason in the database handle. */
int report_rows_insert(sqlite3 *db, const struct report_row_source *f);

#endif /* REPORTS_STORE_ROW_SOURCE_H */
