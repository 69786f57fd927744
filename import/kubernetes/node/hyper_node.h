/* import/kubernetes/node/hyper_node.h - Volcano's HyperNodes: a tree above the
 * nodes.
 *
 * Tier 1 is the innermost.  A HyperNode has nodes, or HyperNodes of lower
 * tiers, as members: by name, by a pattern of their names, nodes by their
 * labels.
 */
#ifndef KUBE_HYPER_NODE_H
#define KUBE_HYPER_NODE_H

#include <stdbool.h>
#include <stdint.h>

struct kube;

void kube_hyper_nodes_free(struct kube *k);

/* Does the source hold any? */
bool kube_hyper_nodes_are(const struct kube *k);

/* Once all nodes are read: add their tiers inside those that were added.  Each
 * is called as its HyperNodes say (tierName), else "tier-N".  A node without a
 * HyperNode of a tier is a domain of its own there.
 */
void kube_hyper_nodes_add(struct kube *k);

/* The name of the outermost tier whose spec.tier is at most `number`; 0. */
uint32_t kube_hyper_tier_of(const struct kube *k, int64_t number);

#endif /* KUBE_HYPER_NODE_H */
