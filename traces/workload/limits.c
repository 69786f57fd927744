/* traces/workload/limits.c - see limits.h. */
#include "traces/workload/limits.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "traces/workload/workload.h"

uint32_t trace_limits_put(struct trace_workload *w, uint32_t of)
{
    struct trace_limits *l;

    if (of)
        return of;
    w->limits = gs_array_grow(w->limits, &w->limits_cap, w->limits_count + 1,
                              sizeof(*w->limits));
    l = &w->limits[w->limits_count++];
    memset(l, -1, sizeof(*l)); /* no limit, in all of them */
    return w->limits_count;
}

const struct trace_limits *trace_limits_of(const struct trace_workload *w,
                                           uint32_t of)
{
    assert(of <= w->limits_count);
    return of ? &w->limits[of - 1] : NULL;
}

uint32_t trace_limits_take(struct trace_workload *w,
                           const struct trace_workload *from, uint32_t of)
{
    uint32_t to;

    if (!of)
        return 0;
    to = trace_limits_put(w, 0);
    w->limits[to - 1] = from->limits[of - 1];
    return to;
}

bool trace_limits_same(const struct trace_workload *a, uint32_t x,
                       const struct trace_workload *b, uint32_t y)
{
    return (!x && !y)
           || (x && y
               && memcmp(trace_limits_of(a, x), trace_limits_of(b, y),
                         sizeof(struct trace_limits))
                      == 0);
}

void trace_limits_free(struct trace_workload *w)
{
    gs_array_free(w->limits);
}
