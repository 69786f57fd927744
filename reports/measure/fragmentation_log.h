/* reports/measure/fragmentation_log.h - fragmentation of the cluster at every
 * instant.
 *
 * A placement changes the fragmentation of its node only, and nodes in one
 * state have equal fragmentation, so the sums over all nodes are updated, not
 * computed anew.  They are integers, so the order of updates does not matter.
 */
#ifndef REPORTS_MEASURE_FRAGMENTATION_LOG_H
#define REPORTS_MEASURE_FRAGMENTATION_LOG_H

#include <stdint.h>

struct topo;
struct topo_cluster;
struct topo_mix;

#define REPORT_GANG_GPUS 8u /* GPUs of a task that takes a whole node */

/* Thousandths of GPUs times weights need more than 64 bits. */
__extension__ typedef unsigned __int128 report_fragment;

struct report_fragments; /* opaque; starts with an empty cluster */

/* `m` must outlive it. */
struct report_fragments *report_fragments_create(const struct topo *t,
                                                 struct topo_mix *m);
void report_fragments_destroy(struct report_fragments *f); /* NULL is fine */

/* Use another mix from the next update on; it must outlive `f`. */
void report_fragments_mix_set(struct report_fragments *f, struct topo_mix *m);

/* Tasks were placed on the node or released from it. */
void report_fragments_touch(struct report_fragments *f, uint32_t node);
/* Update the sums for all nodes touched since the last call. */
void report_fragments_update(struct report_fragments *f,
                             const struct topo_cluster *c);

/* F of all nodes (topology/task_mix.h), in thousandths of GPUs x weight. */
report_fragment report_fragments_sum(const struct report_fragments *f);
/* The share of the free GPUs that the mix cannot use: F / weight / free. */
double report_fragments_demand(const struct report_fragments *f,
                               int64_t free_milli);
/* GPUs that tasks of REPORT_GANG_GPUS GPUs could get now; on a node with fewer
 * working GPUs such a task takes all of these.  Only GPUs are considered.
 */
int64_t report_fragments_gangs(const struct report_fragments *f);

#endif /* REPORTS_MEASURE_FRAGMENTATION_LOG_H */
