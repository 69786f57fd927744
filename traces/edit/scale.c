/* traces/edit/scale.c - scales times of a workload by a factor, see scale.h. */
#include "traces/edit/scale.h"

#include <assert.h>
#include <math.h>

#include "base/duration.h"
#include "base/err.h"
#include "base/strtab.h"
#include "traces/workload/workload.h"

static int check_factor(double factor, struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };

    /* comparisons with NAN are false */
    if (factor >= TRACE_SCALE_MIN && factor <= TRACE_SCALE_MAX)
        return 0;
    return gs_fail(err, GS_USAGE, nowhere, "a factor must be %g to %g (got %g)",
                   TRACE_SCALE_MIN, TRACE_SCALE_MAX, factor);
}

static int check_time(const struct trace_workload *w, uint32_t job,
                      const char *what, double us, struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };

    if (us <= (double)GS_TIME_MAX)
        return 0;
    return gs_fail(err, GS_LIMIT, nowhere,
                   "job '%s': its %s would be more than %d years",
                   gs_strtab_str(w->names, w->job[job].name), what, 36500);
}

int trace_workload_scale_load(struct trace_workload *w, double factor,
                              struct gs_err *err)
{
    const uint32_t n = w->job_count;

    assert(w);
    if (check_factor(factor, err) < 0
        || (n
            && check_time(w, n - 1, "submit time",
                          (double)w->job[n - 1].submit / factor, err)
                   < 0))
        return -1;
    /* division keeps the order: jobs stay sorted */
    for (uint32_t i = 0; i < n; i++) {
        w->job[i].submit = llround((double)w->job[i].submit / factor);
        w->job[i].record_count = 0; /* it was recorded under another load */
    }
    return 0;
}

static int64_t longer(int64_t us, double factor)
{
    assert(us >= 0 && factor > 0);
    return us == TRACE_FOREVER ? us : llround((double)us * factor);
}

int trace_workload_scale_durations(struct trace_workload *w, double factor,
                                   struct gs_err *err)
{
    assert(w);
    if (check_factor(factor, err) < 0)
        return -1;
    for (uint32_t i = 0; i < w->job_count; i++) {
        const struct trace_job *j = &w->job[i];

        if ((j->duration != TRACE_FOREVER
             && check_time(w, i, "duration", (double)j->duration * factor, err)
                    < 0)
            || (j->estimate != TRACE_FOREVER
                && check_time(w, i, "estimate", (double)j->estimate * factor,
                              err)
                       < 0))
            return -1;
    }
    for (uint32_t i = 0; i < w->job_count; i++) {
        struct trace_job_aside aside = *w->job[i].aside;

        w->job[i].duration = longer(w->job[i].duration, factor);
        w->job[i].estimate = longer(w->job[i].estimate, factor);
        w->job[i].record_count = 0;
        aside.since = -longer(-aside.since, factor);
        aside.admitted_since = -longer(-aside.admitted_since, factor);
        trace_job_aside_set(w, i, &aside);
    }
    return 0;
}
