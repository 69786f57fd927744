/* tests/lib/cluster_check.h - checks the sums and groups of a cluster against
 * its nodes.
 */
#ifndef TEST_CLUSTER_CHECK_H
#define TEST_CLUSTER_CHECK_H

#include <stdbool.h>

struct topo_cluster;

/* Recomputes everything from the nodes; false when a sum or a group is wrong.
 */
bool cluster_is_right(const struct topo_cluster *c);

#endif /* TEST_CLUSTER_CHECK_H */
