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
#define TOPO_MODELS_MAX 8                      /* of the GPUs in one node */
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

/* GPUs of one model in a node; those of the first model come first.  Where a
 * class has several models, or a limit names one, it has a dimension
 * "gpu:MODEL" in all classes that have it: thousandths of devices that are
 * wholly free.  A task that asks for that model alone holds as much of it as it
 * holds devices; of other tasks the devices decide.  Queues and modules do not
 * see these dimensions: for them GPUs are of any model.
 */
struct topo_model {
    uint32_t name; /* string id */
    uint32_t gpus; /* at least 1 */
    uint32_t dim;  /* set by topo_finish */
};

/* Hardware that looks the same to every policy. */
struct topo_class {
    uint32_t type;      /* string id of the node type */
    uint32_t model;     /* string id; 0 without GPUs or unnamed; of several
                           models their names, joined by '+' */
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
    uint32_t model_count; /* 0: its GPUs are of one model, which has no
                             dimension */
    const struct topo_model *models;
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
    uint32_t model_dims;   /* dimensions of models, as bits */
    /* The first mention in the file of settings that nothing reads: a tier
     * below the node, a node type with NUMA sides.
     */
    struct topo_unused {
        uint32_t name;    /* string id */
        int line, column; /* 0: no mention */
    } below, numa;
    struct topo_build *build; /* until topo_finish */
    /* Of a topology made by topo_relabel: the original, the label use, and its
     * classes by label; else NULL.
     */
    const struct topo *stated;
    const struct topo_label_use *use;
    const struct topo_label_index *index;
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

/* Add a node in the domains of node `beside` of `t`, which has the same tiers.
 */
int topo_add_beside(struct topo *to, uint32_t name, uint32_t klass,
                    const struct topo *t, uint32_t beside, struct gs_err *err);

/* Number nodes and domains, make the dimensions of models.  Fails without
 * nodes, without room for another dimension, and when the sum of a dimension
 * exceeds TOPO_SUM_MAX.
 */
int topo_finish(struct topo *t, struct gs_err *err);

/* The part of topo_finish that makes the dimensions of models: of those that
 * stand beside others in a node, and of those that have one already, since a
 * limit names it.
 */
int topo_models_finish(struct topo *t, struct gs_err *err);
/* True when dimensions of models came since: topo_relabel finishes them. */
bool topo_models_are_new(const struct topo *t);

/* --- asking -------------------------------------------------------------- */

/* Set the amount of the dimension of the model, where the request asks for
 * GPUs of one model, and that has a dimension.
 */
void topo_models_ask(const struct topo *t, struct topo_request *r);
/* Take from the amounts that a node of the class has free those of the models
 * of so many free devices that a task would get, which are the first ones.
 */
void topo_models_take(const struct topo_class *k, const struct topo_request *r,
                      uint32_t devices, int64_t *free);

/* The devices of a node of the class, as bits, that a task with request `r` may
 * use by their model.  A share or an instance may use those of a class with
 * several models only if any of them will do.
 */
uint64_t topo_class_devices(const struct topo_class *k,
                            const struct topo_request *r);

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
