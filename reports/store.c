/* reports/store.c - the database: opened, checked, written a run at a time.
 *
 * A new database is filled under a rollback journal and turned to WAL when
 * its first run is in: pages that did not exist before need no journal, so
 * they are written once, where WAL would write them twice.
 */
#include "reports/store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "reports/schema.h"
#include "reports/store_private.h"
#include "topology/topology.h"

#define BUSY_MS 30000
#define NAMES_SHOWN 5

static struct gs_mark mark(const struct report_store *s)
{
    return (struct gs_mark){ s->path, 0, 0 };
}

/* What SQLite said, as an error of the right kind. */
static int fail(const struct report_store *s, const char *what,
                struct gs_err *err)
{
    const int rc = sqlite3_extended_errcode(s->db);
    const bool is_alien = (rc & 0xff) == SQLITE_NOTADB
                          || (rc & 0xff) == SQLITE_CORRUPT;

    return gs_fail(err, is_alien ? GS_INPUT : GS_IO, mark(s), "%s: %s", what,
                   sqlite3_errmsg(s->db));
}

static int exec(struct report_store *s, const char *sql)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : -1;
}

/* The number a PRAGMA or SELECT gives; -1 on failure. */
static int64_t number(struct report_store *s, const char *sql)
{
    sqlite3_stmt *st = NULL;
    int64_t n = -1;

    if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) == SQLITE_OK
        && sqlite3_step(st) == SQLITE_ROW)
        n = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    return n;
}

/* --- opening ----------------------------------------------------------------- */

static int schema_check(struct report_store *s, struct gs_err *err)
{
    const int64_t tables = number(s, "SELECT count(*) FROM sqlite_schema");
    const int64_t id = number(s, "PRAGMA application_id");
    const int64_t version = number(s, "PRAGMA user_version");

    if (tables < 0 || id < 0 || version < 0)
        return fail(s, "cannot read the database", err);
    if (tables == 0 && id == 0)
        return 0;
    if (id != REPORT_APPLICATION_ID)
        return gs_fail(err, GS_INPUT, mark(s),
                       "is a database, but not one of gsim's");
    if (version != REPORT_SCHEMA_VERSION)
        return gs_fail(err, GS_INPUT, mark(s),
                       "has schema version %lld, this gsim reads %d",
                       (long long)version, REPORT_SCHEMA_VERSION);
    return 0;
}

static int schema_make(struct report_store *s)
{
    char sql[128];

    if (number(s, "SELECT count(*) FROM sqlite_schema") != 0)
        return 0;
    snprintf(sql, sizeof(sql),
             "PRAGMA application_id = %d; PRAGMA user_version = %d;",
             REPORT_APPLICATION_ID, REPORT_SCHEMA_VERSION);
    return exec(s, sql) < 0 || exec(s, report_schema_sql) < 0 ? -1 : 0;
}

static struct report_store *store_open(const char *path, int flags,
                                       struct gs_err *err)
{
    struct report_store *s = gs_array_new(1, sizeof(*s));
    const size_t len = strlen(path) + 1;

    s->path = memcpy(gs_array_new(len, 1), path, len);
    s->is_new = access(path, F_OK) != 0;
    if (sqlite3_open_v2(path, &s->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
        fail(s, "cannot open", err);
        report_store_close(s);
        return NULL;
    }
    sqlite3_busy_timeout(s->db, BUSY_MS);
    if (schema_check(s, err) < 0) {
        report_store_close(s);
        return NULL;
    }
    return s;
}

struct report_store *report_store_open(const char *path, struct gs_err *err)
{
    struct report_store *s = store_open(
        path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);

    if (!s)
        return NULL;
    /* fails, harmlessly, once there are pages */
    (void)exec(s, "PRAGMA page_size = 16384");
    if (exec(s, "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536;"
                "PRAGMA temp_store = MEMORY;")
            < 0
        || exec(s, "BEGIN IMMEDIATE; COMMIT") < 0) {
        fail(s, "cannot write", err);
        report_store_close(s);
        return NULL;
    }
    return s;
}

struct report_store *report_store_open_readonly(const char *path,
                                                struct gs_err *err)
{
    const struct gs_mark at = { .source = path };

    if (access(path, R_OK) != 0) {
        gs_fail(err, GS_INPUT, at, "cannot open: %s", strerror(errno));
        return NULL;
    }
    return store_open(path, SQLITE_OPEN_READONLY, err);
}

void report_store_close(struct report_store *s)
{
    bool is_empty;

    if (!s)
        return;
    is_empty = s->is_new && !s->has_run && s->db
               && number(s, "SELECT count(*) FROM sqlite_schema") == 0;
    sqlite3_close(s->db);
    if (is_empty)
        (void)unlink(s->path); /* it may never have been made */
    gs_array_free(s->path);
    gs_array_free(s);
}

/* --- names ------------------------------------------------------------------- */

int report_store_check_name(struct report_store *s, const char *name,
                            struct gs_err *err)
{
    sqlite3_stmt *st = NULL;
    int rc = 0;

    if (number(s, "SELECT count(*) FROM sqlite_schema") == 0)
        return 0;
    if (sqlite3_prepare_v2(s->db, "SELECT 1 FROM runs WHERE name = ?1", -1, &st,
                           NULL)
        != SQLITE_OK)
        return fail(s, "cannot read the runs", err);
    sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC);
    if (sqlite3_step(st) == SQLITE_ROW)
        rc = gs_fail(err, GS_USAGE, mark(s),
                     "has a run '%s' already: give another name with --run, "
                     "or another --db",
                     name);
    sqlite3_finalize(st);
    return rc;
}

/* --- writing ----------------------------------------------------------------- */

