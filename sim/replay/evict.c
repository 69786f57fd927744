/* sim/replay/evict.c - evictions, and losses of tasks with a node. */
#include "base/array.h"

#include <assert.h>

#include "sim/replay/replay_private.h"
#include "sim/scenario/scenario.h"

static const enum report_eviction_kind reasons[] = {
    [GSCHED_TIMEOUT] = REPORT_TIMEOUT,
    [GSCHED_PREEMPTED] = REPORT_PREEMPT,
    [GSCHED_RECLAIMED] = REPORT_RECLAIM,
    [GSCHED_LOST] = REPORT_LOST,
    [GSCHED_MOVED] = REPORT_MOVED,
    [GSCHED_RELOCATED] = REPORT_RELOCATED,
    [GSCHED_RECLAIMED_BORROWING] = REPORT_RECLAIM_BORROWING,
    [GSCHED_RECLAIMED_SHARE] = REPORT_RECLAIM_SHARE,
};

/* `milli` thousandths of GPUs for `us`, in GPUs x us. */
static int64_t gpu_time(int64_t us, int64_t milli)
{
    const sim_wide time = (sim_wide)(uint64_t)us * (uint64_t)milli / 1000;

    assert(us >= 0 && milli >= 0);
    return time < SIM_LAST ? (int64_t)time : SIM_LAST;
}

static int64_t run_time(const struct sim *s, uint32_t job)
{
    const struct sim_job *j = sim_life(s, job);

    return j->state == REPORT_RUNNING ? s->now - j->run_start : 0;
}

/* The job's own; valid until another job gets one. */
static struct sim_job_past *past_put(struct sim *s, uint32_t job)
{
    uint32_t *at = &sim_life(s, job)->past;

    if (*at == 0) {
        s->past = gs_array_grow(s->past, &s->past_cap, s->past_count + 1,
                                sizeof(*s->past));
        *at = s->past_count++;
    }
    return &s->past[*at];
}

/* Tasks of a job with completions must be repeated completely. */
static void tasks_lost(struct sim *s, struct report_eviction *e)
{
    struct sim_job_past *past = past_put(s, e->job);

    e->lost_us = s->evicted.us;
    e->lost_gpu_us = s->evicted.gpu_us;
    past->lost_gpu_us = sim_later(past->lost_gpu_us, e->lost_gpu_us);
}

void sim_job_gave_back(struct sim *s, const struct gsched_decision *d)
{
    struct sim_job *j = sim_life(s, d->job);

    s->evicted.tasks += d->grant.tasks;
    s->evicted.milli += sim_milli_of(s, d);
    if (s->work->job[d->job].aside->completions) {
        const int64_t us = s->now - d->placed_at;

        s->evicted.us = us > s->evicted.us ? us : s->evicted.us;
        s->evicted.gpu_us = sim_later(s->evicted.gpu_us,
                                      gpu_time(us, sim_milli_of(s, d)));
    }
    assert(j->placed >= d->grant.tasks);
    j->placed -= d->grant.tasks;
    sim_allocated_add(s, d->job, -sim_milli_of(s, d));
    sim_tell_allocation(s, d, ALLOCATION_RELEASED);
    sim_run_stop(s, d);
    sim_touch(s, d->job);
}

/* Work between checkpoints of the job; 0: no checkpoints. */
static int64_t checkpoint_of(const struct sim *s, uint32_t job)
{
    const int64_t own = s->work->job[job].aside->checkpoint;

    return own || !s->options->scenario ? own
                                        : s->options->scenario->checkpoint;
}

/* Work that the job, running until now, has to repeat. */
static int64_t work_lost(const struct sim *s, uint32_t job)
{
    const struct trace_job *w = &s->work->job[job];
    const struct sim_job_past *past = sim_past(s, job);
    const int64_t done = past->saved + sim_work_done(s, job);
    const int64_t step = checkpoint_of(s, job);

    assert(done >= 0 && step >= 0);
    if (w->aside->resumes)
        return 0;
    if (past->noticed && done - past->noticed < done % step)
        return done - past->noticed;
    return step ? done % step : done;
}

