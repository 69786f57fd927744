/* import/kubernetes/native/kube_terms.c - queues of the trace.
 */
#include "import/kubernetes/native/kube_terms.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "import/account.h"
#include "import/kubernetes/conf/yunikorn_conf.h"
#include "import/kubernetes/native/request.h"
#include "import/kubernetes/object/device.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/queue/kube_queue.h"
#include "import/kubernetes/queue/kueue.h"
#include "import/kubernetes/workload/pod_group.h"
#include "traces/workload/queue_terms.h"
#include "traces/workload/workload.h"

uint32_t kube_terms_path(const struct kube *k, uint32_t name)
{
    char path[2200], below[2200];
    int depth = 0;

    (void)snprintf(path, sizeof(path), "%.250s", kube_queue_text(k, name));
    for (const struct kube_queue *q = kube_queue_find(k, name);
         q && q->parent && depth < TRACE_QUEUE_DEPTH_MAX;
         q = kube_queue_find(k, q->parent), depth++) {
        (void)snprintf(below, sizeof(below), "%s", path);
        (void)snprintf(path, sizeof(path), "%.250s/%.1900s",
                       kube_queue_text(k, q->parent), below);
    }
    return trace_queue_name_ok(path) ? kube_put(k, path) : 0;
}

void kube_terms_amounts(struct kube *k, const struct kube_amounts *a,
                        int64_t *to)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const char *name = kube_str(k, a->at[i].name);
        int64_t unit;
        int dim = -1;

        switch (kube_device_of(name, &unit)) {
        case KUBE_CPU:
            dim = TOPO_CPU;
            break;
        case KUBE_RAM:
            dim = TOPO_MEMORY;
            break;
        case KUBE_NIC:
            dim = TOPO_RDMA;
            break;
        case KUBE_WHOLE:
            dim = TOPO_GPU;
            break;
        case KUBE_HUNDREDTHS:
            to[TOPO_GPU] = kube_device_count(name, a->at[i].milli);
            continue;
        case KUBE_PODS:
            to[TOPO_PODS] = a->at[i].milli / 1000;
            continue;
        case KUBE_COUNTED:
            dim = topo_dims_put(k->dims, a->at[i].name);
            break;
        default:
            break;
        }
        if (dim >= 0)
            to[dim] = kube_units(k, name, a->at[i].milli, true, 0, NULL);
        else
            import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                                "amounts of %s in queues", name);
    }
}

static void kai_terms_put(struct trace_workload *w, struct trace_queue *q,
                          const struct kube_kai_terms *kai)
{
    static const enum topo_dim dim[KUBE_KAI] = { TOPO_GPU, TOPO_CPU,
                                                 TOPO_MEMORY };
    struct trace_queue_extra *x = trace_queue_extra_put(w, q);

    for (int i = 0; i < KUBE_KAI; i++) {
        if (kai->is_all[i])
            trace_queue_amounts_put(w, q)->deserved[dim[i]] = TRACE_ALL;
        if (kai->weight[i] < q->weight || kai->weight[i] > q->weight)
            x->over_quota[dim[i]] = kai->weight[i];
    }
    x->term[TRACE_TERM_PREEMPT_MIN_RUNTIME] = kai->preempt;
    x->term[TRACE_TERM_RECLAIM_MIN_RUNTIME] = kai->reclaim;
}

static void user_limits_put(struct kube *k, struct trace_workload *w,
                            struct trace_queue *q,
                            const struct kube_queue *from)
{
    struct trace_queue_extra *extra = NULL;

    for (uint32_t i = 0; i < from->user_limits; i++) {
        const struct kube_user_limit *u = &from->user_limit[i];
        struct trace_user_limit *l;

        extra = extra ? extra : trace_queue_extra_put(w, q);
        l = trace_user_limit_add(w, extra, u->name, u->users, u->groups);
        kube_terms_amounts(k, &u->limit, l->limit);
        if (u->jobs)
            l->max_jobs = u->jobs;
    }
}

static void queue_put(struct kube *k, struct trace_workload *w,
                      const struct kube_queue *from)
{
    const uint32_t path = kube_terms_path(k, from->name);
    struct trace_queue *q;
    uint32_t at;

    if (!path) {
        import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                            "queue '%s': its path is not of 1 to %d names",
                            kube_queue_text(k, from->name),
                            TRACE_QUEUE_DEPTH_MAX);
        return;
    }
    at = trace_queue_put(w, path); /* it may move queue[] */
    q = &w->queue[at];
    q->weight = from->weight;
    q->priority = (int32_t)from->priority;
    q->keeps = from->keeps;
    q->closed = from->closed;
    if (from->guarantee.count || from->deserved.count || from->limit.count) {
        struct trace_queue_amounts *a = trace_queue_amounts_put(w, q);

        kube_terms_amounts(k, &from->guarantee, a->guarantee);
        kube_terms_amounts(k, &from->deserved, a->deserved);
        kube_terms_amounts(k, &from->limit, a->limit);
    }
    kube_kueue_put(k, w, q, from);
    user_limits_put(k, w, q, from);
    if (from->kai)
        kai_terms_put(w, q, from->kai);
}

