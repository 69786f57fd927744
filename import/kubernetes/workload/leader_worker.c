/* import/kubernetes/workload/leader_worker.c - kind LeaderWorkerSet: replicas
 * of a group of pods that start together, a leader and its workers, and run
 * until they are deleted.
 */
#include <string.h>

#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/segments.h"
#include "import/source.h"

/* A group stands in one domain of the label that the annotation names. */
static void topology_read(struct kube *k, struct kube_workload *w,
                          const struct gs_ynode *object)
{
    const struct gs_ynode *v = kube_key(
        kube_at(object, "metadata.annotations"),
        "leaderworkerset.sigs.k8s.io/exclusive-topology");

    if (!v || v->kind != GS_YSCALAR)
        return;
    w->within = (struct kube_within){ .label = kube_put(k, v->text),
                                      .line = v->line,
                                      .column = v->column };
    import_account_tell(k->account, IMPORT_IGNORED, k->source, v,
                        "exclusive-topology of a LeaderWorkerSet: a group "
                        "stands in one domain, but not alone");
}

/* Segments that KAI makes of a group of `size` pods: subGroupSize counts before
 * annotations.
 */
static struct kube_segments segments_of(struct kube *k,
                                        const struct kube_workload *w,
                                        const struct kube_template *pods,
                                        const struct import_object *o,
                                        uint32_t size)
{
    const struct gs_ynode *group = kube_at(o->root,
                                           "spec.leaderWorkerTemplate");
    struct kube_segments s = { .size = 0 };

    if (!kube_pods_are_kai(k, w, pods))
        return s;
    s = kube_segments_read(k, kube_at(group, "workerTemplate"), o->root);
    s.size = kube_count(k, group, "subGroupPolicy.subGroupSize", s.size);
    if (s.size > 1 && s.size <= size)
        return s;
    if (s.size)
        import_account_tell(k->account, IMPORT_LEFT, k->source, group,
                            "segments of one pod, or of more than the group "
                            "has");
    return (struct kube_segments){ .size = 0 };
}

/* The workers of a group of `size` pods; of a template without a leader the
 * leader is one of them.  It stands with the first segment, besides whose pods
 * it is if all are of one size then.
 */
static void workers_add(struct kube *k, struct kube_workload *w,
                        const struct kube_member *m,
                        const struct kube_segments *s, uint32_t size)
{
    const bool is_extra = (size - 1) % s->size == 0;
    const uint32_t first = s->size + is_extra;

    kube_segments_add(k, w, m, s, m->replicas < size ? first - 1 : first);
}

int kube_leader_worker_read(struct kube *k, const struct import_object *o)
{
    struct kube_workload w = kube_workload_begin(k, o, KUBE_SERVICE);
    const struct gs_ynode *spec = kube_at(o->root, "spec");
    const struct gs_ynode *group = kube_at(spec, "leaderWorkerTemplate");
    const struct gs_ynode *leader = kube_at(group, "leaderTemplate");
    const struct gs_ynode *worker = kube_at(group, "workerTemplate");
    const char *startup = kube_text(spec, "startupPolicy");
    const uint32_t size = kube_count(k, group, "size", 1);
    const uint32_t leaders = leader && size ? 1 : 0; /* of a template of its own
                                                      */
    struct kube_member m = {
        .name = kube_put(k, "leader"),
        .replicas = leaders,
        .pods = leader ? kube_template_read(k, leader, w.space) : NULL,
    };

    const char *type = kube_text(group, "subGroupPolicy.subGroupPolicyType");
    const bool stands_alone = type && strcmp(type, "LeaderExcluded") == 0;
    struct kube_member workers = {
        .name = kube_put(k, "worker"),
        .replicas = size - leaders,
        .pods = size != 1 || !leader ? kube_template_read(k, worker, w.space)
                                     : NULL,
    };
    const struct kube_segments s = segments_of(k, &w, workers.pods, o, size);

    w.copies = kube_count(k, spec, "replicas", 1);
    m.min = s.size ? leaders : 0;
    if (s.size && stands_alone && !leaders) {
        m.replicas = m.min = 1;
        m.pods = workers.pods;
        workers.replicas--;
    }
    if (s.size && !stands_alone)
        kube_segments_join(k, &m, &s, 0);
    kube_member_add(k, &w, &m);
    if (s.size && stands_alone)
        kube_segments_add(k, &w, &workers, &s, 0);
    else if (s.size)
        workers_add(k, &w, &workers, &s, size);
    else
        kube_member_add(k, &w, &workers);
    topology_read(k, &w, o->root);
    if (startup && strcmp(startup, "LeaderReady") == 0)
        import_account_tell(k->account, IMPORT_IGNORED, k->source,
                            kube_at(spec, "startupPolicy"),
                            "startupPolicy LeaderReady: workers start with "
                            "their leader");
    return kube_workload_add(k, &w);
}
