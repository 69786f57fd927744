/* reports/schema.h - the tables and views of a result database. */
#ifndef REPORT_SCHEMA_H
#define REPORT_SCHEMA_H

#define REPORT_APPLICATION_ID 0x6773696d /* "gsim" */
#define REPORT_SCHEMA_VERSION 5          /* PRAGMA user_version */

/* SQL that makes an empty database ours: the tables, then the views. */
extern const char report_schema_sql[];
extern const char report_sweeps_sql[];
extern const char report_views_sql[];

/* The tables with rows of a run: "runs" has its number as id, the others as
 * run_id.  NULL ends the list.
 */
extern const char *const report_run_tables[];

#endif /* REPORT_SCHEMA_H */
