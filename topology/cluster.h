/* topology/cluster.h - free resources of the nodes, and which requests fit.
 *
 * Nodes with the same class, free amounts and free device shares form one
 * *state group*: a set of node numbers in order, found by the hash of the
 * state. Policies look at groups, never at nodes, so the cost of a decision
 * does not grow with the number of nodes.  Groups are columns (struct of
 * arrays) indexed by group number.  A group without nodes keeps its number,
 * since states come back, until topo_cluster_sweep().
 *
 * No function allocates memory once all states of a workload have occurred.
 */
#ifndef TOPO_CLUSTER_H
#define TOPO_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "topology/resources.h"

#pragma GCC visibility push(default)

struct gs_arena;
struct topo;
struct topo_cluster; /* opaque */

#define TOPO_NEWS 65536u /* entries of topo_groups.news */

/* Kinds of tasks by the GPUs that one asks for. */
enum topo_kind {
    TOPO_KIND_SHARE, /* a share of one, or an instance */
    TOPO_KIND_1,
    TOPO_KIND_2,
    TOPO_KIND_4,
    TOPO_KIND_8,
    TOPO_KIND_OTHER, /* another number of GPUs */
    TOPO_KINDS,      /* also: none */
};

#define TOPO_CLOSED 0x80u /* among the bits of kinds: nodes that are closed */

/* Columns over state groups [0, count).  Read only; they may move when the
 * cluster changes.
 */
struct topo_groups {
    uint32_t count;
    uint32_t sweep;        /* goes up when groups are renumbered */
    const uint32_t *first; /* lowest node in this state; UINT32_MAX: none */
    /* Groups whose lowest node became a lower one, as a ring: event i (from 0
     * to news_count - 1) is at news[i % TOPO_NEWS].
     */
    const uint32_t *news;
    uint64_t news_count;
    const uint32_t *nodes; /* nodes in this state now */
    const uint32_t *live;  /* groups with nodes, in no order */
    uint32_t live_count;
    const uint32_t *klass;
    const uint32_t *newest;    /* [class] its group with the highest number,
                                  UINT32_MAX: none */
    const uint32_t *older;     /* the next lower one of the same class */
    const uint32_t *gpus_free; /* devices that are wholly free */
    const uint32_t *share_max; /* most thousandths that one device has free */
    const uint8_t *kinds;      /* bits of enum topo_kind: kinds of tasks on
                                  the node; or TOPO_CLOSED: nothing is free */
    const int64_t *free[TOPO_DIMS_MAX];
    const int64_t *capacity[TOPO_DIMS_MAX];
};

/* Sums over the whole cluster, updated with every change. */
struct topo_totals {
    int64_t gpu_milli, gpu_free_milli; /* thousandths of devices */
    uint32_t gpu_nodes;                /* nodes with GPUs */
    /* Of gpu_nodes: all working GPUs are free, and there is at least one. */
    uint32_t empty_nodes;
    uint32_t partial_nodes;     /* of gpu_nodes: neither empty nor full */
    int64_t partial_free_milli; /* free GPU thousandths on partial nodes */
    uint32_t closed_nodes;      /* with GPUs, and cordoned */
    /* GPU thousandths that are neither free nor held: of closed nodes and
     * failed GPUs.
     */
    int64_t out_milli;
};

struct topo_cluster *topo_cluster_create(const struct topo *t);
void topo_cluster_destroy(struct topo_cluster *c); /* NULL is fine */

/* From now on nodes with different kinds of tasks are in different states.
 * Call it before anything is allocated.
 */
void topo_cluster_follow_kinds(struct topo_cluster *c);

const struct topo *topo_cluster_topology(const struct topo_cluster *c);
const struct topo_groups *topo_cluster_groups(const struct topo_cluster *c);
const struct topo_totals *topo_cluster_totals(const struct topo_cluster *c);

/* Increases with every change; equal versions mean equal states. */
uint64_t topo_cluster_version(const struct topo_cluster *c);

uint32_t topo_cluster_group_of(const struct topo_cluster *c, uint32_t node);
/* The lowest node in [from, end) of a group; UINT32_MAX when there is none. */
uint32_t topo_group_first(const struct topo_cluster *c, uint32_t group,
                          uint32_t from, uint32_t end);
/* The k-th lowest node of a group, k < nodes[group]. */
uint32_t topo_group_select(const struct topo_cluster *c, uint32_t group,
                           uint32_t k);

