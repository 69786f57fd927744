/* reports/store/feed.c - a virtual table that is only ever read from its first row
 * to its last, see feed.h.
 */
#include "reports/store/feed.h"

#include <stdio.h>

#include "base/array.h"

#define MODULE "gsim_feed"
#define SQL_MAX 512

struct feed_table {
    sqlite3_vtab base; /* first: SQLite knows only this */
    const struct report_feed *feed;
};

struct feed_cursor {
    sqlite3_vtab_cursor base; /* first */
    const struct report_feed *feed;
    int64_t row;
};

static int feed_connect(sqlite3 *db, void *aux, int argc,
                        const char *const *argv, sqlite3_vtab **out,
                        char **message)
{
    const struct report_feed *f = aux;
    struct feed_table *t;
    char sql[SQL_MAX];
    int rc, len = snprintf(sql, sizeof(sql), "CREATE TABLE feed (c0");

    (void)argc, (void)argv, (void)message; /* it has no arguments */
    for (int i = 1; i < f->columns; i++)
        len += snprintf(sql + len, sizeof(sql) - (size_t)len, ", c%d", i);
    snprintf(sql + len, sizeof(sql) - (size_t)len, ")");
    rc = sqlite3_declare_vtab(db, sql);
    if (rc != SQLITE_OK)
        return rc;
    t = gs_array_new(1, sizeof(*t));
    t->feed = f;
    *out = &t->base;
    return SQLITE_OK;
}

static int feed_disconnect(sqlite3_vtab *base)
{
    gs_array_free(base);
    return SQLITE_OK;
}

static int feed_best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
    (void)base, (void)info; /* there is only one way */
    return SQLITE_OK;
}

static int feed_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
    struct feed_cursor *c = gs_array_new(1, sizeof(*c));

    c->feed = ((struct feed_table *)base)->feed;
    *out = &c->base;
    return SQLITE_OK;
}

static int feed_close(sqlite3_vtab_cursor *base)
{
    gs_array_free(base);
    return SQLITE_OK;
}

static int feed_filter(sqlite3_vtab_cursor *base, int index, const char *name,
                       int argc, sqlite3_value **argv)
{
    (void)index, (void)name, (void)argc, (void)argv; /* all rows */
    ((struct feed_cursor *)base)->row = 0;
    return SQLITE_OK;
}

static int feed_next(sqlite3_vtab_cursor *base)
{
    ((struct feed_cursor *)base)->row++;
    return SQLITE_OK;
}

static int feed_eof(sqlite3_vtab_cursor *base)
{
    const struct feed_cursor *c = (const struct feed_cursor *)base;

    return c->row >= c->feed->count;
}

static int feed_column(sqlite3_vtab_cursor *base, sqlite3_context *out,
                       int column)
{
    const struct feed_cursor *c = (const struct feed_cursor *)base;

    if (column == 0)
        sqlite3_result_int64(out, c->feed->run);
    else
        c->feed->value(c->feed->self, c->row, column, out);
    return SQLITE_OK;
}

static int feed_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *row)
{
    *row = ((struct feed_cursor *)base)->row;
    return SQLITE_OK;
}

/* Without xCreate its name is a table, of which the database holds nothing. */
static const sqlite3_module module = {
    .xConnect = feed_connect,
    .xBestIndex = feed_best_index,
    .xDisconnect = feed_disconnect,
    .xOpen = feed_open,
    .xClose = feed_close,
    .xFilter = feed_filter,
    .xNext = feed_next,
    .xEof = feed_eof,
    .xColumn = feed_column,
    .xRowid = feed_rowid,
};

int report_feed_insert(sqlite3 *db, const struct report_feed *f)
{
    struct report_feed feed = *f; /* SQLite wants to be able to write */
    char sql[SQL_MAX];
    int rc = sqlite3_create_module(db, MODULE, &module, &feed);

    snprintf(sql, sizeof(sql), "INSERT INTO main.%s SELECT * FROM " MODULE,
             f->table);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(db, sql, NULL, NULL, NULL);
    /* Nobody names the module again before the next call replaces it, so
     * after a failure it may stay: dropping it would hide the reason.
     */
    if (rc == SQLITE_OK)
        rc = sqlite3_create_module(db, MODULE, NULL, NULL);
    return rc == SQLITE_OK ? 0 : -1;
}
