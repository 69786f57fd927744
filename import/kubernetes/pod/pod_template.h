/* import/kubernetes/pod/pod_template.h - what a pod asks for: the spec of a
 * pod, or of the pods that a workload makes.
 */
#ifndef KUBE_POD_TEMPLATE_H
#define KUBE_POD_TEMPLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "import/kubernetes/object/amounts.h"
#include "import/kubernetes/object/condition.h"

struct gs_ynode;
struct kube;

struct kube_container {
    struct kube_amounts request, limit;
    bool is_init;    /* it runs before the others */
    bool is_sidecar; /* an init container that goes on running */
};

/* The pods that a rule looks at. */
struct kube_selection {
    uint32_t spaces; /* namespaces joined by ','; 0: none, and without `picks`
                        the pod's own; "*": all */
    bool picks;      /* also those whose labels meet `named` */
    struct kube_conditions named;
    struct kube_conditions pods;
};

/* One term of a pod's affinity or anti-affinity. */
struct kube_near {
    bool is_anti;
    uint32_t topology_key;
    struct kube_selection of;
    uint32_t weight; /* 0: required; else preferred */
};

struct kube_spread {
    uint32_t topology_key, max_skew, min_domains;
    uint32_t counts; /* bits TRACE_SPREAD_... */
    struct kube_selection of;
    uint32_t weight; /* 0: required; else preferred */
    bool is_default; /* the pods do not state it */
    bool is_own;     /* it counts those of the same owner, not `of` */
};

/* A preferred term of node affinity. */
struct kube_preference {
    struct kube_conditions nodes; /* all hold */
    uint32_t weight;
};

/* A claim of devices: its name, or that of the template it is made of. */
struct kube_claim_use {
    uint32_t name;  /* "namespace/name" */
    bool is_shared; /* other pods may use the same */
};

/* Label of nodes, queues and pods of one scheduler of several of KAI. */
#define KUBE_POOL_LABEL "kai.scheduler/node-pool"

struct kube_template {
    uint32_t source;  /* string id of its file */
    int line, column; /* in it */
    uint32_t space;   /* namespace */
    struct kube_labels labels, annotations;

    struct kube_container *container;
    uint32_t containers;
    struct kube_amounts overhead;
    struct kube_amounts pod;  /* requests of the pod as a whole; before those of
                                its containers */
    struct kube_amounts most; /* its limits, of what nothing else is stated */

    struct kube_conditions nodes; /* all hold */
    struct kube_conditions *term; /* and one of these, if there are any */
    uint32_t terms;
    struct kube_preference *prefer;
    uint32_t prefers;
    struct topo_taint *toleration; /* key 0: every taint of that effect */
    uint32_t tolerations;
    struct kube_near *near;
    uint32_t nears;
    struct kube_spread *spread;
    uint32_t spreads;
    uint32_t *port; /* of the node: labels "host-port-tcp-80=taken" */
    uint32_t ports;

    uint32_t scheduler;           /* schedulerName */
    uint32_t pool;                /* node pool, of pods of KAI Scheduler; 0 */
    uint32_t priority_class;      /* priorityClassName */
    int64_t priority;             /* KUBE_UNKNOWN when only the class says it */
    bool never;                   /* preemptionPolicy: Never */
    bool is_gated;                /* it has scheduling gates */
    bool is_replica;              /* of a ReplicaSet, a StatefulSet or a
                                     ReplicationController */
    bool is_single;               /* which has no other */
    bool is_admitted;             /* a pod that the cluster has made */
    struct kube_claim_use *claim; /* of devices */
    uint32_t claims;
    int64_t deadline; /* activeDeadlineSeconds, in us; KUBE_UNKNOWN */
    uint32_t node;    /* nodeName */
    uint32_t group;   /* schedulingGroup, or workloadRef: "name/group" */
};

/* The template at `n`, a mapping with metadata and spec (a Pod, or the template
 * of a workload) in namespace `space`.  Lives in k->arena; NULL (told by the
 * account) when it has no containers.
 */
struct kube_template *kube_template_read(struct kube *k,
                                         const struct gs_ynode *n,
                                         uint32_t space);

/* The tolerations of a list, in k->arena; *count of them. */
struct topo_taint *kube_tolerations_read(struct kube *k,
                                         const struct gs_ynode *list,
                                         uint32_t *count);

/* What one pod takes from a node, by the documented rules: the sum of its
 * containers and sidecars, or the greatest init container with the sidecars
 * before it, if that is more; and the overhead.  A container without a request
 * asks for its limit, and without either for `fallback` (may be NULL).
 */
struct kube_amounts kube_template_request(struct kube *k,
                                          const struct kube_template *t,
                                          const struct kube_amounts *fallback);

/* Is it the name of KAI Scheduler, or of Run:ai's before it? */
bool kube_is_kai(const char *scheduler);

#endif /* KUBE_POD_TEMPLATE_H */
