/* reports/measure/window.h - the window of time that all metrics of a run
 * measure.
 *
 * It begins with the first submission or at a stated time, after a warm-up, and
 * ends with the run or before.  Time-weighted metrics integrate over the
 * window; metrics of jobs include the jobs submitted in it, whenever they end;
 * metrics of events (evictions, outages) include those in it.  No metric
 * depends on time 0.
 */
#ifndef REPORTS_MEASURE_WINDOW_H
#define REPORTS_MEASURE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

struct trace_workload;

#define REPORT_WINDOW_OPEN INT64_MAX /* ends with the run */

/* The requested window; times in us, as in the trace. */
struct report_window_request {
    int64_t from;   /* below 0: the first submission */
    int64_t to;     /* REPORT_WINDOW_OPEN: the end of the run */
    int64_t warmup; /* at least 0: time after `from` that is left out */
};

#define REPORT_WINDOW_WHOLE                  \
    (struct report_window_request)           \
    {                                        \
        .from = -1, .to = REPORT_WINDOW_OPEN \
    }

struct report_window {
    int64_t from, to; /* us; [from, to), or REPORT_WINDOW_OPEN */
};

struct report_window report_window_of(const struct trace_workload *w,
                                      const struct report_window_request *ask);

/* The window of a run that ended at `end`, in us. */
struct report_window report_window_closed(const struct report_window *w,
                                          int64_t end);
/* us of the window between `from` and `to`. */
int64_t report_window_overlap(const struct report_window *w, int64_t from,
                              int64_t to);
/* True when the instant, or a job submitted then, is in the window. */
static inline bool report_window_has(const struct report_window *w, int64_t at)
{
    return at >= w->from && (at < w->to || w->to == REPORT_WINDOW_OPEN);
}

#endif /* REPORTS_MEASURE_WINDOW_H */
