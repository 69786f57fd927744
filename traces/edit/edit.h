/* traces/edit/edit.h - a workload that differs in one respect from what was read:
 * "what if that queue were guaranteed more?"
 *
 * PATH is as in a native trace, with dots:
 *     queues.NAME.weight, .priority, .state, .reclaimable,
 *     queues.NAME.guarantee.gpu, .deserved.gpu, .limit.gpu, .user_limit.gpu
 *     queues.NAME.preemptible         of its jobs, and of those below
 *     priority_classes.NAME.value, .preemption
 */
#ifndef TRACES_EDIT_EDIT_H
#define TRACES_EDIT_EDIT_H

#include <stdbool.h>

struct gs_arena;
struct gs_err;
struct trace_workload;

/* Is it such a path? */
bool trace_change_is(const char *path);

/* Make the change in `w`, finished; `source` names it in messages. */
int trace_change_apply(struct trace_workload *w, const char *source,
                       const char *path, const char *value,
                       struct gs_arena *arena, struct gs_err *err);

#endif /* TRACES_EDIT_EDIT_H */
