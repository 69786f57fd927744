/* reports/store/store.c - opens a database for writing, and writes runs.
 *
 * A new database uses a rollback journal and changes to WAL after its first
 * run: pages that did not exist before need no journal, so they are written
 * once, where WAL would write them twice.  A connection is used by one thread
 * at a time (stream.h), so none pays for a mutex.
 */
#include "reports/store/store.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/err.h"
#include "reports/store/store_private.h"
#include "reports/store/sweeps.h"
#include "topology/topology.h"

/* --- opening -------------------------------------------------------------- */

/* Take the write lock (F_WRLCK, waits for writers before this one) or release
 * it (F_UNLCK); the end of the process releases it, too.  A failure only means
 * that writers do not wait in order.
 */
static void write_lock(const struct report_store *s, short type)
{
    struct flock whole = { .l_type = type, .l_whence = SEEK_SET };

    if (s->write_lock >= 0)
        (void)fcntl(s->write_lock, F_SETLKW, &whole);
}

static int connect(struct report_store *s, struct gs_err *err)
{
    if (store_connect(s, s->file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        < 0)
        return store_fail(s, "cannot open", err);
    if (sqlite3_db_readonly(s->db, "main") == 1) /* BEGIN would not report
                                                    this */
        return gs_fail(err, GS_IO, (struct gs_mark){ .source = s->path },
                       "cannot write: the file is read-only");
    if (store_check(s, err) < 0)
        return -1;
    /* The log is copied into the database, which waits for the disk, once in
     * 128 MB: other writers would wait for it, too.
     * The page size fails, harmlessly, once there are pages.
     */
    (void)store_exec(s, "PRAGMA page_size = 16384");
    if (store_exec(s, "PRAGMA synchronous = NORMAL;"
                      "PRAGMA cache_size = " STORE_CACHE
                      "; PRAGMA temp_store = MEMORY;"
                      "PRAGMA wal_autocheckpoint = 8192")
            < 0
        /* with a write lock this is checked once it is held */
        || (s->write_lock < 0 && store_exec(s, "BEGIN IMMEDIATE; COMMIT") < 0))
        return store_fail(s, "cannot write", err);
    return 0;
}

/* Check that a file can be created at the path: SQLite would not report why
 * not.
 */
static int folder_check(const struct report_store *s, struct gs_err *err)
{
    const size_t len = (size_t)(strrchr(s->file, '/') - s->file) + 1;
    char *folder = memcpy(gs_array_new(len + 1, 1), s->file, len);
    int rc = access(folder, W_OK | X_OK);

    if (rc < 0)
        gs_fail(err, GS_IO, (struct gs_mark){ .source = s->path },
                "cannot be made: %s", strerror(errno));
    gs_array_free(folder);
    return rc;
}

struct report_store *report_store_open(const char *path, struct gs_err *err)
{
    assert(path);
    return report_store_open_in_turn(path, -1, err);
}

struct report_store *report_store_open_memory(struct gs_err *err)
{
    struct report_store *s = store_create("results");

    strcpy(s->file, ":memory:");
    if (connect(s, err) < 0) {
        report_store_close(s);
        return NULL;
    }
    return s;
}

struct report_store *report_store_open_in_turn(const char *path, int fd,
                                               struct gs_err *err)
{
    struct report_store *s;

    if (!*path || strcmp(path, "-") == 0 || strcmp(path, ":memory:") == 0) {
        gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                "'%s' is no database file: name one, such as gsim.db", path);
        return NULL;
    }
    s = store_create(path);

    s->write_lock = fd;
    s->is_new = access(path, F_OK) != 0;
    if ((s->is_new ? folder_check(s, err) : store_check_file(s, err)) < 0
        || connect(s, err) < 0) {
        report_store_close(s);
        return NULL;
    }
    return s;
}

