/* reports/store/row_source.c - a virtual table that is read once from its
 * first row to its last, see row_source.h.
 */
#include "reports/store/row_source.h"

#include <stdio.h>

#include "base/array.h"

#define MODULE "gsim_rows"
#define SQL_MAX 512

struct source_table {
    sqlite3_vtab base; /* first: SQLite knows only this */
    const struct report_row_source *source;
};

struct source_cursor {
    sqlite3_vtab_cursor base; /* first */
    const struct report_row_source *source;
    int64_t row;
};

static int source_connect(sqlite3 *db, void *aux, int argc,
                          const char *const *argv, sqlite3_vtab **out,
                          char **message)
{
    const struct report_row_source *f = aux;
    struct source_table *t;
    char sql[SQL_MAX];
    int rc, len = snprintf(sql, sizeof(sql), "CREATE TABLE source (c0");

    (void)argc, (void)argv, (void)message; /* it has no arguments */
    for (int i = 1; i < f->columns; i++)
        len += snprintf(sql + len, sizeof(sql) - (size_t)len, ", c%d", i);
    snprintf(sql + len, sizeof(sql) - (size_t)len, ")");
    rc = sqlite3_declare_vtab(db, sql);
    if (rc != SQLITE_OK)
        return rc;
    t = gs_array_new(1, sizeof(*t));
    t->source = f;
    *out = &t->base;
    return SQLITE_OK;
}

static int source_disconnect(sqlite3_vtab *base)
{
    gs_array_free(base);
    return SQLITE_OK;
}

static int source_best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
    (void)base, (void)info; /* there is only one way */
    return SQLITE_OK;
}

static int source_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
    struct source_cursor *c = gs_array_new(1, sizeof(*c));

    c->source = ((struct source_table *)base)->source;
    *out = &c->base;
    return SQLITE_OK;
}

static int source_close(sqlite3_vtab_cursor *base)
{
    gs_array_free(base);
    return SQLITE_OK;
}

static int source_filter(sqlite3_vtab_cursor *base, int index, const char *name,
                         int argc, sqlite3_value **argv)
{
    (void)index, (void)name, (void)argc, (void)argv; /* all rows */
    ((struct source_cursor *)base)->row = 0;
    return SQLITE_OK;
}

static int source_next(sqlite3_vtab_cursor *base)
{
    ((struct source_cursor *)base)->row++;
    return SQLITE_OK;
}

static int source_eof(sqlite3_vtab_cursor *base)
{
    const struct source_cursor *c = (const struct source_cursor *)base;

    return c->row >= c->source->count;
}

static int source_column(sqlite3_vtab_cursor *base, sqlite3_context *out,
                         int column)
{
    const struct source_cursor *c = (const struct source_cursor *)base;

    if (column == 0)
        sqlite3_result_int64(out, c->source->run);
    else
        c->source->value(c->source->self, c->row, column, out);
    return SQLITE_OK;
}

static int source_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *row)
{
    *row = ((struct source_cursor *)base)->row;
    return SQLITE_OK;
}

/* Without xCreate its name is a table, of which the database holds nothing. */
static const sqlite3_module module = {
    .xConnect = source_connect,
    .xBestIndex = source_best_index,
    .xDisconnect = source_disconnect,
    .xOpen = source_open,
    .xClose = source_close,
    .xFilter = source_filter,
    .xNext = source_next,
    .xEof = source_eof,
    .xColumn = source_column,
    .xRowid = source_rowid,
};

int report_rows_insert(sqlite3 *db, const struct report_row_source *f)
{
    struct report_row_source source = *f; /* SQLite wants to be able to write */
    char sql[SQL_MAX];
    int rc = sqlite3_create_module(db, MODULE, &module, &source);

    snprintf(sql, sizeof(sql), "INSERT INTO main.%s SELECT * FROM " MODULE,
             f->table);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(db, sql, NULL, NULL, NULL);
    /* The module is not named again before the next call replaces it, so
     * after a failure it may stay: dropping it would hide the reason.
     */
    if (rc == SQLITE_OK)
        rc = sqlite3_create_module(db, MODULE, NULL, NULL);
    return rc == SQLITE_OK ? 0 : -1;
}
