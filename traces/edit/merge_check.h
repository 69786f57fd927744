/* traces/edit/merge_check.h - conflicts of two workloads that are to be one. */
#ifndef TRACES_EDIT_MERGE_CHECK_H
#define TRACES_EDIT_MERGE_CHECK_H

#include <stdint.h>

struct gs_err;
struct trace_workload;

/* May `from`, its jobs submitted `later` us after their times, be added to `w`?
 * -1: both have a job of one name, define a queue, flavor, priority class,
 * quota, pool, account, QOS or partition differently, or are too large; nothing
 * is changed.
 */
int trace_merge_check(const struct trace_workload *w,
                      const struct trace_workload *from, int64_t later,
                      struct gs_err *err);

#endif /* TRACES_EDIT_MERGE_CHECK_H */
