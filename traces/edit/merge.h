/* traces/edit/merge.h - two workloads as one. */
#ifndef TRACES_EDIT_MERGE_H
#define TRACES_EDIT_MERGE_H

#include <stdint.h>

struct gs_err;
struct trace_workload;

/* Add the jobs of the finished `from` to `w`, submitted `later` us later; both
 * share names and dimensions.  Queues and classes of one name are united. -1
 * with nothing changed when both define a queue or class of one name
 * differently, both have a job of one name, or a time would exceed GS_TIME_MAX.
 * The caller finishes `w`.
 */
int trace_workload_merge(struct trace_workload *w,
                         const struct trace_workload *from, int64_t later,
                         struct gs_err *err);

#endif /* TRACES_EDIT_MERGE_H */
