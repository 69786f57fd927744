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
    return j->aside->slices ? &w->slices[j->aside->slices - 1] : NULL;
}

uint32_t trace_workload_topology(struct trace_workload *w,
                                 const struct trace_topology *t)
{
    const struct trace_topology *last =
        w->topology_count ? &w->topology[w->topology_count - 1] : NULL;

    if (last && last->tier == t->tier && last->within == t->within
        && last->slices == t->slices && last->together == t->together
        && last->prefers == t->prefers)
        return w->topology_count;
    w->topology = gs_array_grow(w->topology, &w->topology_cap,
                                w->topology_count + 1, sizeof(*w->topology));
    w->topology[w->topology_count] = *t;
    return ++w->topology_count;
}

struct trace_topology trace_group_topology(const struct trace_workload *w,
                                           const struct trace_job *j,
                                           const struct trace_group *g)
{
    return g->topology ? w->topology[g->topology - 1] : trace_job_topology(j);
}

static uint32_t name_of(const struct trace_workload *w,
                        const struct trace_job *j, uint32_t group)
{
    const struct trace_group *g = trace_group_at(w, j->first_group + group);

    return g->topology ? w->topology[g->topology - 1].together : 0;
}

bool trace_groups_join(const struct trace_workload *w,
                       const struct trace_job *j, uint32_t a, uint32_t b)
{
    assert(a < j->group_count && b < j->group_count);
    return a == b || (name_of(w, j, a) && name_of(w, j, a) == name_of(w, j, b));
}

uint32_t trace_groups_first(const struct trace_workload *w,
                            const struct trace_job *j, uint32_t group)
{
    uint32_t first = 0;

    while (!trace_groups_join(w, j, first, group))
        first++;
    return first;
}
