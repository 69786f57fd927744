/* reports/glossary.h - every metric: its unit, its sense, its definition. */
#ifndef REPORT_GLOSSARY_H
#define REPORT_GLOSSARY_H

#include <stddef.h>

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
/* "s", "share", "count", "ratio", "GPU h", "h",
 * "jobs/h". */
const char *report_unit_name(enum report_unit u);

#endif /* REPORT_GLOSSARY_H */
