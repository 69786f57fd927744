/* import/kubernetes/native/kube_terms.c - queues and priority classes of the
 * trace.
 */
#include "import/kubernetes/native/kube_terms.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/conf/yunikorn_conf.h"
#include "import/kubernetes/native/request.h"
#include "import/kubernetes/object/device.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/queue/kube_queue.h"
#include "import/kubernetes/queue/kube_quota.h"
#include "import/kubernetes/queue/kueue.h"
#include "import/kubernetes/workload/pod_group.h"
#include "traces/workload/queue_terms.h"
#include "traces/workload/workload.h"

/* --- queues --------------------------------------------------------------- */

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
            to[dim] = kube_units(name, a->at[i].milli, true);
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

/* Of objects of kind Job a quota counts the number, too: it is then another. */
static uint32_t job_quota(struct kube *k, struct trace_workload *w,
                          const struct kube_quota *q)
{
    char name[600];
    uint32_t at;

    (void)snprintf(name, sizeof(name), "%.560s/jobs", kube_str(k, q->name));
    at = trace_quota_put(w, kube_put(k, name));
    w->quota[at].jobs = q->jobs;
    return at;
}

/* What daemons leave of the quota. */
static struct kube_amounts left_of(struct kube *k, const struct kube_quota *q)
{
    struct kube_amounts left = { 0 };

    for (uint32_t i = 0; i < q->limit.count; i++) {
        const uint32_t name = q->limit.at[i].name;
        const int64_t rest = q->limit.at[i].milli
                             - kube_amount_of(&q->daemons, name);

        kube_amount_add(k, &left, name, rest > 0 ? rest : 0);
    }
    return left;
}

static void quota_put(struct kube *k, struct trace_workload *w,
                      const struct kube_quota *from)
{
    if (from->limit.count) {
        const uint32_t at = trace_quota_put(w, from->name);
        const struct kube_amounts left = left_of(k, from);

        kube_terms_amounts(k, &left, w->quota[at].limit);
    }
    if (from->jobs >= 0)
        (void)job_quota(k, w, from);
}

/* The name of the class; 0: it has none, but a value. */
static uint32_t class_name(const struct kube *k, const struct trace_workload *w,
                           uint32_t klass)
{
    char number[16];

    (void)snprintf(number, sizeof(number), "%d", (int)w->klass[klass].value);
    return strcmp(number, kube_str(k, w->klass[klass].name)) == 0
               ? 0
               : w->klass[klass].name;
}

/* Tell of pods that state nothing of what the quota limits. */
static void statements_check(struct kube *k, const struct kube_quota *q,
                             const struct kube_template *t)
{
    const struct kube_amounts a = kube_template_request(k, t,
                                                        kube_limits_of(k, t));
    const struct gs_ynode at = { .line = t->line, .column = t->column };

    for (uint32_t i = 0; i < q->limit.count; i++) {
        const char *name = kube_str(k, q->limit.at[i].name);

        if ((strcmp(name, "cpu") == 0 || strcmp(name, "memory") == 0)
            && kube_amount_of(&a, q->limit.at[i].name) == 0)
            import_account_tell(k->account, IMPORT_IGNORED,
                                kube_str(k, t->source), &at,
                                "pods that state no %s under a quota of it: "
                                "there they are refused",
                                name);
    }
}

/* Tell of pods whose limits differ from their requests under a quota of limits.
 */
static void limits_check(struct kube *k, const struct kube_quota *q,
                         const struct kube_template *t)
{
    const struct gs_ynode at = { .line = t->line, .column = t->column };

    for (uint32_t i = 0; i < q->by_limits; i++) {
        const uint32_t name = q->by_limit[i];
        bool differs = false;

        for (uint32_t c = 0; c < t->containers; c++) {
            const int64_t request = kube_amount_of(&t->container[c].request,
                                                   name);

            differs |= request > 0
                       && request
                              != kube_amount_of(&t->container[c].limit, name);
        }
        if (differs)
            import_account_tell(k->account, IMPORT_IGNORED,
                                kube_str(k, t->source), &at,
                                "pods whose limit of %s is not their request, "
                                "under a quota of limits: the request is "
                                "counted",
                                kube_str(k, name));
    }
}

uint32_t kube_terms_quotas(struct kube *k, struct trace_workload *w,
                           const struct kube_template *t, uint32_t klass,
                           bool is_job)
{
    const uint32_t name = class_name(k, w, klass);
    uint32_t set[TRACE_QUOTAS_MAX], n = 0;

    for (uint32_t at = kube_index_get(&k->quotas->by_space, t->space); at;
         at = k->quotas->at[at - 1].next) {
        const struct kube_quota *q = &k->quotas->at[at - 1];
        const bool holds = q->limit.count && kube_quota_holds(k, q, t, name);
        const bool counts = is_job && q->jobs >= 0;

        if (n + holds + counts > TRACE_QUOTAS_MAX) {
            import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                                "quotas of one namespace beyond %d",
                                TRACE_QUOTAS_MAX);
            break;
        }
        if (holds) {
            statements_check(k, q, t);
            limits_check(k, q, t);
        }
        if (holds)
            set[n++] = trace_quota_put(w, q->name);
        if (counts)
            set[n++] = job_quota(k, w, q);
    }
    return trace_quota_set_put(w, set, n);
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