/* True when the path no longer leads to the file that is open. */
static bool has_moved(struct report_store *s)
{
    int moved = 0;

    return sqlite3_file_control(s->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
               == SQLITE_OK
           && moved;
}

/* Delete the file if this store created it and it is still empty.  Another
 * process that has it open notices with has_moved(): both check with the
 * database locked.
 */
static void remove_empty(struct report_store *s)
{
    sqlite3_busy_timeout(s->db, 0);
    if (store_exec(s, "BEGIN EXCLUSIVE") == 0 && store_is_empty(s) > 0
        && !has_moved(s))
        (void)unlink(s->path); /* an empty file that stays is harmless */
}

void report_store_close(struct report_store *s)
{
    if (!s)
        return;
    if (s->is_new && !s->has_run && s->db)
        remove_empty(s);
    sqlite3_close(s->db);
    gs_array_free(s->path);
    gs_array_free(s->file);
    gs_array_free(s);
}

/* --- names ---------------------------------------------------------------- */

/* 1 when the query, with `name` as ?1, has a row; 0; -1 on failure. */
static int has_row(struct report_store *s, const char *sql, const char *name)
{
    sqlite3_stmt *st = store_ask(s, sql, 0, 0, 0);
    int rc;

    sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC);
    rc = sqlite3_step(st);
    sqlite3_finalize(st);
    return rc == SQLITE_ROW ? 1 : rc == SQLITE_DONE ? 0 : -1;
}

/* 1 when a run has this name, 0 when none has, -1 on failure. */
static int name_taken(struct report_store *s, const char *name)
{
    return store_is_empty(s) > 0
               ? 0
               : has_row(s, "SELECT 1 FROM runs WHERE name = ?1", name);
}

int report_store_check_name(struct report_store *s, const char *name,
                            struct gs_err *err)
{
    const struct gs_mark at = { .source = s->path };
    char names[120];
    const int taken = name_taken(s, name);

    if (taken < 0)
        return store_fail(s, "cannot read the runs", err);
    if (taken)
        return gs_fail(err, GS_USAGE, at,
                       "has a run '%.60s' already (there are: %s): give "
                       "another name with --run, another --db, or --replace",
                       name, report_store_names(s, names, sizeof(names)));
    return 0;
}

int report_store_check_replace(struct report_store *s, const char *name,
                               struct gs_err *err)
{
    const int taken = name_taken(s, name);
    int is_of_sweep;

    if (taken == 0)
        return 0;
    is_of_sweep = taken < 0 ? -1
                            : has_row(s,
                                      "SELECT 1 FROM sweep_points"
                                      " WHERE run = ?1",
                                      name);
    if (is_of_sweep < 0)
        return store_fail(s, "cannot read the runs", err);
    if (is_of_sweep)
        return gs_fail(err, GS_USAGE, (struct gs_mark){ .source = s->path },
                       "the run '%.60s' belongs to a sweep and is not "
                       "replaced: give another name with --run, or another "
                       "--db",
                       name);
    return 1;
}

/* --- writing -------------------------------------------------------------- */

/* Delete the rows of a table that belong to the run of this name. */
static int rows_delete(struct report_store *s, const char *table,
                       const char *column, const void *name)
{
    char *sql = sqlite3_mprintf("DELETE FROM \"%w\" WHERE %s IN"
                                " (SELECT id FROM runs WHERE name = %Q)",
                                table, column, (const char *)name);
    const int rc = sql ? store_exec(s, sql) : -1;

    sqlite3_free(sql);
    return rc;
}

/* Delete all rows of the run of this name, if there is one. */
static int run_delete(struct report_store *s, const char *name)
{
    return store_run_tables(s, rows_delete, name) < 0
               ? -1
               : rows_delete(s, "runs", "id", name);
}

/* Lock the database that is at the path now: the one opened may have been
 * removed during a long simulation.
 */
static int lock(struct report_store *s, const char *what, struct gs_err *err)
{
    for (int tries = 0; tries < 10; tries++) {
        const int rc = store_exec(s, "BEGIN IMMEDIATE");

        if (!has_moved(s))
            return rc < 0 ? store_fail(s, what, err) : 0;
        sqlite3_close(s->db);
        s->db = NULL;
        if (connect(s, err) < 0)
            return -1;
    }
    return gs_fail(err, GS_IO, (struct gs_mark){ .source = s->path },
                   "%s: the file is removed again and again", what);
}

