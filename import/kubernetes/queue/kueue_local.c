/* import/kubernetes/queue/kueue_local.c - kinds LocalQueue and ResourceFlavor
 * of Kueue, see kueue.h.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/kube_quantity.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/name_space.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/queue/kube_queue.h"
#include "import/kubernetes/queue/kueue.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/pod.h"
#include "import/kubernetes/workload/within.h"
#include "import/source.h"

#define KUBE_FLAVOR_TAINTS 8 /* the most that Kueue allows */

void kube_kueue_free(struct kube_kueue *q)
{
    gs_array_free(q->local);
    gs_array_free(q->local_by_name.at);
    gs_array_free(q->flavor);
    gs_array_free(q->flavor_by_name.at);
}

/* --- flavors -------------------------------------------------------------- */

static enum topo_effect effect_of(const char *effect)
{
    return strcmp(effect, "NoExecute") == 0          ? TOPO_NO_EXECUTE
           : strcmp(effect, "PreferNoSchedule") == 0 ? TOPO_PREFER_NO_SCHEDULE
                                                     : TOPO_NO_SCHEDULE;
}

static void taints_read(struct kube *k, struct kube_flavor *f,
                        const struct gs_ynode *list)
{
    f->taint = gs_arena_alloc(k->arena, list ? KUBE_FLAVOR_TAINTS : 1,
                              sizeof(*f->taint));
    for (; list && f->taints < KUBE_FLAVOR_TAINTS; list = list->next) {
        const char *effect = kube_text(list, "effect");
        const char *value = kube_text(list, "value");
        const uint32_t key = kube_name(k, list, "key");

        if (key && effect)
            f->taint[f->taints++] = (struct topo_taint){
                key, value && *value ? kube_put(k, value) : 0, effect_of(effect)
            };
    }
}

struct kube_flavor *kube_flavor_add(struct kube *k, uint32_t name)
{
    struct kube_kueue *all = k->kueue;

    kube_index_put(&all->flavor_by_name, name, all->flavors);
    all->flavor = gs_array_grow(all->flavor, &all->flavor_cap, all->flavors + 1,
                                sizeof(*all->flavor));
    all->flavor[all->flavors] = (struct kube_flavor){ .name = name };
    return &all->flavor[all->flavors++];
}

int kube_flavor_read(struct kube *k, const struct import_object *o)
{
    const struct gs_ynode *spec = kube_at(o->root, "spec");
    const uint32_t name = kube_name(k, o->root, "metadata.name");
    struct kube_flavor *f;

    if (!name)
        return -1;
    f = kube_flavor_add(k, name);
    f->labels = kube_labels_read(k, kube_at(spec, "nodeLabels"));
    taints_read(k, f, kube_list(spec, "nodeTaints"));
    f->toleration = kube_tolerations_read(k, kube_list(spec, "tolerations"),
                                          &f->tolerations);
    f->topology = kube_name(k, spec, "topologyName");
    f->has_levels = f->topology != 0;
    k->kueue->with_levels += f->has_levels;
    return 0;
}

/* --- local queues --------------------------------------------------------- */

/* Tell that admission fair sharing begins without what was used before. */
static void used_tell(struct kube *k, const struct import_object *o)
{
    const struct gs_ynode *status = kube_at(o->root, "status.fairSharing");
    const struct gs_ynode *used = kube_at(
        status, "admissionFairSharingStatus.consumedResources");

    for (const struct gs_ynode *r = used ? used->child : NULL; r; r = r->next) {
        int64_t milli = 0;

        if (kube_quantity_read(k, r, &milli) != 0 || milli == 0)
            continue;
        import_account_tell(k->account, IMPORT_IGNORED, o->source, used,
                            "what a LocalQueue used before time 0");
        return;
    }
}

int kube_local_queue_read(struct kube *k, const struct import_object *o)
{
    const struct kube_workload meta = kube_workload_begin(k, o, KUBE_BATCH);
    const struct gs_ynode *weight = kube_at(o->root, "spec.fairSharing.weight");
    const char *stop = kube_text(o->root, "spec.stopPolicy");
    struct kube_kueue *all = k->kueue;
    struct kube_local l = {
        .name = meta.name,
        .cluster = kube_name(k, o->root, "spec.clusterQueue"),
        .weight = 1000,
        .is_stopped = stop && stop[0] == 'H',
    };

    if (weight)
        (void)kube_quantity_read(k, weight, &l.weight);
    kube_index_put(&all->local_by_name, l.name, all->locals);
    all->local = gs_array_grow(all->local, &all->local_cap, all->locals + 1,
                               sizeof(*all->local));
    all->local[all->locals++] = l;
    used_tell(k, o);
    return 0;
}

