/* import/kubernetes/pod/core_service.h - kind Service: pods that are spread if
 * they state no spread themselves, see native/default_spread.h.
 */
#ifndef KUBE_CORE_SERVICE_H
#define KUBE_CORE_SERVICE_H

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

#endif /* KUBE_CORE_SERVICE_H */