void kube_terms_queues(struct kube *k, struct trace_workload *w, uint32_t from)
{
    for (uint32_t i = from; i < k->queues->count; i++)
        queue_put(k, w, &k->queues->at[i]);
}

/* The queue that the pods name, by a label or an annotation that their
 * scheduler reads; 0.
 */
static uint32_t own_queue(struct kube *k, const struct kube_template *t)
{
    static const struct {
        const char *scheduler, *key;
    } keys[] = {
        { "kai-scheduler", "kai.scheduler/queue" },
        { "kai-scheduler", "runai/queue" },
        { "runai-scheduler", "runai/queue" },
        { "volcano", "scheduling.volcano.sh/queue-name" },
        { "volcano", "volcano.sh/queue-name" },
        { "yunikorn", "yunikorn.apache.org/queue" },
        { "yunikorn", "queue" },
    };
    const char *scheduler = kube_str(k, t->scheduler);
    uint32_t queue = 0;

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && !queue; i++) {
        const uint32_t key = kube_put(k, keys[i].key);

        if (strcmp(keys[i].scheduler, scheduler) != 0)
            continue;
        queue = kube_label_value(&t->labels, key);
        if (!queue)
            queue = kube_label_value(&t->annotations, key);
    }
    return queue;
}

/* Of KAI's pods that name none: the queue of their project and node pool, else
 * the one of this name.
 */
static uint32_t kai_queue(struct kube *k, uint32_t project,
                          const struct kube_template *t)
{
    if (!project)
        project = kube_label_value(&t->labels, kube_put(k, "project"));
    if (!project)
        return kube_put(k, "default-queue");
    return t->pool ? kube_put(k, gs_arena_printf(k->arena, "%.253s-%.253s",
                                                 kube_str(k, project),
                                                 kube_str(k, t->pool)))
                   : project;
}

static uint32_t yunikorn_queue(struct kube *k, struct trace_workload *w,
                               uint32_t queue, const struct kube_template *t)
{
    const uint32_t before = k->queues->count;
    const uint32_t path = kube_yunikorn_queue(k, queue, t);

    kube_terms_queues(k, w, before);
    return path && trace_queue_name_ok(kube_str(k, path))
               ? trace_queue_put(w, path)
               : 0;
}

uint32_t kube_terms_queue_name(struct kube *k, const struct kube_queue_named *n,
                               const struct kube_template *t)
{
    const struct kube_pod_group *g = kube_pod_group_find(
        k, n->pod_group ? n->pod_group : kube_pod_group_of(k, t));
    const uint32_t queue = n->queue        ? n->queue
                           : g && g->queue ? g->queue
                                           : own_queue(k, t);

    return queue || g || !kube_is_kai(kube_str(k, t->scheduler))
               ? queue
               : kai_queue(k, n->project, t);
}

uint32_t kube_terms_queue(struct kube *k, struct trace_workload *w,
                          const struct kube_queue_named *n,
                          const struct kube_template *t)
{
    uint32_t queue = kube_terms_queue_name(k, n, t), path;

    if (kube_yunikorn_serves(k, t))
        return yunikorn_queue(k, w, queue, t);
    if (!queue)
        queue = kube_elastic_queue(k, t->space);
    if (!queue)
        return 0;
    path = kube_terms_path(k, queue);
    if (!path)
        return 0;
    if (trace_queue_find(w, path) == TRACE_NONE)
        import_account_tell(k->account, IMPORT_ASSUMED, NULL, NULL,
                            "queue '%s' has no object: weight 1, no limits",
                            kube_str(k, queue));
    return trace_queue_put(w, path);
}

void kube_terms_admission(struct kube *k, struct trace_workload *w,
                          const struct kube_pod_group *g, struct trace_job *j)
{
    struct trace_minimum minimum = { { 0 } };

    if (!g || !g->has_minimum)
        return;
    kube_terms_amounts(k, &g->minimum, minimum.amount);
    j->aside->minimum = trace_workload_minimum(w, &minimum);
    j->aside->admitted = g->is_admitted;
}

void kube_terms_make(struct kube *k, struct trace_workload *w)
{
    kube_kueue_make(k, w);
    kube_terms_queues(k, w, 0);
    w->queue[0].keeps = w->queue[0].keeps || kube_has_elastic(k);
}
