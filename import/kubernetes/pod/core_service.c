/* import/kubernetes/pod/core_service.c - kind Service. */
#include "import/kubernetes/pod/core_service.h"

#include "base/array.h"
#include "base/yamldoc.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/source.h"

void kube_services_free(struct kube_services *all)
{
    gs_array_free(all->at);
    gs_array_free(all->by_space.at);
    gs_array_free(all->use);
}

int kube_core_service_read(struct kube *k, const struct import_object *o)
{
    struct kube_services *all = k->services;
    const uint32_t stated = kube_name(k, o->root, "metadata.namespace");
    const uint32_t space = stated ? stated : kube_put(k, "default");
    struct kube_service s = { .next = kube_index_get(&all->by_space, space) };

    kube_conditions_add(k, &s.pods, kube_at(o->root, "spec.selector"), NULL);
    if (s.pods.count == 0)
        return 1; /* it selects no pods */
    all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                            sizeof(*all->at));
    kube_index_put(&all->by_space, space, all->count);
    all->at[all->count++] = s;
    return 0;
}

void kube_default_spread_use(struct kube *k, struct kube_template *t)
{
    struct kube_services *all = k->services;

    all->use = gs_array_grow(all->use, &all->use_cap, all->uses + 1,
                             sizeof(struct kube_template *));
    all->use[all->uses++] = t;
}
