/* import/kubernetes/workload/kueue_workload.c - kind Workload of Kueue: the
 * pods of the object that owns it, or, where the source holds no such object, a
 * job of its podSets.
 */
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/workload/assigned.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/within.h"
#include "import/source.h"
#include "traces/workload/workload.h"

/* Does a pod own it?  Then it says what the pods say. */
static bool is_of_pods(const struct gs_ynode *root)
{
    for (const struct gs_ynode *o = kube_list(root, "metadata.ownerReferences");
         o; o = o->next) {
        const char *kind = kube_text(o, "kind");

        if (kind && strcmp(kind, "Pod") == 0)
            return true;
    }
    return false;
}

/* The condition of that type, if it holds; NULL. */
static const struct gs_ynode *condition_of(const struct gs_ynode *root,
                                           const char *type)
{
    for (const struct gs_ynode *c = kube_list(root, "status.conditions"); c;
         c = c->next) {
        const char *is = kube_text(c, "type");
        const char *status = kube_text(c, "status");

        if (is && status && strcmp(is, type) == 0
            && strcmp(status, "True") == 0)
            return c;
    }
    return NULL;
}

static bool has_condition(const struct gs_ynode *root, const char *type)
{
    return condition_of(root, type) != NULL;
}

/* The entry of a podSet in a list of the status; NULL. */
static const struct gs_ynode *entry_of(const struct gs_ynode *root,
                                       const char *list, const char *name)
{
    const struct gs_ynode *x = kube_list(root, list);

    for (int i = 0; x && i < KUBE_POD_SETS_MAX; i++, x = x->next) {
        const char *is = kube_text(x, "name");

        if (is && strcmp(is, name) == 0)
            return x;
    }
    return NULL;
}

/* The flavors of an assignment, each once. */
static void flavors_read(struct kube *k, const struct gs_ynode *assigned,
                         struct kube_member *m)
{
    const struct gs_ynode *map = kube_at(assigned, "flavors");
    uint32_t *held;

    if (!map || map->kind != GS_YMAP || map->len == 0)
        return;
    held = gs_arena_alloc(k->arena, map->len, sizeof(*held));
    for (const struct gs_ynode *v = map->child; v; v = v->next) {
        const uint32_t name = v->kind == GS_YSCALAR ? kube_put(k, v->text) : 0;
        bool again = !name;

        for (uint32_t i = 0; i < m->helds && !again; i++)
            again = held[i] == name;
        if (!again && m->helds < TRACE_HELD_MAX)
            held[m->helds++] = name;
    }
    m->held = held;
}

/* What the status says of the podSet: how many of its pods there still are, and
 * the flavors and nodes that it holds.
 */
static void status_take(struct kube *k, const struct kube_workload *w,
                        const struct gs_ynode *root, const struct gs_ynode *set,
                        struct kube_member *m)
{
    const char *name = kube_text(set, "name");
    const struct gs_ynode *assigned = w->holds_quota
                                          ? entry_of(root,
                                                     "status.admission."
                                                     "podSetAssignments",
                                                     name ? name : "main")
                                          : NULL;
    const uint32_t ended = kube_count(
        k, entry_of(root, "status.reclaimablePods", name ? name : "main"),
        "count", 0);
    const uint32_t count = kube_count(k, assigned, "count", m->replicas);

    if (count < m->replicas)
        import_account_tell(k->account, IMPORT_ASSUMED, kube_str(k, w->source),
                            assigned,
                            "a Workload that is admitted with fewer pods has "
                            "no more, also when it is evicted");
    m->replicas = m->replicas > ended ? m->replicas - ended : 0;
    m->replicas = count < m->replicas ? count : m->replicas;
    flavors_read(k, assigned, m);
    kube_assigned_read(k, assigned, m);
}

/* Does it hold quota?  What is evicted gives it back at once. */
static bool is_admitted(const struct gs_ynode *root)
{
    return (has_condition(root, "QuotaReserved")
            || has_condition(root, "Admitted"))
           && !has_condition(root, "Evicted")
           && !has_condition(root, "Finished");
}

