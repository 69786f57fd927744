/* import/kubernetes/kubeflow.c - kinds of group kubeflow.org: replicas of roles,
 * all of which make up the job, or with elasticPolicy so many workers.
 */
#include <string.h>

#include "base/yamldoc.h"
#include "import/kubernetes/kube.h"
#include "import/kubernetes/pod_template.h"
#include "import/kubernetes/readers.h"
#include "import/kubernetes/workload.h"
#include "import/source.h"
#include "traces/workload/workload.h"

static const struct kind {
    const char *name, *roles;
} kinds[] = {
    { "PyTorchJob", "spec.pytorchReplicaSpecs" },
    { "TFJob", "spec.tfReplicaSpecs" },
    { "MPIJob", "spec.mpiReplicaSpecs" },
    { "XGBoostJob", "spec.xgbReplicaSpecs" },
    { "PaddleJob", "spec.paddleReplicaSpecs" },
    { "JAXJob", "spec.jaxReplicaSpecs" },
    { "MXJob", "spec.mxReplicaSpecs" },
};

static const struct gs_ynode *roles_of(const struct import_object *o)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(o->kind, kinds[i].name) == 0)
            return kube_map(o->root, kinds[i].roles);
    }
    return NULL;
}

int kube_kubeflow_read(struct kube *k, const struct import_object *o)
{
    struct kube_workload w = kube_workload_begin(k, o, KUBE_BATCH);
    const struct gs_ynode *policy = kube_at(o->root, "spec.runPolicy");
    const struct gs_ynode *elastic = kube_at(o->root, "spec.elasticPolicy");

    for (const struct gs_ynode *r = roles_of(o); r; r = r->next) {
        const bool stretches = elastic && strcmp(r->key->text, "Worker") == 0;
        struct kube_member m = {
            .name = kube_put(k, r->key->text),
            .replicas = (uint32_t)kube_number(k, r, "replicas", 1, 0,
                                              TRACE_REPLICAS_MAX),
            .pods = kube_template_read(k, kube_at(r, "template"), w.space),
        };

        m.min = m.replicas;
        if (stretches) {
            m.min = (uint32_t)kube_number(k, elastic, "minReplicas", m.replicas,
                                          0, TRACE_REPLICAS_MAX);
            m.replicas = (uint32_t)kube_number(
                k, elastic, "maxReplicas", m.replicas, 0, TRACE_REPLICAS_MAX);
            m.min = m.min < m.replicas ? m.min : m.replicas;
        }
        kube_member_add(k, &w, &m);
    }
    w.queue = kube_at(policy, "schedulingPolicy.queue")
                  ? kube_name(k, policy, "schedulingPolicy.queue")
                  : w.queue;
    w.gang = (uint32_t)kube_number(k, policy, "schedulingPolicy.minAvailable",
                                   0, 0, TRACE_REPLICAS_MAX);
    w.priority_class = kube_name(k, policy, "schedulingPolicy.priorityClass");
    return kube_workload_add(k, &w);
}
