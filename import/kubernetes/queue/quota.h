/* import/kubernetes/queue/quota.h - quotas of namespaces, and the defaults of
 * their containers.
 */
#ifndef KUBE_QUOTA_H
#define KUBE_QUOTA_H

#include <stdint.h>

#include "import/kubernetes/object/amounts.h"
#include "import/kubernetes/object/index.h"

struct kube;
struct kube_template;

/* A queue that stands for quotas: that of a namespace, or (with `class`) that
 * of some priority classes in it.
 */
struct kube_quota {
    uint32_t space, name;
    uint32_t path; /* of the queue; made by kube_quota_path */
    struct kube_amounts limit;
    uint32_t *classes, class_count; /* string ids of names */
    uint32_t next;                  /* of the same namespace, and 1 */
};

struct kube_quotas {
    struct kube_quota *at;
    uint32_t count, cap;
    struct kube_index by_space; /* its last one */
};

/* What containers of a namespace ask for that state nothing. */
struct kube_limits {
    struct kube_amounts *at;
    uint32_t count, cap;
    struct kube_index by_space;
};

/* The path of the queue of `q`; 0 when its names are none of queues. */
uint32_t kube_quota_path(const struct kube *k, const struct kube_quota *q);

/* The quota that limits pods of the namespace and class (string ids; class 0:
 * none); NULL.
 */
const struct kube_quota *kube_quota_of(const struct kube *k, uint32_t space,
                                       uint32_t klass);

/* The fallback of kube_template_request for the pods: what the LimitRange of
 * their namespace says; NULL.  Pods that the cluster has made had it then.
 */
const struct kube_amounts *kube_limits_of(const struct kube *k,
                                          const struct kube_template *t);

#endif /* KUBE_QUOTA_H */
