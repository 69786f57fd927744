/* import/kubernetes/queue/node_group.h - groups of nodes that a queue of
 * Volcano may use, or had better, as conditions of its jobs.
 */
#ifndef KUBE_NODE_GROUP_H
#define KUBE_NODE_GROUP_H

#include <stdbool.h>
#include <stdint.h>

struct gs_ynode;
struct kube;
struct kube_node_groups; /* opaque */
struct topo_request;

/* The `spec.affinity` of a queue, in k->arena; NULL: none. */
const struct kube_node_groups *kube_node_groups_read(
    struct kube *k, const struct gs_ynode *spec);

/* Once all is read: groups of queues of which no configuration makes use are
 * told.
 */
void kube_node_groups_tell(struct kube *k);

/* Add to the request what queue `queue` (0: Volcano's default) says, for pods
 * of `scheduler` (0: not stated); false: nothing.
 */
bool kube_node_groups_apply(struct kube *k, uint32_t queue, uint32_t scheduler,
                            struct topo_request *r);

#endif /* KUBE_NODE_GROUP_H */
