/* traces/workload/slices.c - see slices.h. */
#include "traces/workload/slices.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"

uint32_t trace_workload_slices(struct trace_workload *w,
                               const struct trace_slices *slices)
{
    assert(slices->layers > 0 && slices->layers <= TRACE_SLICES_MAX);
    if (w->slices_count
        && memcmp(&w->slices[w->slices_count - 1], slices, sizeof(*slices))
               == 0)
        return w->slices_count;
    w->slices = gs_array_grow(w->slices, &w->slices_cap, w->slices_count + 1,
                              sizeof(*slices));
    w->slices[w->slices_count++] = *slices;
    return w->slices_count;
}

const struct trace_slices *trace_job_slices(const struct trace_workload *w,
                                            const struct trace_job *j)
{
    return j->slices ? &w->slices[j->slices - 1] : NULL;
}
