/* reports/store/store_read.c - reads databases with untrusted content.
 *
 * A database in WAL mode is opened for writing even for reading, since only
 * then SQLite removes its additional files.  If the file is not writable, the
 * database must not be in use, and is read as an immutable file.
 */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/text.h"
#include "reports/store/store_private.h"
#include "reports/store/tables.h"

/* --- the handle ----------------------------------------------------------- */

struct report_store *store_create(const char *path)
{
    struct report_store *s = gs_array_new(1, sizeof(*s));

    s->write_lock = -1;
    s->path = gs_text_make("%s", path);
    /* SQLite treats "", ":memory:" and "file:a?b" specially */
    s->file = gs_text_make("%s%s", path[0] == '/' ? "" : "./", path);
    return s;
}

const char *report_store_path(const struct report_store *s)
{
    return s->path;
}

/* The error of the database handle as a text that a user can act on. */
static const char *reason(const struct report_store *s)
{
    const int rc = sqlite3_errcode(s->db);
    const int number = sqlite3_system_errno(s->db);

    if (rc == SQLITE_INTERRUPT)
        return "it takes more steps than a database of its size should";
    if (rc == SQLITE_READONLY)
        return "the file or its folder is read-only";
    if (rc == SQLITE_CANTOPEN && number)
        return strerror(number);
    return sqlite3_errmsg(s->db);
}

int store_fail(const struct report_store *s, const char *what,
               struct gs_err *err)
{
    const int rc = sqlite3_errcode(s->db);
    /* SQL of gsim fails on another schema */
    const bool is_alien = rc == SQLITE_NOTADB || rc == SQLITE_CORRUPT
                          || rc == SQLITE_ERROR || rc == SQLITE_INTERRUPT;

    return gs_fail(err, is_alien ? GS_INPUT : GS_IO,
                   (struct gs_mark){ .source = s->path }, "%s: %s", what,
                   reason(s));
}

int store_exec(struct report_store *s, const char *sql)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : -1;
}

int store_number(struct report_store *s, const char *sql, int64_t *out)
{
    sqlite3_stmt *st = store_ask(s, sql, 0, 0, 0);
    int rc = -1;

    if (sqlite3_step(st) == SQLITE_ROW) {
        *out = sqlite3_column_int64(st, 0);
        rc = 0;
    }
    sqlite3_finalize(st);
    return rc;
}

int store_is_empty(struct report_store *s)
{
    int64_t tables;

    if (store_number(s, "SELECT count(*) FROM sqlite_schema", &tables) < 0)
        return -1;
    return tables == 0;
}

int store_check_file(const struct report_store *s, struct gs_err *err)
{
    const struct gs_mark at = { .source = s->path };
    struct stat st;

    if (stat(s->path, &st) < 0)
        return gs_fail(err, GS_INPUT, at, "cannot open: %s", strerror(errno));
    if (!S_ISREG(st.st_mode))
        return gs_fail(err, GS_INPUT, at, "is not a file");
    return 0;
}

int store_check(struct report_store *s, struct gs_err *err)
{
    const struct gs_mark at = { .source = s->path };
    const int is_empty = store_is_empty(s);
    int64_t id, version;

    if (is_empty < 0 || store_number(s, "PRAGMA application_id", &id) < 0
        || store_number(s, "PRAGMA user_version", &version) < 0)
        return store_fail(s, "cannot read the database", err);
    if (is_empty && id == 0)
        return 0;
    if (id != REPORT_APPLICATION_ID)
        return gs_fail(err, GS_INPUT, at,
                       "is a database, but not one of gsim's");
    if (version < REPORT_SCHEMA_OLDEST || version > REPORT_SCHEMA_VERSION)
        return gs_fail(err, GS_INPUT, at,
                       "has schema version %lld of %s gsim, this one reads "
                       "%d to %d: replay into another --db",
                       (long long)version,
                       version < REPORT_SCHEMA_OLDEST ? "an older" : "a newer",
                       REPORT_SCHEMA_OLDEST, REPORT_SCHEMA_VERSION);
    return store_check_tables(s, err);
}

/* --- opening -------------------------------------------------------------- */

/* Open the file as immutable, without locks or additional files. */
static int open_at_rest(struct report_store *s, struct gs_err *err)
{
    static const char hex[] = "0123456789abcdef";
    const size_t len = strlen(s->file);
    char *uri = gs_array_new(len * 3 + 32, 1);
    struct stat st;
    char *to;
    int rc;

    strcat(strcpy(uri, s->file), "-wal");
    if (stat(uri, &st) == 0 && st.st_size > 0) {
        gs_array_free(uri);
        return gs_fail(err, GS_IO, (struct gs_mark){ .source = s->path },
                       "cannot read the database: it was left in the middle of "
                       "a change, and nothing can be written beside it");
    }
    to = uri + strlen(strcpy(uri, "file:"));
    for (const char *from = s->file; *from; from++) {
        if (strchr("%?#", *from)) {
            *to++ = '%';
            *to++ = hex[(unsigned char)*from >> 4];
            *to++ = hex[*from & 15];
        } else
            *to++ = *from;
    }
    strcpy(to, "?immutable=1");
    rc = store_connect(s, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
    gs_array_free(uri);
    return rc == 0 ? 0 : store_fail(s, "cannot open", err);
}

/* True when SQLite could not create its additional files: the folder is
 * read-only, or the disk is full.
 */
static bool is_locked_away(struct report_store *s)
{
    if (store_is_empty(s) >= 0)
        return false;
    switch (sqlite3_errcode(s->db)) {
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_FULL:
    case SQLITE_IOERR:
        return true;
    default:
        return false;
    }
}

static int connect(struct report_store *s, struct gs_err *err)
{
    if (store_check_file(s, err) < 0)
        return -1;
    if (store_connect(s, s->file, SQLITE_OPEN_READWRITE) < 0)
        return store_fail(s, "cannot open", err);
    if (is_locked_away(s)) {
        sqlite3_close(s->db);
        s->db = NULL;
        if (open_at_rest(s, err) < 0)
            return -1;
    }
    if (store_check(s, err) < 0)
        return -1;
    if (store_schema_lend(s) < 0 || store_read_only(s) < 0)
        return store_fail(s, "cannot read the database", err);
    return 0;
}

struct report_store *report_store_open_readonly(const char *path,
                                                struct gs_err *err)
{
    struct report_store *s = store_create(path);

    if (connect(s, err) < 0) {
        report_store_close(s);
        return NULL;
    }
    return s;
}

/* --- rows ----------------------------------------------------------------- */

sqlite3_stmt *store_ask(const struct report_store *s, const char *sql,
                        int64_t a, int64_t b, int64_t c)
{
    const int64_t value[] = { a, b, c };
    sqlite3_stmt *st = NULL;
    int count;

    if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) != SQLITE_OK)
        return NULL;
    count = sqlite3_bind_parameter_count(st);
    for (int i = 0; i < 3 && i < count; i++)
        sqlite3_bind_int64(st, i + 1, value[i]);
    return st;
}

