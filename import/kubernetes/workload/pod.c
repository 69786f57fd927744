/* import/kubernetes/workload/pod.c - kind Pod: a pod, with the state it is in.
 */
#include "import/kubernetes/workload/pod.h"

#include <string.h>

#include "base/array.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/pod_group.h"
#include "import/kubernetes/workload/task_group.h"
#include "import/source.h"

/* When it was bound to its node: the condition PodScheduled, else startTime. */
static int64_t start_of(const struct gs_ynode *pod)
{
    for (const struct gs_ynode *c = kube_list(pod, "status.conditions"); c;
         c = c->next) {
        const char *type = kube_text(c, "type");
        const char *status = kube_text(c, "status");

        if (type && status && strcmp(type, "PodScheduled") == 0
            && strcmp(status, "True") == 0)
            return kube_date(c, "lastTransitionTime");
    }
    return kube_date(pod, "status.startTime");
}

/* When its last container ended. */
static int64_t end_of(const struct gs_ynode *pod)
{
    int64_t last = KUBE_UNKNOWN;

    for (const struct gs_ynode *c = kube_list(pod, "status.containerStatuses");
         c; c = c->next) {
        const int64_t end = kube_date(c, "state.terminated.finishedAt");

        last = end > last ? end : last;
    }
    return last;
}

static enum kube_phase phase_of(const struct gs_ynode *pod)
{
    const char *phase = kube_text(pod, "status.phase");

    if (phase && strcmp(phase, "Running") == 0)
        return KUBE_RUNNING;
    if (phase
        && (strcmp(phase, "Succeeded") == 0 || strcmp(phase, "Failed") == 0))
        return KUBE_ENDED;
    return KUBE_PENDING;
}

static void owner_read(struct kube *k, struct kube_pod *p,
                       const struct gs_ynode *pod)
{
    for (const struct gs_ynode *o = kube_list(pod, "metadata.ownerReferences");
         o; o = o->next) {
        p->owner = kube_name(k, o, "uid");
        p->owner_kind = kube_name(k, o, "kind");
        p->owner_name = kube_name(k, o, "name");
        if (kube_flag(o, "controller", false))
            break;
    }
    p->is_daemon = p->owner_kind == kube_put(k, "DaemonSet")
                   || p->owner_kind == kube_put(k, "Node");
}

int kube_pod_read(struct kube *k, const struct import_object *o)
{
    const struct kube_workload meta = kube_workload_begin(k, o, KUBE_BATCH);
    struct kube_template *pods = kube_template_read(k, o->root, meta.space);
    struct kube_pods *all = k->pods;
    struct kube_pod p = {
        .name = meta.name,
        .uid = meta.uid,
        .is_named = meta.is_named,
        .queue = meta.queue,
        .phase = phase_of(o->root),
        .submit = meta.submit,
        .start = start_of(o->root),
        .end = end_of(o->root),
        .leaves = kube_date(o->root, "metadata.deletionTimestamp"),
        .pods = pods,
    };

    if (!p.pods || k->has_mistake)
        return -1;
    owner_read(k, &p, o->root);
    if (p.leaves != KUBE_UNKNOWN && !p.pods->node) {
        import_account_tell(k->account, IMPORT_LEFT, o->source, o->root,
                            "pods that are deleted before they ran");
        return 1;
    }
    if (kube_task_group_is_placeholder(k, p.pods)) {
        import_account_tell(k->account, IMPORT_LEFT, o->source, o->root,
                            "placeholders of YuniKorn: the tasks of a gang "
                            "hold their places themselves");
        return 1;
    }
    if (p.leaves != KUBE_UNKNOWN)
        p.owner = 0; /* which has replaced it, or does not want it */
    else
        p.group = kube_pod_group_of(k, p.pods);
    if (!p.group && p.leaves == KUBE_UNKNOWN)
        p.group = kube_task_group_application(k, p.pods);
    pods->is_replica = p.owner && kube_pod_serves(k, &p);
    all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                            sizeof(*all->at));
    all->at[all->count++] = p;
    return 0;
}

bool kube_pod_serves(const struct kube *k, const struct kube_pod *p)
{
    static const char *const kinds[] = { "ReplicaSet", "StatefulSet",
                                         "ReplicationController",
                                         "Deployment" };
    const char *kind = kube_str(k, p->owner_kind);

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(kind, kinds[i]) == 0)
            return true;
    }
    return false;
}