const struct kube_local *kube_local_find(struct kube *k, uint32_t space,
                                         uint32_t queue)
{
    uint32_t at = 0;

    if (queue && k->kueue->locals)
        at = kube_index_get(
            &k->kueue->local_by_name,
            kube_put(k,
                     gs_arena_printf(k->arena, "%.253s/%.253s",
                                     kube_str(k, space), kube_str(k, queue))));
    return at ? &k->kueue->local[at - 1] : NULL;
}

/* --- once all is read ----------------------------------------------------- */

/* Kueue admits a Job as a whole, or with the least parallelism that it states.
 * Pods that take work as it comes run on their own then, and quota of those
 * that have ended is free (reclaimablePods).  Those of an index work together,
 * mostly, and those with a topology are placed together.
 */
static void gang_set(struct kube *k, struct kube_workload *w)
{
    const struct gs_ynode at = { .line = w->line, .column = w->column };
    uint32_t all = 0;

    for (uint32_t i = 0; i < w->members; i++)
        all += w->member[i].replicas;
    if (!kube_gate_is_open(k, KUBE_GATE_PARTIAL))
        w->least_parallel = 0;
    if (w->least_parallel && w->least_parallel < all
        && (w->completions > all || w->succeeded))
        import_account_tell(k->account, IMPORT_IGNORED, kube_str(k, w->source),
                            &at,
                            "job-min-parallelism of a Job whose pods do not "
                            "start and end together");
    else if (w->least_parallel && w->least_parallel < all)
        w->member[0].min = w->gang = w->least_parallel;
    else if (w->completions <= all
             && (!w->completions || w->is_indexed || kube_within_asks(k, w)))
        w->gang = all;
}

/* Does the ClusterQueue take jobs of the namespace? */
static bool takes(struct kube *k, const struct kube_local *l, uint32_t space)
{
    const struct kube_queue *q = kube_queue_find(k, l->cluster);

    return !q || !q->spaces || kube_space_meets(k, space, q->spaces);
}

static void workload_leave(struct kube *k, struct kube_workload *w,
                           const char *what)
{
    const struct gs_ynode at = { .line = w->line, .column = w->column };

    import_account_tell(k->account, IMPORT_LEFT, kube_str(k, w->source), &at,
                        "workloads of %s", what);
    w->is_part = true;
}

/* Does it wait for a LocalQueue that has no object?  Not known where the
 * source holds none at all.
 */
static bool is_lost(const struct kube *k, const struct kube_workload *w)
{
    return k->kueue->locals > 0 && w->queue && w->start == KUBE_UNKNOWN
           && strcmp(kube_str(k, w->kind), "Workload") == 0;
}

/* Without partial admission a Workload has all its pods. */
static void least_drop(struct kube *k, struct kube_workload *w)
{
    if (kube_gate_is_open(k, KUBE_GATE_PARTIAL)
        || strcmp(kube_str(k, w->kind), "Workload") != 0)
        return;
    for (uint32_t i = 0; i < w->members; i++)
        w->member[i].min = 0;
}

/* The annotation counts unless the gate is stated to be shut: manifests that
 * have it are of clusters that read it.
 */
static void boost_take(struct kube *k, struct kube_workload *w)
{
    const struct gs_ynode at = { .line = w->line, .column = w->column };

    if (!w->boost || kube_gate_is_open(k, KUBE_GATE_BOOST))
        return;
    if (kube_gate_is_stated(k, KUBE_GATE_BOOST))
        w->boost = 0;
    else
        import_account_tell(k->account, IMPORT_ASSUMED, kube_str(k, w->source),
                            &at,
                            "annotation priority-boost counts: featureGates, "
                            "PriorityBoost is open");
}

static bool is_kind(const struct kube *k, const struct kube_workload *w,
                    const char *const *kinds)
{
    for (; *kinds; kinds++) {
        if (strcmp(kube_str(k, w->kind), *kinds) == 0)
            return true;
    }
    return false;
}

/* What names no queue is in LocalQueue `default` of its namespace, if there is
 * one and nothing else made it.  What was in a cluster (it has a uid) has the
 * label of that already.
 */
