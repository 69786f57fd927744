/* reports/schema.h - the tables and views of a result database. */
#ifndef REPORT_SCHEMA_H
#define REPORT_SCHEMA_H

#define REPORT_APPLICATION_ID 0x6773696d /* "gsim" */
#define REPORT_SCHEMA_VERSION 4          /* PRAGMA user_version */

/* SQL that makes an empty database ours: the tables, then the views, in parts;
 * NULL after the last.
 */
extern const char *const report_schema_sql[];

#endif /* REPORT_SCHEMA_H */
