/* import/kubernetes/kinds.c - which reader takes which kind of object. */
#include "import/kubernetes/kinds.h"

#include <assert.h>
#include <string.h>

#include "import/account.h"
#include "import/kubernetes/kube.h"
#include "import/kubernetes/readers.h"
#include "import/source.h"

/* A group that is NULL stands for all; without a reader the kind has no effect
 * on scheduling.
 */
static const struct kube_kind {
    const char *group, *kind;
    int (*read)(struct kube *k, const struct import_object *o);
} kinds[] = {
    { "", "Node", kube_node_read },
    { "", "Pod", kube_pod_read },
    { "", "ReplicationController", kube_service_read },
    { "batch", "Job", kube_job_read },
    { "apps", "Deployment", kube_service_read },
    { "apps", "StatefulSet", kube_service_read },
    { "apps", "ReplicaSet", kube_service_read },
    { "apps", "DaemonSet", kube_daemon_read },
    { "extensions", "Deployment", kube_service_read },
    { "batch.volcano.sh", "Job", kube_volcano_job_read },
    { "kubeflow.org", NULL, kube_kubeflow_read },
    { NULL, "PodGroup", kube_pod_group_read },
    { "scheduling.volcano.sh", "Queue", kube_queue_read },
    { "scheduling.incubator.k8s.io", "Queue", kube_queue_read },
    { "scheduling.k8s.io", "PriorityClass", kube_class_read },

    { "", "Service", NULL },
    { "", "Namespace", NULL },
    { "", "ConfigMap", NULL },
    { "", "Secret", NULL },
    { "", "ServiceAccount", NULL },
    { "", "Endpoints", NULL },
    { "", "Event", NULL },
    { "", "PersistentVolume", NULL },
    { "", "PersistentVolumeClaim", NULL },
    { "rbac.authorization.k8s.io", NULL, NULL },
    { "apiextensions.k8s.io", NULL, NULL },
    { "admissionregistration.k8s.io", NULL, NULL },
    { "networking.k8s.io", NULL, NULL },
    { "storage.k8s.io", NULL, NULL },
    { "policy", NULL, NULL },
    { "coordination.k8s.io", NULL, NULL },
    { "discovery.k8s.io", NULL, NULL },
    { "monitoring.coreos.com", NULL, NULL },
    { "apiregistration.k8s.io", NULL, NULL },
};

/* "batch" of "batch/v1", "" of "v1". */
static bool is_group(const char *api_version, const char *group)
{
    const char *slash = strchr(api_version, '/');
    const size_t len = slash ? (size_t)(slash - api_version) : 0;

    return !group
           || (strlen(group) == len && memcmp(api_version, group, len) == 0);
}

void kube_object_take(struct kube *k, const struct import_object *o)
{
    assert(k && o && o->api_version && o->kind && o->root);
    k->source = o->source;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        const struct kube_kind *x = &kinds[i];

        if (!is_group(o->api_version, x->group)
            || (x->kind && strcmp(x->kind, o->kind) != 0))
            continue;
        import_account_count(k->account, o->kind,
                             !x->read            ? IMPORT_NOTHING
                             : x->read(k, o) < 0 ? IMPORT_REFUSED
                                                 : IMPORT_USED);
        return;
    }
    import_account_count(k->account, o->kind, IMPORT_UNKNOWN);
}
