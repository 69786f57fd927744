/* reports/store/store_schema.c - creates and migrates tables and views. */
#include "reports/store/store_private.h"
#include "reports/store/tables.h"
#include "share/share.h"

const struct store_table *const store_tables[] = {
    &store_table_runs,
    &store_table_nodes,
    &store_table_jobs,
    &store_table_placements,
    &store_table_waits,
    &store_table_evictions,
    &store_table_events,
    &store_table_samples,
    &store_table_metrics,
    &store_table_deadlocks,
    &store_table_fills,
    &store_table_fill_points,
    &store_table_refusals,
    &store_table_legs,
    &store_table_outages,
    &store_table_sweeps,
    &store_table_sweep_files,
    &store_table_sweep_points,
    &store_table_sweep_values,
    &store_table_sweep_jobs,
    &store_table_job_kinds,
    &store_table_job_rows,
    NULL,
};

/* Run the SQL and free it; NULL means lack of memory. */
static int sql_run(struct report_store *s, char *sql)
{
    const int rc = sql ? store_exec(s, sql) : -1;

    sqlite3_free(sql);
    return rc;
}

/* Create the view that describes the columns of the others. */
static int columns_make(struct report_store *s, const char *temp)
{
    sqlite3_str *text = sqlite3_str_new(s->db);

    sqlite3_str_appendf(text,
                        "CREATE %sVIEW v_columns(\"view\", \"column\", unit,"
                        " meaning) AS VALUES",
                        temp);
    for (size_t i = 0; share_view_columns[i].view; i++) {
        const struct share_view_column *c = &share_view_columns[i];

        sqlite3_str_appendf(text, "%s\n (%Q, %Q, %Q, %Q)", i ? "," : "",
                            c->view, c->column, c->unit, c->meaning);
    }
    return sql_run(s, sqlite3_str_finish(text));
}

/* Create the view that stands for the table, if one does. */
static int table_view_make(struct report_store *s, const struct store_table *t,
                           const char *temp)
{
    sqlite3_str *text;

    if (!t->from)
        return 0;
    text = sqlite3_str_new(s->db);
    sqlite3_str_appendf(text, "CREATE %sVIEW %s AS SELECT", temp, t->name);
    for (int i = 0; i < t->columns; i++) {
        const struct store_column *c = &t->column[i];

        sqlite3_str_appendf(text, "%s %s%s AS %s", i ? "," : "",
                            c->now ? "" : "j.", c->now ? c->now : c->name,
                            c->name);
    }
    sqlite3_str_appendall(text, t->from);
    return sql_run(s, sqlite3_str_finish(text));
}

static int table_views_make(struct report_store *s, const char *temp)
{
    int rc = 0;

    for (const struct store_table *const *t = store_tables; *t && rc == 0; t++)
        rc = table_view_make(s, *t, temp);
    return rc;
}

/* Create all views; `temp` is "TEMP " for views of this connection, or "". */
static int views_make(struct report_store *s, const char *temp)
{
    int rc = 0;

    for (const struct share_view *v = share_views; v->name && rc == 0; v++)
        rc = sql_run(s, sqlite3_mprintf("CREATE %sVIEW %s AS %s", temp, v->name,
                                        v->sql));
    return rc < 0 ? rc : columns_make(s, temp);
}

/* SQL that creates the table with the columns of the oldest version; `temp` as
 * above.  Freed by sqlite3_free; NULL without memory.
 */
static char *table_sql(struct report_store *s, const struct store_table *t,
                       const char *temp)
{
    sqlite3_str *text = sqlite3_str_new(s->db);

    sqlite3_str_appendf(text, "CREATE %sTABLE %s (", temp, t->name);
    for (int i = 0; i < t->columns; i++) {
        const struct store_column *c = &t->column[i];

        if (!c->is_later)
            sqlite3_str_appendf(text, "%s %s %s", i ? "," : "", c->name,
                                c->type);
    }
    sqlite3_str_appendall(text, t->end);
    return sqlite3_str_finish(text);
}

/* Run the counting SQL and free it: 1 for any, 0, or -1 on failure. */
static int sql_has(struct report_store *s, char *sql)
{
    int64_t count = 0;
    const int rc = sql ? store_number(s, sql, &count) : -1;

    sqlite3_free(sql);
    return rc < 0 ? -1 : count > 0;
}

/* Create the tables of the oldest version, or the missing ones of later
 * versions.
 */
static int tables_make(struct report_store *s, bool are_later, const char *temp)
{
    for (const struct store_table *const *t = store_tables; *t; t++) {
        int there = 0;

        if ((*t)->is_later != are_later)
            continue;
        if (are_later)
            there = sql_has(
                s, sqlite3_mprintf("SELECT count(*) FROM main.sqlite_schema"
                                   " WHERE type = 'table' AND name = %Q",
                                   (*t)->name));
        if (there < 0 || (!there && sql_run(s, table_sql(s, *t, temp)) < 0))
            return -1;
    }
    return 0;
}

