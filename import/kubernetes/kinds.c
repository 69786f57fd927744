/* import/kubernetes/kinds.c - which reader takes which kind of object. */
#include "import/kubernetes/kinds.h"

#include <assert.h>
#include <string.h>

#include "import/account.h"
#include "import/kubernetes/conf/conf.h"
#include "import/kubernetes/conf/kai_pool.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/kueue_gates.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/object/shapes.h"
#include "import/kubernetes/series/kube_series.h"
#include "import/kubernetes/workload/owner.h"
#include "import/source.h"

/* A group that is NULL stands for all, a kind for all of its group.  Without a
 * reader the kind has no effect on scheduling.
 */
static const struct kube_kind {
    const char *group, *kind;
    /* 0; 1: no effect on scheduling; -1: refused, which it tells */
    int (*read)(struct kube *k, const struct import_object *o);
} kinds[] = {
    { "", "Node", kube_node_read },
    { "", "Pod", kube_pod_read },
    { "", "ReplicationController", kube_service_read },
    { "batch", "Job", kube_job_read },
    { "batch", "CronJob", kube_cron_job_read },
    { "apps", "Deployment", kube_service_read },
    { "apps", "StatefulSet", kube_service_read },
    { "apps", "ReplicaSet", kube_service_read },
    { "apps", "DaemonSet", kube_daemon_read },
    { "extensions", "Deployment", kube_service_read },
    { "extensions", "ReplicaSet", kube_service_read },
    { "extensions", "DaemonSet", kube_daemon_read },
    { "apps.openshift.io", "DeploymentConfig", kube_service_read },
    { "apps.kruise.io", "CloneSet", kube_service_read },
    { "apps.kruise.io", "StatefulSet", kube_service_read },
    { "apps.kruise.io", "DaemonSet", kube_daemon_read },
    { "argoproj.io", "Rollout", kube_service_read },
    { "batch.volcano.sh", "Job", kube_volcano_job_read },
    { "batch.volcano.sh", "CronJob", kube_volcano_cron_job_read },
    { "flow.volcano.sh", "JobTemplate", kube_job_template_read },
    { "flow.volcano.sh", "JobFlow", kube_job_flow_read },
    { "jobset.x-k8s.io", "JobSet", kube_job_set_read },
    { "leaderworkerset.x-k8s.io", "LeaderWorkerSet", kube_leader_worker_read },
    { "kubeflow.org", "PyTorchJob", kube_kubeflow_read },
    { "kubeflow.org", "TFJob", kube_kubeflow_read },
    { "kubeflow.org", "MPIJob", kube_mpi_read },
    { "kubeflow.org", "XGBoostJob", kube_kubeflow_read },
    { "xgboostjob.kubeflow.org", "XGBoostJob", kube_kubeflow_read },
    { "kubeflow.org", "PaddleJob", kube_kubeflow_read },
    { "kubeflow.org", "JAXJob", kube_kubeflow_read },
    { "kubeflow.org", "MXJob", kube_kubeflow_read },
    { "kubeflow.org", "Notebook", kube_notebook_read },
    { "batch.paddlepaddle.org", "PaddleJob", kube_paddle_read },
    { "kongming.cce.baiudbce.com", "AITrainingJob", kube_kubeflow_read },
    { "trainer.kubeflow.org", "TrainJob", kube_train_job_read },
    { "trainer.kubeflow.org", "TrainingRuntime", kube_train_runtime_read },
    { "trainer.kubeflow.org", "ClusterTrainingRuntime",
      kube_train_runtime_read },
    { "ray.io", "RayCluster", kube_ray_cluster_read },
    { "ray.io", "RayJob", kube_ray_job_read },
    { "ray.io", "RayService", kube_ray_service_read },
    { "sparkoperator.k8s.io", "SparkApplication", kube_spark_read },
    { "sparkoperator.k8s.io", "ScheduledSparkApplication",
      kube_spark_cron_read },
    { "serving.knative.dev", "Service", kube_knative_read },
    { "workload.codeflare.dev", "AppWrapper", kube_app_wrapper_read },
    { "mcad.ibm.com", "AppWrapper", kube_app_wrapper_read },
    { "run.ai", "RunaiJob", kube_job_read },
    { NULL, "PodGroup", kube_pod_group_read },
    { "scheduler.grove.io", "PodGang", kube_pod_gang_read },
    { "scheduling.volcano.sh", "Queue", kube_queue_read },
    { "scheduling.incubator.k8s.io", "Queue", kube_queue_read },
    { "scheduling.run.ai", "Queue", kube_kai_queue_read },
    { "kueue.x-k8s.io", "ClusterQueue", kube_cluster_queue_read },
    { "kueue.x-k8s.io", "Cohort", kube_cluster_queue_read },
    { "kueue.x-k8s.io", "LocalQueue", kube_local_queue_read },
    { "kueue.x-k8s.io", "ResourceFlavor", kube_flavor_read },
    { "kueue.x-k8s.io", "WorkloadPriorityClass", kube_class_read },
    { "kueue.x-k8s.io", "Workload", kube_kueue_workload_read },
    { "scheduling.k8s.io", "Workload", kube_gang_read },
    { "scheduling.k8s.io", "PriorityClass", kube_class_read },
    { "node.k8s.io", "RuntimeClass", kube_runtime_class_read },
    { "policy", "PodDisruptionBudget", kube_budget_read },
    { "", "ConfigMap", kube_config_map_read },
    { "", "Policy", kube_policy_read },
    { "kubescheduler.config.k8s.io", "KubeSchedulerConfiguration",
      kube_scheduler_conf_read },
    { "config.kueue.x-k8s.io", "Configuration", kube_kueue_conf_read },
    { "componentconfig", "KubeSchedulerConfiguration",
      kube_scheduler_conf_read },
    { "kueue.x-k8s.io", "Topology", kube_topology_read },
    { "kai.scheduler", "Topology", kube_topology_read },
    { "kai.scheduler", "SchedulingShard", kube_kai_shard_read },
    { "kai.scheduler", "Config", kube_kai_config_read },
    { "topology.volcano.sh", "HyperNode", kube_hyper_node_read },
    { "", "Namespace", kube_space_read },
    { "", "Service", kube_core_service_read },
    { "", "ResourceQuota", kube_quota_read },
    { "scheduling.sigs.k8s.io", "ElasticQuota", kube_elastic_quota_read },
    { "scheduling.x-k8s.io", "ElasticQuota", kube_elastic_quota_read },
    { "", "LimitRange", kube_limits_read },
    { "resource.k8s.io", "ResourceClaim", kube_claim_read },
    { "resource.k8s.io", "ResourceClaimTemplate", kube_claim_read },
    { "resource.k8s.io", "DeviceClass", kube_device_class_read },
    { "resource.k8s.io", "ResourceSlice", kube_slice_read },

    { "", "Secret", NULL },
    { "", "ServiceAccount", NULL },
    { "", "Endpoints", NULL },
    { "", "Event", NULL },
    { "", "PersistentVolume", kube_volume_read },
    { "", "PersistentVolumeClaim", kube_volume_claim_read },
    { "storage.k8s.io", "CSINode", kube_csi_node_read },
    { "", "PodTemplate", NULL },
    { "apps", "ControllerRevision", NULL },
    { "events.k8s.io", NULL, NULL },
    { "serving.knative.dev", NULL, NULL }, /* what a Service makes */
    { "argoproj.io", "WorkflowTemplate", NULL },
    { "argoproj.io", "ClusterWorkflowTemplate", NULL },
    { "tekton.dev", "Pipeline", NULL },
    { "tekton.dev", "Task", NULL },
    { "authentication.k8s.io", NULL, NULL },
    { "authorization.k8s.io", NULL, NULL },
    { "certificates.k8s.io", NULL, NULL },
    { "cert-manager.io", NULL, NULL },
    { "gateway.networking.k8s.io", NULL, NULL },
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

/* Kinds that change decisions in the cluster, but have no effect here. */
static const struct ignored {
    const char *group, *kind, *text;
} ignored[] = {
    { "autoscaling", "HorizontalPodAutoscaler",
      "it changes the replicas of a workload" },
    { "autoscaling.k8s.io", "VerticalPodAutoscaler",
      "it changes what pods ask for" },
    { "keda.sh", "ScaledObject", "it changes the replicas of a workload" },
    { "keda.sh", "ScaledJob", "it makes jobs" },
    { "balancer.x-k8s.io", "Balancer", "it changes the replicas of workloads" },
    { "autoscaling.x-k8s.io", "ProvisioningRequest", "it adds nodes" },
    { "karpenter.sh", "NodePool", "it adds and takes away nodes" },
    { "karpenter.sh", "Provisioner", "it adds and takes away nodes" },
    { "autoscaling.openshift.io", "ClusterAutoscaler",
      "it adds and takes away nodes" },
    { "autoscaling.openshift.io", "MachineAutoscaler",
      "it adds and takes away nodes" },
    { "cluster.x-k8s.io", "MachineDeployment", "it adds and takes away nodes" },
    { "kustomize.config.k8s.io", "Kustomization",
      "import what 'kubectl kustomize' makes of it" },
    { "kustomize.config.k8s.io", "Component",
      "import what 'kubectl kustomize' makes of it" },
    { "argoproj.io", "Workflow", "its steps make pods" },
    { "argoproj.io", "CronWorkflow", "its steps make pods" },
    { "tekton.dev", "PipelineRun", "its tasks make pods" },
    { "tekton.dev", "TaskRun", "its steps make a pod" },
    { "bus.volcano.sh", "Command", "it acts on a job" },
    { "serving.kserve.io", "InferenceService", "it makes pods" },
    { "resource.nvidia.com", "ComputeDomain",
      "its pods stand in one domain of NVLink" },
    { "descheduler", "DeschedulerPolicy", "it evicts pods" },
    { "kueue.x-k8s.io", "MultiKueueCluster", "jobs go to other clusters" },
    { "kueue.x-k8s.io", "MultiKueueConfig", "jobs go to other clusters" },
    { "kueue.x-k8s.io", "ProvisioningRequestConfig", "it adds nodes" },
    { "kueue.x-k8s.io", "AdmissionCheck", "workloads wait for it" },
    { "run.ai", "TrainingWorkload", "it makes pods" },
    { "run.ai", "InteractiveWorkload", "it makes pods" },
    { "run.ai", "DistributedWorkload", "it makes pods" },
    { "run.ai", "InferenceWorkload", "it makes pods" },
};

/* "batch" of "batch/v1", "" of "v1". */
static bool is_group(const char *api_version, const char *group)
{
    const char *slash = strchr(api_version, '/');
    const size_t len = slash ? (size_t)(slash - api_version) : 0;

    return !group
           || (strlen(group) == len && memcmp(api_version, group, len) == 0);
}

static const struct ignored *ignored_find(const struct import_object *o)
{
    for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++) {
        if (is_group(o->api_version, ignored[i].group)
            && strcmp(ignored[i].kind, o->kind) == 0)
            return &ignored[i];
    }
    return NULL;
}