void sim_job_warned(struct sim *s, uint32_t job)
{
    struct sim_job_past *past;

    if (sim_life(s, job)->state != REPORT_RUNNING || !checkpoint_of(s, job))
        return;
    past = past_put(s, job);
    past->noticed = past->saved + sim_work_done(s, job);
}

/* The job lost tasks with a node.  This counts as in vain, except for a service
 * in a run with a stated end.
 */
static void lost_again(struct sim *s, uint32_t job, bool ran)
{
    if (s->work->job[job].duration != TRACE_FOREVER
        || s->options->until == SIM_FOREVER)
        sim_ending_vain(s, ran, SIM_VAIN_LOSS);
}

void sim_job_returned(struct sim *s, const struct gsched_decision *d)
{
    const struct trace_job *w = &s->work->job[d->job];
    struct sim_job *j = sim_life(s, d->job);
    const bool ran = j->state == REPORT_RUNNING || j->is_starting;
    struct report_eviction e = { .job = d->job,
                                 .by = d->by,
                                 .kind = reasons[d->reason],
                                 .tasks = s->evicted.tasks,
                                 .is_whole = true,
                                 .run_us = run_time(s, d->job),
                                 .breaks = d->breaks };

    assert((size_t)d->reason < sizeof(reasons) / sizeof(reasons[0]));
    assert(j->placed == 0 && j->allocated_milli == 0); /* all allocations
                                                          were released */
    j->evictions++;
    j->attempt++;
    sim_starting_set(s, d->job, false);
    if (w->aside->completions && j->state == REPORT_RUNNING) {
        j->preemptions++;
        tasks_lost(s, &e);
        sim_job_estimate(s, d->job, sim_rounds_time(s, d->job, w->estimate));
    } else if (j->state == REPORT_RUNNING) {
        const int64_t lost = work_lost(s, d->job);
        const int64_t kept = sim_work_done(s, d->job) - lost;
        struct sim_job_past *past = past_put(s, d->job);

        j->preemptions++;
        e.lost_us = sim_time_for(j, lost);
        e.lost_gpu_us = gpu_time(e.lost_us, s->evicted.milli);
        /* what was lost of the time before 0 is not of the time it ran */
        past->lost_us += j->run_start < 0 && e.lost_us > s->now ? s->now
                                                                : e.lost_us;
        past->lost_gpu_us = sim_later(past->lost_gpu_us, e.lost_gpu_us);
        past->saved += kept;
        if (kept > 0 && w->duration != TRACE_FOREVER)
            sim_ending_progress(s);
        if (w->estimate > past->saved)
            sim_job_estimate(s, d->job, w->estimate - past->saved);
    }
    if (d->reason == GSCHED_LOST)
        lost_again(s, d->job, ran);
    else
        sim_ending_vain(s, ran, SIM_VAIN_EVICTION);
    j->ready_at = 0;
    sim_state_set(s, d->job, REPORT_PENDING);
    sim_touch(s, d->job);
    if (ran && j->preemptions == 1)
        e.waits = sim_job_waits(s, d->job);
    SIM_TELL(s, evicted, &e);
    s->evicted = (struct sim_evicted){ 0 };
    if (w->retries != TRACE_NONE && j->preemptions > w->retries
        && !s->recording.is_on) {
        s->failing = gs_array_grow(s->failing, &s->failing_cap,
                                   s->failing_count + 1, sizeof(*s->failing));
        s->failing[s->failing_count++] = d->job;
    }
}

