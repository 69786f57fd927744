/* traces/workload/task_rules.h - how kinds of tasks of one job stand to one
 * another: which had better be on one node, which not, and their order.
 */
#ifndef TRACES_WORKLOAD_TASK_RULES_H
#define TRACES_WORKLOAD_TASK_RULES_H

#include "traces/workload/workload.h"

#define TRACE_TASK_KINDS_MAX 64 /* groups of a job that has such rules */

/* By groups, as positions within the job.  The relations are symmetric; bit g
 * of element g: tasks of that group among themselves.
 */
struct trace_task_rules {
    uint64_t together[TRACE_TASK_KINDS_MAX], apart[TRACE_TASK_KINDS_MAX];
    uint8_t order[TRACE_TASK_KINDS_MAX]; /* 1: placed first, 2 ...; 0: after
                                            those */
};

/* Append rules of a job, for trace_job.task_rules; those appended last are
 * shared if they are equal.
 */
uint32_t trace_workload_task_rules(struct trace_workload *w,
                                   const struct trace_task_rules *rules);

/* Relate all groups called `x` to all called `y`: in `relation`, one of the two
 * of struct trace_task_rules.
 */
void trace_task_rules_relate(uint64_t *relation,
                             const struct trace_group *group, uint32_t count,
                             uint32_t x, uint32_t y);

#endif /* TRACES_WORKLOAD_TASK_RULES_H */
