/* traces/workload/dependencies.c - see dependencies.h. */
#include "traces/workload/dependencies.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/far.h"
#include "base/strtab.h"

const char *const trace_when_names[TRACE_WHENS] = {
    [TRACE_COMPLETED] = "completed",
    [TRACE_FAILED] = "failed",
    [TRACE_ENDED] = "ended",
    [TRACE_STARTED] = "started",
};

uint32_t trace_workload_dependencies(struct trace_workload *w,
                                     const struct trace_dependency *dependency,
                                     uint32_t count)
{
    struct trace_dependencies *all = w->dependencies;
    const uint32_t first = all->dependency_count;

    assert(dependency && count > 0 && count <= TRACE_DEPENDENCIES_MAX);
    all->dependency = gs_far_grow(w->far, all->dependency, &all->dependency_cap,
                                  first + count, sizeof(*dependency));
    memcpy(&all->dependency[first], dependency, count * sizeof(*dependency));
    all->dependency_count += count;
    return first;
}

uint32_t *trace_jobs_by_name(const struct trace_workload *w)
{
    uint32_t *named = gs_array_new(gs_strtab_count(w->names), sizeof(*named));

    for (uint32_t i = 0; i < w->job_count; i++)
        named[w->job[i].name] = i + 1;
    return named;
}

/* A walk along dependencies: the jobs on the way, and the next dependency of
 * each to be followed.
 */
struct walk {
    uint32_t *job, *next;
    uint32_t depth;
};

/* Walk from `job`.  `met` is 0 for jobs not met yet, 1 on the way, 2 behind. */
static uint32_t cycle_from(const struct trace_workload *w,
                           const uint32_t *named, uint32_t job, uint8_t *met,
                           struct walk *walk)
{
    walk->job[0] = job;
    walk->next[0] = 0;
    walk->depth = 1;
    met[job] = 1;
    while (walk->depth) {
        const uint32_t at = walk->depth - 1;
        const struct trace_job *j = &w->job[walk->job[at]];
        uint32_t to;

        if (walk->next[at] == j->aside->dependency_count) {
            met[walk->job[at]] = 2;
            walk->depth--;
            continue;
        }
        to = named[w->dependencies
                       ->dependency[j->aside->first_dependency
                                    + walk->next[at]++]
                       .job];
        if (to == 0 || met[to - 1] == 2)
            continue;
        if (met[to - 1] == 1)
            return to - 1;
        met[to - 1] = 1;
        walk->job[walk->depth] = to - 1;
        walk->next[walk->depth++] = 0;
    }
    return TRACE_NONE;
}

uint32_t trace_dependency_cycle(const struct trace_workload *w,
                                const uint32_t *named)
{
    const uint32_t n = w->job_count;
    uint32_t found = TRACE_NONE;
    struct walk walk;
    uint8_t *met;

    assert(named);
    if (w->dependencies->dependency_count == 0)
        return TRACE_NONE;
    met = gs_array_new(n + 1, sizeof(*met));
    walk.job = gs_array_new(n + 1, sizeof(*walk.job));
    walk.next = gs_array_new(n + 1, sizeof(*walk.next));
    for (uint32_t i = 0; i < n && found == TRACE_NONE; i++) {
        if (met[i] == 0)
            found = cycle_from(w, named, i, met, &walk);
    }
    gs_array_free(met);
    gs_array_free(walk.job);
    gs_array_free(walk.next);
    return found;
}
