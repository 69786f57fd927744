/* import/kubernetes/native/known_nodes.c - see known_nodes.h. */
#include "import/kubernetes/native/known_nodes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "import/account.h"
#include "import/kubernetes/node/node.h"
#include "import/kubernetes/node/tiers.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/pod.h"
#include "topology/topology.h"

/* The label that the user calls by the name of the tier; else that name, which
 * kube_tier_of finds known labels for.
 */
static uint32_t label_of(const struct kube_tiers *user, uint32_t tier)
{
    for (uint32_t i = 0; i < user->count; i++) {
        if (user->at[i].name == tier)
            return user->at[i].label;
    }
    return tier;
}

static void tiers_take(struct kube *k, const struct topo *t)
{
    const struct kube_tiers user = *k->tiers;

    k->tiers->count = 0;
    for (uint32_t i = 0; i < t->tier_count; i++)
        (void)kube_tier_add(k, label_of(&user, t->tier[i].name),
                            kube_str(k, t->tier[i].name));
    for (uint32_t i = 0; i < user.count; i++) {
        if (!kube_tier_of(k, user.at[i].label))
            import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                                "--tier %s=%s: the topology has no such tier",
                                kube_str(k, user.at[i].label),
                                kube_str(k, user.at[i].name));
    }
}

static int by_key(const void *a, const void *b)
{
    const struct topo_label *x = a, *y = b;

    return x->key < y->key ? -1 : x->key > y->key;
}

static void label_put(struct kube_labels *l, uint32_t key, uint32_t value)
{
    for (uint32_t i = 0; i < l->count; i++) {
        if (l->at[i].key == key)
            return;
    }
    l->at[l->count++] = (struct topo_label){ key, value };
}

/* A domain of a tier, under its label and those that are known by its name. */
static void domain_put(struct kube *k, struct kube_labels *l, uint32_t tier,
                       uint32_t domain)
{
    for (uint32_t i = 0; i < k->tiers->count; i++) {
        if (k->tiers->at[i].name == tier)
            label_put(l, k->tiers->at[i].label, domain);
    }
    for (size_t i = 0; kube_tier_known(i); i++) {
        if (strcmp(kube_tier_known_name(i), kube_str(k, tier)) == 0)
            label_put(l, kube_put(k, kube_tier_known(i)), domain);
    }
}

/* Those of its type, its host's name, and its domains. */
static struct kube_labels labels_of(struct kube *k, const struct topo *t,
                                    uint32_t node)
{
    const struct topo_class *c = &t->klass[t->node_class[node]];
    struct kube_labels l = { NULL, 0 };
    uint32_t domain = t->node_domain[node];
    size_t known = 0;

    while (kube_tier_known(known))
        known++;
    l.at = gs_arena_alloc(k->arena, c->label_count + t->tier_count + known + 1,
                          sizeof(*l.at));
    for (uint32_t i = 0; i < c->label_count; i++)
        label_put(&l, c->label[i].key, c->label[i].value);
    label_put(&l, kube_put(k, "kubernetes.io/hostname"), t->node_name[node]);
    for (; t->domain[domain].level > 0; domain = t->domain[domain].parent)
        domain_put(k, &l, t->tier[t->domain[domain].level - 1].name,
                   t->domain[domain].name);
    qsort(l.at, l.count, sizeof(*l.at), by_key);
    return l;
}

static bool has_daemons(const struct kube *k)
{
    bool any = false;

    for (uint32_t i = 0; i < k->pods->count && !any; i++)
        any = k->pods->at[i].is_daemon;
    for (uint32_t i = 0; i < k->workloads->count && !any; i++)
        any = k->workloads->at[i].life == KUBE_DAEMON;
    return any;
}

void kube_nodes_know(struct kube *k, const struct topo *t)
{
    struct kube_nodes *all = k->nodes;

    tiers_take(k, t);
    if (has_daemons(k))
        import_account_tell(
            k->account, IMPORT_ASSUMED, NULL, NULL,
            "daemons take nothing of nodes: the topology states "
            "what these have left");
    k->is_native = true;
    all->count = 0;
    all->at = gs_array_grow(all->at, &all->cap, t->node_count,
                            sizeof(*all->at));
    for (uint32_t i = 0; i < t->node_count; i++) {
        const struct topo_class *c = &t->klass[t->node_class[i]];

        all->at[all->count++] = (struct kube_node){
            .name = t->node_name[i],
            .labels = labels_of(k, t, i),
            .taint = gs_arena_memdup(k->arena, c->taint,
                                     c->taint_count * sizeof(*c->taint)),
            .taints = c->taint_count,
        };
    }
}
