/* import/kubernetes/workload/kube_workload.h - the workloads: objects that
 * make pods.
 *
 * Each reader of a kind fills a struct kube_workload and its members; trace.h
 * makes jobs of them.
 */
#ifndef KUBE_WORKLOAD_H
#define KUBE_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "import/kubernetes/workload/task_rules.h"
#include "traces/workload/dependencies.h"
#include "traces/workload/slices.h"

struct gs_ynode;
struct import_object;
struct kube;
struct kube_schedule;
struct kube_template;

/* What becomes of a run of a CronJob that is due while another runs. */
enum kube_overlap {
    KUBE_ALLOWED,
    KUBE_FORBIDDEN, /* it is left out */
    KUBE_REPLACES,  /* the other ends */
};

enum kube_life {
    KUBE_BATCH,   /* it ends */
    KUBE_SERVICE, /* it runs until it is deleted */
    KUBE_DAEMON,  /* a pod on each node: no scheduler places it */
};

/* An object that holds the templates of others, such as an AppWrapper. */
struct kube_wrapper {
    uint32_t uid, space, queue;
    uint32_t name; /* without its namespace */
    int64_t submit;
    bool is_suspended;
    uint32_t depth; /* wrappers around it */
};

/* May its pods be evicted for others? */
enum kube_yield { KUBE_YIELD_UNSTATED, KUBE_YIELDS, KUBE_FIXED };

/* Of a value of volcano.sh/preemptable, true or false. */
enum kube_yield kube_preemptable(const char *value);

/* The domain in which all pods of a workload stand. */
struct kube_within {
    uint32_t label;   /* of nodes, that says the domain; 0 */
    uint32_t level;   /* of Volcano's tiers, 1 is next to the node; 0 */
    uint32_t prefers; /* label of a domain inside, which is tried first; 0 */
    bool is_preferred;
    bool is_unconstrained; /* anywhere, where little room is left first */
    bool is_kueue;         /* of the pods of one podSet */
    bool lacks_size;       /* a layer of slices states none */
    bool has_layers;       /* slices are listed layer by layer */
    uint32_t group;        /* name of podSets that share a domain; 0: none */
    uint32_t slices; /* layers of them: so many pods at a time stand in one
                              domain */
    struct kube_pod_slice {
        uint32_t label, size;
    } slice[TRACE_SLICES_MAX];
    int line, column;
};

/* What must have happened before pods are made: to the member of that name, or
 * to the workload of that key.
 */
struct kube_need {
    uint32_t key; /* string id */
    enum trace_when when;
};

/* Pods that Kueue has assigned to a node. */
struct kube_assigned {
    uint32_t host; /* label kubernetes.io/hostname of the node */
    uint32_t tasks;
};

/* Pods of one template. */
struct kube_member {
    uint32_t name; /* "master"; 0 */
    uint32_t replicas;
    uint32_t min; /* of them belong to the gang at least; the rest of it is
                     taken from the members in their order */
    const struct kube_template *pods;
    const struct kube_within *within; /* its own; NULL: see kube_within_of() */
    bool is_whole;        /* the gang has all of it, whatever else is said */
    bool is_inside;       /* `within` holds beside what the workload says */
    const uint32_t *held; /* names of flavors whose quota they hold */
    uint32_t helds;
    const struct kube_assigned *assigned; /* where they are to stand */
    uint32_t assigneds;
    const struct kube_need *need; /* see kube_parts_split */
    uint32_t needs;
    bool needs_any; /* one of them is enough */
};

