/* import/kubernetes/queue/kueue.c - kinds ClusterQueue, Cohort and LocalQueue
 * of Kueue.
 *
 * A ClusterQueue deserves its nominal quotas, of all its flavors together, and
 * may hold what it may borrow besides; its cohort is its parent.
 */
#include "import/kubernetes/queue/kueue.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/kube_quantity.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/queue/kube_queue.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/pod.h"
#include "import/source.h"

static void ignored(struct kube *k, const struct gs_ynode *at, const char *text)
{
    if (at)
        import_account_tell(k->account, IMPORT_IGNORED, k->source, at, "%s",
                            text);
}

/* --- quotas --------------------------------------------------------------- */

/* `open`: resources of which the queue may borrow all. */
static void resource_read(struct kube *k, struct kube_queue *q,
                          const struct gs_ynode *r, bool has_cohort,
                          struct kube_amounts *open)
{
    const struct gs_ynode *nominal = kube_at(r, "nominalQuota");
    const struct gs_ynode *borrows = kube_at(r, "borrowingLimit");
    const uint32_t name = kube_name(k, r, "name");
    int64_t quota, more = 0;

    if (!name || !nominal || kube_quantity_read(k, nominal, &quota) < 0
        || (borrows && kube_quantity_read(k, borrows, &more) < 0))
        return;
    kube_amount_add(k, &q->deserved, name, quota);
    kube_amount_add(k, &q->limit, name, quota);
    kube_amount_add(k, &q->limit, name, more);
    if (!borrows && has_cohort)
        kube_amount_add(k, open, name, 1);
    ignored(k, kube_at(r, "lendingLimit"),
            "lendingLimit of Kueue: all that is not used is lent");
}

static void groups_read(struct kube *k, struct kube_queue *q,
                        const struct gs_ynode *spec, bool has_cohort)
{
    struct kube_amounts open = { 0 };
    uint32_t kept = 0;

    for (const struct gs_ynode *g = kube_list(spec, "resourceGroups"); g;
         g = g->next) {
        const struct gs_ynode *f = kube_list(g, "flavors");

        if (f && f->next)
            import_account_tell(k->account, IMPORT_ASSUMED, k->source, g,
                                "quotas of several flavors of Kueue are one");
        for (; f; f = f->next) {
            for (const struct gs_ynode *r = kube_list(f, "resources"); r;
                 r = r->next)
                resource_read(k, q, r, has_cohort, &open);
        }
    }
    for (uint32_t i = 0; i < q->limit.count; i++) {
        if (!kube_amount_of(&open, q->limit.at[i].name))
            q->limit.at[kept++] = q->limit.at[i];
    }
    q->limit.count = kept;
}

static double weight_read(struct kube *k, const struct gs_ynode *spec)
{
    const struct gs_ynode *w = kube_at(spec, "fairSharing.weight");
    int64_t milli;

    if (!w || kube_quantity_read(k, w, &milli) < 0)
        return 1;
    if (milli == 0)
        ignored(k, w, "fairSharing.weight 0 of Kueue: taken as 0.001");
    return milli ? (double)milli / 1000 : 0.001;
}

int kube_cluster_queue_read(struct kube *k, const struct import_object *o)
{
    const struct gs_ynode *spec = kube_at(o->root, "spec");
    const char *stop = kube_text(spec, "stopPolicy");
    struct kube_queue q = {
        .name = kube_name(k, o->root, "metadata.name"),
        .weight = weight_read(k, spec),
        .closed = stop && stop[0] == 'H', /* Hold, HoldAndDrain */
    };

    q.parent = kube_name(k, spec, "cohortName");
    if (!q.parent)
        q.parent = kube_name(k, spec,
                             o->kind[1] == 'o' ? "parentName" : "cohort");
    if (!q.parent)
        q.parent = kube_name(k, spec, "parent");
    groups_read(k, &q, spec, q.parent || o->kind[1] == 'o');
    ignored(k, kube_at(spec, "preemption"),
            "preemption of a ClusterQueue: that of the policy");
    ignored(k, kube_at(spec, "admissionChecks"), "admission checks of Kueue");
    ignored(k, kube_at(spec, "admissionChecksStrategy"),
            "admission checks of Kueue");
    ignored(k, kube_list(spec, "namespaceSelector.matchExpressions"),
            "namespaceSelector of a ClusterQueue: it takes all");
    return kube_queue_add(k, &q);
}

/* --- local queues --------------------------------------------------------- */

int kube_local_queue_read(struct kube *k, const struct import_object *o)
{
    const struct kube_workload meta = kube_workload_begin(k, o, KUBE_BATCH);
    struct kube_locals *all = k->locals;

    kube_index_put(&all->by_name, meta.name, all->count);
    all->cluster = gs_array_grow(all->cluster, &all->cap, all->count + 1,
                                 sizeof(*all->cluster));
    all->cluster[all->count++] = kube_name(k, o->root, "spec.clusterQueue");
    return 0;
}

/* The queue that `queue` of the namespace stands for. */
static uint32_t stands_for(struct kube *k, uint32_t space, uint32_t queue)
{
    uint32_t at = 0;

    if (queue)
        at = kube_index_get(
            &k->locals->by_name,
            kube_put(k,
                     gs_arena_printf(k->arena, "%.253s/%.253s",
                                     kube_str(k, space), kube_str(k, queue))));
    return at && k->locals->cluster[at - 1] ? k->locals->cluster[at - 1]
                                            : queue;
}

void kube_locals_finish(struct kube *k)
{
    if (k->locals->count == 0)
        return;
    for (uint32_t i = 0; i < k->workloads->count; i++) {
        struct kube_workload *w = &k->workloads->at[i];

        w->queue = stands_for(k, w->space, w->queue);
    }
    for (uint32_t i = 0; i < k->pods->count; i++) {
        struct kube_pod *p = &k->pods->at[i];

        p->queue = stands_for(k, p->pods->space, p->queue);
    }
}
