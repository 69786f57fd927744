/* traces/edit/edit.h - changes of single settings of a workload: "what if that
 * queue were guaranteed more?"
 *
 * PATH is as in a native trace, with dots:
 *     queues.NAME.weight, .priority, .state, .reclaimable,
 *     queues.NAME.guarantee.gpu, .deserved.gpu, .limit.gpu, .user_limit.gpu
 *     queues.NAME.preemptible         of its jobs and those of queues below
 *     priority_classes.NAME.value, .preemption
 *     accounts.NAME.shares, .usage    qos.NAME.priority, .usage_factor
 *     partitions.NAME.tier, .factor
 */
#ifndef TRACES_EDIT_EDIT_H
#define TRACES_EDIT_EDIT_H

#include <stdbool.h>

struct gs_arena;
struct gs_err;
struct trace_workload;

/* True when `path` has one of these forms. */
bool trace_change_is(const char *path);

/* Set `path` of the finished `w` to `value`; `source` names the change in
 * messages.
 */
int trace_change_apply(struct trace_workload *w, const char *source,
                       const char *path, const char *value,
                       struct gs_arena *arena, struct gs_err *err);

#endif /* TRACES_EDIT_EDIT_H */
