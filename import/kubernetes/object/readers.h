/* import/kubernetes/object/readers.h - the readers of kinds, for the table in
 * kinds.c.
 *
 * Each takes an object whose kind it reads and puts what it says into the parts
 * of `k`.  -1 when it is no use, which the account tells; 1 when no decision
 * depends on it.
 */
#ifndef KUBE_READERS_H
#define KUBE_READERS_H

struct import_object;
struct kube;

int kube_node_read(struct kube *k, const struct import_object *o);
int kube_pod_read(struct kube *k, const struct import_object *o);
int kube_job_read(struct kube *k, const struct import_object *o);
int kube_service_read(struct kube *k, const struct import_object *o);
int kube_daemon_read(struct kube *k, const struct import_object *o);
int kube_volcano_job_read(struct kube *k, const struct import_object *o);
int kube_kubeflow_read(struct kube *k, const struct import_object *o);
int kube_mpi_read(struct kube *k, const struct import_object *o);
int kube_paddle_read(struct kube *k, const struct import_object *o);
int kube_cron_job_read(struct kube *k, const struct import_object *o);
int kube_volcano_cron_job_read(struct kube *k, const struct import_object *o);
int kube_spark_cron_read(struct kube *k, const struct import_object *o);
int kube_job_template_read(struct kube *k, const struct import_object *o);
int kube_job_flow_read(struct kube *k, const struct import_object *o);
int kube_job_set_read(struct kube *k, const struct import_object *o);
int kube_leader_worker_read(struct kube *k, const struct import_object *o);
int kube_ray_cluster_read(struct kube *k, const struct import_object *o);
int kube_ray_job_read(struct kube *k, const struct import_object *o);
int kube_ray_service_read(struct kube *k, const struct import_object *o);
int kube_spark_read(struct kube *k, const struct import_object *o);
int kube_train_job_read(struct kube *k, const struct import_object *o);
int kube_train_runtime_read(struct kube *k, const struct import_object *o);
int kube_knative_read(struct kube *k, const struct import_object *o);
int kube_notebook_read(struct kube *k, const struct import_object *o);
int kube_app_wrapper_read(struct kube *k, const struct import_object *o);
int kube_pod_group_read(struct kube *k, const struct import_object *o);
int kube_pod_gang_read(struct kube *k, const struct import_object *o);
int kube_queue_read(struct kube *k, const struct import_object *o);
int kube_kai_queue_read(struct kube *k, const struct import_object *o);
int kube_kai_shard_read(struct kube *k, const struct import_object *o);
int kube_kai_config_read(struct kube *k, const struct import_object *o);
int kube_cluster_queue_read(struct kube *k, const struct import_object *o);
int kube_local_queue_read(struct kube *k, const struct import_object *o);
int kube_flavor_read(struct kube *k, const struct import_object *o);
int kube_kueue_workload_read(struct kube *k, const struct import_object *o);
int kube_gang_read(struct kube *k, const struct import_object *o);
int kube_budget_read(struct kube *k, const struct import_object *o);
int kube_class_read(struct kube *k, const struct import_object *o);
int kube_topology_read(struct kube *k, const struct import_object *o);
int kube_hyper_node_read(struct kube *k, const struct import_object *o);
int kube_elastic_quota_read(struct kube *k, const struct import_object *o);
int kube_quota_read(struct kube *k, const struct import_object *o);
int kube_limits_read(struct kube *k, const struct import_object *o);
int kube_claim_read(struct kube *k, const struct import_object *o);
int kube_device_class_read(struct kube *k, const struct import_object *o);
int kube_runtime_class_read(struct kube *k, const struct import_object *o);
int kube_core_service_read(struct kube *k, const struct import_object *o);
int kube_space_read(struct kube *k, const struct import_object *o);
int kube_volume_read(struct kube *k, const struct import_object *o);
int kube_volume_claim_read(struct kube *k, const struct import_object *o);
int kube_csi_node_read(struct kube *k, const struct import_object *o);
int kube_slice_read(struct kube *k, const struct import_object *o);

/* Configurations of schedulers; 1 when the object is none. */
int kube_scheduler_conf_read(struct kube *k, const struct import_object *o);
int kube_kueue_conf_read(struct kube *k, const struct import_object *o);
int kube_policy_read(struct kube *k, const struct import_object *o);
int kube_config_map_read(struct kube *k, const struct import_object *o);

#endif /* KUBE_READERS_H */
