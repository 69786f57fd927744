/* import/kubernetes/pod/default_spread.h - how pods of services spread that state
 * nothing.
 *
 * kube-scheduler spreads pods that a ReplicaSet, a StatefulSet or a
 * ReplicationController owns, or a Service selects, over nodes and zones as far
 * as possible, or as the defaultConstraints of its configuration say.
 */
#ifndef KUBE_DEFAULT_SPREAD_H
#define KUBE_DEFAULT_SPREAD_H

#include "import/kubernetes/object/condition.h"
#include "import/kubernetes/object/index.h"

struct kube;
struct kube_template;

struct kube_services {
    struct kube_service {
        struct kube_conditions pods;
        uint32_t next; /* another of its namespace and 1; 0 */
    } * at;
    uint32_t count, cap;
    struct kube_index by_space;
    struct kube_template **use; /* pods that state no spread */
    uint32_t uses, use_cap;
};

void kube_services_free(struct kube_services *all);

/* Pods that state no spread: is it theirs by default? */
void kube_default_spread_use(struct kube *k, struct kube_template *t);
/* Once all objects are read: give them those of their schedulers. */
void kube_default_spreads_finish(struct kube *k);

#endif /* KUBE_DEFAULT_SPREAD_H */
