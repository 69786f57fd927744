/* import/kubernetes/queue/kube_quota.h - quotas of namespaces, and the defaults
 * of their containers.
 */
#ifndef KUBE_QUOTA_H
#define KUBE_QUOTA_H

#include <stdbool.h>
#include <stdint.h>

#include "import/kubernetes/object/amounts.h"
#include "import/kubernetes/object/index.h"

struct kube;
struct kube_template;

enum kube_scope_of {
    KUBE_SCOPE_ENDS,        /* pods with activeDeadlineSeconds */
    KUBE_SCOPE_BEST_EFFORT, /* pods that ask for no CPU and memory */
    KUBE_SCOPE_CLASS,       /* pods of a priority class, or of one of `value` */
};

struct kube_scope {
    enum kube_scope_of of;
    bool is_not; /* the other pods */
    bool has_values;
    uint32_t *value, values; /* string ids */
};

/* A ResourceQuota: it limits the pods that are in all its scopes. */
struct kube_quota {
    uint32_t space, name; /* namespace; "namespace/name" */
    struct kube_amounts limit;
    struct kube_amounts daemons; /* what pods that no scheduler places take of
                                    it */
    uint32_t by_limit[2]; /* resources of which limits of pods are counted */
    uint32_t by_limits;
    int64_t jobs; /* objects of kind Job; -1: any number */
    struct kube_scope *scope;
    uint32_t scopes;
    uint32_t next; /* of the same namespace, and 1 */
};

struct kube_quotas {
    struct kube_quota *at;
    uint32_t count, cap;
    struct kube_index by_space; /* its last one */
};

/* What a container or a pod may ask for; amounts that are not there: anything.
 */
struct kube_bound {
    bool is_pod;
    struct kube_amounts most, least, ratio; /* ratio: limit / request */
};

/* The LimitRanges of a namespace. */
struct kube_limit_range {
    struct kube_amounts fallback; /* what a container asks for that states
                                     nothing */
    struct kube_amounts limit;    /* ... and its limit */
    struct kube_bound *bound;
    uint32_t bounds;
};

struct kube_limits {
    struct kube_limit_range *at;
    uint32_t count, cap;
    struct kube_index by_space;
};

/* Does the quota, of their namespace, count pods of the class (string id; 0:
 * none)?
 */
bool kube_quota_holds(struct kube *k, const struct kube_quota *q,
                      const struct kube_template *t, uint32_t klass);

/* A pod that no scheduler places takes these amounts of the quotas of its
 * namespace.
 */
void kube_quotas_charge(struct kube *k, const struct kube_template *t,
                        const struct kube_amounts *a);

/* The fallback of kube_template_request for the pods: what the LimitRange of
 * their namespace says; NULL.  Pods that the cluster has made had it then.
 */
const struct kube_amounts *kube_limits_of(const struct kube *k,
                                          const struct kube_template *t);

/* Do the LimitRanges of their namespace refuse the pods, or does a container
 * ask for more than its limit?  Pods that the cluster has made are not refused.
 */
bool kube_limits_refuse(struct kube *k, const struct kube_template *t);

#endif /* KUBE_QUOTA_H */
