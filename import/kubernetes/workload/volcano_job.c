/* import/kubernetes/workload/volcano_job.c - kind Job of group
 * batch.volcano.sh: tasks of several templates, minAvailable of which start
 * together.
 */
#include <string.h>

#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/pod/zone.h"
#include "import/kubernetes/workload/job_specs.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/within.h"
#include "import/source.h"
#include "traces/workload/dependencies.h"
#include "traces/workload/workload.h"

static void ignored(struct kube *k, const struct gs_ynode *at, const char *text)
{
    if (at)
        import_account_tell(k->account, IMPORT_IGNORED, k->source, at, "%s",
                            text);
}

/* The pods of its least partitions; without these all. */
static uint32_t partitions_of(struct kube *k, const struct gs_ynode *t,
                              const struct kube_member *m)
{
    const uint64_t least = kube_count(k, t, "partitionPolicy.minPartitions", 0);
    const struct gs_ynode *n = kube_at(t, "partitionPolicy.partitionSize");

    ignored(k, kube_at(t, "partitionPolicy.networkTopology"),
            "topology of partitions of Volcano's tasks");
    if (least == 0)
        return m->replicas;
    ignored(k, n,
            "partitionSize of Volcano's tasks: minPartitions start together, "
            "other pods one by one");
    return kube_clip(k, least * kube_count(k, n, "", 1));
}

/* Of each task so many at least as it says, all where it does not say. */
static void tasks_read(struct kube *k, struct kube_workload *w,
                       const struct gs_ynode *t)
{
    for (; t; t = t->next) {
        struct kube_template *pods = kube_template_read(
            k, kube_at(t, "template"), w->space);
        struct kube_member m = {
            .name = kube_name(k, t, "name"),
            .replicas = kube_count(k, t, "replicas", 1),
            .pods = pods,
        };
        const char *any;

        if (w->uses_zones)
            kube_zone_tolerate(k, pods);
        m.min = kube_count(k, t, "minAvailable", partitions_of(k, t, &m));
        m.min = m.min < m.replicas ? m.min : m.replicas;
        m.need = kube_needs_read(k, kube_at(t, "dependsOn.name"), TRACE_STARTED,
                                 &m.needs);
        any = kube_text(t, "dependsOn.iteration");
        m.needs_any = any && strcmp(any, "any") == 0;
        kube_member_add(k, w, &m);
        ignored(k, kube_at(t, "topologyPolicy"),
                "topologyPolicy of Volcano's tasks (NUMA)");
    }
}

/* The gang; tasks that want more of it between them than there is are not asked
 * for theirs.
 */
static void gang_read(struct kube *k, struct kube_workload *w,
                      const struct gs_ynode *spec)
{
    uint64_t all = 0, least = 0;

    for (uint32_t i = 0; i < w->members; i++) {
        all += w->member[i].replicas;
        least += w->member[i].min;
    }
    all = kube_clip(k, all);
    w->gang = kube_count(k, spec, "minAvailable", (uint32_t)all);
    w->gang = w->gang < all ? w->gang : (uint32_t)all;
    for (uint32_t i = 0; i < w->members && least > w->gang; i++)
        w->member[i].min = 0;
}

#define MAX_RETRY 3 /* of a job that states none */

static bool has_text(const struct gs_ynode *list, const char *text)
{
    for (; list; list = list->next) {
        if (list->kind == GS_YSCALAR && strcmp(list->text, text) == 0)
            return true;
    }
    return false;
}

/* What becomes of the job when a pod is evicted: the last of maxRetry restarts
 * fails it; without a policy its pods are made again.
 */
static uint32_t retries_of(struct kube *k, const struct gs_ynode *spec)
{
    for (const struct gs_ynode *p = kube_list(spec, "policies"); p;
         p = p->next) {
        const char *event = kube_text(p, "event");
        const char *action = kube_text(p, "action");
        const bool is_of_any = (event && strcmp(event, "*") == 0)
                               || has_text(kube_list(p, "events"), "*");
        const bool is_of_evicted = (event && strcmp(event, "PodEvicted") == 0)
                                   || has_text(kube_list(p, "events"),
                                               "PodEvicted");

        if (!action || (!is_of_any && !is_of_evicted))
            continue;
        if (strncmp(action, "Restart", 7) == 0)
            return (uint32_t)kube_number(k, spec, "maxRetry", MAX_RETRY, 1,
                                         INT32_MAX)
                   - 1;
        if (strcmp(action, "AbortJob") == 0
            || strcmp(action, "TerminateJob") == 0)
            return 0;
    }
    return TRACE_NONE;
}

void kube_volcano_job_fill(struct kube *k, struct kube_workload *w,
                           const struct gs_ynode *spec)
{
    tasks_read(k, w, kube_list(spec, "tasks"));
    gang_read(k, w, spec);
    w->queue = kube_at(spec, "queue") ? kube_name(k, spec, "queue") : w->queue;
    w->priority_class = kube_name(k, spec, "priorityClassName");
    w->scheduler = kube_at(spec, "schedulerName")
                       ? kube_name(k, spec, "schedulerName")
                       : kube_put(k, "volcano");
    w->retries = retries_of(k, spec);
    w->within = kube_within_volcano(k, kube_at(spec, "networkTopology"));
    ignored(k, kube_at(spec, "minSuccess"),
            "minSuccess of Volcano's jobs: all tasks run");
}

int kube_volcano_job_read(struct kube *k, const struct import_object *o)
{
    struct kube_workload w = kube_workload_begin(k, o, KUBE_BATCH);

    kube_volcano_job_fill(k, &w, kube_at(o->root, "spec"));
    return kube_workload_add(k, &w);
}