void sim_job_shrank(struct sim *s, const struct gsched_decision *d)
{
    struct report_eviction e = { .job = d->job,
                                 .by = d->by,
                                 .kind = reasons[d->reason],
                                 .tasks = d->grant.tasks,
                                 .run_us = run_time(s, d->job),
                                 .breaks = d->breaks };

    sim_ending_vain(s, false, SIM_VAIN_EVICTION);
    sim_job_gave_back(s, d);
    tasks_lost(s, &e);
    s->evicted = (struct sim_evicted){ 0 };
    if (sim_life(s, d->job)->placed == 0)
        sim_state_set(s, d->job, REPORT_PENDING);
    SIM_TELL(s, evicted, &e);
}

/* The job runs on with its other allocations. */
static void lost_part(struct sim *s, uint32_t job, uint32_t node,
                      uint64_t devices)
{
    struct report_eviction e = { .job = job,
                                 .by = UINT32_MAX,
                                 .run_us = run_time(s, job),
                                 .kind = REPORT_LOST };

    assert(s->evicted.tasks > 0);
    sim_accepted(
        gsched_lost_part(sim_sched(s, job), job, node, devices, s->now));
    lost_again(s, job, false);
    e.tasks = s->evicted.tasks;
    tasks_lost(s, &e);
    s->evicted = (struct sim_evicted){ 0 };
    SIM_TELL(s, evicted, &e);
}

/* The lowest number of a lost task of the group; UINT32_MAX: none. */
static uint32_t first_lost(const struct sim *s, uint32_t job, uint32_t group,
                           uint32_t node, uint64_t devices)
{
    uint32_t at = GSCHED_FIRST, first = UINT32_MAX;
    struct gsched_decision d;

    assert(group < s->work->job[job].group_count);
    while (gsched_next_allocation(sim_sched(s, job), job, &at, &d)) {
        if (d.group == group && d.first_task < first
            && gsched_stands_on(&d.grant, node, devices))
            first = d.first_task;
    }
    return first;
}

/* Before part of the job is lost, report the new numbers of the tasks that
 * remain.
 */
static void tell_renumbered(struct sim *s, uint32_t job, uint32_t node,
                            uint64_t devices)
{
    for (uint32_t g = 0; g < s->work->job[job].group_count; g++) {
        const uint32_t first = first_lost(s, job, g, node, devices);
        uint32_t at = GSCHED_FIRST;
        struct gsched_decision d;

        while (first != UINT32_MAX
               && gsched_next_allocation(sim_sched(s, job), job, &at, &d)) {
            if (d.group == g && d.first_task > first
                && !gsched_stands_on(&d.grant, node, devices))
                sim_tell_allocation(s, &d, ALLOCATION_RENUMBERED);
        }
    }
}

void sim_job_take(struct sim *s, uint32_t job, const struct gsched_decision *d)
{
    struct gsched_decision held;
    uint32_t at = GSCHED_FIRST;

    while (gsched_next_allocation(sim_sched(s, job), job, &at, &held))
        sim_job_gave_back(s, &held);
    sim_accepted(gsched_lost(sim_sched(s, job), job, s->now));
    sim_job_returned(s, d);
}

void sim_job_lost(struct sim *s, uint32_t job, uint32_t node, uint64_t devices)
{
    const bool is_part = sim_life(s, job)->state == REPORT_RUNNING
                         && gsched_can_spare(sim_sched(s, job), job, node,
                                             devices);
    const struct gsched_decision lost = { .job = job,
                                          .reason = GSCHED_LOST,
                                          .by = UINT32_MAX };
    struct gsched_decision d;
    uint32_t at = GSCHED_FIRST;

    assert(node < s->topo->node_count && sim_life(s, job)->placed > 0);
    if (!is_part) {
        sim_job_take(s, job, &lost);
        sim_jobs_fail(s); /* before it gets another allocation */
        return;
    }
    if (!s->work->job[job].aside->completions)
        tell_renumbered(s, job, node, devices);
    while (gsched_next_allocation(sim_sched(s, job), job, &at, &d)) {
        if (gsched_stands_on(&d.grant, node, devices))
            sim_job_gave_back(s, &d);
    }
    lost_part(s, job, node, devices);
}
