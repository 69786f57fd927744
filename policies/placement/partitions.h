/* policies/placement/partitions.h - partitions of the cluster.
 *
 * The partition of a job is the condition `partition.NAME` of its nodes; all
 * jobs without one are in a partition of all nodes, number 0.  Partitions may
 * overlap.
 */
#ifndef POLICIES_PLACEMENT_PARTITIONS_H
#define POLICIES_PLACEMENT_PARTITIONS_H

#include "policies/state/state.h"

/* The number of the job's partition, from 0. */
uint32_t gsched_partition_of(struct gsched *s, uint32_t job);
/* Partitions known so far. */
uint32_t gsched_partitions(const struct gsched *s);
bool gsched_partition_has(const struct gsched *s, uint32_t partition,
                          uint32_t node);
void gsched_partitions_free(struct gsched *s);

#endif /* POLICIES_PLACEMENT_PARTITIONS_H */
