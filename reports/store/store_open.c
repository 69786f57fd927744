/* reports/store/store_open.c - the one place that opens a database.
 *
 * Its schema is not trusted: triggers do not run, functions that it names are
 * not trusted, and tables are checked to be tables.  Each connection that reads
 * creates the views anew, so views of the file are not used. The number of
 * steps of a reader is limited in proportion to the file, so every query ends.
 */
#include <sys/stat.h>

#include "base/err.h"
#include "reports/store/store_private.h"
#include "reports/store/tables.h"

#define BUSY_MS 30000
#define STEPS_AT_A_TIME 100000 /* instructions of SQLite's machine */
#define TURNS_MIN 50000
#define BYTES_A_TURN 4096 /* 25 instructions for each byte of the file */

static int step_count(void *ctx)
{
    struct report_store *s = ctx;

    return s->turns == 0 || --s->turns == 0;
}

int store_connect(struct report_store *s, const char *file, int flags)
{
    static const struct {
        int option, value;
    } config[] = {
        { SQLITE_DBCONFIG_DEFENSIVE, 1 },
        { SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
        { SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },
    };
    int rc = sqlite3_open_v2(file, &s->db, flags | SQLITE_OPEN_NOMUTEX, NULL);

    for (size_t i = 0; rc == SQLITE_OK && i < sizeof(config) / sizeof(*config);
         i++)
        rc = sqlite3_db_config(s->db, config[i].option, config[i].value,
                               (int *)NULL);
    sqlite3_busy_timeout(s->db, BUSY_MS);
    return rc == SQLITE_OK ? 0 : -1;
}

int store_read_only(struct report_store *s)
{
    struct stat st;

    s->turns = TURNS_MIN;
    if (stat(s->path, &st) == 0)
        s->turns += (uint64_t)st.st_size / BYTES_A_TURN;
    sqlite3_progress_handler(s->db, STEPS_AT_A_TIME, step_count, s);
    return store_exec(s, "PRAGMA query_only = ON; PRAGMA cell_size_check = ON");
}

/* --- tables --------------------------------------------------------------- */

/* 1 when `name` is an ordinary table; 0 when there is none; -1 when it is
 * something else, or on failure.
 */
static int table_check(struct report_store *s, const char *name,
                       struct gs_err *err)
{
    sqlite3_stmt *st;
    int rc = -1;

    st = store_ask(s,
                   "SELECT type = 'table' AND sql LIKE 'CREATE TABLE%'"
                   " FROM main.sqlite_schema"
                   " WHERE name = ?1 COLLATE NOCASE",
                   0, 0, 0);
    sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC);
    switch (sqlite3_step(st)) {
    case SQLITE_DONE:
        rc = 0;
        break;
    case SQLITE_ROW:
        rc = sqlite3_column_int(st, 0)
                 ? 1
                 : gs_fail(err, GS_INPUT, (struct gs_mark){ .source = s->path },
                           "is not as gsim makes a "
                           "database: '%s' is no table",
                           name);
        break;
    default:
        store_fail(s, "cannot read the database", err);
    }
    sqlite3_finalize(st);
    return rc;
}

int store_check_tables(struct report_store *s, struct gs_err *err)
{
    int64_t version;

    if (store_number(s, "PRAGMA user_version", &version) < 0)
        return store_fail(s, "cannot read the database", err);
    for (const struct store_table *const *t = store_tables; *t; t++) {
        const bool is_view = (*t)->from && version >= REPORT_SCHEMA_SHORT;
        /* a view of the file is not used */
        const int there = is_view ? 1 : table_check(s, (*t)->name, err);

        if (there < 0)
            return -1;
        if (!there && (!(*t)->is_later || version == REPORT_SCHEMA_VERSION))
            return gs_fail(err, GS_INPUT, (struct gs_mark){ .source = s->path },
                           "is not as gsim makes a database: there is no table "
                           "'%s'",
                           (*t)->name);
    }
    return 0;
}
