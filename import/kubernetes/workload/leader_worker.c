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

    w.copies = kube_count(k, spec, "replicas", 1);
    kube_member_add(k, &w, &m);
    m = (struct kube_member){
        .name = kube_put(k, "worker"),
        .replicas = size - leaders,
        .pods = size != 1 || !leader ? kube_template_read(k, worker, w.space)
                                     : NULL,
    };
    kube_member_add(k, &w, &m);
    topology_read(k, &w, o->root);
    if (startup && strcmp(startup, "LeaderReady") == 0)
        import_account_tell(k->account, IMPORT_IGNORED, k->source,
                            kube_at(spec, "startupPolicy"),
                            "startupPolicy LeaderReady: workers start with "
                            "their leader");
    return kube_workload_add(k, &w);
}
