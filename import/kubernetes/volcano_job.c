/* import/kubernetes/volcano_job.c - kind Job of group batch.volcano.sh: tasks of
 * several templates, minAvailable of which start together.
 */
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/kube.h"
#include "import/kubernetes/pod_template.h"
#include "import/kubernetes/readers.h"
#include "import/kubernetes/workload.h"
#include "import/source.h"
#include "traces/workload/workload.h"

int kube_volcano_job_read(struct kube *k, const struct import_object *o)
{
    struct kube_workload w = kube_workload_begin(k, o, KUBE_BATCH);
    const struct gs_ynode *spec = kube_at(o->root, "spec");
    uint32_t all = 0;

    for (const struct gs_ynode *t = kube_list(spec, "tasks"); t; t = t->next) {
        struct kube_member m = {
            .name = kube_name(k, t, "name"),
            .replicas = (uint32_t)kube_number(k, t, "replicas", 1, 0,
                                              TRACE_REPLICAS_MAX),
            .pods = kube_template_read(k, kube_at(t, "template"), w.space),
        };

        m.min = (uint32_t)kube_number(k, t, "minAvailable", 0, 0,
                                      TRACE_REPLICAS_MAX);
        m.min = m.min < m.replicas ? m.min : m.replicas;
        all += m.pods ? m.replicas : 0;
        kube_member_add(k, &w, &m);
    }
    w.gang = (uint32_t)kube_number(k, spec, "minAvailable", all, 0,
                                   TRACE_REPLICAS_MAX);
    w.gang = w.gang < all ? w.gang : all;
    w.queue = kube_at(spec, "queue") ? kube_name(k, spec, "queue") : w.queue;
    w.priority_class = kube_name(k, spec, "priorityClassName");
    w.scheduler = kube_at(spec, "schedulerName")
                      ? kube_name(k, spec, "schedulerName")
                      : kube_put(k, "volcano");
    if (kube_at(spec, "networkTopology"))
        import_account_tell(k->account, IMPORT_IGNORED, o->source,
                            kube_at(spec, "networkTopology"),
                            "networkTopology of Volcano's jobs");
    return kube_workload_add(k, &w);
}
