/* reports/measure/fairness.h - who held how much, and how much he deserved.
 *
 * What a queue deserves at an instant: the cluster is divided among the top
 * queues by weight, none getting more than it asks or its limit allows, none
 * less than its guarantee (if it asks for that much); what one leaves goes to
 * the others.  A queue's part is divided among its children likewise.  Jobs
 * of the queue itself have what the children leave.
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

struct report_fairness *report_fairness_create(const struct topo *t,
                                               const struct trace_workload *w);
/* Before all that follows: in this window, which must outlive it. */
void report_fairness_measure(struct report_fairness *f,
                             const struct report_window *w);
void report_fairness_destroy(struct report_fairness *f); /* NULL is fine */

/* As an observer is told. */
void report_fairness_instant(struct report_fairness *f, int64_t now,
                             const struct report_instant *i);
void report_fairness_finish(struct report_fairness *f, int64_t now);

/* fair.* and queue.*, once finished; nothing when fewer than two queues
 * without children ever asked for anything, or there are over 1,000.
 */
void report_fairness_put(const struct report_fairness *f,
                         struct report_metrics *m);

#endif /* REPORTS_MEASURE_FAIRNESS_H */