/* 1, 0, or -1 on failure. */
static int has_column(struct report_store *s, const struct store_table *t,
                      const struct store_column *c)
{
    return sql_has(s, sqlite3_mprintf("SELECT count(*) FROM"
                                      " pragma_table_info(%Q, 'main')"
                                      " WHERE name = %Q",
                                      t->name, c->name));
}

/* Add the columns that the table of an older version lacks. */
static int columns_add(struct report_store *s, const struct store_table *t)
{
    for (int i = 0; i < t->columns; i++) {
        const struct store_column *c = &t->column[i];
        const int there = c->is_later ? has_column(s, t, c) : 1;

        if (there < 0
            || (!there
                && sql_run(s, sqlite3_mprintf("ALTER TABLE main.%s ADD COLUMN"
                                              " %s %s",
                                              t->name, c->name, c->type))
                       < 0))
            return -1;
    }
    return 0;
}

/* Hide a table that lacks columns, while the database is open, by a view of the
 * same name with NULL in these columns.
 */
static int columns_lend(struct report_store *s, const struct store_table *t)
{
    sqlite3_str *text = sqlite3_str_new(s->db);
    bool lacks = false;
    int rc = 0;
    char *sql;

    sqlite3_str_appendf(text, "CREATE TEMP VIEW %s AS SELECT *", t->name);
    for (int i = 0; i < t->columns && rc == 0; i++) {
        const struct store_column *c = &t->column[i];
        const int there = c->is_later ? has_column(s, t, c) : 1;

        rc = there < 0 ? -1 : 0;
        lacks |= there == 0;
        if (there == 0)
            sqlite3_str_appendf(text, ", NULL AS %s", c->name);
    }
    sqlite3_str_appendf(text, " FROM main.%s", t->name);
    sql = sqlite3_str_finish(text);
    if (rc == 0 && lacks)
        return sql_run(s, sql);
    sqlite3_free(sql);
    return rc;
}

static int columns_of_all(struct report_store *s,
                          int (*each)(struct report_store *s,
                                      const struct store_table *t))
{
    int rc = 0;

    for (const struct store_table *const *t = store_tables; *t && rc == 0; t++)
        rc = each(s, *t);
    return rc;
}

/* Put the rows of an older version where they are now. */
static int rows_take(struct report_store *s)
{
    int rc = 0;

    for (const struct store_table *const *t = store_tables; *t && rc == 0;
         t++) {
        if ((*t)->from)
            rc = store_exec(s, (*t)->take);
    }
    return rc;
}

/* Drop the views of older versions, whose names are among the present ones. */
static int views_drop(struct report_store *s)
{
    int rc = 0;

    for (const struct share_view *v = share_views; v->name && rc == 0; v++)
        rc = sql_run(s, sqlite3_mprintf("DROP VIEW IF EXISTS %s", v->name));
    return rc < 0 ? rc : store_exec(s, "DROP VIEW IF EXISTS v_columns");
}

static int pragma_set(struct report_store *s, const char *pragma, int value)
{
    return sql_run(s, sqlite3_mprintf("PRAGMA %s = %d", pragma, value));
}

int store_schema_make(struct report_store *s)
{
    const int is_empty = store_is_empty(s);
    int64_t version;

    if (is_empty < 0 || store_number(s, "PRAGMA user_version", &version) < 0)
        return -1;
    if (!is_empty && version == REPORT_SCHEMA_VERSION)
        return 0;
    if (is_empty ? pragma_set(s, "application_id", REPORT_APPLICATION_ID) < 0
                       || tables_make(s, false, "") < 0
                 : views_drop(s) < 0)
        return -1;
    if (tables_make(s, true, "") < 0 || columns_of_all(s, columns_add) < 0
        || rows_take(s) < 0 || table_views_make(s, "") < 0
        || views_make(s, "") < 0)
        return -1;
    return pragma_set(s, "user_version", REPORT_SCHEMA_VERSION);
}

int store_schema_lend(struct report_store *s)
{
    int64_t version;

    if (store_number(s, "PRAGMA user_version", &version) < 0)
        return -1;
    if (version == 0)
        return 0;
    if (store_exec(s, "PRAGMA temp_store = MEMORY") < 0
        || tables_make(s, true, "TEMP ") < 0
        || (version < REPORT_SCHEMA_SHORT ? columns_of_all(s, columns_lend)
                                          : table_views_make(s, "TEMP "))
               < 0)
        return -1;
    return views_make(s, "TEMP ");
}

int store_run_tables(struct report_store *s,
                     int (*each)(struct report_store *s, const char *table,
                                 const char *column, const void *arg),
                     const void *arg)
{
    sqlite3_stmt *st;
    int rc = 0;

    st = store_ask(s,
                   "SELECT t.name FROM main.sqlite_schema t,"
                   " pragma_table_info(t.name, 'main') c"
                   " WHERE t.type = 'table' AND c.name = 'run_id'",
                   0, 0, 0);
    while (rc == 0 && sqlite3_step(st) == SQLITE_ROW)
        rc = each(s, (const char *)sqlite3_column_text(st, 0), "run_id", arg);
    return store_answered(st) == 0 ? rc : -1;
}
