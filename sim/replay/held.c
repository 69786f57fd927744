/* sim/replay/held.c - jobs that depend on others, see held.h. */
#include "sim/replay/held.h"

#include <assert.h>

#include "base/array.h"
#include "base/far.h"
#include "base/strtab.h"
#include "base/text.h"
#include "sim/replay/replay_private.h"
#include "traces/workload/dependencies.h"

#define REASON_MAX 400

struct sim_held_job {
    int64_t ready;  /* us; not submitted earlier */
    uint32_t open;  /* dependencies that are not settled */
    uint32_t which; /* with `is_never` the dependency that decided it */
    bool is_met;
    bool is_never; /* its dependencies can never be met */
};

/* --- opening -------------------------------------------------------------- */

/* Index the dependencies by the job that they are on, those on jobs that are
 * not in the workload are met.
 */
static void dependencies_index(struct sim *s, const uint32_t *named)
{
    const struct trace_workload *w = s->work;
    struct sim_held *h = &s->held;

    for (uint32_t job = 0; job < w->job_count; job++) {
        const struct trace_job *j = &w->job[job];

        for (uint32_t i = 0; i < j->aside->dependency_count; i++) {
            const uint32_t d = j->aside->first_dependency + i;
            const uint32_t on = named[w->dependencies->dependency[d].job];

            h->owner[d] = job;
            h->is_settled[d] = on == 0;
            h->job[job].open += on != 0;
            if (on)
                h->first[on]++;
        }
        h->job[job].is_met = h->job[job].open == 0
                             || (j->aside->needs_any
                                 && h->job[job].open
                                        < j->aside->dependency_count);
    }
    for (uint32_t job = 0; job < w->job_count; job++)
        h->first[job + 1] += h->first[job];
}

/* Fill waiting[].  first[job + 1] is the end of the part of `job` before, and
 * its begin after it was filled.
 */
static void waiting_fill(struct sim *s, const uint32_t *named)
{
    const struct trace_workload *w = s->work;
    struct sim_held *h = &s->held;
    const uint32_t end = h->first[w->job_count];

    for (uint32_t job = w->job_count; job-- > 0;) {
        const struct trace_job *j = &w->job[job];

        for (uint32_t i = j->aside->dependency_count; i-- > 0;) {
            const uint32_t d = j->aside->first_dependency + i;
            const uint32_t on = named[w->dependencies->dependency[d].job];

            if (on)
                h->waiting[--h->first[on]] = d;
        }
    }
    for (uint32_t job = 0; job < w->job_count; job++)
        h->first[job] = h->first[job + 1];
    h->first[w->job_count] = end;
}

void sim_held_open(struct sim *s)
{
    const struct trace_workload *w = s->work;
    struct sim_held *h = &s->held;
    uint32_t *named;

    if (w->dependencies->dependency_count == 0)
        return;
    named = trace_jobs_by_name(w);
    h->job = gs_far_new(s->work->far, w->job_count + 1, sizeof(*h->job));
    h->first = gs_far_new(s->work->far, (size_t)w->job_count + 2,
                          sizeof(*h->first));
    h->waiting = gs_far_new(s->work->far, w->dependencies->dependency_count,
                            sizeof(*h->waiting));
    h->owner = gs_far_new(s->work->far, w->dependencies->dependency_count,
                          sizeof(*h->owner));
    h->is_settled = gs_far_new(s->work->far, w->dependencies->dependency_count,
                               sizeof(*h->is_settled));
    dependencies_index(s, named);
    waiting_fill(s, named);
    gs_array_free(named);
}

void sim_held_free(struct sim *s)
{
    gs_far_free(s->work->far, s->held.job);
    gs_far_free(s->work->far, s->held.first);
    gs_far_free(s->work->far, s->held.waiting);
    gs_far_free(s->work->far, s->held.owner);
    gs_far_free(s->work->far, s->held.is_settled);
}

/* --- what happens to the others ------------------------------------------- */

/* Submit the job when it is due, if the trace has already submitted it. */
static void submit_later(struct sim *s, uint32_t job)
{
    const int64_t ready = s->held.job[job].ready;

    assert(s->held.job[job].is_met);
    if (job >= s->next_submit)
        return;
    event_push(&s->queue, ready > s->now ? ready : s->now, EVENT_SUBMIT, job,
               0);
    s->held.due++;
}

