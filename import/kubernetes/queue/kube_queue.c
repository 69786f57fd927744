/* import/kubernetes/queue/kube_queue.c - kind Queue of group
 * scheduling.volcano.sh, and kind PriorityClass.
 */
#include "import/kubernetes/queue/kube_queue.h"

#include <string.h>

#include "base/array.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/queue/node_group.h"
#include "import/source.h"

int kube_queue_add(struct kube *k, const struct kube_queue *q)
{
    struct kube_queues *all = k->queues;

    if (!q->name || all->is_full
        || (!q->terms && !q->user_limits
            && !strcmp(kube_str(k, q->name), "root")))
        return 0;
    kube_index_put(&all->by_name, q->name, all->count);
    all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                            sizeof(*all->at));
    all->at[all->count++] = *q;
    return 0;
}

int kube_queue_read(struct kube *k, const struct import_object *o)
{
    static const char *const known[] = {
        "weight",     "capability",  "deserved", "guarantee",
        "guaranteed", "reclaimable", "parent",   "priority",
        "type",       "affinity",    NULL
    };
    const struct gs_ynode *spec = kube_at(o->root, "spec");
    const struct gs_ynode *guarantee = kube_at(spec, "guarantee.resource");
    const char *state = kube_text(o->root, "status.state");
    const char *parent = kube_text(spec, "parent");
    struct kube_queue q = {
        .name = kube_name(k, o->root, "metadata.name"),
        .parent = parent && strcmp(parent, "root") != 0 ? kube_put(k, parent)
                                                        : 0,
        .weight = (double)kube_number(k, spec, "weight", 1, 1, INT32_MAX),
        .priority = kube_number(k, spec, "priority", 0, INT32_MIN, INT32_MAX),
        .guarantee = kube_amounts_read(k, guarantee),
        .deserved = kube_amounts_read(k, kube_at(spec, "deserved")),
        .limit = kube_amounts_read(k, kube_at(spec, "capability")),
        .groups = kube_node_groups_read(k, spec),
        .keeps = !kube_flag(spec, "reclaimable", true),
        .closed = state && strcmp(state, "Open") != 0
                  && strcmp(state, "Unknown") != 0,
    };

    kube_keys_check(k, spec, "queues of Volcano", known);
    if (kube_at(spec, "guaranteed"))
        import_account_tell(k->account, IMPORT_IGNORED, o->source,
                            kube_at(spec, "guaranteed"),
                            "'guaranteed' of a queue: no key of Volcano, it "
                            "means guarantee.resource");
    return kube_queue_add(k, &q);
}

const struct kube_queue *kube_queue_find(const struct kube *k, uint32_t name)
{
    const uint32_t at = kube_index_get(&k->queues->by_name, name);

    return at ? &k->queues->at[at - 1] : NULL;
}

int kube_class_read(struct kube *k, const struct import_object *o)
{
    const char *policy = kube_text(o->root, "preemptionPolicy");
    const struct gs_ynode *keeps = kube_key(
        kube_at(o->root, "metadata.annotations"),
        "yunikorn.apache.org/allow-preemption");
    struct kube_classes *all = k->classes;

    all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                            sizeof(*all->at));
    all->at[all->count++] = (struct kube_class){
        .name = kube_name(k, o->root, "metadata.name"),
        .value = (int32_t)kube_number(k, o->root, "value", 0, INT32_MIN,
                                      INT32_MAX),
        .is_default = kube_flag(o->root, "globalDefault", false),
        .never = policy && strcmp(policy, "Never") == 0,
        .keeps = keeps && keeps->kind == GS_YSCALAR
                 && strcmp(keeps->text, "false") == 0,
        .is_kueue = strcmp(o->kind, "WorkloadPriorityClass") == 0,
    };
    return 0;
}

const char *kube_queue_text(const struct kube *k, uint32_t name)
{
    const char *text = kube_str(k, name);
    const size_t len = strlen(KUBE_COHORT);

    return strncmp(text, KUBE_COHORT, len) == 0 ? text + len : text;
}
