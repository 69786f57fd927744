/* reports/store_private.h - what the parts of the store share. */
#ifndef REPORT_STORE_PRIVATE_H
#define REPORT_STORE_PRIVATE_H

#include <sqlite3.h>
#include <stdbool.h>

#include "reports/store.h"

struct report_store {
    sqlite3 *db;
    char *path;   /* as given, for messages */
    char *file;   /* the same for SQLite */
    bool is_new;  /* the file was made by us */
    bool has_run; /* and a run was written to it */
};

/* Without a database yet. */
struct report_store *store_create(const char *path);
/* What SQLite said, as an error of the right kind; returns -1. */
int store_fail(const struct report_store *s, const char *what,
               struct gs_err *err);
int store_exec(struct report_store *s, const char *sql);
/* The number a PRAGMA or SELECT gives. */
int store_number(struct report_store *s, const char *sql, int64_t *out);
/* A column's text in `arena`; "" for NULL. */
const char *store_text(sqlite3_stmt *st, int column, struct gs_arena *arena);
/* Within a transaction: make the tables and views of an empty database, bring
 * one of an older schema up to date.  The reason of a failure is in the handle.
 */
int store_schema_make(struct report_store *s);
/* For reading only: give an older database, which stays as it is, the views of
 * today for as long as it is open.
 */
int store_schema_lend(struct report_store *s);
/* Lock the database that is at the path, to `what`, and make its tables if it
 * is new, its views if it is older.
 */
int store_begin(struct report_store *s, const char *what, struct gs_err *err);
/* With `rc` 0 commit; else, or if that fails, nothing was written.  -1 then. */
int store_end(struct report_store *s, int rc, const char *what,
              struct gs_err *err);
/* The path must lead to a regular file. */
int store_check_file(const struct report_store *s, struct gs_err *err);
/* The database must be empty or of a schema that we know. */
int store_check(struct report_store *s, struct gs_err *err);

/* A run being written. */
struct report_writing {
    sqlite3 *db;
    int64_t run; /* its number */
    const struct topo *topo;
    const struct trace_workload *work;
    const struct report_log *log;
};

/* Each writes one table; 0, or -1 with the reason in the database handle. */
int report_write_nodes(const struct report_writing *w);
int report_write_jobs(const struct report_writing *w);
int report_write_waits(const struct report_writing *w);
int report_write_evictions(const struct report_writing *w);
int report_write_legs(const struct report_writing *w);
int report_write_placements(const struct report_writing *w);
int report_write_events(const struct report_writing *w);
int report_write_deadlocks(const struct report_writing *w);
int report_write_samples(const struct report_writing *w,
                         const struct report_samples *s);
int report_write_metrics(const struct report_writing *w,
                         const struct report_metric *m, uint32_t count);

#endif /* REPORT_STORE_PRIVATE_H */
