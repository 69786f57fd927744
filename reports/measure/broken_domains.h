/* reports/measure/broken_domains.h - how much of each tier is in domains that
 * are not wholly free.
 */
#ifndef REPORTS_MEASURE_BROKEN_DOMAINS_H
#define REPORTS_MEASURE_BROKEN_DOMAINS_H

#include "reports/measure/metrics_private.h"

struct report_broken; /* opaque */

/* Create; all nodes are free and open at first.  Measures in the window, which
 * must outlive it and may be set until the run begins.  NULL when the topology
 * has no tiers.
 */
struct report_broken *report_broken_create(const struct topo *t,
                                           const struct report_window *w);
void report_broken_destroy(struct report_broken *b); /* NULL is fine */

/* Tasks were placed on the node, or released (fewer than 0). */
void report_broken_tasks(struct report_broken *b, int64_t now, uint32_t node,
                         int64_t tasks);
/* The node, or a GPU of it, changed its state. */
void report_broken_node(struct report_broken *b, int64_t now,
                        const struct report_node *n);

/* Add the rows frag.tier_share.*, of the nodes, each tier and the cluster. */
void report_broken_put(struct report_broken *b, struct report_metrics *m,
                       int64_t end);

#endif /* REPORTS_MEASURE_BROKEN_DOMAINS_H */