static const struct kube_kind *kind_find(const struct import_object *o)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (is_group(o->api_version, kinds[i].group)
            && (!kinds[i].kind || strcmp(kinds[i].kind, o->kind) == 0))
            return &kinds[i];
    }
    return NULL;
}

/* Read it, or tell why not. */
static enum import_fate fate_of(struct kube *k, const struct import_object *o)
{
    const struct ignored *no = ignored_find(o);
    const struct kube_kind *x = no ? NULL : kind_find(o);
    int rc;

    if (kube_pool_is_other(k, o))
        return IMPORT_UNUSED;
    rc = x && x->read ? x->read(k, o) : 1;
    kube_shape_check(k, o);
    if (rc <= 0)
        return rc < 0 ? IMPORT_REFUSED : IMPORT_USED;
    kube_link_add(k, o->root);
    if (no)
        import_account_tell(k->account, IMPORT_IGNORED, o->source, o->root,
                            "%s: %s", o->kind, no->text);
    return no ? IMPORT_UNUSED : x ? IMPORT_NOTHING : IMPORT_UNKNOWN;
}

/* Items of a bare list state no kind: a node and a pod are told by what only
 * they have.
 */
static const char *kind_guess(const struct gs_ynode *root)
{
    static const struct {
        const char *path, *kind;
    } fields[] = {
        { "status.nodeInfo", "Node" },
        { "status.allocatable", "Node" },
        { "spec.containers", "Pod" },
    };

    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        if (kube_at(root, fields[i].path))
            return fields[i].kind;
    }
    return NULL;
}

