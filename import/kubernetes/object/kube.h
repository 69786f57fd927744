/* import/kubernetes/object/kube.h - what the objects of Kubernetes say, as
 * parts.
 *
 * Readers of kinds (kinds.h) fill the parts, object by object; then topology.h
 * makes a cluster of the nodes and trace.h jobs of the workloads and pods.
 * Nothing is resolved before all is read, as objects come in any order.
 */
#ifndef KUBE_H
#define KUBE_H

#include <stdbool.h>
#include <stdint.h>

#include "import/kubernetes/object/kueue_gates.h"

struct gs_arena;
struct gs_strtab;
struct gs_ynode;
struct import_account;
struct import_object;
struct topo_dims;
struct yunikorn_partition;

#define KUBE_NONE UINT32_MAX
#define KUBE_ZONE "volcano.sh/revocable-zone" /* a label, an annotation */
#define KUBE_UNKNOWN INT64_MIN                /* a time that is not stated */

/* Names of all kinds are string ids of `names`; 0 is none. */
/* How plugin nodegroup of a configuration takes them. */
struct kube_node_groups_use {
    const char *scheduler; /* of that configuration; NULL: none has it */
    bool lax;      /* strict: false: a queue without groups has other nodes */
    bool ordered;  /* groups that are preferred, the first most */
    bool inherits; /* from the nearest queue above with groups */
};

/* Node pools of the SchedulingShards of KAI Scheduler. */
struct kube_pools {
    struct kube_pool {
        const char *name;   /* partitionLabelValue; "": without the label */
        const char *source; /* where the shard stands */
        int line, column;
    } * at;
    uint32_t count, cap;
};

struct kube {
    struct gs_arena *arena; /* of all that is kept */
    struct gs_strtab *names;
    struct topo_dims *dims;
    struct import_account *account;
    const char *source; /* file of the object that is read now */
    int64_t seen;       /* the latest time that an object states, in us since
                           1970; KUBE_UNKNOWN */
    bool is_native;     /* the nodes are those of a native topology */
    const struct kube_wrapper *wrapper; /* of that object; NULL: none */
    bool has_mistake; /* a number or an amount of it cannot be read */
    int64_t begin;    /* of the history that series tell, in us since 1970;
                      KUBE_UNKNOWN: there is none */

    struct kube_nodes *nodes;
    struct kube_tiers *tiers;
    struct kube_workloads *workloads;
    struct kube_links *links;
    struct kube_flows *flows;
    struct kube_trains *trains;
    struct kube_pods *pods;
    struct kube_pod_groups *pod_groups;
    struct kube_queues *queues;
    struct kube_kueue *kueue;
    uint8_t kueue_gate[KUBE_GATES]; /* enum kube_gate_stated */
    struct kube_classes *classes;
    struct kube_confs *confs;
    struct kube_quotas *quotas;
    struct kube_limits *limits;
    struct kube_claims *claims;
    struct kube_series *series;
    struct kube_runtime_classes *runtimes;
    struct kube_budgets *budgets;
    struct kube_spaces *spaces;
    struct kube_services *services;
    struct kube_node_groups_use node_groups;
    const char *pool; /* of KAI Scheduler, of which objects are read; NULL: of
                         all */
    const char *object_pool; /* that the object names which is read now; NULL */
    struct kube_pools pools;
    bool has_kai; /* pods name KAI Scheduler, or queues are its own */
    /* of a configuration of YuniKorn; NULL: there is none */
    const struct yunikorn_partition *yunikorn;
    const struct gs_ynode *yunikorn_defaults; /* data of the ConfigMap; NULL */
    const char *yunikorn_source;              /* where that stands */
    bool has_user_limits;                     /* one of its queues has */
    bool no_gangs;                            /* it serves none */
    bool states_gangs;                        /* its own settings say so */
    struct kube_terms *terms;                 /* private to node_terms.c */
    struct kube_gpu_sizes *gpu_sizes;         /* private to gpu_memory.c */
};

/* --- values of objects ---------------------------------------------------- */

/* The value at `path`, keys joined by '.' ("spec.template.spec"); NULL when it
 * is absent or null.  `n` may be NULL.
 */
const struct gs_ynode *kube_at(const struct gs_ynode *n, const char *path);
/* The value of `key`, which may hold dots; NULL.  `n` may be NULL. */
const struct gs_ynode *kube_key(const struct gs_ynode *n, const char *key);
/* The scalar at `path`; NULL when absent, null, or no scalar. */
const char *kube_text(const struct gs_ynode *n, const char *path);
/* Its string id; 0. */
uint32_t kube_name(const struct kube *k, const struct gs_ynode *n,
                   const char *path);
/* A name as native files take it: bytes that are not clean (text.h) are '?'. */
uint32_t kube_put(const struct kube *k, const char *s);
const char *kube_str(const struct kube *k, uint32_t id);
/* A whole number there; `fallback` when absent or none.  Tells what is no
 * number, and clips to `low` .. `high`.
 */
int64_t kube_number(struct kube *k, const struct gs_ynode *n, const char *path,
                    int64_t fallback, int64_t low, int64_t high);
/* true or false there; `fallback`. */
bool kube_flag(const struct gs_ynode *n, const char *path, bool fallback);
/* A date there, in microseconds since 1970; KUBE_UNKNOWN, as for one before. */
int64_t kube_date(const struct gs_ynode *n, const char *path);
/* The time that Go's time.ParseDuration reads in `text`, such as 1h2m3.5s, in
 * us; KUBE_UNKNOWN.
 */
int64_t kube_go_time(const char *text);
/* The same, or a time as Prometheus writes it, such as 7d or 1w2d12h. */
int64_t kube_prometheus_time(const char *text);
/* Does Go's strconv.ParseBool read it as true? */
bool kube_go_true(const char *text);
/* Keep the latest of the times of the object and its conditions in k->seen. */
void kube_times_note(struct kube *k, const struct gs_ynode *object);
/* Children of the list at `path`; NULL when it is absent or no list. */
const struct gs_ynode *kube_list(const struct gs_ynode *n, const char *path);
/* Children of the mapping at `path`, each with its key. */
const struct gs_ynode *kube_map(const struct gs_ynode *n, const char *path);

/* Tell the keys of the mapping `n` (may be NULL) beside `known`, which NULL
 * ends, as settings of `what` without effect.
 */
void kube_keys_check(struct kube *k, const struct gs_ynode *n, const char *what,
                     const char *const *known);

/* Tell annotations and labels of `object` (may be NULL), or of a template of
 * pods, that change decisions in the cluster only.
 */
void kube_annotations_check(struct kube *k, const struct gs_ynode *object);

/* "namespace/name" of an object as a string id. */
uint32_t kube_full_name(const struct kube *k, const struct gs_ynode *object);

#endif /* KUBE_H */
