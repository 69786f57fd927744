/* reports/glossary/glossary.h - every metric: its unit, its sense, its
 * definition.
 */
#ifndef REPORTS_GLOSSARY_GLOSSARY_H
#define REPORTS_GLOSSARY_GLOSSARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum report_unit {
    REPORT_SECONDS,
    REPORT_SHARE, /* 0 to 1 */
    REPORT_COUNT,
    REPORT_RATIO,
    REPORT_GPU_HOURS,
    REPORT_HOURS, /* of nodes, of replicas */
    REPORT_JOBS_PER_HOUR,
};

enum report_better { REPORT_NEITHER, REPORT_LOWER, REPORT_HIGHER };

struct report_metric_info {
    const char *name; /* may end in '*' */
    enum report_unit unit;
    enum report_better better;
    const char *definition;
};

/* The entry for a metric's name; NULL when there is none. */
const struct report_metric_info *report_glossary_find(const char *name);
/* In order; NULL past the end. */
const struct report_metric_info *report_glossary_at(size_t i);
/* Its scopes: "cluster", "cluster, queue, size" ... */
const char *report_glossary_scopes(const struct report_metric_info *m);
/* Is `scope`, of `len` bytes, one of its scopes? */
bool report_glossary_has_scope(const struct report_metric_info *m,
                               const char *scope, size_t len);
/* Does the metric measure how long deadlocks last?  Its value has no bound
 * where deadlock.endless is above 0.
 */
bool report_glossary_is_deadlock_length(const char *name);
/* "lower is better", "higher is better", "". */
const char *report_better_name(enum report_better b);

/* Meanings of figures of several runs and of their marks; in order, NULL past
 * the end.
 */
struct report_term {
    const char *term, *definition;
};
const struct report_term *report_glossary_term(size_t i);

/* Print the metrics that a shell pattern matches, lines of 80; NULL: all, and
 * the terms.  Returns the number of metrics printed.
 */
size_t report_glossary_print(const char *glob, FILE *out);

/* "s", "share", "count", "ratio", "GPU h", "h", "jobs/h". */
const char *report_unit_name(enum report_unit u);

#endif /* REPORTS_GLOSSARY_GLOSSARY_H */
