/* reports/store/tables.h - the tables of a result database.
 *
 * The entry of a column gives its SQL, its meaning (docs/schema.md) and its
 * value: a field of the struct that a row is made from, or a function.  A new
 * column is one entry at the end of its table with is_later, and in
 * share/sql/views.sql the column of the view that shows it.
 *
 * Times are whole microseconds since the begin of the trace; GPUs are
 * thousandths of devices.  Each version has the tables of version 3, and more
 * tables, columns and views than the one before.  Since version 9 table jobs is
 * a view of the same name and columns: its rows are in two tables, so that what
 * many jobs have in common is stored once.
 */
#ifndef REPORTS_STORE_TABLES_H
#define REPORTS_STORE_TABLES_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REPORT_APPLICATION_ID 0x6773696d /* "gsim" */
#define REPORT_SCHEMA_VERSION 9          /* PRAGMA user_version */
/* the first version in which a table with `from` is a view */
#define REPORT_SCHEMA_SHORT 9
#define REPORT_SCHEMA_OLDEST 3 /* oldest version that is read and migrated */

struct store_column;

struct store_row {
    const void *at;   /* the struct of the row; NULL: none */
    int64_t number;   /* number of the row, from 0 */
    const void *self; /* `self` of its store_rows */
    const struct store_column *column;
};

/* Set the value of the column in `out` by sqlite3_result_*; NULL when not set.
 * Texts must live until the rows are inserted.
 */
typedef void store_value(const struct store_row *r, sqlite3_context *out);

struct store_column {
    const char *name, *type, *meaning;
    enum {
        STORE_OWNER,  /* number of the run, sweep ... to which all rows
                         belong */
        STORE_ROW,    /* number of the row */
        STORE_NUMBER, /* bool, unsigned of 8 or 32 bits, or int64_t */
        STORE_INDEX,  /* uint32_t, NULL if UINT32_MAX */
        STORE_TIME,   /* int64_t, NULL if negative */
        STORE_REAL,   /* double */
        STORE_TEXT,   /* const char *, NULL if NULL */
        STORE_NAME,   /* enum: one of `names` */
        STORE_HASH,   /* uint64_t: 16 hexadecimal digits */
        STORE_MADE,   /* by `make` */
        STORE_UNSET   /* NULL, or by another statement */
    } kind;
    size_t at, size; /* of the field */
    const char *const *names;
    store_value *make;
    bool is_later;   /* not in the oldest schema: NULL in its rows */
    const char *now; /* in a table that is a view: its SQL; NULL: j.NAME */
};

/* Values of columns. */
#define STORE_AT(type, field) \
    .at = offsetof(type, field), .size = sizeof(((type *)NULL)->field)
#define STORE_FIELD(of, type, field) .kind = of, STORE_AT(type, field)
#define STORE_NAME_OF(table, type, field) \
    .kind = STORE_NAME, STORE_AT(type, field), .names = table
#define STORE_BY(function) .kind = STORE_MADE, .make = function

struct store_table {
    const char *name;
    const struct store_column *column;
    int columns;
    const char *end; /* SQL after the columns */
    bool is_later;   /* not in the oldest schema */
    /* Of a table that is a view since version REPORT_SCHEMA_SHORT, else NULL:
     * SQL after the columns of the view, and statements that take the rows of
     * the table over.
     */
    const char *from, *take;
};

#define STORE_COLUMNS(columns) columns, sizeof(columns) / sizeof(columns[0])
#define STORE_KEY(columns) ", PRIMARY KEY (" columns ")) STRICT, WITHOUT ROWID"
#define STORE_OWNED_BY(table) \
    "INTEGER NOT NULL REFERENCES " table "(id) ON DELETE CASCADE"
#define STORE_RUN                                                        \
    {                                                                    \
        "run_id", STORE_OWNED_BY("runs"), "the run", .kind = STORE_OWNER \
    }

/* All tables, in the order in which they are made; NULL after the last. */
extern const struct store_table *const store_tables[];

extern const struct store_table store_table_runs, store_table_nodes,
    store_table_jobs, store_table_job_kinds, store_table_job_rows,
    store_table_placements, store_table_waits, store_table_evictions,
    store_table_events, store_table_samples, store_table_metrics,
    store_table_deadlocks, store_table_fills, store_table_fill_points,
    store_table_refusals, store_table_legs, store_table_outages,
    store_table_sweeps, store_table_sweep_files, store_table_sweep_points,
    store_table_sweep_values, store_table_sweep_jobs;

/* Rows to be inserted. */
struct store_rows {
    const struct store_table *table;
    int64_t owner;    /* 0: numbered by the database */
    int64_t count;    /* rows */
    const void *row;  /* [count] structs of `size` bytes; NULL: none */
    size_t size;      /* 0: `row` is an array of pointers to structs */
    const void *self; /* for STORE_MADE */
};

/* The value of a STORE_NUMBER. */
int64_t store_field_number(const void *field, size_t size);
/* Set a text that lives until the rows are inserted; NULL is NULL. */
void store_text_put(sqlite3_context *out, const char *text);

/* Insert all rows; 0, or -1 with the reason in the database handle.  SQLite
 * reads the rows as a virtual table (row_source.c).
 */
int store_rows_insert(sqlite3 *db, const struct store_rows *rows);

#endif /* REPORTS_STORE_TABLES_H */
