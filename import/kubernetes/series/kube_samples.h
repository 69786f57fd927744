/* import/kubernetes/series/kube_samples.h - the samples of one series, summed
 * up: times and values, never kept one by one.
 */
#ifndef KUBE_SAMPLES_H
#define KUBE_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

struct import_object;

/* Paths of values that readers leave out, and this one reads by their texts. */
enum kube_unread {
    KUBE_UNREAD_VALUES, /* "values" */
    KUBE_UNREAD_TIMES,  /* "timestamps" */
    KUBE_UNREAD_SERIES
};

/* Times are in us since 1970, values in thousandths, 0 or more. */
struct kube_samples {
    uint64_t count; /* with a number; those of NaN and infinity are none */
    uint64_t on;    /* of these above 0 */
    uint64_t rest;  /* without a number */
    int64_t first, last;
    int64_t on_first, on_last; /* KUBE_UNKNOWN: none is above 0 */
    int64_t milli;             /* at `last` */
    bool is_instant; /* the answer to a query of one instant: what was, not
                       when */
    int64_t step;    /* least time between two in a row; 0 */
};

/* Of a series as Prometheus answers, {metric, values: [[time, "value"], ...]}
 * or {metric, value: [time, "value"]}, or as VictoriaMetrics exports it,
 * {metric, values: [value, ...], timestamps: [ms, ...]}.  -1 for what is none;
 * no sample is fine.
 */
int kube_samples_read(const struct import_object *o, struct kube_samples *s);

#endif /* KUBE_SAMPLES_H */
