/* import/kubernetes/workload.h - the workloads: objects that make pods.
 *
 * Each reader of a kind fills a struct kube_workload and its members; trace.h
 * makes jobs of them.
 */
#ifndef KUBE_WORKLOAD_H
#define KUBE_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

struct import_object;
struct kube;
struct kube_template;

enum kube_life {
    KUBE_BATCH,   /* it ends */
    KUBE_SERVICE, /* it runs until it is deleted */
    KUBE_DAEMON,  /* a pod on each node: no scheduler places it */
};

/* Pods of one template. */
struct kube_member {
    uint32_t name; /* "master"; 0 */
    uint32_t replicas;
    uint32_t min; /* of them belong to the gang at least; the rest of it is
                     taken from the members in their order */
    const struct kube_template *pods;
};

struct kube_workload {
    uint32_t kind, name; /* "Job"; "namespace/name" */
    uint32_t space;      /* namespace */
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
    int64_t submit, start, end;                /* us since 1970; KUBE_UNKNOWN */
    int64_t deadline;                          /* us it may run; KUBE_UNKNOWN */
    bool is_suspended;
    bool is_named; /* it has a name of its own */
    bool has_pods; /* the source holds pods of it */
    bool is_part;  /* of another workload, or replaced by a later one */
    struct kube_member *member;
    uint32_t members;
};

struct kube_workloads {
    struct kube_workload *at;
    uint32_t count, cap;
};

/* What the metadata and, as far as they are those of most kinds, spec and status
 * say.  No members yet; copies 1.
 */
struct kube_workload kube_workload_begin(struct kube *k,
                                         const struct import_object *o,
                                         enum kube_life life);
/* Append a member; one with 0 replicas or without a template is left out. */
void kube_member_add(struct kube *k, struct kube_workload *w,
                     const struct kube_member *m);
/* Keep it; -1, told by the account, when it has no members. */
int kube_workload_add(struct kube *k, const struct kube_workload *w);

#endif /* KUBE_WORKLOAD_H */
