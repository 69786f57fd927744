/* reports/store/row_source.c - a virtual table of rows in memory.
 *
 * INSERT ... SELECT from a virtual table, read once from its first row to its
 * last, takes less than half the time of binding and stepping an INSERT for
 * each row.
 */
#include <assert.h>
#include <stdio.h>

#include "base/array.h"
#include "base/text.h"
#include "reports/store/store_private.h"
#include "reports/store/tables.h"

#define MODULE "gsim_rows"
#define SQL_MAX 512

struct source_table {
    sqlite3_vtab base; /* first: SQLite knows only this */
    const struct store_rows *rows;
};

struct source_cursor {
    sqlite3_vtab_cursor base; /* first */
    const struct store_rows *rows;
    struct store_row row;
};

static int source_connect(sqlite3 *db, void *aux, int argc,
                          const char *const *argv, sqlite3_vtab **out,
                          char **message)
{
    const struct store_rows *rows = aux;
    struct source_table *t;
    char sql[SQL_MAX] = "CREATE TABLE source (c0";
    int rc;

    (void)argc, (void)argv, (void)message; /* the table has no arguments */
    for (int i = 1; i < rows->table->columns; i++)
        gs_text_add(sql, sizeof(sql), ", c%d", i);
    gs_text_add(sql, sizeof(sql), ")");
    rc = sqlite3_declare_vtab(db, sql);
    if (rc != SQLITE_OK)
        return rc;
    t = gs_array_new(1, sizeof(*t));
    t->rows = rows;
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
    (void)base, (void)info; /* there is only one plan */
    return SQLITE_OK;
}

static int source_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
    struct source_cursor *c = gs_array_new(1, sizeof(*c));

    c->rows = ((struct source_table *)base)->rows;
    *out = &c->base;
    return SQLITE_OK;
}

static int source_close(sqlite3_vtab_cursor *base)
{
    gs_array_free(base);
    return SQLITE_OK;
}

static int row_go(struct source_cursor *c, int64_t number)
{
    const struct store_rows *rows = c->rows;
    const char *row = rows->row;

    c->row = (struct store_row){ NULL, number, rows->self, NULL };
    if (row && number < rows->count)
        c->row.at = rows->size ? row + (size_t)number * rows->size
                               : ((const void *const *)rows->row)[number];
    return SQLITE_OK;
}

static int source_filter(sqlite3_vtab_cursor *base, int index, const char *name,
                         int argc, sqlite3_value **argv)
{
    (void)index, (void)name, (void)argc, (void)argv; /* all rows */
    return row_go((struct source_cursor *)base, 0);
}

static int source_next(sqlite3_vtab_cursor *base)
{
    struct source_cursor *c = (struct source_cursor *)base;

    return row_go(c, c->row.number + 1);
}

static int source_eof(sqlite3_vtab_cursor *base)
{
    const struct source_cursor *c = (const struct source_cursor *)base;

    return c->row.number >= c->rows->count;
}

int64_t store_field_number(const void *field, size_t size)
{
    assert(size == 1 || size == 4 || size == 8);
    return size == 1   ? *(const uint8_t *)field
           : size == 4 ? *(const uint32_t *)field
                       : *(const int64_t *)field;
}

static void hash_put(uint64_t hash, sqlite3_context *out)
{
    char text[20];

    snprintf(text, sizeof(text), "%016llx", (unsigned long long)hash);
    sqlite3_result_text(out, text, -1, SQLITE_TRANSIENT);
}

void store_text_put(sqlite3_context *out, const char *text)
{
    sqlite3_result_text(out, text, -1, SQLITE_STATIC);
}

static int source_column(sqlite3_vtab_cursor *base, sqlite3_context *out,
                         int column)
{
    struct source_cursor *cursor = (struct source_cursor *)base;
    const struct store_column *c = &cursor->rows->table->column[column];
    const char *at = cursor->row.at;
    const void *field = at ? at + c->at : NULL;

    switch (c->kind) {
    case STORE_OWNER:
        if (cursor->rows->owner)
            sqlite3_result_int64(out, cursor->rows->owner);
        break;
    case STORE_ROW:
        sqlite3_result_int64(out, cursor->row.number);
        break;
    case STORE_NUMBER:
        sqlite3_result_int64(out, store_field_number(field, c->size));
        break;
    case STORE_INDEX:
        if (*(const uint32_t *)field != UINT32_MAX)
            sqlite3_result_int64(out, *(const uint32_t *)field);
        break;
    case STORE_TIME:
        if (*(const int64_t *)field >= 0)
            sqlite3_result_int64(out, *(const int64_t *)field);
        break;
    case STORE_REAL:
        sqlite3_result_double(out, *(const double *)field);
        break;
    case STORE_TEXT:
        store_text_put(out, *(const char *const *)field);
        break;
    case STORE_NAME:
        store_text_put(out, c->names[store_field_number(field, c->size)]);
        break;
    case STORE_HASH:
        hash_put(*(const uint64_t *)field, out);
        break;
    case STORE_MADE:
        cursor->row.column = c;
        c->make(&cursor->row, out);
        break;
    case STORE_UNSET:
        break;
    }
    return SQLITE_OK;
}

static int source_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *row)
{
    *row = ((struct source_cursor *)base)->row.number;
    return SQLITE_OK;
}

/* Without xCreate the module name is a table that is not stored in the
 * database.
 */
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

int store_rows_insert(sqlite3 *db, const struct store_rows *rows)
{
    struct store_rows source = *rows; /* SQLite takes a pointer that is not
                                         const */
    char sql[SQL_MAX];
    int rc = sqlite3_create_module(db, MODULE, &module, &source);

    snprintf(sql, sizeof(sql), "INSERT INTO main.%s SELECT * FROM " MODULE,
             rows->table->name);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(db, sql, NULL, NULL, NULL);
    /* Remove the module.  After a failure it may stay, since removing it would
     * hide the reason; the next call replaces it.
     */
    if (rc == SQLITE_OK)
        rc = sqlite3_create_module(db, MODULE, NULL, NULL);
    return rc == SQLITE_OK ? 0 : -1;
}