/* Since when; its pods are made when all its checks have passed, too. */
static int64_t admitted_since(const struct gs_ynode *root)
{
    const struct gs_ynode *c = condition_of(root, "Admitted");

    if (!c)
        c = condition_of(root, "QuotaReserved");
    return kube_date(c, "lastTransitionTime");
}

static void set_add(struct kube *k, struct kube_workload *w,
                    const struct gs_ynode *root, const struct gs_ynode *set,
                    int64_t priority, bool partial)
{
    struct kube_template *pods = kube_template_read(k, kube_at(set, "template"),
                                                    w->space);
    struct kube_member m = {
        .name = kube_name(k, set, "name"),
        .replicas = kube_count(k, set, "count", 1),
        .pods = pods,
    };
    const struct kube_within within = kube_within_kueue(
        k, kube_at(set, "topologyRequest"));

    if (partial)
        m.min = kube_count(k, set, "minCount", m.replicas);
    status_take(k, w, root, set, &m);
    m.min = m.min < m.replicas ? m.min : m.replicas;
    if (pods && pods->priority == KUBE_UNKNOWN)
        pods->priority = priority;
    if (kube_within_says(&within))
        m.within = gs_arena_memdup(k->arena, &within, sizeof(within));
    kube_member_add(k, w, &m);
}

/* Is its class a WorkloadPriorityClass? */
static bool is_of_kueue(const struct gs_ynode *spec)
{
    const char *kind = kube_text(spec, "priorityClassRef.kind");
    const char *source = kube_text(spec, "priorityClassSource"); /* v1beta1 */

    return (kind && strcmp(kind, "WorkloadPriorityClass") == 0)
           || (source
               && strcmp(source, "kueue.x-k8s.io/workloadpriorityclass") == 0);
}

int kube_kueue_workload_read(struct kube *k, const struct import_object *o)
{
    const struct gs_ynode *spec = kube_at(o->root, "spec");
    struct kube_workload w = kube_workload_begin(k, o, KUBE_BATCH);
    const int64_t seconds = kube_number(k, spec, "maximumExecutionTimeSeconds",
                                        0, 0, GS_TIME_MAX / GS_SECOND);
    const int64_t priority = kube_at(spec, "priority") ? kube_number(
                                 k, spec, "priority", 0, INT32_MIN, INT32_MAX)
                                                       : KUBE_UNKNOWN;
    bool partial = false;

    if (is_of_pods(o->root))
        return 0;
    w.holds_quota = is_admitted(o->root)
                    && kube_at(o->root, "status.admission");
    if (is_admitted(o->root) && !w.holds_quota)
        import_account_tell(k->account, IMPORT_ASSUMED, o->source, o->root,
                            "a Workload that is admitted and does not state "
                            "what it holds is admitted anew");
    w.queue = kube_name(k, spec, "queueName");
    w.admitted = admitted_since(o->root);
    w.reserved = kube_date(condition_of(o->root, "QuotaReserved"),
                           "lastTransitionTime");
    if (w.reserved == KUBE_UNKNOWN)
        w.reserved = w.admitted;
    if (w.holds_quota)
        w.cluster = kube_name(k, o->root, "status.admission.clusterQueue");
    w.is_suspended = !kube_flag(spec, "active", true);
    w.priority_class = kube_name(k, spec, "priorityClassRef.name");
    w.has_kueue_class = is_of_kueue(spec);
    if (!w.priority_class)
        w.priority_class = kube_name(k, spec, "priorityClassName");
    if (seconds)
        w.deadline = seconds * GS_SECOND;
    for (const struct gs_ynode *s = kube_list(spec, "podSets"); s; s = s->next)
        partial |= kube_at(s, "minCount") != NULL;
    for (const struct gs_ynode *s = kube_list(spec, "podSets"); s; s = s->next)
        set_add(k, &w, o->root, s, priority, partial);
    return kube_workload_add(k, &w);
}
