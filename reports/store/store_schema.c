/* reports/store/store_schema.c - tables and views: made, and brought up to date. */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "reports/store/schema.h"
#include "reports/store/store_private.h"
#include "share/share.h"

/* The view that tells what the columns of the others are. */
static int columns_make(struct report_store *s, const char *temp)
{
    sqlite3_str *text = sqlite3_str_new(s->db);
    char *sql;
    int rc;

    sqlite3_str_appendf(text,
                        "CREATE %sVIEW v_columns(\"view\", \"column\", unit,"
                        " meaning) AS VALUES",
                        temp);
    for (size_t i = 0; share_view_columns[i].view; i++) {
        const struct share_view_column *c = &share_view_columns[i];

        sqlite3_str_appendf(text, "%s\n (%Q, %Q, %Q, %Q)", i ? "," : "",
                            c->view, c->column, c->unit, c->meaning);
    }
    sql = sqlite3_str_finish(text);
    rc = sql ? store_exec(s, sql) : -1;
    sqlite3_free(sql);
    return rc;
}

/* All views; `temp` is "TEMP " for those of this connection, or "". */
static int views_make(struct report_store *s, const char *temp)
{
    int rc = 0;

    for (const struct share_view *v = share_views; v->name && rc == 0; v++) {
        char *sql = sqlite3_mprintf("CREATE %sVIEW %s AS %s", temp, v->name,
                                    v->sql);

        rc = sql ? store_exec(s, sql) : -1;
        sqlite3_free(sql);
    }
    return rc < 0 ? rc : columns_make(s, temp);
}

static int version_set(struct report_store *s)
{
    char sql[64];

    snprintf(sql, sizeof(sql), "PRAGMA user_version = %d",
             REPORT_SCHEMA_VERSION);
    return store_exec(s, sql);
}

static int tables_make(struct report_store *s)
{
    char sql[64];

    snprintf(sql, sizeof(sql), "PRAGMA application_id = %d",
             REPORT_APPLICATION_ID);
    if (store_exec(s, sql) < 0)
        return -1;
    for (size_t i = 0; report_schema_sql[i]; i++) {
        if (store_exec(s, report_schema_sql[i]) < 0)
            return -1;
    }
    return 0;
}

/* 1, 0, or -1 on failure. */
static int has_table(struct report_store *s, const char *name)
{
    int64_t count = 0;
    char *sql = sqlite3_mprintf("SELECT count(*) FROM main.sqlite_schema"
                                " WHERE type = 'table' AND name = %Q",
                                name);
    const int rc = sql ? store_number(s, sql, &count) : -1;

    sqlite3_free(sql);
    return rc < 0 ? -1 : count > 0;
}

/* Those that an older version lacks; `temp` as above. */
static int later_make(struct report_store *s, const char *temp)
{
    int rc = 0;

    for (const struct report_table *t = report_tables_later; t->name && rc == 0;
         t++) {
        const int there = has_table(s, t->name);
        char *sql;

        if (there != 0) {
            rc = there < 0 ? -1 : 0;
            continue;
        }
        sql = sqlite3_mprintf("CREATE %sTABLE %s %s", temp, t->name,
                              t->columns);
        rc = sql ? store_exec(s, sql) : -1;
        sqlite3_free(sql);
    }
    return rc;
}

/* 1, 0, or -1 on failure. */
static int has_column(struct report_store *s, const struct report_column *c)
{
    int64_t count = 0;
    char *sql = sqlite3_mprintf("SELECT count(*) FROM"
                                " pragma_table_info(%Q, 'main')"
                                " WHERE name = %Q",
                                c->table, c->name);
    const int rc = sql ? store_number(s, sql, &count) : -1;

    sqlite3_free(sql);
    return rc < 0 ? -1 : count > 0;
}

