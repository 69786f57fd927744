/* import/kubernetes/workload/task_order.h - the order of tasks within a job, by
 * label kai.scheduler/task-priority: those with a number, the highest first;
 * those with another text; those without the label.
 */
#ifndef KUBE_TASK_ORDER_H
#define KUBE_TASK_ORDER_H

#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/workload/pod.h"

/* The place of the pods: those of a smaller one come first. */
int64_t kube_task_place(const struct kube *k, const struct kube_template *t);
/* Sort pods[at[i]]; those of one place keep their order. */
void kube_tasks_sort(const struct kube *k, const struct kube_pod *pods,
                     uint32_t *at, uint32_t count);

#endif /* KUBE_TASK_ORDER_H */