/* Free amount of a dimension on the open nodes of `domain`. */
int64_t topo_domain_free(const struct topo_cluster *c, uint32_t domain,
                         uint32_t dim);

/* Free amount of a dimension on all nodes of a class. */
int64_t topo_class_free(const struct topo_cluster *c, uint32_t klass,
                        uint32_t dim);
/* The classes of which the free amounts may have changed since the last call,
 * in no order, in *klass; valid until the next change.  Returns their number.
 */
uint32_t topo_cluster_touched(struct topo_cluster *c, const uint32_t **klass);
/* Nodes of a class that are open. */
uint32_t topo_class_open(const struct topo_cluster *c, uint32_t klass);

/* Free resources of one node. */
struct topo_free {
    uint32_t klass;
    uint32_t gpus_free;   /* devices that are wholly free */
    uint32_t part_count;  /* devices with a share left */
    const uint16_t *part; /* these shares in thousandths, ascending */
    uint32_t cut_count;   /* devices with room for another instance */
    const uint16_t *cut;  /* TOPO_SHARE_ONE + mask of taken slices, ascending */
    int64_t free[TOPO_DIMS_MAX];
};

/* The free resources of each node in a state group; `part` and `cut` are valid
 * until the cluster changes.
 */
void topo_free_of(const struct topo_cluster *c, uint32_t group,
                  struct topo_free *out);

/* Fill left[device] with the thousandths of each device of the node that shares
 * may still take.
 */
void topo_node_shares(const struct topo_cluster *c, uint32_t node,
                      uint16_t *left);

/* True when the device works and no part of it is held. */
bool topo_device_is_free(const struct topo_cluster *c, uint32_t node,
                         uint32_t device);

/* --- fitting ------------------------------------------------------------- */

enum topo_misfit {
    TOPO_FITS,
    TOPO_NO_MODEL,  /* the class has other GPUs */
    TOPO_NO_LABEL,  /* the selector does not match */
    TOPO_TAINTED,   /* a taint is not tolerated */
    TOPO_TOO_SMALL, /* it does not fit on an empty node */
    TOPO_FULL,      /* it fits on an empty node, but not now */
};

/* Number of taints TOPO_PREFER_NO_SCHEDULE of nodes of class `klass` that the
 * request does not tolerate; sum of the weights of its preferences that they
 * meet.
 */
uint32_t topo_class_taints(const struct topo *t, uint32_t klass,
                           const struct topo_request *r);
uint32_t topo_class_points(const struct topo *t, uint32_t klass,
                           const struct topo_request *r);
/* True when the request tolerates all taints of the class that refuse tasks. */
bool topo_class_is_tolerated(const struct topo *t, uint32_t klass,
                             const struct topo_request *r);
/* Have nodes of the class the label? */
bool topo_class_has_label(const struct topo *t, uint32_t klass,
                          const struct topo_label *label);
/* Do the conditions of the request about the keys of these labels hold for a
 * node with the labels?  Conditions about other keys do not count.
 */
bool topo_request_allows(const struct topo *t, const struct topo_request *r,
                         const struct topo_label *label, uint32_t labels);
/* Does it tolerate the taints, with these tolerations beside its own, of which
 * none is lent?
 */
bool topo_request_tolerates(const struct topo_request *r,
                            const struct topo_taint *taint, uint32_t taints,
                            const struct topo_taint *toleration,
                            uint32_t tolerations);
/* Whether a task with request `r` can run on an empty node of class `klass`,
 * and if not, why.
 */
enum topo_misfit topo_class_misfit(const struct topo *t, uint32_t klass,
                                   const struct topo_request *r);

/* Set the amount of the dimension of the one model that the request asks for;
 * the share of a device that the bytes r->share_memory are, and
 * r->device_memory.  A request for all memory of a device becomes one whole
 * GPU.  Returns 0; or -1 when nodes that suit the task have devices of
 * different sizes: two of these are then in r->device_memory and *other.
 */
int topo_request_resolve(const struct topo *t, struct topo_request *r,
                         int64_t *other);

/* How many tasks with request `r` an empty node of class `klass` holds; 0 if it
 * cannot run any.
 */
uint32_t topo_class_fit(const struct topo *t, uint32_t klass,
                        const struct topo_request *r);

/* False when a node in state `group` has too few GPUs that are wholly free: a
 * quick test before others.
 */
static inline bool topo_group_has_gpus(const struct topo_groups *g,
                                       uint32_t group,
                                       const struct topo_request *r)
{
    return r->gpus <= g->gpus_free[group];
}

