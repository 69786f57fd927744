/* topology/cluster_private.h - the state of a cluster, for cluster.c, devices.c
 * and outage.c.
 */
#ifndef TOPO_CLUSTER_PRIVATE_H
#define TOPO_CLUSTER_PRIVATE_H

#include "topology/cluster.h"
#include "topology/groups_private.h"

/* One logged change, for rollback. */
struct topo_change {
    struct topo_grant grant;
    const struct topo_request *request;
    bool taken; /* allocated; else released */
};

/* The part of a device that instances hold. */
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
    uint8_t *tasks;         /* indexed as share: tasks on the device, where a
                               class limits their number; NULL: no class does */
    struct topo_cut *cut;   /* indexed as share; NULL: no node type allows
                               instances */
    uint32_t *first_device; /* [node] */
    int64_t *class_free;    /* [class * TOPO_DIMS_MAX + dim] */
    uint32_t *kinds;        /* [node * TOPO_KINDS + kind] number of tasks;
                               NULL: not recorded */
    int64_t *domain_free;   /* [domain][TOPO_DIMS_MAX] */
    uint32_t *touched;      /* classes of which a node moved, touched_count */
    uint8_t *is_touched;    /* [class] */
    uint32_t touched_count;
    uint32_t *class_open; /* [class] nodes that are not closed */
    int64_t *kept;        /* [node * TOPO_DIMS_MAX + dim] free amount of a
                               closed node; NULL: no node was ever closed */
    uint64_t *broken;     /* [node] bit i: device i has failed; NULL: none
                               ever did */
    struct topo_change *log;
    uint32_t log_count, log_cap;
    uint32_t depth; /* open transactions */
};

/* Move the node to the group of state `after`; the caller updates class_free.
 */
void topo_node_move(struct topo_cluster *c, uint32_t node,
                    const struct topo_state *after);
/* Take the grant, or release it. */
void topo_node_change(struct topo_cluster *c, const struct topo_grant *g,
                      const struct topo_request *r, bool take);
/* Log the change, within a transaction (transaction.c). */
void topo_change_log(struct topo_cluster *c, const struct topo_grant *g,
                     const struct topo_request *r, bool taken);
/* Add (`by` 1) or remove (-1) the node, in its present state, in the counts of
 * empty and partly used nodes.  Called before and after the number of its
 * working GPUs changes.
 */
void topo_totals_order(struct topo_cluster *c, uint32_t node, int by);
/* The kinds of tasks on the node, as bits of enum topo_kind. */
uint8_t topo_node_kinds(const struct topo_cluster *c, uint32_t node);

/* outage.c: tasks were placed on a closed node, or released from it. */
void topo_closed_change(struct topo_cluster *c, const struct topo_grant *g,
                        const struct topo_request *r, int64_t sign);

/* Set the dimensions of models of the open or closed node to what its devices
 * have free; add to `sum`, unless it is NULL, what is more than before.
 */
void topo_models_set(const struct topo_cluster *c, uint32_t node, int64_t *free,
                     int64_t *sum);

/* The lowest `n` bits of a set. */
uint64_t topo_lowest_bits(uint64_t set, uint32_t n);

/* Fill the list of partly used devices of `s` from the node's devices. */
void topo_devices_state(const struct topo_cluster *c, uint32_t node,
                        struct topo_state *s);
/* Take the granted devices, or give them back. */
void topo_devices_move(struct topo_cluster *c, const struct topo_grant *g,
                       const struct topo_request *r, bool take);
/* Choose the devices of g->node for g->tasks tasks, as topo_cluster_allocate
 * says.
 */
void topo_devices_choose(const struct topo_cluster *c, struct topo_grant *g,
                         const struct topo_request *r, uint32_t device);

#endif /* TOPO_CLUSTER_PRIVATE_H */
