/* traces/edit/estimates.h - run time estimates of users, drawn from the
 * durations: for traces without estimates.
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
    TRACE_ESTIMATES_CLASSES, /* the shortest class that is not below the
                                duration */
};

struct trace_estimates {
    enum trace_estimates_kind kind;
    double low, high;                 /* 0.01 to 1000 */
    int64_t klass[TRACE_CLASSES_MAX]; /* us, ascending */
    uint32_t classes;
};

/* "exact"; "factor:2"; "uniform:1..6", the f-model of Mu'alem and Feitelson
 * (TPDS 2001) with f = 5; "classes:15m,1h,4h", or "classes" alone for times
 * that users choose (Tsafrir, Etsion, Feitelson, JSSPP'05).
 */
int trace_estimates_parse(const char *text, struct trace_estimates *out,
                          struct gs_err *err);

/* Set the estimate of every job with an end.  It depends on the place of the
 * job in the trace, its duration and the seed only.
 */
void trace_estimates_draw(struct trace_workload *w,
                          const struct trace_estimates *e, uint64_t seed);

#endif /* TRACES_EDIT_ESTIMATES_H */
