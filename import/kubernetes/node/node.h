/* import/kubernetes/node/node.h - the nodes of a cluster, as their objects
 * say.
 */
#ifndef KUBE_NODE_H
#define KUBE_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "import/kubernetes/object/amounts.h"
#include "import/kubernetes/object/condition.h"

struct import_object;
struct kube;
struct kube_index;

struct kube_node {
    uint32_t name;
    uint32_t source;
    int line, column;
    struct kube_labels labels;
    struct kube_labels fields; /* and metadata.name, by kube_nodes_finish */
    struct topo_taint *taint;  /* of any effect */
    uint32_t taints;
    struct kube_amounts amounts; /* allocatable, else capacity */
    struct kube_amounts daemons; /* what daemon.h takes away */
    uint32_t product;            /* model of its devices as a driver says; 0 */
    int64_t device_memory;       /* likewise, bytes of one; 0 */
    uint32_t *mark, marks; /* labels without a value that node_terms.h adds */
    uint32_t device;       /* resource of the whole devices it has most of; 0 */
};

struct kube_nodes {
    struct kube_node *at;
    uint32_t count, cap;
    /* Made by kube_nodes_finish. */
    bool has_vendors;         /* nodes have devices of several names */
    struct topo_taint *taint; /* every key once, with any value and effect */
    uint32_t taints;
};

/* Once all nodes are read: what they have in common.  Of two nodes of one name
 * the later one counts.
 */
void kube_nodes_finish(struct kube *k);

/* Nodes by label kubernetes.io/hostname; one without it has its name for it. */
void kube_nodes_index_hosts(const struct kube *k, struct kube_index *hosts);

#endif /* KUBE_NODE_H */
