/* traces/formats/native_task.h - the request of one task in native YAML.
 * Private to traces/.
 */
#ifndef TRACES_FORMATS_NATIVE_TASK_H
#define TRACES_FORMATS_NATIVE_TASK_H

#include <stddef.h>
#include <stdint.h>

#include "base/yamldoc.h"
#include "topology/resources.h"
#include "traces/formats/reading.h"

#define TRACE_LIST_MAX \
    64                       /* conditions, preferences or tolerations of one
                                task */
#define TRACE_VALUES_MAX 256 /* of all conditions of one task */

/* `replicas: 8` or `replicas: {min: 2, max: 8}` */
struct trace_task_range {
    uint32_t min, max; /* min TRACE_NONE: not stated */
};

#define TRACE_SPAN_ONE \
    {                  \
        TRACE_NONE, 1  \
    }

/* The keys of a task, as read from the file. */
struct trace_task {
    const char *name; /* NULL: unnamed */
    struct trace_task_range replicas;
    uint32_t gpus, share, mig;
    int64_t cpu, memory, rdma, gpu_memory;
    bool preemptible;
    const struct gs_ynode *resources, *model, *nodes, *tolerations, *prefer;
    const struct gs_ynode *spread, *running_on, *flavors;
    const struct gs_ynode *topology; /* its own */
    const struct gs_ynode *priority, *labels, *affinity,
        *anti_affinity; /* its own */
};

/* Room for the lists of one request. */
struct trace_lists {
    uint32_t model[TRACE_MODELS_MAX];
    struct topo_condition condition[2 * TRACE_LIST_MAX]; /* also preferred */
    uint32_t condition_count;
    struct topo_taint toleration[TRACE_LIST_MAX];
    struct topo_preference preference[TRACE_LIST_MAX];
    uint32_t value[TRACE_VALUES_MAX], value_count; /* of conditions */
};

/* Readers of single keys.  trace_yread_tasks: 1 to TRACE_REPLICAS_MAX, as
 * uint32_t.
 */
int trace_yread_tasks(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err);
int trace_yread_replicas(const struct gs_yctx *c, const struct gs_ynode *v,
                         void *dest, struct gs_err *err);
int trace_yread_gpus(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err);
int trace_yread_share(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err);
int trace_yread_mig(const struct gs_yctx *c, const struct gs_ynode *v,
                    void *dest, struct gs_err *err);

#define TRACE_TASK_FIELD(base, name, read, member)                      \
    {                                                                   \
        name, read, (base) + offsetof(struct trace_task, member), false \
    }

/* Rows of a table of fields: keys that a task may state, and a job for its only
 * task group.
 */
#define TRACE_TASK_FIELDS(base)                                            \
    TRACE_TASK_FIELD(base, "replicas", trace_yread_replicas, replicas),    \
        TRACE_TASK_FIELD(base, "gpus", trace_yread_gpus, gpus),            \
        TRACE_TASK_FIELD(base, "gpu_share", trace_yread_share, share),     \
        TRACE_TASK_FIELD(base, "gpu_memory", gs_yread_bytes, gpu_memory),  \
        TRACE_TASK_FIELD(base, "mig", trace_yread_mig, mig),               \
        TRACE_TASK_FIELD(base, "cpu", gs_yread_milli, cpu),                \
        TRACE_TASK_FIELD(base, "memory", gs_yread_bytes, memory),          \
        TRACE_TASK_FIELD(base, "rdma", gs_yread_milli, rdma),              \
        TRACE_TASK_FIELD(base, "resources", gs_yread_node, resources),     \
        TRACE_TASK_FIELD(base, "model", gs_yread_node, model),             \
        TRACE_TASK_FIELD(base, "nodes", gs_yread_node, nodes),             \
        TRACE_TASK_FIELD(base, "tolerations", gs_yread_node, tolerations), \
        TRACE_TASK_FIELD(base, "prefer", gs_yread_node, prefer),           \
        TRACE_TASK_FIELD(base, "spread", gs_yread_node, spread),           \
        TRACE_TASK_FIELD(base, "flavors", gs_yread_node, flavors),         \
        TRACE_TASK_FIELD(base, "running_on", gs_yread_node, running_on)

/* What only a task among others may state, or what a job states for all. */
#define TRACE_TASK_OWN                                                  \
    TRACE_TASK_FIELD(0, "name", gs_yread_text, name),                   \
        TRACE_TASK_FIELD(0, "preemptible", gs_yread_bool, preemptible), \
        TRACE_TASK_FIELD(0, "topology", gs_yread_node, topology),       \
        TRACE_TASK_FIELD(0, "priority", gs_yread_node, priority),       \
        TRACE_TASK_FIELD(0, "labels", gs_yread_node, labels),           \
        TRACE_TASK_FIELD(0, "affinity", gs_yread_node, affinity),       \
        TRACE_TASK_FIELD(0, "anti_affinity", gs_yread_node, anti_affinity)
#define TRACE_TASK_OWN_COUNT 7

/* Set `q` to the request of `t`; its lists are in `lists`; `at` is the whole
 * task. c->user is the workload.
 */
int trace_task_request(const struct gs_yctx *c, const struct trace_task *t,
                       const struct gs_ynode *at, struct trace_lists *lists,
                       struct topo_request *q, struct gs_err *err);

/* Read the selector at `v`, the preferences [{nodes: ..., weight: N}, ...] or
 * the tolerations into `q`; its lists are in `lists`.
 */
int trace_read_nodes(const struct gs_yctx *c, const struct gs_ynode *v,
                     struct trace_lists *lists, struct topo_request *q,
                     struct gs_err *err);
int trace_read_prefer(const struct gs_yctx *c, const struct gs_ynode *v,
                      struct trace_lists *lists, struct topo_request *q,
                      struct gs_err *err);
int trace_read_tolerations(const struct gs_yctx *c, const struct gs_ynode *v,
                           struct trace_lists *lists, struct topo_request *q,
                           struct gs_err *err);
/* What preferring is worth, 1 to TOPO_WEIGHT_MAX, as uint32_t. */
int trace_yread_weight(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err);

/* The dimension named by the key of `v`, added when new; -1 when there is no
 * room for it, or when it is "gpus".
 */
int trace_dim_put(const struct gs_yctx *c, const struct gs_ynode *v,
                  struct gs_err *err);

#endif /* TRACES_FORMATS_NATIVE_TASK_H */
