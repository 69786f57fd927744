/* import/kubernetes/tiers.h - which labels of nodes are tiers of the cluster. */
#ifndef KUBE_TIERS_H
#define KUBE_TIERS_H

#include <stdint.h>

#include "topology/topology.h"

struct kube;
struct kube_node;

struct kube_tier {
    uint32_t label, name; /* key of the label; name of the tier */
};

/* Outermost first. */
struct kube_tiers {
    struct kube_tier at[TOPO_TIERS_MAX];
    uint32_t count;
};

/* Add a tier inside those that were added: a choice of the user or an object
 * that lists levels.  One of that label, or beyond TOPO_TIERS_MAX, is not added.
 */
void kube_tier_add(struct kube *k, uint32_t label, const char *name);

/* Once all nodes are read: unless tiers were added, those of the known labels
 * that at least one node has.
 */
void kube_tiers_find(struct kube *k);

/* The name of the tier that topologyKey `label` means, "node" for the host's
 * name; 0 when there is none.
 */
uint32_t kube_tier_of(const struct kube *k, uint32_t label);

#endif /* KUBE_TIERS_H */
