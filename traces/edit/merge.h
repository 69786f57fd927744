/* traces/edit/merge.h - two workloads as one. */
#ifndef TRACES_EDIT_MERGE_H
#define TRACES_EDIT_MERGE_H

#include <stdint.h>

struct gs_err;
struct trace_workload;

/* Add the jobs of the finished `from` to `w`, `later` us later than they say;
 * both share names and dimensions.  Jobs, queues and classes are united by
 * name; -1 with nothing changed when both define one of them, differently (jobs:
 * at all), or a time would be beyond GS_TIME_MAX.  `w` is to be finished.
 */
int trace_workload_merge(struct trace_workload *w,
                         const struct trace_workload *from, int64_t later,
                         struct gs_err *err);

#endif /* TRACES_EDIT_MERGE_H */
