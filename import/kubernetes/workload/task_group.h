/* import/kubernetes/workload/task_group.h - task groups of YuniKorn: how many
 * pods of an application start together, by its annotations.
 *
 * Its first pod states them all (task-groups), and each pod names its own
 * (task-group-name).
 */
#ifndef KUBE_TASK_GROUP_H
#define KUBE_TASK_GROUP_H

#include <stdbool.h>
#include <stdint.h>

struct kube;
struct kube_template;

/* The members (minMember) of the task groups that `count` pods name, of all
 * task groups where none names one; 0: none is stated, or YuniKorn does not
 * take them, which is told, as is what a group asks for beside its pods.
 */
uint32_t kube_task_groups_members(struct kube *k,
                                  const struct kube_template *const *pods,
                                  uint32_t count);

/* "namespace/name" of the application that the pod of a task group is of; 0: it
 * is of none.
 */
uint32_t kube_task_group_application(struct kube *k,
                                     const struct kube_template *t);

/* Was the pod made by YuniKorn to hold the place of another? */
bool kube_task_group_is_placeholder(struct kube *k,
                                    const struct kube_template *t);

#endif /* KUBE_TASK_GROUP_H */