/* Columns that the tables of an older version lack. */
static int columns_add(struct report_store *s)
{
    int rc = 0;

    for (const struct report_column *c = report_columns_later;
         c->table && rc == 0; c++) {
        const int there = has_column(s, c);
        char *sql;

        if (there != 0) {
            rc = there < 0 ? -1 : 0;
            continue;
        }
        sql = sqlite3_mprintf("ALTER TABLE main.%s ADD COLUMN %s %s", c->table,
                              c->name, c->type);
        rc = sql ? store_exec(s, sql) : -1;
        sqlite3_free(sql);
    }
    return rc;
}

/* Is this the first of its table's columns in the list? */
static bool is_first(const struct report_column *c)
{
    return c == report_columns_later || strcmp(c[-1].table, c->table) != 0;
}

/* Tables that lack columns are hidden, for as long as the database is open, by
 * views of the same name, in which those are NULL.
 */
static int columns_lend(struct report_store *s)
{
    int rc = 0;

    for (const struct report_column *c = report_columns_later;
         c->table && rc == 0; c++) {
        sqlite3_str *text;
        bool lacks = false;
        char *sql;

        if (!is_first(c))
            continue;
        text = sqlite3_str_new(s->db);
        sqlite3_str_appendf(text, "CREATE TEMP VIEW %s AS SELECT *", c->table);
        for (const struct report_column *k = c;
             rc == 0 && k->table && strcmp(k->table, c->table) == 0; k++) {
            const int there = has_column(s, k);

            rc = there < 0 ? -1 : 0;
            lacks |= there == 0;
            if (there == 0)
                sqlite3_str_appendf(text, ", NULL AS %s", k->name);
        }
        sqlite3_str_appendf(text, " FROM main.%s", c->table);
        sql = sqlite3_str_finish(text);
        if (rc == 0 && lacks)
            rc = sql ? store_exec(s, sql) : -1;
        sqlite3_free(sql);
    }
    return rc;
}

/* Of older versions, whose views are among ours. */
static int views_drop(struct report_store *s)
{
    int rc = 0;

    for (const struct share_view *v = share_views; v->name && rc == 0; v++) {
        char *sql = sqlite3_mprintf("DROP VIEW IF EXISTS %s", v->name);

        rc = sql ? store_exec(s, sql) : -1;
        sqlite3_free(sql);
    }
    return rc < 0 ? rc : store_exec(s, "DROP VIEW IF EXISTS v_columns");
}

int store_schema_make(struct report_store *s)
{
    int64_t tables, version;

    if (store_number(s, "SELECT count(*) FROM sqlite_schema", &tables) < 0
        || store_number(s, "PRAGMA user_version", &version) < 0)
        return -1;
    if (tables != 0 && version == REPORT_SCHEMA_VERSION)
        return 0;
    if ((tables == 0 ? tables_make(s) : views_drop(s)) < 0
        || later_make(s, "") < 0 || columns_add(s) < 0 || views_make(s, "") < 0)
        return -1;
    return version_set(s);
}

int store_schema_lend(struct report_store *s)
{
    int64_t version;

    if (store_number(s, "PRAGMA user_version", &version) < 0)
        return -1;
    if (version == 0)
        return 0;
    if (store_exec(s, "PRAGMA temp_store = MEMORY") < 0
        || later_make(s, "TEMP ") < 0 || columns_lend(s) < 0)
        return -1;
    return views_make(s, "TEMP ");
}

int store_run_tables(struct report_store *s,
                     int (*each)(struct report_store *s, const char *table,
                                 const char *column, const void *arg),
                     const void *arg)
{
    sqlite3_stmt *st = NULL;
    int rc = 0;

    if (sqlite3_prepare_v2(s->db,
                           "SELECT t.name FROM main.sqlite_schema t,"
                           " pragma_table_info(t.name, 'main') c"
                           " WHERE t.type = 'table' AND c.name = 'run_id'",
                           -1, &st, NULL)
        != SQLITE_OK)
        return -1;
    while (rc == 0 && sqlite3_step(st) == SQLITE_ROW)
        rc = each(s, (const char *)sqlite3_column_text(st, 0), "run_id", arg);
    return sqlite3_finalize(st) == SQLITE_OK ? rc : -1;
}
