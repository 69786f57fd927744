/* topology/cluster.h - what is free now, and for which requests.
 *
 * Nodes that look the same (same class, same free amounts, same free device
 * shares) are one *state group*: an ordered set of node numbers found by
 * hash of the state.  A policy looks at groups, never at nodes, so that a
 * decision does not grow with the number of nodes.  Groups are columns
 * (struct of arrays) indexed by group number; a group whose nodes have all
 * left keeps its number, since states come back, until topo_cluster_sweep.
 *
 * Nothing here allocates once the states of a workload have been seen.
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

/* What tasks ask for of a node's GPUs. */
enum topo_kind {
    TOPO_KIND_SHARE, /* a share or an instance of one */
    TOPO_KIND_1,
    TOPO_KIND_2,
    TOPO_KIND_4,
    TOPO_KIND_8,
    TOPO_KIND_OTHER, /* another number of GPUs */
    TOPO_KINDS,      /* also: none */
};

#define TOPO_CLOSED 0x80u /* among the bits of kinds: nodes that are closed */

/* Columns over state groups, [0, count): read only, may move when the
 * cluster changes.
 */
struct topo_groups {
    uint32_t count;
    uint32_t sweep;        /* goes up when groups are renumbered */
    const uint32_t *first; /* lowest node in this state; UINT32_MAX: none */
    /* Groups whose lowest node went down, the i-th ever at
     * news[i % TOPO_NEWS], of news_count.
     */
    const uint32_t *news;
    uint64_t news_count;
    const uint32_t *nodes; /* nodes in this state now */
    const uint32_t *live;  /* groups with nodes, in no order */
    uint32_t live_count;
    const uint32_t *klass;
    const uint32_t *gpus_free; /* devices that are wholly free */
    const uint32_t *share_max; /* most thousandths free on one device */
    const uint8_t *kinds;      /* bits of enum topo_kind that stand there, or
                                  TOPO_CLOSED: then nothing is free */
    const int64_t *free[TOPO_DIMS_MAX];
    const int64_t *capacity[TOPO_DIMS_MAX];
};

/* Whole-cluster sums, kept at every change. */
struct topo_totals {
    int64_t gpu_milli, gpu_free_milli; /* thousandths of devices */
    uint32_t gpu_nodes;                /* nodes with GPUs */
    /* Of those: with every GPU that is in order free, and one at least. */
    uint32_t empty_nodes;
    uint32_t partial_nodes;     /* of those: neither empty nor full */
    int64_t partial_free_milli; /* free GPU thousandths on partial nodes */
    uint32_t closed_nodes;      /* with GPUs, and cordoned */
    /* GPU thousandths neither free nor held: on closed nodes, or failed. */
    int64_t out_milli;
};

struct topo_cluster *topo_cluster_create(const struct topo *t);
void topo_cluster_destroy(struct topo_cluster *c); /* NULL is fine */

/* Nodes with tasks of different kinds are in different states from now on;
 * before anything is allocated.
 */
void topo_cluster_follow_kinds(struct topo_cluster *c);

const struct topo *topo_cluster_topology(const struct topo_cluster *c);
const struct topo_groups *topo_cluster_groups(const struct topo_cluster *c);
const struct topo_totals *topo_cluster_totals(const struct topo_cluster *c);

/* Goes up with every change; equal versions mean equal states. */
uint64_t topo_cluster_version(const struct topo_cluster *c);

uint32_t topo_cluster_group_of(const struct topo_cluster *c, uint32_t node);
/* The lowest node in [from, end) of a group; UINT32_MAX when there is none. */
uint32_t topo_group_first(const struct topo_cluster *c, uint32_t group,
                          uint32_t from, uint32_t end);
/* The k-th lowest node of a group, k < nodes[group]. */
uint32_t topo_group_select(const struct topo_cluster *c, uint32_t group,
                           uint32_t k);

/* What is free of a dimension on the open nodes below `domain`. */
int64_t topo_domain_free(const struct topo_cluster *c, uint32_t domain,
                         uint32_t dim);

/* Free amount of a dimension on all nodes of a class. */
int64_t topo_class_free(const struct topo_cluster *c, uint32_t klass,
                        uint32_t dim);
/* Nodes of a class that are open. */
uint32_t topo_class_open(const struct topo_cluster *c, uint32_t klass);

/* A node as a task finds it. */
struct topo_free {
    uint32_t klass;
    uint32_t gpus_free;   /* devices that are wholly free */
    uint32_t part_count;  /* devices with a share left */
    const uint16_t *part; /* those shares, in thousandths, rising */
    uint32_t cut_count;   /* devices with room for another instance */
    const uint16_t *cut;  /* TOPO_SHARE_ONE + mask of slices taken, rising */
    int64_t free[TOPO_DIMS_MAX];
};

/* Nodes of a state group; `part` until the cluster changes. */
void topo_free_of(const struct topo_cluster *c, uint32_t group,
                  struct topo_free *out);

/* left[device]: thousandths of a node's devices that shares may still take. */
void topo_node_shares(const struct topo_cluster *c, uint32_t node,
                      uint16_t *left);

