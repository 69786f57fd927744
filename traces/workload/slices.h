/* traces/workload/slices.h - slices of a gang: tasks of which so many at a time
 * stand in one domain of a tier.
 */
#ifndef TRACES_WORKLOAD_SLICES_H
#define TRACES_WORKLOAD_SLICES_H

#include "traces/workload/workload.h"

#define TRACE_SLICES_MAX 3u /* layers */

/* From wide to narrow: the size of a layer is a multiple of the next one's. */
struct trace_slices {
    uint32_t layers; /* 1 or more */
    struct trace_slice {
        uint32_t size; /* tasks */
        uint32_t tier; /* string id */
    } layer[TRACE_SLICES_MAX];
};

/* Append slices of a job, for trace_job.slices; those appended last are shared
 * if they are equal.
 */
uint32_t trace_workload_slices(struct trace_workload *w,
                               const struct trace_slices *slices);

/* The slices of the job; NULL: none. */
const struct trace_slices *trace_job_slices(const struct trace_workload *w,
                                            const struct trace_job *j);

#endif /* TRACES_WORKLOAD_SLICES_H */