int store_answered(sqlite3_stmt *st)
{
    return st && sqlite3_finalize(st) == SQLITE_OK ? 0 : -1;
}

const char *store_clean_text(sqlite3_stmt *st, int column,
                             struct gs_arena *arena)
{
    return gs_text_copy(arena, (const char *)sqlite3_column_text(st, column));
}

const char *store_text(sqlite3_stmt *st, int column, struct gs_arena *arena)
{
    const char *s = (const char *)sqlite3_column_text(st, column);

    return gs_arena_strndup(arena, s ? s : "", s ? strlen(s) : 0);
}

void *store_rows_keep(void *rows, size_t count, size_t size,
                      struct gs_arena *arena)
{
    void *kept = count ? gs_arena_memdup(arena, rows, count * size) : NULL;

    gs_array_free(rows);
    return kept;
}

int report_store_runs(struct report_store *s, struct gs_arena *arena,
                      struct report_stored_run **run, uint32_t *count,
                      struct gs_err *err)
{
    struct report_stored_run *rows = NULL;
    uint32_t n = 0, cap = 0;
    sqlite3_stmt *st;

    assert(s && arena);
    *run = NULL;
    *count = 0;
    if (store_is_empty(s) > 0)
        return 0;
    st = store_ask(s,
                   "SELECT id, name, policy, trace_hash || ' ' ||"
                   " topology_hash, version, profile, options, seed, notes,"
                   " trace, topology"
                   " FROM runs ORDER BY id",
                   0, 0, 0);
    while (sqlite3_step(st) == SQLITE_ROW) {
        rows = gs_array_grow(rows, &cap, n + 1, sizeof(*rows));
        rows[n++] = (struct report_stored_run){
            .id = sqlite3_column_int64(st, 0),
            .name = store_text(st, 1, arena),
            .policy = store_text(st, 2, arena),
            .inputs = store_text(st, 3, arena),
            .version = store_text(st, 4, arena),
            .profile = store_text(st, 5, arena),
            .options = store_text(st, 6, arena),
            .seed = (uint64_t)sqlite3_column_int64(st, 7),
            .notes = store_text(st, 8, arena),
            .trace = store_text(st, 9, arena),
            .topology = store_text(st, 10, arena),
        };
    }
    if (store_answered(st) < 0) {
        gs_array_free(rows);
        return store_fail(s, "cannot read the runs", err);
    }
    *run = store_rows_keep(rows, n, sizeof(*rows), arena);
    *count = n;
    return 0;
}

int report_store_metrics(struct report_store *s, int64_t run,
                         struct gs_arena *arena,
                         struct report_stored_metric **metric, uint32_t *count,
                         struct gs_err *err)
{
    struct report_stored_metric *rows = NULL;
    uint32_t n = 0, cap = 0;
    sqlite3_stmt *st = store_ask(s,
                                 "SELECT name, scope, label, unit, value FROM"
                                 " metrics WHERE run_id = ?1"
                                 " ORDER BY name, scope, label",
                                 run, 0, 0);

    while (sqlite3_step(st) == SQLITE_ROW) {
        rows = gs_array_grow(rows, &cap, n + 1, sizeof(*rows));
        rows[n++] = (struct report_stored_metric){
            store_clean_text(st, 0, arena), store_clean_text(st, 1, arena),
            store_clean_text(st, 2, arena), store_clean_text(st, 3, arena),
            sqlite3_column_double(st, 4)
        };
    }
    if (store_answered(st) < 0) {
        gs_array_free(rows);
        return store_fail(s, "cannot read the metrics", err);
    }
    *metric = store_rows_keep(rows, n, sizeof(*rows), arena);
    *count = n;
    return 0;
}

const char *report_store_names(struct report_store *s, char *buf, size_t size)
{
    sqlite3_stmt *st = store_ask(s, "SELECT name FROM runs ORDER BY id", 0, 0,
                                 0);

    assert(s && buf && size > 0);
    buf[0] = '\0';
    while (sqlite3_step(st) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(st, 0);
        const char *comma = buf[0] ? ", " : "";

        if (strlen(buf) + strlen(name ? name : "") + sizeof(", , ...") > size) {
            gs_text_add(buf, size, "%s...", comma);
            break;
        }
        gs_text_add(buf, size, "%s%s", comma, name ? name : "");
    }
    sqlite3_finalize(st);
    return buf;
}
