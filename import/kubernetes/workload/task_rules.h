/* import/kubernetes/workload/task_rules.h - how kinds of tasks of a workload of
 * Volcano stand to one another: annotations volcano.sh/task-topology-*.
 */
#ifndef KUBE_TASK_RULES_H
#define KUBE_TASK_RULES_H

#include <stdbool.h>
#include <stdint.h>

struct gs_ynode;
struct kube;
struct trace_group;
struct trace_job;
struct trace_workload;

/* The values of the annotations, as string ids; 0: not stated. */
struct kube_task_rules {
    uint32_t together, apart; /* "ps,worker;ps" */
    uint32_t order;           /* "ps,worker" */
};

struct kube_task_rules kube_task_rules_read(struct kube *k,
                                            const struct gs_ynode *object);
bool kube_has_task_rules(const struct kube_task_rules *r);
/* The rules among the `count` groups of a job, by their names.  As in Volcano
 * none holds where one names no task of the job, which is told.
 */
void kube_task_rules_make(struct kube *k, struct trace_workload *w,
                          const struct kube_task_rules *r,
                          const struct trace_group *group, uint32_t count,
                          struct trace_job *j);

#endif /* KUBE_TASK_RULES_H */
