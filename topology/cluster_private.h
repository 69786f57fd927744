/* topology/cluster_private.h - the state of a cluster, for cluster.c, devices.c and
 * outage.c.
 */
#ifndef TOPO_CLUSTER_PRIVATE_H
#define TOPO_CLUSTER_PRIVATE_H

#include "topology/cluster.h"
#include "topology/groups_private.h"

/* One change, kept so that it can be undone. */
struct topo_change {
    struct topo_grant grant;
    const struct topo_request *request;
    bool taken; /* allocated; else released */
};

/* What instances have of a device. */
struct topo_cut {
    uint16_t milli; /* by topo_mig_kind_milli */
    uint8_t taken;  /* memory slices; 0: it is not cut */
};

struct topo_cluster {
    const struct topo *topo;
    struct topo_group_table groups;
    struct topo_totals totals;
    uint64_t version;
    uint32_t *node_group;   /* [node] */
    uint64_t *gpus_free;    /* [node] bit i: device i is wholly free */
    uint16_t *share;        /* [first device of node + i] thousandths
                                   free; 0 when cut */
    uint8_t *tasks;         /* the same way, where a class limits the shares on
                               a device: these; NULL: none does */
    struct topo_cut *cut;   /* the same way; NULL: no node type allows it */
    uint32_t *first_device; /* [node] */
    int64_t *class_free;    /* [class * TOPO_DIMS_MAX + dim] */
    uint32_t *kinds;        /* [node * TOPO_KINDS + kind] tasks; NULL: not
                               followed */
    int64_t *domain_free;   /* [domain][TOPO_DIMS_MAX] */
    uint32_t *class_open;   /* [class] nodes that are not closed */
    int64_t *kept;          /* [node * TOPO_DIMS_MAX + dim] what a closed node
                               has free; NULL: none ever was */
    uint64_t *broken;       /* [node] bit i: device i; NULL likewise */
    struct topo_change *log;
    uint32_t log_count, log_cap;
    uint32_t depth; /* open transactions */
};

/* The node is in state `after` from now on; class_free is the caller's. */
void topo_node_move(struct topo_cluster *c, uint32_t node,
                    const struct topo_state *after);
/* Count the node, as it is now, among those that are empty or partly used, or
 * (-1) leave it out: before and after another number of its GPUs is in order.
 */
void topo_totals_order(struct topo_cluster *c, uint32_t node, int by);
/* The bits of enum topo_kind for what stands on the node. */
uint8_t topo_node_kinds(const struct topo_cluster *c, uint32_t node);

/* outage.c: tasks came to a closed node, or left it. */
void topo_closed_change(struct topo_cluster *c, const struct topo_grant *g,
                        const struct topo_request *r, int64_t sign);

/* The lowest `n` of a set. */
uint64_t topo_lowest_bits(uint64_t set, uint32_t n);

/* The state's list of devices partly used, from the node's devices. */
void topo_devices_state(const struct topo_cluster *c, uint32_t node,
                        struct topo_state *s);
/* The devices that are granted are taken or given back. */
void topo_devices_move(struct topo_cluster *c, const struct topo_grant *g,
                       const struct topo_request *r, bool take);
/* Choose the devices of g->node for g->tasks tasks, as topo_cluster_allocate says.
 */
void topo_devices_choose(const struct topo_cluster *c, struct topo_grant *g,
                         const struct topo_request *r, uint32_t device);

#endif /* TOPO_CLUSTER_PRIVATE_H */
