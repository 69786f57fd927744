/* reports/store/store_private.h - what the parts of the store share. */
#ifndef REPORTS_STORE_STORE_PRIVATE_H
#define REPORTS_STORE_STORE_PRIVATE_H

#include <sqlite3.h>
#include <stdbool.h>

#include "reports/store/store.h"
#include "reports/store/tables.h"

struct report_store {
    sqlite3 *db;
    char *path;     /* as given, for messages */
    char *file;     /* the same for SQLite */
    bool is_new;    /* the file was made by us */
    bool has_run;   /* and a run was written to it */
    uint64_t turns; /* of steps left for reading */
    int write_lock; /* file that a writer locks; -1: none */
};

/* The number of the next run: above those there are and those reserved. */
#define STORE_NEXT_RUN                                        \
    "SELECT 1 + max((SELECT coalesce(max(id), 0) FROM runs)," \
    " (SELECT coalesce(max(first_run + points - 1), 0) FROM sweeps))"

/* Without a database yet. */
struct report_store *store_create(const char *path);
/* What SQLite said, as an error of the right kind; returns -1. */
int store_fail(const struct report_store *s, const char *what,
               struct gs_err *err);
int store_exec(struct report_store *s, const char *sql);
/* The number a PRAGMA or SELECT gives. */
int store_number(struct report_store *s, const char *sql, int64_t *out);
/* Prepare `sql`, its ?1, ?2, ?3 being `a`, `b`, `c` as far as it has them.
 * NULL on failure, with the reason in the database handle.
 */
sqlite3_stmt *store_ask(const struct report_store *s, const char *sql,
                        int64_t a, int64_t b, int64_t c);
/* End a query: 0, or -1 when it is NULL or a step failed. */
int store_answered(sqlite3_stmt *st);
/* 1 when it has no tables, 0, or -1 on failure. */
int store_is_empty(struct report_store *s);
/* Move the array `rows` of `count` elements to `arena`; NULL when there are
 * none.
 */
void *store_rows_keep(void *rows, size_t count, size_t size,
                      struct gs_arena *arena);
/* A column's text in `arena`; "" for NULL. */
const char *store_text(sqlite3_stmt *st, int column, struct gs_arena *arena);
/* The same, fit to be shown. */
const char *store_clean_text(sqlite3_stmt *st, int column,
                             struct gs_arena *arena);
/* Within a transaction: make the tables and views of an empty database, bring
 * one of an older schema up to date.  The reason of a failure is in the handle.
 */
int store_schema_make(struct report_store *s);
/* For reading only: add the tables, columns and views that the database lacks
 * as temporary ones; the file stays as it is.  Its own views may be older, or
 * not of gsim, and are hidden.
 */
int store_schema_lend(struct report_store *s);
/* Lock the database that is at the path, to `what`, and make its tables if it
 * is new, its views if it is older.
 */
int store_begin(struct report_store *s, const char *what, struct gs_err *err);
/* With `rc` 0 commit; else, or if that fails, nothing was written.  -1 then. */
int store_end(struct report_store *s, int rc, const char *what,
              struct gs_err *err);
/* Open `file`, for SQLite, and trust nothing in it. */
int store_connect(struct report_store *s, const char *file, int flags);
/* Forbid writing, and bound the steps of all reading together. */
int store_read_only(struct report_store *s);
/* Fails unless all tables of the oldest version are there, as tables. */
int store_check_tables(struct report_store *s, struct gs_err *err);
/* The path must lead to a regular file. */
int store_check_file(const struct report_store *s, struct gs_err *err);
/* The database must be empty or of a schema that we know. */
int store_check(struct report_store *s, struct gs_err *err);

/* --- sweeps --------------------------------------------------------------- */

struct report_sweep;
struct report_sweep_place;

/* Find sweep `name` in schema `db`: 1, 0 when there is none, -1 on failure with
 * the reason in the database handle.
 */
int store_sweep_find(struct report_store *s, const char *db, const char *name,
                     struct report_sweep_place *place, char version[32]);
/* Fails unless sweep `id` in schema `db`, which stands at `path`, was made from
 * what `w` is.
 */
int store_sweep_compare(struct report_store *s, const char *db, int64_t id,
                        const char *version, const char *path,
                        const struct report_sweep *w, struct gs_err *err);
/* 1, 0, or -1 on failure and when there is no such point. */
int store_point_is_done(struct report_store *s,
                        const struct report_sweep_place *place, uint32_t point);
int store_point_done(struct report_store *s,
                     const struct report_sweep_place *place, uint32_t point);

/* Call `each` for every table with rows of runs: its name, its column of the
 * run's number, `arg`.  0, or -1 from the first call that fails.
 */
int store_run_tables(struct report_store *s,
                     int (*each)(struct report_store *s, const char *table,
                                 const char *column, const void *arg),
                     const void *arg);

/* A run being written. */
struct report_writing {
    sqlite3 *db;
    int64_t run; /* its number */
    const struct topo *topo;
    const struct trace_workload *work;
    const struct report_log *log;
};

/* Write `count` rows of the run from structs of `size` bytes; 0, or -1 with the
 * reason in the database handle, as those below.
 */
int store_array_write(const struct report_writing *w,
                      const struct store_table *table, uint32_t count,
                      const void *row, size_t size);
int store_waits_write(const struct report_writing *w);
int store_placements_write(const struct report_writing *w);
int store_deadlocks_write(const struct report_writing *w);
/* All rows of the run. */
int store_run_write(const struct report_writing *w,
                    const struct report_run *run,
                    const struct report_metric *metric, uint32_t count,
                    const struct report_samples *series);

#endif /* REPORTS_STORE_STORE_PRIVATE_H */