uint32_t kube_terms_queue_name(struct kube *k, uint32_t queue,
                               uint32_t pod_group,
                               const struct kube_template *t)
{
    const struct kube_pod_group *g = kube_pod_group_find(k, pod_group);

    return queue ? queue : g && g->queue ? g->queue : own_queue(k, t);
}

uint32_t kube_terms_queue(struct kube *k, struct trace_workload *w,
                          uint32_t queue, uint32_t pod_group,
                          const struct kube_template *t)
{
    uint32_t path;

    queue = kube_terms_queue_name(k, queue, pod_group, t);
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

/* --- priority classes ----------------------------------------------------- */

/* Those that every cluster has, and those that KAI's Helm chart makes. */
static const struct {
    const char *name;
    int32_t value;
    bool is_kai;
} built_in[] = { { "system-cluster-critical", 2000000000, false },
                 { "system-node-critical", 2000001000, false },
                 { "train", 50, true },
                 { "build-preemptible", 75, true },
                 { "build", 100, true },
                 { "inference", 125, true } };

/* The class called `name`, with its value. */
static uint32_t class_put(struct trace_workload *w, uint32_t name,
                          int32_t value, bool preempts)
{
    const uint32_t id = trace_class_put(w, name);

    w->klass[id].value = value;
    w->klass[id].preempts = preempts;
    return id;
}

static bool is_built_in(struct kube *k, const char *name, bool is_kai,
                        int32_t *value)
{
    for (size_t i = 0; i < sizeof(built_in) / sizeof(built_in[0]); i++) {
        *value = built_in[i].value;
        if (strcmp(name, built_in[i].name) != 0
            || (built_in[i].is_kai && !is_kai))
            continue;
        if (built_in[i].is_kai)
            import_account_tell(k->account, IMPORT_ASSUMED, NULL, NULL,
                                "priority class '%s' has no object: value %d, "
                                "as KAI's chart makes it",
                                name, (int)*value);
        return true;
    }
    return false;
}

/* The class that is the default; 0: none. */
static uint32_t default_class(const struct kube *k)
{
    for (uint32_t i = k->classes->count; i-- > 0;) {
        if (k->classes->at[i].is_default)
            return k->classes->at[i].name;
    }
    return 0;
}

uint32_t kube_terms_class(struct kube *k, struct trace_workload *w,
                          uint32_t name, const struct kube_template *t)
{
    const bool is_kai = kube_is_kai(kube_str(k, t->scheduler));
    int32_t value;

    name = name ? name : t->priority_class;
    if (!name && t->priority != KUBE_UNKNOWN)
        return trace_class_value(w, (int32_t)t->priority);
    name = name ? name : default_class(k);
    if (!name)
        return 0;
    if (trace_class_find(w, name) != TRACE_NONE)
        return trace_class_find(w, name);
    if (t->priority != KUBE_UNKNOWN && (!is_kai || name == t->priority_class))
        return class_put(w, name, (int32_t)t->priority, !t->never);
    if (is_built_in(k, kube_str(k, name), is_kai, &value))
        return class_put(w, name, value, true);
    import_account_tell(k->account, IMPORT_ASSUMED, NULL, NULL,
                        "priority class '%s' has no object: value 0",
                        kube_str(k, name));
    return trace_class_put(w, name);
}

uint32_t kube_terms_kai_class(struct kube *k, uint32_t label, uint32_t kind,
                              const struct kube_template *t)
{
    static const struct {
        const char *kind, *name;
    } kinds[] = { { "Deployment", "inference" },
                  { "Service", "inference" },
                  { "Notebook", "build" } };
    const char *name = "train";

    if (!label)
        label = kube_label_value(&t->labels, kube_put(k, "priorityClassName"));
    if (label || t->priority_class)
        return label ? label : t->priority_class;
    if (t->priority != KUBE_UNKNOWN && t->priority != 0)
        return 0; /* 0 is that of pods without a class */
    if (default_class(k))
        return default_class(k);
    if (kube_label_has(&t->labels, kube_put(k, "pod-template-hash")))
        name = "inference"; /* a Deployment made its ReplicaSet */
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(kube_str(k, kind), kinds[i].kind) == 0)
            name = kinds[i].name;
    }
    return kube_put(k, name);
}

uint32_t kube_terms_boost(struct trace_workload *w, uint32_t klass,
                          int32_t boost)
{
    const int64_t value = (int64_t)w->klass[klass].value + boost;

    return trace_class_value(w, value < INT32_MIN   ? INT32_MIN
                                : value > INT32_MAX ? INT32_MAX
                                                    : (int32_t)value);
}

void kube_terms_make(struct kube *k, struct trace_workload *w)
{
    kube_kueue_make(k, w);
    kube_terms_queues(k, w, 0);
    w->queue[0].keeps = w->queue[0].keeps || kube_has_elastic(k);
    for (uint32_t i = 0; i < k->quotas->count; i++)
        quota_put(k, w, &k->quotas->at[i]);
    for (uint32_t i = 0; i < k->classes->count; i++) {
        const struct kube_class *c = &k->classes->at[i];

        if (c->name)
            (void)class_put(w, c->name, c->value, !c->never);
    }
}
