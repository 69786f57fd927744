/* reports/measure/mix_window.c - jobs come sorted by submit time: the window is a run
 * of them, of which both ends only move on.
 */
#include "reports/measure/mix_window.h"

#include <assert.h>
#include <stddef.h>

#include "topology/task_mix.h"
#include "traces/workload/workload.h"
#include "traces/workload/workload_mix.h"

void report_mix_window_init(struct report_mix_window *m, const struct topo *t,
                            const struct trace_workload *w, int64_t span)
{
    assert(m && t);
    *m = (struct report_mix_window){
        .topo = t,
        .work = w,
        .span = span,
        .mix = topo_mix_create(t, NULL, 0),
    };
}

void report_mix_window_fini(struct report_mix_window *m)
{
    topo_mix_destroy(m->mix);
}

struct topo_mix *report_mix_window_move(struct report_mix_window *m,
                                        int64_t now)
{
    const struct trace_job *job = m->work->job;
    uint32_t first = m->first, end = m->end;
    struct topo_mix *old = m->mix;

    if (now < m->due)
        return NULL;
    while (end < m->work->job_count && job[end].submit <= now)
        end++;
    while (first < end && job[first].submit <= now - m->span)
        first++;
    if (first == end || (first == m->first && end == m->end))
        return NULL;
    m->first = first;
    m->end = end;
    m->due = now + REPORT_MIX_HOUR;
    m->mix = trace_workload_mix(m->work, m->topo, TRACE_MIX_FULL, first, end);
    return old;
}
