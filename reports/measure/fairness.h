/* reports/measure/fairness.h - held and deserved GPUs of each queue.
 *
 * Deserved at an instant: the cluster is divided among the top queues by
 * weight; no queue gets more than it asks for or its limit allows, and none
 * less than its guarantee (if it asks for that much).  What a queue does not
 * use goes to the others.  The share of a queue is divided among its children
 * in the same way; the rest is for jobs of the queue itself.
 */
#ifndef REPORTS_MEASURE_FAIRNESS_H
#define REPORTS_MEASURE_FAIRNESS_H

#include <stdint.h>

struct report_fairness; /* opaque */
struct report_instant;
struct report_metrics;
struct report_window;
struct topo;
struct trace_workload;

/* Create; measures in the window, which must outlive it and may be set until
 * the run begins.
 */
struct report_fairness *report_fairness_create(
    const struct topo *t, const struct trace_workload *w,
    const struct report_window *window);
void report_fairness_destroy(struct report_fairness *f); /* NULL is fine */

/* The observer functions `instant` and `finished`. */
void report_fairness_instant(struct report_fairness *f, int64_t now,
                             const struct report_instant *i);
void report_fairness_finish(struct report_fairness *f, int64_t now);

/* Add the rows fair.* and queue.*, after report_fairness_finish(); none when
 * fewer than two leaf queues ever requested anything, or there are more than
 * 1,000.
 */
void report_fairness_put(const struct report_fairness *f,
                         struct report_metrics *m);

#endif /* REPORTS_MEASURE_FAIRNESS_H */
