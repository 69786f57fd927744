/* import/kubernetes/queue/elastic_quota.c - kind ElasticQuota: what a namespace
 * may hold, and what is kept for it, under plugin CapacityScheduling.
 *
 * It is a queue that deserves its min and has its max as limit, below one queue
 * that holds no more than all min together: a namespace borrows what others
 * leave of theirs, and gives it back.  Nothing is reclaimed from pods of other
 * namespaces.
 */
#include "base/arena.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/queue/kube_queue.h"
#include "import/source.h"

#define ALL "elastic-quotas"

uint32_t kube_elastic_queue(const struct kube *k, uint32_t space)
{
    const uint32_t name = kube_put(
        k, gs_arena_printf(k->arena, ALL "/%.253s", kube_str(k, space)));

    return kube_queue_find(k, name) ? name : 0;
}

bool kube_has_elastic(const struct kube *k)
{
    return kube_queue_find(k, kube_put(k, ALL)) != NULL;
}

/* Add the amounts to what all of them hold at most. */
static void all_raise(struct kube *k, const struct kube_amounts *min)
{
    const uint32_t name = kube_put(k, ALL);
    uint32_t at = kube_index_get(&k->queues->by_name, name);

    if (!at)
        (void)kube_queue_add(k,
                             &(struct kube_queue){ .name = name, .weight = 1 });
    at = kube_index_get(&k->queues->by_name, name);
    for (uint32_t i = 0; i < min->count; i++)
        kube_amount_add(k, &k->queues->at[at - 1].limit, min->at[i].name,
                        min->at[i].milli);
}

int kube_elastic_quota_read(struct kube *k, const struct import_object *o)
{
    const uint32_t stated = kube_name(k, o->root, "metadata.namespace");
    const uint32_t space = stated ? stated : kube_put(k, "default");
    const struct gs_ynode *spec = kube_at(o->root, "spec");
    struct kube_queue q = {
        .weight = 1,
        .deserved = kube_amounts_read(k, kube_at(spec, "min")),
        .limit = kube_amounts_read(k, kube_at(spec, "max")),
    };

    if (kube_elastic_queue(k, space)) {
        import_account_tell(k->account, IMPORT_LEFT, o->source, o->root,
                            "a second ElasticQuota of one namespace");
        return 0;
    }
    q.name = kube_put(
        k, gs_arena_printf(k->arena, ALL "/%.253s", kube_str(k, space)));
    all_raise(k, &q.deserved);
    import_account_tell(k->account, IMPORT_ASSUMED, o->source, o->root,
                        "an ElasticQuota is a queue of queue " ALL
                        " for the jobs of its namespace that name none");
    return kube_queue_add(k, &q);
}
