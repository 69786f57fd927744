/* import/kubernetes/queue/limit_range.c - kind LimitRange: what containers of a
 * namespace ask for that state nothing.
 */
#include <string.h>

#include "base/array.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/queue/quota.h"
#include "import/source.h"

/* Amounts that are not stated yet. */
static void amounts_fill(struct kube *k, struct kube_amounts *to,
                         const struct gs_ynode *from)
{
    const struct kube_amounts a = kube_amounts_read(k, from);
    const uint32_t stated = to->count;

    for (uint32_t i = 0; i < a.count; i++) {
        bool is_stated = false;

        for (uint32_t s = 0; s < stated; s++)
            is_stated = is_stated || to->at[s].name == a.at[i].name;
        if (!is_stated)
            kube_amount_add(k, to, a.at[i].name, a.at[i].milli);
    }
}

int kube_limits_read(struct kube *k, const struct import_object *o)
{
    const uint32_t stated = kube_name(k, o->root, "metadata.namespace");
    const uint32_t space = stated ? stated : kube_put(k, "default");
    struct kube_limits *all = k->limits;
    uint32_t at = kube_index_get(&all->by_space, space);

    for (const struct gs_ynode *l = kube_list(o->root, "spec.limits"); l;
         l = l->next) {
        const char *type = kube_text(l, "type");

        if (type && strcmp(type, "PersistentVolumeClaim") == 0)
            continue;
        if (kube_at(l, "max") || kube_at(l, "min")
            || kube_at(l, "maxLimitRequestRatio"))
            import_account_tell(k->account, IMPORT_IGNORED, o->source, l,
                                "least and greatest requests of a LimitRange: "
                                "there, other pods are refused");
        if (!type || strcmp(type, "Container") != 0)
            continue;
        if (!at) {
            kube_index_put(&all->by_space, space, all->count);
            all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                                    sizeof(*all->at));
            at = ++all->count;
        }
        amounts_fill(k, &all->at[at - 1], kube_at(l, "defaultRequest"));
        amounts_fill(k, &all->at[at - 1], kube_at(l, "default"));
        amounts_fill(k, &all->at[at - 1], kube_at(l, "max"));
        amounts_fill(k, &all->at[at - 1], kube_at(l, "min"));
    }
    return 0;
}

const struct kube_amounts *kube_limits_of(const struct kube *k,
                                          const struct kube_template *t)
{
    const uint32_t at = t->is_admitted
                            ? 0
                            : kube_index_get(&k->limits->by_space, t->space);

    return at ? &k->limits->at[at - 1] : NULL;
}