int store_begin(struct report_store *s, const char *what, struct gs_err *err)
{
    write_lock(s, F_WRLCK);
    if (lock(s, what, err) < 0) {
        write_lock(s, F_UNLCK);
        return -1;
    }
    if (store_schema_make(s) == 0)
        return 0;
    store_fail(s, what, err);
    (void)store_exec(s, "ROLLBACK"); /* may be done already */
    write_lock(s, F_UNLCK);
    return -1;
}

int store_end(struct report_store *s, int rc, const char *what,
              struct gs_err *err)
{
    if (rc == 0 && store_exec(s, "COMMIT") < 0)
        rc = store_fail(s, what, err);
    if (rc < 0)
        (void)store_exec(s, "ROLLBACK"); /* may be done already */
    else {
        s->has_run = true;
        /* fails while another process reads: the next run tries again */
        (void)store_exec(s, "PRAGMA journal_mode = WAL");
    }
    write_lock(s, F_UNLCK);
    return rc < 0 ? -1 : 0;
}

/* 1 when another process has stored the point of the sweep in the meantime;
 * else 0, or -1 when the name is taken.
 */
static int run_check(struct report_store *s, const struct report_run *run,
                     const char *what, struct gs_err *err)
{
    const int done = run->place ? store_point_is_done(s, run->place, run->point)
                                : 0;

    if (done < 0)
        return store_fail(s, what, err);
    if (done)
        return 1;
    if (run->replaces)
        return report_store_check_replace(s, run->name, err) < 0 ? -1 : 0;
    return report_store_check_name(s, run->name, err);
}

/* "cannot store run 'NAME'" */
static const char *what_of(const struct report_run *run, char buf[160])
{
    snprintf(buf, 160, "cannot store run '%.100s'", run->name);
    return buf;
}

int store_run_fail(const struct report_store *s, const struct report_run *run,
                   struct gs_err *err)
{
    char what[160];

    return store_fail(s, what_of(run, what), err);
}

/* Make room for the rows of the run, and number it. */
static int number_take(struct report_store *s, const struct report_run *run,
                       struct report_writing *w)
{
    if (run->replaces && run_delete(s, run->name) < 0)
        return -1;
    w->db = s->db;
    if (!run->place)
        return store_number(s, STORE_NEXT_RUN, &w->run);
    w->run = run->place->first_run + run->point;
    return 0;
}

int store_run_begin(struct report_store *s, const struct report_run *run,
                    struct report_writing *w, struct gs_err *err)
{
    char what[160];
    int rc;

    if (store_begin(s, what_of(run, what), err) < 0)
        return -1;
    /* another process may have been faster */
    rc = run_check(s, run, what, err);
    if (rc == 0 && number_take(s, run, w) < 0)
        rc = store_fail(s, what, err);
    if (rc == 0)
        return 0;
    return store_end(s, rc < 0 ? -1 : 0, what, err) < 0 ? -1 : 1;
}

int store_run_end(struct report_store *s, const struct report_run *run, int rc,
                  struct gs_err *err)
{
    char what[160];

    return store_end(s, rc, what_of(run, what), err);
}

int report_store_write(struct report_store *s, const struct report_run *run,
                       const struct topo *t, const struct trace_workload *w,
                       const struct report_log *log,
                       const struct report_metric *metric, uint32_t metrics,
                       const struct report_samples *samples, struct gs_err *err)
{
    struct report_writing writing = { .topo = t, .work = w, .log = log };
    int rc;

    assert(s && run);
    rc = store_run_begin(s, run, &writing, err);
    if (rc != 0)
        return rc < 0 ? -1 : 0;
    if (store_run_write(&writing, run, metric, metrics, samples) < 0
        || (run->place && store_point_done(s, run->place, run->point) < 0))
        rc = store_run_fail(s, run, err);
    return store_run_end(s, run, rc, err);
}