/* True when one task with request `r` fits on a node in state `group`.  The
 * class of the group must suit the task.
 */
bool topo_group_has_room(const struct topo_cluster *c, uint32_t group,
                         const struct topo_request *r);

/* How many tasks with request `r` fit at once on a node in state `group`.  The
 * class of the group must suit the task.
 */
uint32_t topo_group_fit(const struct topo_cluster *c, uint32_t group,
                        const struct topo_request *r);

/* --- changing ------------------------------------------------------------ */

/* Tasks of one shape that were placed together on one node. */
struct topo_grant {
    uint32_t node;
    uint32_t tasks;
    uint64_t devices; /* bit i: device i of the node */
    uint8_t slice;    /* of an instance: its first memory slice */
    bool opens;       /* the instance is the first on its device */
};

/* Add what the grant of request `r` holds of each dimension to sum[], `sign`
 * times.
 */
void topo_grant_add(const struct topo *t, const struct topo_request *r,
                    const struct topo_grant *g, int sign, int64_t *sum);

/* Allocate `tasks` tasks, which must fit, on the node.  Whole GPUs: the lowest
 * free devices.  A share (one task a call): `device`, or with UINT32_MAX the
 * fullest device that has room, the lowest of equals.  An instance (one task a
 * call): `device`, or with UINT32_MAX the device chosen by topo_mig_tightest
 * among those already cut, else the lowest free one.
 */
struct topo_grant topo_cluster_allocate(struct topo_cluster *c, uint32_t node,
                                        const struct topo_request *r,
                                        uint32_t tasks, uint32_t device);
/* True when all that `g` grants is free and exists on its node, which may be
 * closed.  `g` may be any grant to a node of the topology.
 */
bool topo_cluster_could_take(const struct topo_cluster *c,
                             const struct topo_request *r,
                             const struct topo_grant *g);
/* Allocate exactly what `g` grants, all of which must be free. */
void topo_cluster_take(struct topo_cluster *c, const struct topo_request *r,
                       const struct topo_grant *g);
/* Release the grant `g`; of a grant without devices, g->tasks may be fewer than
 * were granted.
 */
void topo_cluster_release(struct topo_cluster *c, const struct topo_request *r,
                          const struct topo_grant *g);

/* Between begin and commit or rollback every change is logged; requests must
 * stay valid that long.  Transactions nest: begin returns a mark in the log.
 */
uint32_t topo_cluster_begin(struct topo_cluster *c);
void topo_cluster_rollback(struct topo_cluster *c, uint32_t mark);
void topo_cluster_commit(struct topo_cluster *c, uint32_t mark);
/* End it where the caller undid each change since the mark by its opposite. */
void topo_cluster_forget(struct topo_cluster *c, uint32_t mark);

/* --- out of use (outage.c) ------------------------------------------------ */

/* A cordoned node accepts no tasks, and nothing of it counts as free.  Its
 * tasks stay; what they release is free once the node is uncordoned.  A GPU may
 * only fail when no part of it is held; it is not free until it is repaired. A
 * node may be cordoned and have failed GPUs.  The cost does not grow with the
 * number of nodes; repeating a call changes nothing.  Not allowed within a
 * transaction.
 */
void topo_cluster_cordon(struct topo_cluster *c, uint32_t node);
void topo_cluster_uncordon(struct topo_cluster *c, uint32_t node);
void topo_cluster_fail(struct topo_cluster *c, uint32_t node, uint32_t device);
void topo_cluster_repair(struct topo_cluster *c, uint32_t node,
                         uint32_t device);
bool topo_cluster_is_cordoned(const struct topo_cluster *c, uint32_t node);
/* Bit i: device i of the node has failed. */
uint64_t topo_cluster_failed(const struct topo_cluster *c, uint32_t node);

/* Make the node of `c` cordoned, and its GPUs failed, as in `like`, a cluster
 * of the same topology; or do so for all nodes of a new cluster.
 */
void topo_cluster_imitate(struct topo_cluster *c,
                          const struct topo_cluster *like, uint32_t node);
struct topo_cluster *topo_cluster_create_like(const struct topo_cluster *like);

/* Remove empty groups once they far outnumber the others.  The rest keep their
 * order and get new numbers.  Returns the new number for each old one
 * (UINT32_MAX: removed), valid until the next call; NULL when nothing was
 * removed.  Not allowed within a transaction.
 */
const uint32_t *topo_cluster_sweep(struct topo_cluster *c);

#pragma GCC visibility pop

#endif /* TOPO_CLUSTER_H */
