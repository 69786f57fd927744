/* import/kubernetes/queue/kube_queue.h - queues of Volcano, KAI and Kueue, and
 * priority classes.
 */
#ifndef KUBE_QUEUE_H
#define KUBE_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "import/kubernetes/object/amounts.h"
#include "import/kubernetes/object/index.h"
#include "import/kubernetes/queue/kueue.h"

struct gs_ynode;
struct kube_conditions;
struct kube_node_groups;

/* The resources of queues of KAI. */
enum kube_kai_resource {
    KUBE_KAI_GPU,
    KUBE_KAI_CPU,
    KUBE_KAI_MEMORY,
    KUBE_KAI
};

/* What only queues of KAI state. */
struct kube_kai_terms {
    double weight[KUBE_KAI];  /* of what is over the quotas */
    bool is_all[KUBE_KAI];    /* it deserves all */
    int64_t preempt, reclaim; /* minimum run times, us; -1: none */
};

/* A limit of each of the users, and of each of the groups. */
struct kube_user_limit {
    const uint32_t *name; /* string ids: users, then groups */
    uint32_t users, groups;
    struct kube_amounts limit;
    int64_t jobs; /* 0: any number */
};

struct kube_queue {
    uint32_t name, parent; /* parent 0: the root */
    double weight;
    int64_t priority;
    struct kube_amounts guarantee, deserved, limit;
    const struct kube_node_groups *groups; /* NULL: none */
    const struct kube_kai_terms *kai;      /* NULL: none */
    const struct kube_conditions *spaces;  /* of Kueue; NULL: all */
    struct kube_flavor_quota *flavor;      /* of Kueue, see kueue.h */
    const struct kube_user_limit *user_limit;
    uint32_t flavors, user_limits, terms;
    struct kube_queue_term term[KUBE_QUEUE_TERMS];
    bool keeps; /* reclaimable: false */
    bool closed;
    bool is_cohort;
    bool is_astray; /* below a queue that is above itself */
};

struct kube_queues {
    struct kube_queue *at;
    uint32_t count, cap;
    struct kube_index by_name;
    bool is_full; /* no more are kept */
};

struct kube_class {
    uint32_t name;
    int32_t value;
    bool is_default, never;
    bool keeps;    /* YuniKorn evicts no pods of it for others */
    bool is_kueue; /* a WorkloadPriorityClass */
};

struct kube_classes {
    struct kube_class *at;
    uint32_t count, cap;
};

struct kube;

/* Keep it; one without a name, or called "root" without terms, is that of all.
 */
int kube_queue_add(struct kube *k, const struct kube_queue *q);
/* The queue called `name`; NULL. */
const struct kube_queue *kube_queue_find(const struct kube *k, uint32_t name);

/* The two queues that `defaultQueue` of values of KAI's chart makes. */
void kube_kai_default_queues_take(struct kube *k, const struct gs_ynode *n);

/* The name of a queue, or of a cohort, as people know it. */
const char *kube_queue_text(const struct kube *k, uint32_t name);

/* The queue of the ElasticQuota of a namespace; 0: it has none. */
uint32_t kube_elastic_queue(const struct kube *k, uint32_t space);
bool kube_has_elastic(const struct kube *k);

#endif /* KUBE_QUEUE_H */