static void default_take(struct kube *k, struct kube_workload *w)
{
    static const char *const kinds[] = { "AppWrapper",
                                         "Deployment",
                                         "JAXJob",
                                         "Job",
                                         "JobSet",
                                         "LeaderWorkerSet",
                                         "MPIJob",
                                         "PaddleJob",
                                         "PyTorchJob",
                                         "RayCluster",
                                         "RayJob",
                                         "RayService",
                                         "SparkApplication",
                                         "StatefulSet",
                                         "TFJob",
                                         "TrainJob",
                                         "XGBoostJob",
                                         NULL };
    const struct gs_ynode at = { .line = w->line, .column = w->column };
    const uint32_t name = kube_put(k, "default");

    if (w->queue || w->owner || w->uid || w->has_pods || w->is_part
        || w->is_over || w->start != KUBE_UNKNOWN
        || !kube_local_find(k, w->space, name) || !is_kind(k, w, kinds))
        return;
    w->queue = name;
    w->is_suspended = false;
    import_account_tell(k->account, IMPORT_ASSUMED, kube_str(k, w->source), &at,
                        "workloads that name no queue are in LocalQueue "
                        "'default' of their namespace");
}

/* Each pod of a Deployment is admitted for itself; jobs of others than these
 * as a whole, whatever may scale them.
 */
static void whole_set(const struct kube *k, struct kube_workload *w)
{
    static const char *const single[] = { "Deployment", NULL };
    static const char *const parted[] = { "Job", "RayJob", "Workload", NULL };

    if (is_kind(k, w, single) && w->members == 1 && w->copies == 1) {
        w->copies = w->member[0].replicas;
        w->member[0].replicas = 1;
        w->gang = 0;
        return;
    }
    for (uint32_t i = 0; i < w->members && !is_kind(k, w, parted); i++) {
        if (w->life == KUBE_BATCH)
            w->member[i].min = w->member[i].replicas;
    }
}

static void workload_finish(struct kube *k, struct kube_workload *w)
{
    const struct kube_local *l;

    default_take(k, w);
    l = kube_local_find(k, w->space, w->queue);
    least_drop(k, w);
    boost_take(k, w);
    if (w->cluster)
        w->queue = w->cluster;
    else if (!l && is_lost(k, w))
        workload_leave(k, w,
                       "a LocalQueue without an object: they wait for "
                       "ever");
    if (!l)
        return;
    w->local = l->name;
    if (!w->cluster && l->cluster)
        w->queue = l->cluster;
    if (w->is_batch_job && w->gang <= 1)
        gang_set(k, w);
    whole_set(k, w);
    if (w->is_batch_job) /* what Kueue evicts is suspended, it fails no pod */
        w->retries = TRACE_NONE;
    if (w->holds_quota)
        return;
    if (w->is_gated && w->start == KUBE_UNKNOWN
        && kube_gate_is_open(k, KUBE_GATE_GATED))
        workload_leave(k, w,
                       "queues of Kueue with annotation admission-gated-by: "
                       "they wait until it is removed");
    else if (l->is_stopped && w->start == KUBE_UNKNOWN)
        workload_leave(k, w, "a LocalQueue that is stopped");
    else if (w->start == KUBE_UNKNOWN && !takes(k, l, w->space))
        workload_leave(k, w,
                       "namespaces that their ClusterQueue does not take: "
                       "they wait for ever");
}

/* Is the queue below more cohorts than a path has names, as below one that is
 * above itself?
 */
static bool is_astray(const struct kube *k, const struct kube_queue *q)
{
    uint32_t steps = 0;

    while (q && q->parent
           && kube_queue_text(k, q->parent) != kube_str(k, q->parent)
           && steps++ < TRACE_QUEUE_DEPTH_MAX)
        q = kube_queue_find(k, q->parent);
    return steps > TRACE_QUEUE_DEPTH_MAX;
}

/* A cohort that is above itself takes its tree out of use. */
static void cycles_tell(struct kube *k)
{
    struct kube_queues *all = k->queues;

    for (uint32_t i = 0; i < all->count; i++) {
        all->at[i].is_astray = is_astray(k, &all->at[i]);
        if (all->at[i].is_astray)
            import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                                "the place of queue '%s': a cohort above it is "
                                "above itself, or more than %d are above it; "
                                "it is closed",
                                kube_queue_text(k, all->at[i].name),
                                TRACE_QUEUE_DEPTH_MAX - 1);
    }
    for (uint32_t i = 0; i < all->count; i++) {
        if (all->at[i].is_astray) {
            all->at[i].parent = 0;
            all->at[i].closed = true;
        }
    }
}