static int run_insert(struct report_store *s, const struct report_run *r,
                      const struct report_writing *w)
{
    sqlite3_stmt *st = NULL;
    char hash[2][20];
    int rc;

    if (sqlite3_prepare_v2(s->db,
                           "INSERT INTO runs VALUES (?1, ?2, ?3, ?4, ?5, ?6,"
                           " ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
                           -1, &st, NULL)
        != SQLITE_OK)
        return -1;
    snprintf(hash[0], sizeof(hash[0]), "%016llx",
             (unsigned long long)r->topology_hash);
    snprintf(hash[1], sizeof(hash[1]), "%016llx",
             (unsigned long long)r->trace_hash);
    const char *const text[] = { r->name,   r->status,  r->version,
                                 r->policy, r->profile, r->topology,
                                 hash[0],   r->trace,   hash[1] };

    sqlite3_bind_int64(st, 1, w->run);
    for (int i = 0; i < 9; i++)
        sqlite3_bind_text(st, 2 + i, text[i], -1, SQLITE_STATIC);
    sqlite3_bind_int64(st, 11, (int64_t)r->seed);
    sqlite3_bind_text(st, 12, r->options, -1, SQLITE_STATIC);
    sqlite3_bind_int64(st, 13, w->topo->gpu_count);
    sqlite3_bind_int64(st, 14, w->log->end);
    rc = sqlite3_step(st) == SQLITE_DONE ? 0 : -1;
    sqlite3_finalize(st);
    return rc;
}

static int rows_write(struct report_store *s, const struct report_run *run,
                      struct report_writing *w,
                      const struct report_metric *metric, uint32_t metrics,
                      const struct report_samples *samples)
{
    if (schema_make(s) < 0)
        return -1;
    w->run = number(s, "SELECT coalesce(max(id), 0) + 1 FROM runs");
    if (w->run < 1 || run_insert(s, run, w) < 0 || report_write_nodes(w) < 0
        || report_write_jobs(w) < 0 || report_write_placements(w) < 0
        || report_write_events(w) < 0 || report_write_deadlocks(w) < 0
        || report_write_samples(w, samples) < 0)
        return -1;
    return report_write_metrics(w, metric, metrics);
}

int report_store_write(struct report_store *s, const struct report_run *run,
                       const struct topo *t, const struct trace_workload *w,
                       const struct report_log *log,
                       const struct report_metric *metric, uint32_t metrics,
                       const struct report_samples *samples, struct gs_err *err)
{
    struct report_writing writing = { s->db, 0, t, w, log };
    char what[160];

    snprintf(what, sizeof(what), "cannot store run '%.100s'", run->name);
    if (exec(s, "BEGIN IMMEDIATE") < 0
        || rows_write(s, run, &writing, metric, metrics, samples) < 0
        || exec(s, "COMMIT") < 0) {
        fail(s, what, err);
        (void)exec(s, "ROLLBACK"); /* may be done already */
        return -1;
    }
    s->has_run = true;
    /* stays as it is while somebody else reads: the next run will try */
    (void)exec(s, "PRAGMA journal_mode = WAL");
    return 0;
}

/* --- reading ----------------------------------------------------------------- */

static const char *text_of(sqlite3_stmt *st, int column, struct gs_arena *arena)
{
    const char *s = (const char *)sqlite3_column_text(st, column);

    return gs_arena_strndup(arena, s ? s : "", s ? strlen(s) : 0);
}

int report_store_runs(struct report_store *s, struct gs_arena *arena,
                      struct report_stored_run **run, uint32_t *count,
                      struct gs_err *err)
{
    const int64_t n = number(s, "SELECT count(*) FROM runs");
    sqlite3_stmt *st = NULL;

    if (n < 0
        || sqlite3_prepare_v2(s->db,
                              "SELECT id, name, policy FROM runs ORDER BY id",
                              -1, &st, NULL)
               != SQLITE_OK)
        return fail(s, "cannot read the runs", err);
    *run = gs_arena_alloc(arena, (size_t)n, sizeof(**run));
    *count = 0;
    while (*count < n && sqlite3_step(st) == SQLITE_ROW) {
        struct report_stored_run *r = &(*run)[(*count)++];

        r->id = sqlite3_column_int64(st, 0);
        r->name = text_of(st, 1, arena);
        r->policy = text_of(st, 2, arena);
    }
    sqlite3_finalize(st);
    return 0;
}

int report_store_metrics(struct report_store *s, int64_t run,
                         struct gs_arena *arena,
                         struct report_stored_metric **metric, uint32_t *count,
                         struct gs_err *err)
{
    sqlite3_stmt *st = NULL;
    uint32_t cap = 0;
    struct report_stored_metric *rows = NULL;

    if (sqlite3_prepare_v2(s->db,
                           "SELECT name, scope, label, unit, value FROM "
                           "metrics WHERE run_id = ?1 "
                           "ORDER BY name, scope, label",
                           -1, &st, NULL)
        != SQLITE_OK)
        return fail(s, "cannot read the metrics", err);
    sqlite3_bind_int64(st, 1, run);
    *count = 0;
    while (sqlite3_step(st) == SQLITE_ROW) {
        rows = gs_array_grow(rows, &cap, *count + 1, sizeof(*rows));
        rows[(*count)++] = (struct report_stored_metric){
            text_of(st, 0, arena), text_of(st, 1, arena), text_of(st, 2, arena),
            text_of(st, 3, arena), sqlite3_column_double(st, 4)
        };
    }
    sqlite3_finalize(st);
    *metric = gs_arena_memdup(arena, rows, *count * sizeof(*rows));
    gs_array_free(rows);
    return 0;
}
