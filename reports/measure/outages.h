/* reports/measure/outages.h - time of nodes in each state. */
#ifndef REPORTS_MEASURE_OUTAGES_H
#define REPORTS_MEASURE_OUTAGES_H

#include "reports/measure/metrics_private.h"

struct report_node;
struct report_outages; /* opaque */
struct topo;

/* Create; all nodes are open at first.  Measures in the window, which must
 * outlive it and may be set until the run begins.
 */
struct report_outages *report_outages_create(const struct topo *t,
                                             const struct report_window *w);
void report_outages_destroy(struct report_outages *o); /* NULL is fine */

void report_outages_node(struct report_outages *o, int64_t now,
                         const struct report_node *n);

/* Add the rows node.*, gpu.down_hours, autoscale.*, failure.*; none when no
 * node event occurred.
 */
void report_outages_put(struct report_outages *o, struct report_metrics *m,
                        const struct report_log *log);

#endif /* REPORTS_MEASURE_OUTAGES_H */
