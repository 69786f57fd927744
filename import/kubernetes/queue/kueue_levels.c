/* import/kubernetes/queue/kueue_levels.c - nodes that a flavor with a Topology
 * has: Kueue leaves out those that lack the label of a level.
 */
#include "base/arena.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/node/node.h"
#include "import/kubernetes/node/tiers.h"
#include "import/kubernetes/object/condition.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/queue/kueue.h"

static const struct kube_levels *levels_of(const struct kube *k, uint32_t name)
{
    const struct kube_tiers *t = k->tiers;
    uint32_t i = 0;

    while (i < t->ofs && t->of[i].name != name)
        i++;
    return i < t->ofs ? &t->of[i] : NULL;
}

/* Has the node the labels of the flavor? */
static bool is_of(const struct kube_flavor *f, const struct kube_node *n)
{
    for (uint32_t i = 0; i < f->labels.count; i++) {
        const struct topo_label *l = &f->labels.at[i];

        if (!kube_label_has(&n->labels, l->key)
            || kube_label_value(&n->labels, l->key) != l->value)
            return false;
    }
    return true;
}

static bool has_all(const struct kube_levels *levels, const struct kube_node *n)
{
    for (uint32_t i = 0; i < levels->labels; i++) {
        if (levels->label[i] && !kube_label_has(&n->labels, levels->label[i]))
            return false;
    }
    return true;
}

/* Nodes of a cluster have their name as a label; where none of the source does
 * it is left out, not lacking.
 */
static struct kube_levels with_hosts(struct kube *k, struct kube_levels levels)
{
    const uint32_t host = kube_put(k, "kubernetes.io/hostname");
    bool any = false;

    for (uint32_t i = 0; i < k->nodes->count && !any; i++)
        any = kube_label_has(&k->nodes->at[i].labels, host);
    for (uint32_t i = 0; i < levels.labels; i++) {
        if (levels.label[i] == host && !any)
            levels.label[i] = 0;
    }
    return levels;
}

static void flavor_check(struct kube *k, struct kube_flavor *f,
                         const struct kube_levels *levels)
{
    const struct kube_node *lacks = NULL;
    const struct topo_label mark = {
        kube_put(k, gs_arena_printf(k->arena, "levels-of-%.200s",
                                    kube_str(k, levels->name))),
        kube_put(k, "all")
    };

    for (uint32_t i = 0; i < k->nodes->count && !lacks; i++) {
        const struct kube_node *n = &k->nodes->at[i];

        lacks = is_of(f, n) && !has_all(levels, n) ? n : NULL;
    }
    if (!lacks)
        return;
    for (uint32_t i = 0; i < k->nodes->count; i++) {
        if (has_all(levels, &k->nodes->at[i]))
            kube_label_add(k, &k->nodes->at[i].labels, mark);
    }
    kube_label_add(k, &f->labels, mark);
    import_account_tell(
        k->account, IMPORT_ASSUMED, kube_str(k, lacks->source),
        &(struct gs_ynode){ .line = lacks->line, .column = lacks->column },
        "nodes without a label of Topology '%.80s' are not of flavor '%.80s'; "
        "the others have label %s",
        kube_str(k, levels->name), kube_str(k, f->name), kube_str(k, mark.key));
}

void kube_kueue_levels_check(struct kube *k)
{
    for (uint32_t i = 0; i < k->kueue->flavors; i++) {
        struct kube_flavor *f = &k->kueue->flavor[i];
        const struct kube_levels *levels = levels_of(k, f->topology);

        if (levels) {
            const struct kube_levels all = with_hosts(k, *levels);

            flavor_check(k, f, &all);
        }
    }
}
