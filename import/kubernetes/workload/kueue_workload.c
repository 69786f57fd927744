/* import/kubernetes/workload/kueue_workload.c - kind Workload of Kueue: the pods of
 * the object that owns it, or, where the source holds no such object, a job of its
 * podSets.
 */
#include <string.h>

#include "base/duration.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
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

static bool has_condition(const struct gs_ynode *root, const char *type)
{
    for (const struct gs_ynode *c = kube_list(root, "status.conditions"); c;
         c = c->next) {
        const char *is = kube_text(c, "type");
        const char *status = kube_text(c, "status");

        if (is && status && strcmp(is, type) == 0
            && strcmp(status, "True") == 0)
            return true;
    }
    return false;
}

static void set_add(struct kube *k, struct kube_workload *w,
                    const struct gs_ynode *set, int64_t priority, bool partial)
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
    m.min = m.min < m.replicas ? m.min : m.replicas;
    if (pods && pods->priority == KUBE_UNKNOWN)
        pods->priority = priority;
    if (kube_within_says(&within))
        w->within = within;
    kube_member_add(k, w, &m);
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
    w.queue = kube_name(k, spec, "queueName");
    w.is_suspended = !kube_flag(spec, "active", true);
    w.priority_class = kube_name(k, spec, "priorityClassRef.name");
    if (!w.priority_class)
        w.priority_class = kube_name(k, spec, "priorityClassName");
    if (seconds)
        w.deadline = seconds * GS_SECOND;
    for (const struct gs_ynode *s = kube_list(spec, "podSets"); s; s = s->next)
        partial |= kube_at(s, "minCount") != NULL;
    for (const struct gs_ynode *s = kube_list(spec, "podSets"); s; s = s->next)
        set_add(k, &w, s, priority, partial);
    if (!w.owner && has_condition(o->root, "Admitted")
        && !has_condition(o->root, "Finished"))
        import_account_tell(k->account, IMPORT_ASSUMED, o->source, o->root,
                            "a Workload that is admitted, of which the source "
                            "holds no pods, is admitted anew");
    return kube_workload_add(k, &w);
}
