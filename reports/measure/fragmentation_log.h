/* reports/measure/fragmentation_log.h - what is lost to fragmentation at every
 * instant.
 *
 * A placement changes the fragmentation of the node it touches and of no other,
 * and nodes in one state are fragmented alike: the sums over all nodes are
 * kept, not worked out anew.  They are whole numbers, so the order in which
 * nodes change does not matter.
 */
#ifndef REPORTS_MEASURE_FRAGMENTATION_LOG_H
#define REPORTS_MEASURE_FRAGMENTATION_LOG_H

#include <stdint.h>

struct topo;
struct topo_cluster;
struct topo_mix;

#define REPORT_GANG_GPUS 8u /* of a task that takes a whole node */

/* Thousandths of GPUs times weights outgrow 64 bits. */
__extension__ typedef unsigned __int128 report_fragment;

struct report_fragments; /* opaque; starts with an empty cluster */

/* `m` must outlive it. */
struct report_fragments *report_fragments_create(const struct topo *t,
                                                 struct topo_mix *m);
void report_fragments_destroy(struct report_fragments *f); /* NULL is fine */

/* Another mix from the next update on; it must outlive it. */
void report_fragments_mix_set(struct report_fragments *f, struct topo_mix *m);

/* Something was placed on the node, or given back there. */
void report_fragments_touch(struct report_fragments *f, uint32_t node);
/* Look at all nodes touched since the last call. */
void report_fragments_update(struct report_fragments *f,
                             const struct topo_cluster *c);

/* F of all nodes (topology/task_mix.h), in thousandths of GPUs x weight. */
report_fragment report_fragments_sum(const struct report_fragments *f);
/* Of what is free, the share that is lost to the mix: F / weight / free. */
double report_fragments_demand(const struct report_fragments *f,
                               int64_t free_milli);
/* The GPUs that whole nodes' tasks could have now: of REPORT_GANG_GPUS each,
 * or of all GPUs of the node that are in order where those are fewer.  GPUs
 * alone count.
 */
int64_t report_fragments_gangs(const struct report_fragments *f);

#endif /* REPORTS_MEASURE_FRAGMENTATION_LOG_H */