struct kube_workload {
    uint32_t kind, name; /* "Job"; "namespace/name" */
    uint32_t group; /* "batch"; 0: the core's, and those that became apps */
    uint32_t space; /* namespace */
    uint32_t uid, owner; /* metadata.uid; that of its controller; 0 */
    uint32_t source;
    int line, column;
    enum kube_life life;
    uint32_t gang;        /* pods that start together; 0: the sum of `min`, or
                             all when that is 0 */
    uint32_t copies;      /* so many gangs of these members, each a job */
    uint32_t completions; /* pods that run to their end, one member's replicas
                             at a time; 0: all end together */
    uint32_t queue, priority_class, scheduler; /* 0: as its pods say */
    uint32_t project;           /* by which KAI finds its queue; 0 */
    uint32_t local;             /* LocalQueue of Kueue; 0 */
    uint32_t cluster;           /* ClusterQueue that has admitted it; 0 */
    uint32_t qos;               /* the class that its waits are told by; 0 */
    uint32_t least_parallel;    /* pods with which Kueue may admit it; 0: all */
    int32_t boost;              /* added to its priority */
    int64_t submit, start, end; /* us since 1970; KUBE_UNKNOWN */
    int64_t max_wait;   /* us that it should wait at most; 0: not stated */
    int64_t deadline;   /* us it may run; KUBE_UNKNOWN */
    uint32_t retries;   /* evictions that it survives; TRACE_NONE: any number */
    int64_t task_time;  /* us that a pod of it ran, with more completions than
                           replicas; 0: not known */
    uint32_t succeeded; /* pods that have run to their end; with completions */
    bool is_indexed;    /* with completions: each pod has a part of its own */
    int64_t admitted;   /* us since 1970; KUBE_UNKNOWN; with `holds_quota` */
    int64_t reserved;   /* the same: when it got its quota */
    bool is_over;       /* its status says so */
    bool is_suspended;
    bool has_kueue_class; /* its class is a WorkloadPriorityClass */
    bool is_gated;        /* Kueue admits it when an annotation is removed */
    bool uses_zones;      /* Volcano's revocable zones, see pod/zone.h */
    bool holds_quota;     /* Kueue has admitted it */
    bool is_batch_job;    /* of kind Job of group batch, or CronJob */
    bool is_named;        /* it has a name of its own */
    bool has_pods;        /* the source holds pods of it */
    bool is_part;         /* of another workload, or replaced by a later one */
    bool is_empty;        /* it asks for 0 pods */
    bool is_template;     /* of an object `wrapper` that makes it */
    uint32_t wrapper;     /* its uid; 0 */
    uint32_t kai_class;   /* priority class by a label that KAI reads; 0 */
    uint32_t takes;       /* annotation gsim/duration of the object; 0 */
    int64_t staleness;    /* us, see kube_staleness_read(); 0: not stated */
    struct kube_within within;
    struct kube_task_rules task_rules;
    enum kube_yield yield;
    const struct kube_schedule *schedule; /* a job each time; NULL: once */
    enum kube_overlap overlap;            /* of these jobs */
    struct kube_member *member;
    uint32_t members;
    uint32_t key; /* by which others need it; 0 */
    const struct kube_need *need;
    uint32_t needs;
    bool needs_any;
};

#define KUBE_POD_SETS_MAX 64 /* found by name; Kueue allows 18 */

struct kube_workloads {
    struct kube_workload *at;
    uint32_t count, cap;
};

/* What the metadata and, as far as they are those of most kinds, spec and
 * status say.  No members yet; copies 1.
 */
struct kube_workload kube_workload_begin(struct kube *k,
                                         const struct import_object *o,
                                         enum kube_life life);
/* Pods of a workload that no kind of group makes, which start together: those
 * that annotation `key` states, else 1.
 */
uint32_t kube_gang_of(const struct gs_ynode *object, const char *key);
#define KUBE_VOLCANO_GANG "scheduling.volcano.sh/group-min-member"
/* What KAI's label, or `text` (NULL: nothing), says of it. */
enum kube_yield kube_yield_of(const char *text);
/* Volcano's label or annotation. */
#define KUBE_PREEMPTABLE "volcano.sh/preemptable"
/* The uid of the owner that controls the object; 0. */
uint32_t kube_owner_of(struct kube *k, const struct gs_ynode *object);
/* What the mapping `n`, with metadata and spec, says of the workload and what
 * it does not say itself: queue, deadline, suspend.  For templates of jobs in
 * other kinds; `n` may be NULL.
 */
void kube_workload_refine(struct kube *k, struct kube_workload *w,
                          const struct gs_ynode *n);
/* The needs that `list`, of texts or of mappings with `name` and `status`,
 * states: "Ready" is started, otherwise it is `when`.  In k->arena; *count of
 * them.
 */
struct kube_need *kube_needs_read(struct kube *k, const struct gs_ynode *list,
                                  enum trace_when when, uint32_t *count);
/* Once the pods are known: a workload whose members need each other, and of
 * which no pod is there yet, becomes a workload for each.
 */
void kube_parts_split(struct kube *k);
/* A count at `path` of at most TRACE_REPLICAS_MAX. */
uint32_t kube_count(struct kube *k, const struct gs_ynode *n, const char *path,
                    uint32_t fallback);
/* `pods`, or TRACE_REPLICAS_MAX, which is told, when that is less. */
uint32_t kube_clip(struct kube *k, uint64_t pods);
/* Does KAI schedule such pods (NULL: none) of the workload? */
bool kube_pods_are_kai(const struct kube *k, const struct kube_workload *w,
                       const struct kube_template *pods);
/* Does KAI schedule its pods?  Once it has members. */
bool kube_workload_is_kai(const struct kube *k, const struct kube_workload *w);
/* Append a member; one with 0 replicas or without a template is left out. */
void kube_member_add(struct kube *k, struct kube_workload *w,
                     const struct kube_member *m);
/* Keep it; -1, told by the account, when a number of it cannot be read, such as
 * a placeholder, or it has no members, unless it asks for 0 pods: then that is
 * told and it is left out.
 */
int kube_workload_add(struct kube *k, const struct kube_workload *w);

#endif /* KUBE_WORKLOAD_H */
