/* import/kubernetes/workload/job_specs.h - specs of jobs that other kinds hold
 * as templates.
 *
 * Each adds the members of `spec` (may be NULL) to the workload.
 */
#ifndef KUBE_JOB_SPECS_H
#define KUBE_JOB_SPECS_H

struct gs_ynode;
struct kube;
struct kube_workload;

/* The spec of a Job of group batch; of group batch.volcano.sh. */
void kube_job_fill(struct kube *k, struct kube_workload *w,
                   const struct gs_ynode *spec);
void kube_volcano_job_fill(struct kube *k, struct kube_workload *w,
                           const struct gs_ynode *spec);
/* The spec of a SparkApplication. */
void kube_spark_fill(struct kube *k, struct kube_workload *w,
                     const struct gs_ynode *spec);

#endif /* KUBE_JOB_SPECS_H */
