/* traces/workload/dependencies.h - jobs that are submitted when others started
 * or ended.
 */
#ifndef TRACES_WORKLOAD_DEPENDENCIES_H
#define TRACES_WORKLOAD_DEPENDENCIES_H

#include <stdint.h>

#include "traces/workload/workload.h"

#pragma GCC visibility push(default)

/* What must have happened to a job that another one depends on. */
enum trace_when {
    TRACE_COMPLETED, /* it ended well */
    TRACE_FAILED,    /* it failed or was rejected */
    TRACE_ENDED,     /* one of the two */
    TRACE_STARTED,   /* its gang ran for the first time */
    TRACE_WHENS
};

struct trace_dependency {
    int64_t delay; /* us after that, at least 0 */
    uint32_t job;  /* string id of its name; a job that is not in the workload
                      (a sample of a trace) counts as met */
    enum trace_when when;
};

/* All of a workload. */
struct trace_dependencies {
    struct trace_dependency *dependency;
    uint32_t dependency_count, dependency_cap;
};

/* Append dependencies of a job; the index of the first. */
uint32_t trace_workload_dependencies(struct trace_workload *w,
                                     const struct trace_dependency *dependency,
                                     uint32_t count);

/* The word of a native trace, such as "completed". */
extern const char *const trace_when_names[TRACE_WHENS];

/* [string id] index + 1 of the job of that name, 0: none; by gs_array_free. */
uint32_t *trace_jobs_by_name(const struct trace_workload *w);

/* A job that depends on itself, in the end; TRACE_NONE: there is none.  `named`
 * is by trace_jobs_by_name.  In time linear in jobs and dependencies.
 */
uint32_t trace_dependency_cycle(const struct trace_workload *w,
                                const uint32_t *named);

#pragma GCC visibility pop

#endif /* TRACES_WORKLOAD_DEPENDENCIES_H */