/* An object that states no kind: a configuration may be without, and items of a
 * bare list are.
 */
static void bare_take(struct kube *k, const struct import_object *o)
{
    struct import_object told = *o;
    const char *what;
    int rc;

    if (kube_series_is(o->root)) {
        kube_series_take(k, o);
        return;
    }
    told.kind = kind_guess(o->root);
    if (told.kind) {
        import_account_tell(k->account, IMPORT_ASSUMED, o->source, o->root,
                            "an object without a kind is a %s by its fields",
                            told.kind);
        import_account_count(k->account, told.kind, fate_of(k, &told));
        return;
    }
    rc = kube_conf_bare_take(k, o->root, &what);
    if (rc > 0) {
        what = "values of Helm";
        kube_gates_read(k, o->root);
        rc = kube_texts_take(k, o->root);
    }
    if (rc > 0)
        import_account_count(k->account, "(no kind)", IMPORT_UNKNOWN);
    else
        import_account_count(k->account, what,
                             rc < 0 ? IMPORT_REFUSED : IMPORT_USED);
}

void kube_object_take(struct kube *k, const struct import_object *o)
{
    assert(k && o && o->api_version && o->kind && o->root);
    k->source = o->source;
    k->has_mistake = false;
    if (strcmp(o->kind, "Pod") != 0) /* kube_template_read does it */
        kube_annotations_check(k, o->root);
    kube_times_note(k, o->root);
    if (*o->kind)
        import_account_count(k->account, o->kind, fate_of(k, o));
    else
        bare_take(k, o);
}
