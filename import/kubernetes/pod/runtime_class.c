/* import/kubernetes/pod/runtime_class.c - kind RuntimeClass. */
#include "import/kubernetes/pod/runtime_class.h"

#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/source.h"

void kube_runtimes_free(struct kube_runtime_classes *all)
{
    gs_array_free(all->at);
    gs_array_free(all->by_name.at);
    gs_array_free(all->use);
}

int kube_runtime_class_read(struct kube *k, const struct import_object *o)
{
    struct kube_runtime_classes *all = k->runtimes;
    struct kube_runtime_class c = {
        .overhead = kube_amounts_read(k, kube_at(o->root, "overhead.podFixed"))
    };

    kube_conditions_add(k, &c.nodes,
                        kube_at(o->root, "scheduling.nodeSelector"), NULL);
    c.toleration = kube_tolerations_read(
        k, kube_list(o->root, "scheduling.tolerations"), &c.tolerations);
    all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                            sizeof(*all->at));
    kube_index_put(&all->by_name, kube_name(k, o->root, "metadata.name"),
                   all->count);
    all->at[all->count++] = c;
    return 0;
}

void kube_runtime_use(struct kube *k, struct kube_template *t, uint32_t name)
{
    struct kube_runtime_classes *all = k->runtimes;

    all->use = gs_array_grow(all->use, &all->use_cap, all->uses + 1,
                             sizeof(*all->use));
    all->use[all->uses++] = (struct kube_runtime_use){ t, name };
}

static void tolerations_append(struct kube *k, struct kube_template *t,
                               const struct kube_runtime_class *c)
{
    struct topo_taint *both = gs_arena_alloc(
        k->arena, t->tolerations + c->tolerations + 1, sizeof(*both));

    if (t->tolerations)
        memcpy(both, t->toleration, t->tolerations * sizeof(*both));
    if (c->tolerations)
        memcpy(both + t->tolerations, c->toleration,
               c->tolerations * sizeof(*both));
    t->toleration = both;
    t->tolerations += c->tolerations;
}

/* The API server has done so for a pod that it has. */
static void give(struct kube *k, struct kube_template *t, uint32_t name)
{
    const uint32_t at = kube_index_get(&k->runtimes->by_name, name);
    const struct kube_runtime_class *c;

    if (t->is_admitted)
        return;
    if (!at) {
        import_account_tell(
            k->account, IMPORT_ASSUMED, kube_str(k, t->source),
            &(struct gs_ynode){ .line = t->line, .column = t->column },
            "runtime class '%s' has no object: no overhead", kube_str(k, name));
        return;
    }
    c = &k->runtimes->at[at - 1];
    if (t->overhead.count == 0)
        t->overhead = c->overhead;
    kube_conditions_append(k, &t->nodes, c->nodes.at, c->nodes.count);
    tolerations_append(k, t, c);
}

void kube_runtimes_finish(struct kube *k)
{
    for (uint32_t i = 0; i < k->runtimes->uses; i++)
        give(k, k->runtimes->use[i].pods, k->runtimes->use[i].name);
    k->runtimes->uses = 0;
}
