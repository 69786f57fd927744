/* traces/edit/estimates.h - how long users say that jobs run, drawn from how long
 * they do: for traces that have durations only.
 */
#ifndef TRACES_EDIT_ESTIMATES_H
#define TRACES_EDIT_ESTIMATES_H

#include <stdint.h>

struct gs_err;
struct trace_workload;

#define TRACE_ESTIMATES_HELP \
    "exact, factor:X, uniform:A..B or classes[:T,T,...]"
#define TRACE_CLASSES_MAX 32

enum trace_estimates_kind {
    TRACE_ESTIMATES_EXACT,   /* the duration */
    TRACE_ESTIMATES_UNIFORM, /* the duration times a factor from low to high,
                                both included; one factor when they are equal */
    TRACE_ESTIMATES_CLASSES, /* the least class that is no shorter */
};

struct trace_estimates {
    enum trace_estimates_kind kind;
    double low, high;                 /* 0.01 to 1000 */
    int64_t klass[TRACE_CLASSES_MAX]; /* us, rising */
    uint32_t classes;
};

/* "exact"; "factor:2"; "uniform:1..6", the f-model of Mu'alem and Feitelson
 * (TPDS 2001) with f = 5; "classes:15m,1h,4h", or "classes" alone for times that
 * people choose (Tsafrir, Etsion, Feitelson, JSSPP'05).
 */
int trace_estimates_parse(const char *text, struct trace_estimates *out,
                          struct gs_err *err);

/* Give every job with an end an estimate.  Depends on its place in the trace,
 * its duration and the seed: the same each time.
 */
void trace_estimates_draw(struct trace_workload *w,
                          const struct trace_estimates *e, uint64_t seed);

#endif /* TRACES_EDIT_ESTIMATES_H */