/* Dependency `d` is met, or never will be. */
static void settle(struct sim *s, uint32_t d, bool is_met)
{
    const uint32_t job = s->held.owner[d];
    const int64_t at = sim_later(s->now,
                                 s->work->dependencies->dependency[d].delay);
    struct sim_held_job *h = &s->held.job[job];
    const bool needs_any = s->work->job[job].aside->needs_any;

    assert(!s->held.is_settled[d] && h->open > 0);
    s->held.is_settled[d] = true;
    h->open--;
    if (h->is_met || h->is_never)
        return;
    if (is_met && (needs_any || at > h->ready))
        h->ready = at;
    if (is_met && (needs_any || h->open == 0)) {
        h->is_met = true;
        submit_later(s, job);
    } else if (!is_met && (!needs_any || h->open == 0)) {
        h->is_never = true;
        h->which = d;
    }
}

void sim_held_started(struct sim *s, uint32_t job)
{
    const struct sim_held *h = &s->held;

    if (!h->job)
        return;
    for (uint32_t i = h->first[job]; i < h->first[job + 1]; i++) {
        if (s->work->dependencies->dependency[h->waiting[i]].when
                == TRACE_STARTED
            && !h->is_settled[h->waiting[i]])
            settle(s, h->waiting[i], true);
    }
}

void sim_held_over(struct sim *s, uint32_t job)
{
    const bool is_done = sim_life(s, job)->state == REPORT_DONE;
    const struct sim_held *h = &s->held;

    assert(sim_life(s, job)->state >= REPORT_DONE);
    if (!h->job)
        return;
    for (uint32_t i = h->first[job]; i < h->first[job + 1]; i++) {
        const enum trace_when when =
            s->work->dependencies->dependency[h->waiting[i]].when;

        if (!h->is_settled[h->waiting[i]])
            settle(s, h->waiting[i],
                   when == TRACE_ENDED || (when == TRACE_COMPLETED && is_done)
                       || (when == TRACE_FAILED && !is_done));
    }
}

/* --- the job itself ------------------------------------------------------- */

void sim_job_arrive(struct sim *s, uint32_t job)
{
    const struct sim_held_job *h = s->held.job ? &s->held.job[job] : NULL;

    assert(s->work->job[job].submit == s->now && s->next_submit == job + 1);
    sim_recording_submitted(s, job);
    if (!h || (h->is_met && h->ready <= s->now))
        sim_job_submit(s, job);
    else if (h->is_met)
        submit_later(s, job);
}

void sim_held_submit(struct sim *s, uint32_t job)
{
    assert(s->held.due > 0 && s->held.job[job].is_met);
    s->held.due--;
    s->is_dirty = true;
    sim_job_submit(s, job);
}

/* The dependency that the job waits for, or waits for in vain. */
static void reason_of(const struct sim *s, uint32_t job, char *out, size_t size)
{
    static const char *const what[TRACE_WHENS] = {
        [TRACE_COMPLETED] = "complete",
        [TRACE_FAILED] = "fail",
        [TRACE_ENDED] = "end",
        [TRACE_STARTED] = "start",
    };
    const struct sim_held_job *h = &s->held.job[job];
    uint32_t d = h->is_never ? h->which
                             : s->work->job[job].aside->first_dependency;

    while (!h->is_never && s->held.is_settled[d])
        d++;
    out[0] = '\0';
    gs_text_add(
        out, size, "needs job '%.200s' to %s%s",
        gs_strtab_str(s->work->names, s->work->dependencies->dependency[d].job),
        what[s->work->dependencies->dependency[d].when],
        h->is_never ? ", which it did not" : "");
}

void sim_held_close(struct sim *s, uint32_t job)
{
    char reason[REASON_MAX] = "its dependencies are met, but not long ago";
    const struct report_job r = {
        .job = job,
        .state = REPORT_PENDING,
        .level = UINT32_MAX,
        .start = -1,
        .end = -1,
        .scheduler = sim_scheduler_name(s, job),
        .reason = reason,
        .held = INT64_MAX,
    };

    assert(s->held.job && sim_life(s, job)->eligible < 0);
    if (!s->held.job[job].is_met)
        reason_of(s, job, reason, sizeof(reason));
    SIM_TELL(s, ended, &r);
}
