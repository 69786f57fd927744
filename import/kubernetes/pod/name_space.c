/* import/kubernetes/pod/name_space.c - kind Namespace. */
#include "import/kubernetes/pod/name_space.h"

#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/source.h"

void kube_spaces_free(struct kube_spaces *all)
{
    gs_array_free(all->at);
    gs_array_free(all->by_name.at);
}

/* The labels with that of the name among them, in the order of keys. */
static struct kube_labels with_name(const struct kube *k,
                                    const struct kube_labels *l, uint32_t name)
{
    const struct topo_label own = { kube_put(k, "kubernetes.io/metadata.name"),
                                    name };
    struct kube_labels all = { .at = gs_arena_alloc(k->arena, l->count + 1,
                                                    sizeof(*all.at)) };

    for (uint32_t i = 0; i <= l->count; i++) {
        if (all.count == i && (i == l->count || l->at[i].key >= own.key))
            all.at[all.count++] = own;
        if (i < l->count && l->at[i].key != own.key)
            all.at[all.count++] = l->at[i];
    }
    return all;
}

static void space_put(struct kube *k, uint32_t name, struct kube_labels l)
{
    struct kube_spaces *all = k->spaces;

    all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                            sizeof(*all->at));
    kube_index_put(&all->by_name, name, all->count);
    all->at[all->count++] = with_name(k, &l, name);
}

int kube_space_read(struct kube *k, const struct import_object *o)
{
    const uint32_t name = kube_name(k, o->root, "metadata.name");

    if (name)
        space_put(k, name,
                  kube_labels_read(k, kube_at(o->root, "metadata.labels")));
    return 0;
}

bool kube_space_meets(struct kube *k, uint32_t space,
                      const struct kube_conditions *c)
{
    if (!kube_index_get(&k->spaces->by_name, space)) {
        space_put(k, space, (struct kube_labels){ .count = 0 });
        import_account_tell(k->account, IMPORT_ASSUMED, NULL, NULL,
                            "namespace '%s' has no object: no label but its "
                            "name",
                            kube_str(k, space));
    }
    return kube_conditions_hold(
        k, c, &k->spaces->at[kube_index_get(&k->spaces->by_name, space) - 1]);
}
