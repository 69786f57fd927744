/* reports/export/export.h - rows and metrics of a database, for other programs.
 */
#ifndef REPORTS_EXPORT_EXPORT_H
#define REPORTS_EXPORT_EXPORT_H

#include <stddef.h>
#include <stdio.h>

struct gs_err;
struct report_store;

enum report_export_format { REPORT_ROWS_CSV, REPORT_ROWS_JSON };

/* Kinds of rows: "runs", "jobs" ...; NULL past the end. */
const char *report_export_name(size_t i);

/* Write the rows of report_export_name(what), for the run called `run` or
 * (NULL) for all runs in order, in the units of the views.  Control characters
 * and bytes that are not UTF-8 become '?'; in CSV a text that a spreadsheet
 * would calculate as a formula gets a leading apostrophe.  JSON is an array of
 * objects.
 */
int report_export_rows(struct report_store *s, size_t what, const char *run,
                       enum report_export_format format, FILE *out,
                       struct gs_err *err);

/* Write the metrics of runs in the Prometheus text format; `run` as above. */
int report_export_prometheus(struct report_store *s, const char *run, FILE *out,
                             struct gs_err *err);

/* Write one run as a trace in Chrome's JSON format; `run` NULL: the only run.
 */
int report_export_perfetto(struct report_store *s, const char *run, FILE *out,
                           struct gs_err *err);

#endif /* REPORTS_EXPORT_EXPORT_H */
