/* traces/edit/sample.c - a subset of the jobs of a workload, see sample.h. */
#include "traces/edit/sample.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/strtab.h"
#include "traces/workload/workload.h"

/* True when queue `name` is `path` or below it. */
static bool is_within(const char *name, const char *path)
{
    const size_t len = strlen(path);

    return strncmp(name, path, len) == 0
           && (name[len] == '\0' || name[len] == '/');
}

/* Mark the selected queues. */
static int mark_queues(const struct trace_workload *w,
                       const struct trace_sample *s, bool *wanted,
                       struct gs_err *err)
{
    for (uint32_t i = 0; i < w->queue_count; i++)
        wanted[i] = s->queue_count == 0;
    for (uint32_t k = 0; k < s->queue_count; k++) {
        bool found = false;

        for (uint32_t i = 0; i < w->queue_count; i++) {
            if (is_within(gs_strtab_str(w->names, w->queue[i].name),
                          s->queue[k]))
                wanted[i] = found = true;
        }
        if (!found)
            return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                           "the trace has no queue '%s'", s->queue[k]);
    }
    return 0;
}

static bool is_wanted(const struct trace_workload *w,
                      const struct trace_sample *s, const bool *queue,
                      uint32_t job)
{
    const struct trace_job *j = &w->job[job];
    struct gs_rng r;

    assert(job < w->job_count);
    if (!queue[j->queue] || j->submit < s->from
        || (s->to > 0 && j->submit >= s->to))
        return false;
    if (s->fraction <= 0)
        return true;
    /* one stream for each job: whether it is kept depends on no other job */
    gs_rng_init(&r, s->seed, gs_strtab_str(w->names, j->name));
    (void)gs_rng_u32(&r);
    return gs_rng_double(&r) < s->fraction;
}

int trace_workload_sample(struct trace_workload *w,
                          const struct trace_sample *s, struct gs_err *err)
{
    bool *queue = gs_array_new(w->queue_count, sizeof(*queue));
    uint32_t *keep = gs_array_new(w->job_count, sizeof(*keep));
    uint32_t count = 0;
    int rc = 0;

    assert(w && s);
    if (!(s->fraction >= 0 && s->fraction <= 1))
        rc = gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                     "a fraction must be more than 0 and at most 1 (got %g)",
                     s->fraction);
    else
        rc = mark_queues(w, s, queue, err);
    for (uint32_t i = 0; rc == 0 && i < w->job_count; i++) {
        if (is_wanted(w, s, queue, i))
            keep[count++] = i;
    }
    if (rc == 0 && count == 0)
        rc = gs_fail(err, GS_INPUT, (struct gs_mark){ 0 },
                     "none of the %u jobs is in the sample", w->job_count);
    for (uint32_t i = 0; rc == 0 && i < count; i++) {
        w->job[i] = w->job[keep[i]];
        w->job[i].submit -= s->from;
    }
    if (rc == 0)
        w->job_count = count;
    gs_array_free(keep);
    gs_array_free(queue);
    return rc;
}
