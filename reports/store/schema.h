/* reports/store/schema.h - the tables and views of a result database.
 *
 * Versions 4, 5 and 6 have the tables of version 3, and each more tables,
 * columns and views.
 */
#ifndef REPORTS_STORE_SCHEMA_H
#define REPORTS_STORE_SCHEMA_H

#define REPORT_APPLICATION_ID 0x6773696d /* "gsim" */
#define REPORT_SCHEMA_VERSION 6          /* PRAGMA user_version */
#define REPORT_SCHEMA_OLDEST 3 /* that is read, and made a newer one */

/* SQL that makes the tables of the oldest version in an empty database, in
 * parts; NULL after the last.
 */
extern const char *const report_schema_sql[];

/* Tables that came later: those missing are made before a run is stored.  A
 * NULL name ends the list.
 */
struct report_table {
    const char *name, *columns; /* from "(" on */
};

extern const struct report_table report_tables_later[];

/* Columns that came later, NULL in rows of older versions; in this order they
 * follow the table's own.  A NULL table ends the list.
 */
struct report_column {
    const char *table, *name, *type;
};

extern const struct report_column report_columns_later[];

#endif /* REPORTS_STORE_SCHEMA_H */