/* A ClusterQueue one of whose flavors has no object admits nothing. */
static void flavors_check(struct kube *k)
{
    for (uint32_t i = 0; i < k->queues->count; i++) {
        struct kube_queue *q = &k->queues->at[i];

        for (uint32_t f = 0; f < q->flavors && !q->is_cohort; f++) {
            const uint32_t name = q->flavor[f].flavor;

            if (kube_index_get(&k->kueue->flavor_by_name, name))
                continue;
            q->closed = true;
            import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                                "jobs of queue '%s': its flavor '%s' has no "
                                "ResourceFlavor, so that it is closed",
                                kube_queue_text(k, q->name), kube_str(k, name));
        }
    }
}

static bool has_cluster_queues(const struct kube *k)
{
    bool any = false;

    for (uint32_t i = 0; i < k->queues->count && !any; i++)
        any = k->queues->at[i].flavors > 0 && !k->queues->at[i].is_cohort;
    return any;
}

/* Of two classes of one name, a PriorityClass and a WorkloadPriorityClass with
 * another value, the latter gets a name of its own, which its jobs have.
 */
static void classes_part(struct kube *k)
{
    struct kube_index plain = { 0 }, parted = { 0 };

    for (uint32_t i = 0; i < k->classes->count; i++) {
        if (!k->classes->at[i].is_kueue)
            kube_index_put(&plain, k->classes->at[i].name, i);
    }
    for (uint32_t i = 0; i < k->classes->count; i++) {
        struct kube_class *c = &k->classes->at[i];
        const uint32_t at = c->is_kueue ? kube_index_get(&plain, c->name) : 0;

        if (!at || k->classes->at[at - 1].value == c->value)
            continue;
        kube_index_put(&parted, c->name, i);
        c->name = kube_put(k, gs_arena_printf(k->arena, "workload-%.240s",
                                              kube_str(k, c->name)));
    }
    for (uint32_t i = 0; i < k->workloads->count; i++) {
        struct kube_workload *w = &k->workloads->at[i];
        const uint32_t at = w->has_kueue_class && w->priority_class
                                ? kube_index_get(&parted, w->priority_class)
                                : 0;

        if (at)
            w->priority_class = k->classes->at[at - 1].name;
    }
    gs_array_free(plain.at);
    gs_array_free(parted.at);
}

/* A LocalQueue of a ClusterQueue without an object admits nothing.  Not known
 * where the source holds no ClusterQueue at all.
 */
static void locals_check(struct kube *k)
{
    const uint32_t locals = has_cluster_queues(k) ? k->kueue->locals : 0;

    for (uint32_t i = 0; i < locals; i++) {
        const uint32_t name = k->kueue->local[i].cluster;
        const struct kube_queue q = { .name = name,
                                      .weight = 1,
                                      .closed = true };

        if (!name || kube_queue_find(k, name))
            continue;
        (void)kube_queue_add(k, &q);
        import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                            "jobs of queue '%s': its ClusterQueue has no "
                            "object, so that it is closed",
                            kube_queue_text(k, name));
    }
}

void kube_kueue_finish(struct kube *k)
{
    cycles_tell(k);
    flavors_check(k);
    locals_check(k);
    classes_part(k);
    if (kube_gate_is_open(k, KUBE_GATE_TOPOLOGY))
        kube_kueue_levels_check(k);
    for (uint32_t i = 0; i < k->workloads->count; i++)
        workload_finish(k, &k->workloads->at[i]);
    for (uint32_t i = 0; i < k->pods->count; i++) {
        struct kube_pod *p = &k->pods->at[i];
        const struct kube_local *l = kube_local_find(k, p->pods->space,
                                                     p->queue);

        if (l && !takes(k, l, p->pods->space))
            import_account_tell(k->account, IMPORT_IGNORED, NULL, NULL,
                                "namespaceSelector of a ClusterQueue: it takes "
                                "pods of all namespaces");
        if (l) {
            p->local = l->name;
            p->queue = l->cluster ? l->cluster : p->queue;
        }
    }
}
