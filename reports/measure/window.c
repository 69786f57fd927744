/* reports/measure/window.c - computes the window, see window.h. */
#include "reports/measure/window.h"

#include <assert.h>

#include "traces/workload/workload.h"

struct report_window report_window_of(const struct trace_workload *w,
                                      const struct report_window_request *ask)
{
    const int64_t first = w->job_count ? w->job[0].submit : 0;
    int64_t from = ask->from < 0 ? first : ask->from;

    assert(ask->warmup >= 0 && ask->to >= 0);
    from = ask->warmup < INT64_MAX - from ? from + ask->warmup : INT64_MAX;
    return (struct report_window){ from, ask->to };
}

struct report_window report_window_closed(const struct report_window *w,
                                          int64_t end)
{
    const int64_t to = w->to < end ? w->to : end;

    return (struct report_window){ w->from, to > w->from ? to : w->from };
}

int64_t report_window_overlap(const struct report_window *w, int64_t from,
                              int64_t to)
{
    from = from > w->from ? from : w->from;
    to = to < w->to ? to : w->to;
    return to > from ? to - from : 0;
}
