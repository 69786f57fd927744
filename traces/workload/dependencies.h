/* traces/workload/dependencies.h - jobs that are submitted when others started
 * or ended.
 */
#ifndef TRACES_WORKLOAD_DEPENDENCIES_H
#define TRACES_WORKLOAD_DEPENDENCIES_H

#include <stdint.h>

#include "traces/workload/workload.h"

/* The word of a native trace, such as "completed". */
extern const char *const trace_when_names[TRACE_WHENS];

/* [string id] index + 1 of the job of that name, 0: none; by gs_array_free. */
uint32_t *trace_jobs_by_name(const struct trace_workload *w);

/* A job that depends on itself, in the end; TRACE_NONE: there is none.  `named`
 * is by trace_jobs_by_name.  In time linear in jobs and dependencies.
 */
uint32_t trace_dependency_cycle(const struct trace_workload *w,
                                const uint32_t *named);

#endif /* TRACES_WORKLOAD_DEPENDENCIES_H */
