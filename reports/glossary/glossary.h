/* reports/glossary/glossary.h - unit, better direction and definition of every
 * metric.
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
    REPORT_HOURS, /* node hours, replica hours */
    REPORT_JOBS_PER_HOUR,
};

enum report_better { REPORT_NEITHER, REPORT_LOWER, REPORT_HIGHER };

struct report_metric_info {
    const char *name; /* an ending '*' stands for any text */
    enum report_unit unit;
    enum report_better better;
    const char *definition;
};

/* The first entry that matches a metric's name; NULL: none does. */
const struct report_metric_info *report_glossary_find(const char *name);
/* Entry `i`, from 0, in the order of all outputs; NULL past the end. */
const struct report_metric_info *report_glossary_at(size_t i);
/* The scopes in which the metric is measured: "cluster", "queue",
 * "cluster, type" or "cluster, queue, size".
 */
const char *report_glossary_scopes(const struct report_metric_info *m);
/* Is the metric measured in `scope`, a text of `len` bytes? */
bool report_glossary_has_scope(const struct report_metric_info *m,
                               const char *scope, size_t len);
/* Is it deadlock.seconds or deadlock.gpu_hours?  Where deadlock.endless is
 * above 0, a rule treats their value as infinite.
 */
bool report_glossary_is_deadlock_length(const char *name);
/* "lower is better", "higher is better", "". */
const char *report_better_name(enum report_better b);

/* A word or mark of comparisons, such as "p" or "~". */
struct report_term {
    const char *term, *definition;
};

/* Term `i`, from 0; NULL past the end. */
const struct report_term *report_glossary_term(size_t i);

/* Print the metrics whose names match a shell pattern, in lines of at most 80
 * columns.  A NULL pattern prints all metrics and terms.  Returns the number of
 * metrics printed.
 */
size_t report_glossary_print(const char *glob, FILE *out);

/* "s", "share", "count", "ratio", "GPU h", "h", "jobs/h". */
const char *report_unit_name(enum report_unit u);

#endif /* REPORTS_GLOSSARY_GLOSSARY_H */
