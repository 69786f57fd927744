/* reports/store/store_private.h - functions shared by the parts of the store.
 */
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
    bool is_new;    /* this store created the file */
    bool has_run;   /* a run was written to it */
    uint64_t turns; /* steps left for reading */
    int write_lock; /* file that a writer locks; -1: none */
};

/* Pages that a connection keeps; KiB below 0. */
#define STORE_CACHE "-65536"

/* SQL of the number of the next run: above all stored and reserved numbers. */
#define STORE_NEXT_RUN                                        \
    "SELECT 1 + max((SELECT coalesce(max(id), 0) FROM runs)," \
    " (SELECT coalesce(max(first_run + points - 1), 0) FROM sweeps))"

/* A store that is not yet connected to a database. */
struct report_store *store_create(const char *path);
/* Report the error of SQLite as a problem with the matching code.  Returns -1.
 */
int store_fail(const struct report_store *s, const char *what,
               struct gs_err *err);
int store_exec(struct report_store *s, const char *sql);
/* The number that a PRAGMA or SELECT returns. */
int store_number(struct report_store *s, const char *sql, int64_t *out);
/* Prepare `sql` with ?1, ?2, ?3 bound to `a`, `b`, `c` as far as it has them.
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
/* The same as a clean text. */
const char *store_clean_text(sqlite3_stmt *st, int column,
                             struct gs_arena *arena);
/* Within a transaction: create the tables and views of an empty database, or
 * migrate one with an older schema.  The reason of a failure is in the handle.
 */
int store_schema_make(struct report_store *s);
/* For reading only: add the missing tables, columns and views as temporary
 * ones; the file does not change.  Views of the file, which may be older or not
 * of gsim, are hidden.
 */
int store_schema_lend(struct report_store *s);
/* Lock the database at the path, for the operation `what`; create its tables if
 * it is new, its views if it is older.
 */
int store_begin(struct report_store *s, const char *what, struct gs_err *err);
/* With `rc` 0 commit; else, or when the commit fails, roll back and return -1.
 */
int store_end(struct report_store *s, int rc, const char *what,
              struct gs_err *err);
/* Open `file` with SQLite, configured for an untrusted file. */
int store_connect(struct report_store *s, const char *file, int flags);
/* Forbid writing, and limit the total number of steps for reading. */
int store_read_only(struct report_store *s);
/* Fails unless all tables of the oldest version are there, as tables. */
int store_check_tables(struct report_store *s, struct gs_err *err);
/* The path must lead to a regular file. */
int store_check_file(const struct report_store *s, struct gs_err *err);
/* Fails unless the database is empty or has a known schema. */
int store_check(struct report_store *s, struct gs_err *err);

/* --- sweeps --------------------------------------------------------------- */

struct report_sweep;
struct report_sweep_place;

/* Find sweep `name` in schema `db`: 1, 0 when there is none, -1 on failure with
 * the reason in the database handle.
 */
int store_sweep_find(struct report_store *s, const char *db, const char *name,
                     struct report_sweep_place *place, char version[32]);
/* Fails unless sweep `id` in schema `db` (the database at `path`) has the same
 * inputs as `w`.
 */
int store_sweep_compare(struct report_store *s, const char *db, int64_t id,
                        const char *version, const char *path,
                        const struct report_sweep *w, struct gs_err *err);
/* Returns 1 or 0; -1 on failure and when there is no such point. */
int store_point_is_done(struct report_store *s,
                        const struct report_sweep_place *place, uint32_t point);
int store_point_done(struct report_store *s,
                     const struct report_sweep_place *place, uint32_t point);

/* Call `each` for every table with rows of runs, with its name, its column of
 * the run number, and `arg`.  0, or -1 from the first call that fails.
 */
int store_run_tables(struct report_store *s,
                     int (*each)(struct report_store *s, const char *table,
                                 const char *column, const void *arg),
                     const void *arg);

/* --- a run ---------------------------------------------------------------- */

struct store_kinds;

/* A run being written. */
struct report_writing {
    sqlite3 *db;
    int64_t run; /* its number */
    const struct topo *topo;
    const struct trace_workload *work;
    const struct report_log *log;
    /* of its jobs, whose rows and placements are stored already; NULL: these
     * are in `log`
     */
    const struct store_kinds *kinds;
};

/* Begin the transaction of `run`, whose number is set in `w`: 0; 1 when it is a
 * point of a sweep that is done already; -1 on failure, without a transaction.
 */
int store_run_begin(struct report_store *s, const struct report_run *run,
                    struct report_writing *w, struct gs_err *err);
/* End it: with `rc` 0 commit; else, or when that fails, roll back and return
 * -1.
 */
int store_run_end(struct report_store *s, const struct report_run *run, int rc,
                  struct gs_err *err);
/* Report that the rows of the run cannot be stored; -1. */
int store_run_fail(const struct report_store *s, const struct report_run *run,
                   struct gs_err *err);

/* The functions below return 0, or -1 with the reason in the database handle.
 */

/* Write `count` rows of the run from structs of `size` bytes. */
int store_array_write(const struct report_writing *w,
                      const struct store_table *table, uint32_t count,
                      const void *row, size_t size);
int store_jobs_write(const struct report_writing *w);
int store_waits_write(const struct report_writing *w);
int store_placements_write(const struct report_writing *w);
int store_deadlocks_write(const struct report_writing *w);
/* All rows of the run, less those that are stored already. */
int store_run_write(const struct report_writing *w,
                    const struct report_run *run,
                    const struct report_metric *metric, uint32_t count,
                    const struct report_samples *series);

/* --- jobs of a run -------------------------------------------------------- */

/* A row of table job_rows, less what the workload has. */
struct store_job_row {
    int64_t start, end, ran, held, work, lost_gpu_us; /* of report_job */
    uint32_t job, kind;
};

struct store_job_row store_job_row(const struct report_job *j, uint32_t kind);
/* Write `count` rows from structs of `size` bytes that begin with one. */
int store_job_rows_write(const struct report_writing *w, uint32_t count,
                         const void *row, size_t size);

/* The job comes after all that have ended: it has not, or its reason is told
 * after the run.
 */
static inline bool store_job_is_last(const struct report_job *j)
{
    return j->end < 0 || j->state == REPORT_REJECTED;
}

struct store_kinds *store_kinds_create(const struct report_writing *w);
void store_kinds_free(struct store_kinds *k); /* NULL is fine */
/* The number of the job's kind.  Jobs are put by their end, then by number; the
 * last ones by number.
 */
uint32_t store_kind_put(struct store_kinds *k, const struct report_job *j);
/* The same for all jobs of the log: [job] number of its kind. */
uint32_t *store_kinds_find(struct store_kinds *k);
int store_kinds_write(const struct store_kinds *k);

/* Sort the placements of a job by time; `at` is in the order of release. */
void store_placements_sort(const struct report_placement **at, size_t n);
/* Write placements; `seq` has their numbers within the job. */
int store_placements_insert(const struct report_writing *w, uint32_t count,
                            const struct report_placement *const *at,
                            const uint32_t *seq);

#endif /* REPORTS_STORE_STORE_PRIVATE_H */
