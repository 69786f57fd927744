/* reports/measure/samples.h - time series of a run, in at most 2,048 rows.
 *
 * Rows are exact time averages over equal spans.  When there are too many, the
 * span doubles and neighbouring rows are merged.
 */
#ifndef REPORTS_MEASURE_SAMPLES_H
#define REPORTS_MEASURE_SAMPLES_H

#include <stdint.h>

#include "sim/replay/observer.h"

#define REPORT_SAMPLES_MAX 2048u

enum report_series {
    REPORT_ALLOCATED,      /* GPUs */
    REPORT_BUSY,           /* GPUs */
    REPORT_HOARDED,        /* GPUs */
    REPORT_WAITING,        /* jobs */
    REPORT_RUNNING_JOBS,   /* jobs */
    REPORT_NODE_SHARE,     /* frag.node_share */
    REPORT_FREE_SHARE,     /* frag.free_share */
    REPORT_CAPACITY_SHARE, /* frag.capacity_share */
    REPORT_DEMAND,         /* frag.demand */
    REPORT_LARGEST_GANG,   /* frag.largest_gang */
    REPORT_SERIES
};

struct report_sample {
    double sum[REPORT_SERIES]; /* value x microseconds */
};

struct report_samples {
    struct report_sample *row;
    uint32_t count; /* rows begun */
    int64_t span;   /* us of one row */
    int64_t from;   /* us; start of the first row */
    int64_t length; /* us covered so far */
};

void report_samples_init(struct report_samples *s);
void report_samples_fini(struct report_samples *s);

/* `value` held for the next `us`. */
void report_samples_add(struct report_samples *s, int64_t us,
                        const double *value);

/* The average of row `i`; the last row may cover less than a span. */
double report_samples_value(const struct report_samples *s, uint32_t i,
                            enum report_series series);

#endif /* REPORTS_MEASURE_SAMPLES_H */
