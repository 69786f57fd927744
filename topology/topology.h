/* topology/topology.h - the hardware: tiers, domains, node classes, nodes.
 *
 * A topology does not change once finished; topology/cluster.h tracks what is
 * free.  Nodes are numbered so that every domain (a rack, a spine ...) has
 * consecutive numbers: domains by first appearance, nodes of a domain in the
 * order in which they were added.
 */
#ifndef TOPO_TOPOLOGY_H
#define TOPO_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "topology/resources.h"

#pragma GCC visibility push(default)

struct gs_arena;
struct gs_err;
struct topo_mig_model;

#define TOPO_NODES_MAX (1u << 20)
#define TOPO_GPU_TASKS_MAX 255
#define TOPO_LOADS 2                           /* TOPO_CPU, TOPO_MEMORY */
#define TOPO_TIERS_MAX 8                       /* above the node */
#define TOPO_PODS_UNLIMITED (INT64_C(1) << 30) /* tasks on one node */
#define TOPO_SUM_MAX (INT64_C(1) << 60) /* of a dimension over all nodes */

enum topo_fabric {
    TOPO_NVLINK,
    TOPO_PCIE,
    TOPO_RDMA_FABRIC,
    TOPO_TCP,
    TOPO_FABRICS
};

extern const char *const topo_fabric_names[TOPO_FABRICS];

/* One level of the tree, and what joins its children. */
struct topo_tier {
    uint32_t name; /* string id */
    enum topo_fabric fabric;
    int64_t bandwidth; /* bytes a second; 0 when not stated */
    int64_t latency;   /* microseconds; 0 when not stated */
};

/* A subtree: one rack, one spine.  Domain 0 is the whole cluster. */
struct topo_domain {
    uint32_t name;   /* string id */
    uint32_t parent; /* domain; of domain 0: itself */
    uint32_t level;  /* 0 the cluster, 1 the outermost tier ... */
    uint32_t first_node, node_count;
};

/* Speed of the GPUs for jobs of one class. */
struct topo_speed {
    uint32_t label; /* string id of "class=NAME"; 0: all other jobs */
    uint32_t milli; /* thousandths of the speed at which durations were
                       measured */
};

/* Hardware that looks the same to every policy. */
struct topo_class {
    uint32_t type;      /* string id of the node type */
    uint32_t model;     /* string id; 0 without GPUs or unnamed */
    uint32_t gpus;      /* devices */
    uint32_t numa;      /* NUMA sides; 0 when not stated */
    int64_t gpu_memory; /* bytes of a device; 0 when not stated */
    uint32_t gpu_tasks; /* most shares on a device; 0: any number */
    /* Instances that its devices may be cut into; NULL: none. */
    const struct topo_mig_model *mig;
    bool mig_only;     /* devices serve instances only */
    int64_t mig_delay; /* us until the first instance of a device can run */
    int64_t capacity[TOPO_DIMS_MAX];
    /* CPU and memory in use beside tasks, in thousandths of the capacity, + 1;
     * 0: not stated.
     */
    uint16_t load[TOPO_LOADS];
    uint32_t label_count, taint_count;
    uint32_t speed_count;
    const struct topo_label *label; /* sorted by key */
    const struct topo_taint *taint;
    const struct topo_speed *speed; /* none: 1,000 for all jobs */
};

/* Only tree.c and the loaders write it. */
struct topo {
    struct gs_arena *arena;
    struct gs_strtab *names; /* shared with the traces */
    struct topo_dims *dims;  /* shared with the traces */
    uint32_t cluster;        /* string id of its name */
    uint32_t tier_count;     /* above the node, outermost first */
    struct topo_tier tier[TOPO_TIERS_MAX];
    struct topo_tier node_tier; /* what joins a node's devices */
    uint32_t class_count, domain_count, node_count;
    struct topo_class *klass;
    struct topo_domain *domain;
    uint32_t *node_name;   /* [node] string id */
    uint32_t *node_class;  /* [node] */
    uint32_t *node_domain; /* [node] innermost domain */
    uint32_t gpu_count;    /* devices of all nodes */
    /* The first mention in the file of settings that nothing reads: a tier
     * below the node, a node type with NUMA sides.
     */
    struct topo_unused {
        uint32_t name;    /* string id */
        int line, column; /* 0: no mention */
    } below, numa;
    struct topo_build *build; /* until topo_finish */
    /* Of a topology made by topo_relabel: the original and the label use; else
     * NULL.
     */
    const struct topo *stated;
    const struct topo_label_use *use;
};

/* --- making one ---------------------------------------------------------- */

/* Empty, in `arena`, with `names` and `dims` that outlive it. */
struct topo *topo_create(struct gs_arena *arena, struct gs_strtab *names,
                         struct topo_dims *dims);

/* Like `t`, but without classes and nodes. */
struct topo *topo_create_like(const struct topo *t, struct gs_arena *arena);

/* Append a tier inside those already there.  Call it before any node is added.
 */
int topo_add_tier(struct topo *t, const struct topo_tier *tier,
                  struct gs_err *err);

/* The class equal to `c`, added when new; lists are copied. */
uint32_t topo_add_class(struct topo *t, const struct topo_class *c);

/* Add a node below the domains named `path` (tier_count string ids,
 * outermost first; NULL when there are no tiers).  A name used twice and
 * more than TOPO_NODES_MAX nodes are errors.
 */
int topo_add_node(struct topo *t, uint32_t name, uint32_t klass,
                  const uint32_t *path, struct gs_err *err);

/* Add a node in the domains of node `beside` of `t`, which has the same tiers. */
int topo_add_beside(struct topo *to, uint32_t name, uint32_t klass,
                    const struct topo *t, uint32_t beside, struct gs_err *err);

/* Number nodes and domains.  Fails without nodes, and when the sum of a
 * dimension exceeds TOPO_SUM_MAX.
 */
int topo_finish(struct topo *t, struct gs_err *err);

/* --- asking -------------------------------------------------------------- */

/* The domain at `level` (0 the cluster ... tier_count) that holds `node`. */
uint32_t topo_domain_of(const struct topo *t, uint32_t node, uint32_t level);

/* The level of the tier called by string id `name`, 1 .. tier_count;
 * tier_count + 1 for the node tier; -1 when there is none.
 */
int topo_level_find(const struct topo *t, uint32_t name);

/* The speed, in thousandths, of a job with these labels (string ids of
 * "key=value") on nodes of the class; 1,000 unless the class states another.
 */
uint32_t topo_class_speed(const struct topo_class *k, const uint32_t *label,
                          uint32_t count);

/* "cluster" for 0, then the tiers' names, tier_count + 1 the node tier's. */
const char *topo_level_name(const struct topo *t, uint32_t level);

/* Levels of the smallest subtree that holds nodes `a` and `b`:
 * tier_count + 1 when they are the same node, 0 when only the cluster does.
 */
uint32_t topo_level_between(const struct topo *t, uint32_t a, uint32_t b);

#pragma GCC visibility pop

#endif /* TOPO_TOPOLOGY_H */