/* Is the device of the node wholly free, and in order? */
bool topo_device_is_free(const struct topo_cluster *c, uint32_t node,
                         uint32_t device);

/* --- fitting ------------------------------------------------------------- */

enum topo_misfit {
    TOPO_FITS,
    TOPO_NO_MODEL,  /* the class has other GPUs */
    TOPO_NO_LABEL,  /* the selector does not match */
    TOPO_TAINTED,   /* a taint is not tolerated */
    TOPO_TOO_SMALL, /* not even an empty node would do */
    TOPO_FULL,      /* it would, but not as it is now */
};

/* May such a task ever run on an empty node of class `klass`? */
enum topo_misfit topo_class_misfit(const struct topo *t, uint32_t klass,
                                   const struct topo_request *r);

/* Say what share of a device the bytes are that `r` asks for, and what its
 * devices must then have: they are the same on all nodes that suit it, else -1
 * with two that differ in r->device_memory and *other.  All of a device is one
 * whole GPU.
 */
int topo_request_resolve(const struct topo *t, struct topo_request *r,
                         int64_t *other);

/* How many such tasks an empty node of class `klass` holds; 0 if it may not
 * hold any.
 */
uint32_t topo_class_fit(const struct topo *t, uint32_t klass,
                        const struct topo_request *r);

/* Does one such task fit on a node in state `group`, of the right class? */
bool topo_group_has_room(const struct topo_cluster *c, uint32_t group,
                         const struct topo_request *r);

/* How many such tasks fit at once on a node in state `group`, whose class is
 * known to be right.
 */
uint32_t topo_group_fit(const struct topo_cluster *c, uint32_t group,
                        const struct topo_request *r);

/* --- changing ------------------------------------------------------------ */

/* Tasks of one shape that were placed together on one node. */
struct topo_grant {
    uint32_t node;
    uint32_t tasks;
    uint64_t devices; /* bit i: device i of the node */
    uint8_t slice;    /* of an instance: the memory slice it begins at */
    bool opens;       /* it is the first of a device that was free */
};

/* Take room for `tasks` tasks, which must fit.  Whole GPUs are the lowest
 * free ones; a share goes to `device`, or with UINT32_MAX to the fullest
 * that fits (then the lowest), and only one task at a time.  So does an
 * instance, but with UINT32_MAX to a device that is cut already, if one has
 * room (topo_mig_tightest), else to the lowest free one.
 */
struct topo_grant topo_cluster_allocate(struct topo_cluster *c, uint32_t node,
                                        const struct topo_request *r,
                                        uint32_t tasks, uint32_t device);
/* Is all free that `g` says, on a node that has it and may be closed?  For any
 * grant to a node of the topology.
 */
bool topo_cluster_could_take(const struct topo_cluster *c,
                             const struct topo_request *r,
                             const struct topo_grant *g);
/* Take exactly what `g` says, all of which must be free. */
void topo_cluster_take(struct topo_cluster *c, const struct topo_request *r,
                       const struct topo_grant *g);
/* Give back what was granted, or `tasks` of it without devices. */
void topo_cluster_release(struct topo_cluster *c, const struct topo_request *r,
                          const struct topo_grant *g);

/* Between begin and commit or roll back every change is logged; requests
 * must live that long.  Transactions nest: the inner one is a mark.
 */
uint32_t topo_cluster_begin(struct topo_cluster *c);
void topo_cluster_rollback(struct topo_cluster *c, uint32_t mark);
void topo_cluster_commit(struct topo_cluster *c, uint32_t mark);

/* --- out of use (outage.c) ------------------------------------------------ */

/* A cordoned node takes nothing, and nothing of it counts as free; its tasks stay,
 * and what they release is free once the node is uncordoned.  A failed GPU, of
 * which no part may be held, is not free until it is repaired.  A node may be both.
 * The cost does not grow with the nodes; repeating a call changes nothing.  Never
 * within a transaction.
 */
void topo_cluster_cordon(struct topo_cluster *c, uint32_t node);
void topo_cluster_uncordon(struct topo_cluster *c, uint32_t node);
void topo_cluster_fail(struct topo_cluster *c, uint32_t node, uint32_t device);
void topo_cluster_repair(struct topo_cluster *c, uint32_t node,
                         uint32_t device);
bool topo_cluster_is_cordoned(const struct topo_cluster *c, uint32_t node);
/* Bit i: device i of the node is out of order. */
uint64_t topo_cluster_failed(const struct topo_cluster *c, uint32_t node);

/* Let a node of `c` be closed, and its GPUs out of order, as in `like`, of the
 * same topology; or all nodes of a new cluster.
 */
void topo_cluster_imitate(struct topo_cluster *c,
                          const struct topo_cluster *like, uint32_t node);
struct topo_cluster *topo_cluster_create_like(const struct topo_cluster *like);

/* Forget empty groups once they outnumber the others by far.  The rest keep
 * their order and get new numbers: the answer says which, for each old number
 * (UINT32_MAX: forgotten), until the next call; NULL when nothing was done.
 * Never call it within a transaction.
 */
const uint32_t *topo_cluster_sweep(struct topo_cluster *c);

#pragma GCC visibility pop

#endif /* TOPO_CLUSTER_H */
