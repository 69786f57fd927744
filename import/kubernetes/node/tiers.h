/* import/kubernetes/node/tiers.h - which labels of nodes are tiers of the
 * cluster.
 */
#ifndef KUBE_TIERS_H
#define KUBE_TIERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "import/kubernetes/object/index.h"
#include "topology/topology.h"

struct kube;
struct kube_node;

struct kube_tier {
    uint32_t label, name; /* key of the label, 0: none; name of the tier */
    uint32_t *domain;     /* [node] string id; NULL: as the label says */
};

/* A Topology of Kueue, outermost first. */
struct kube_levels {
    uint32_t name;
    uint32_t label[TOPO_TIERS_MAX + 1];
    uint32_t labels;
};

/* Outermost first. */
struct kube_tiers {
    struct kube_tier at[TOPO_TIERS_MAX];
    uint32_t count;
    uint32_t level[TOPO_TIERS_MAX]; /* labels that objects list as levels */
    uint32_t levels;
    struct kube_index listed; /* [label] its place in a Topology of Kueue */
    bool has_list;            /* there is one */
    struct kube_levels *of;   /* each of these */
    uint32_t ofs, of_cap;
    struct kube_hyper_nodes *hyper; /* private to hyper_node.c */
};

/* Add a tier inside those that were added.  One of that label or name, or
 * beyond TOPO_TIERS_MAX, is not added.  The tier; NULL.
 */
struct kube_tier *kube_tier_add(struct kube *k, uint32_t label,
                                const char *name);

/* Once all nodes are read and kube_nodes_finish was called: unless the user
 * added tiers, region and zone, then what objects state (levels of a Topology,
 * else a tree of HyperNodes), else the known labels that at least one node has.
 */
void kube_tiers_find(struct kube *k);

/* The domain of node `i` in a tier; 0 when it is in none. */
uint32_t kube_tier_domain(const struct kube *k, const struct kube_tier *t,
                          uint32_t i);

/* The name of the tier that topologyKey `label` means, "node" for the host's
 * name; 0 when there is none.
 */
uint32_t kube_tier_of(const struct kube *k, uint32_t label);

/* The labels that are known to be tiers, NULL at the end; the names of these.
 */
const char *kube_tier_known(size_t i);
const char *kube_tier_known_name(size_t i);

#endif /* KUBE_TIERS_H */
