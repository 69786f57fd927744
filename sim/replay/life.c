/* sim/replay/life.c - the life of a job: pending, partially allocated, running,
 * over.
 */
#include "base/array.h"

#include <assert.h>

#include "policies/profile/profile.h"
#include "sim/replay/replay_private.h"

/* --- what it holds -------------------------------------------------------- */

int64_t sim_milli_of(const struct sim *s, const struct gsched_decision *d)
{
    const struct trace_job *j = &s->work->job[d->job];
    const uint32_t shape =
        trace_group_at(s->work, j->first_group + d->group)->shape;

    assert(d->group < j->group_count);
    return s->work->shape[shape].amount[TOPO_GPU] * d->grant.tasks;
}

/* Add GPU thousandths to the total of the state. */
static void account(struct sim *s, uint8_t state, int64_t milli)
{
    if (state == REPORT_RUNNING) {
        s->instant.busy_milli += milli;
        assert(s->instant.busy_milli >= 0);
    } else if (state == REPORT_PARTLY) {
        s->instant.hoarded_milli += milli;
        assert(s->instant.hoarded_milli >= 0);
    }
}

void sim_allocated_add(struct sim *s, uint32_t job, int64_t milli)
{
    struct sim_job *j = sim_life(s, job);

    sim_segment_close(s, job);
    j->allocated_milli += milli;
    assert(j->allocated_milli >= 0); /* it releases only what it holds */
    account(s, j->state, milli);
}

void sim_touch(struct sim *s, uint32_t job)
{
    assert(job < s->work->job_count);
    if (sim_life(s, job)->is_touched)
        return;
    sim_life(s, job)->is_touched = true;
    s->touched = gs_array_grow(s->touched, &s->touched_cap,
                               s->touched_count + 1, sizeof(*s->touched));
    s->touched[s->touched_count++] = job;
}

void sim_state_set(struct sim *s, uint32_t job, enum report_state to)
{
    struct sim_job *j = sim_life(s, job);

    assert(j->state < REPORT_DONE); /* a job that is over does not change */
    assert(j->state != REPORT_PARTLY || s->instant.partly > 0);
    assert(j->state != REPORT_RUNNING || s->instant.running > 0);
    assert(to < REPORT_DONE || j->allocated_milli == 0);
    if (j->state == REPORT_RUNNING && to != REPORT_RUNNING)
        j->ran = sim_job_ran(s, job);
    account(s, j->state, -j->allocated_milli);
    s->instant.partly -= j->state == REPORT_PARTLY;
    s->instant.running -= j->state == REPORT_RUNNING;
    if (j->state == REPORT_RUNNING)
        sim_ending_active(s, job, -1);
    if (to == REPORT_RUNNING)
        sim_ending_active(s, job, 1);
    j->state = (uint8_t)to;
    s->instant.partly += j->state == REPORT_PARTLY;
    s->instant.running += j->state == REPORT_RUNNING;
    account(s, j->state, j->allocated_milli);
}

void sim_starting_set(struct sim *s, uint32_t job, bool is_starting)
{
    struct sim_job *j = sim_life(s, job);

    if (j->is_starting != is_starting)
        sim_ending_active(s, job, is_starting ? 1 : -1);
    j->is_starting = is_starting;
}

/* Level of the smallest subtree that holds all allocations of the job. */
static uint32_t level_of(const struct sim *s, uint32_t job)
{
    uint32_t low = UINT32_MAX, high = 0, at = GSCHED_FIRST;
    struct gsched_decision d;

    assert(sim_life(s, job)->placed > 0);
    while (gsched_next_allocation(sim_sched(s, job), job, &at, &d)) {
        low = d.grant.node < low ? d.grant.node : low;
        high = d.grant.node > high ? d.grant.node : high;
    }
    return topo_level_between(s->topo, low, high);
}

/* When a job is over that is withdrawn. */
static int64_t leave_of(const struct sim *s, uint32_t job)
{
    const struct trace_job *w = &s->work->job[job];

    return sim_later(sim_life(s, job)->eligible + w->aside->since, w->duration);
}

/* --- events --------------------------------------------------------------- */

bool sim_tasks_create(struct sim *s, uint32_t job)
{
    struct sim_job *j = sim_life(s, job);
    const uint32_t more = sim_quota_take(s, job);
    const bool is_new = j->created == 0;

    if (more == 0)
        return false;
    s->is_dirty = true;
    j->created += more;
    assert(j->created <= j->due && j->due <= s->work->job[job].tasks);
    s->quotas.uncreated -= is_new;
    sim_accepted(
        is_new
            ? gsched_submit(sim_sched(s, job), job, j->created, s->now)
            : gsched_tasks_created(sim_sched(s, job), job, j->created, s->now));
    return true;
}

void sim_job_submit(struct sim *s, uint32_t job)
{
    const struct trace_job *w = &s->work->job[job];
    struct sim_job *j = sim_life_begin(s, job);

    assert(job < s->next_submit || job == s->next_submit);
    assert(w->submit <= s->now);
    j->due = w->aside->task_interval ? 1 : trace_job_left(w, 0);
    SIM_TELL(s, submitted, job);
    sim_ending_submitted(s, job);
    s->quotas.uncreated++;
    (void)sim_tasks_create(s, job);
    if (w->aside->withdraws)
        event_push(&s->queue, leave_of(s, job), EVENT_JOB_LEAVE, job, 0);
    if (j->due < w->tasks && w->aside->task_interval)
        event_push(&s->queue, sim_later(s->now, w->aside->task_interval),
                   EVENT_TASK, job, j->attempt);
}

void sim_job_task(struct sim *s, uint32_t job)
{
    const struct trace_job *w = &s->work->job[job];
    struct sim_job *j = sim_life(s, job);

    assert(j->due < w->tasks || j->state >= REPORT_DONE);
    if (j->state >= REPORT_DONE)
        return;
    sim_ending_progress(s);
    j->due++;
    (void)sim_tasks_create(s, job);
    if (j->due == w->tasks)
        sim_ending_created(s);
    else
        event_push(&s->queue, sim_later(s->now, w->aside->task_interval),
                   EVENT_TASK, job, j->attempt);
}

void sim_job_estimate(struct sim *s, uint32_t job, int64_t left)
{
    assert(left >= 0);
    /* a job that is put back for the last time is rejected with that */
    if (s->work->job[job].estimate != TRACE_FOREVER
        && !gsched_is_over(sim_sched(s, job), job))
        sim_accepted(gsched_estimate(sim_sched(s, job), job, left));
}

void sim_end_push(struct sim *s, uint32_t job, int64_t left)
{
    const struct trace_job *w = &s->work->job[job];
    const int64_t leaves = leave_of(s, job);
    int64_t at = sim_later(s->now, left);

    assert(left >= 0);
    if (w->duration == TRACE_FOREVER || w->aside->completions)
        return;
    at = w->aside->withdraws && at < leaves
             ? leaves
             : sim_later(at, sim_profile(s, job)->end_latency);
    event_push(&s->queue, at, EVENT_JOB_END, job, sim_life(s, job)->attempt);
}

void sim_job_start(struct sim *s, uint32_t job)
{
    const struct trace_job *w = &s->work->job[job];
    struct sim_job *j = sim_life(s, job);
    const int64_t before = j->start < 0 && !w->aside->completions
                               ? trace_job_ran_before(s->work, w)
                               : 0;
    int64_t saved; /* work that it need not do in this attempt */

    assert(j->placed >= w->gang && j->state != REPORT_RUNNING);
    assert(j->allocated_milli >= 0 && sim_past(s, job)->saved >= 0);
    sim_starting_set(s, job, false);
    sim_state_set(s, job, REPORT_RUNNING);
    j->run_start = s->now - before;
    sim_segment_open(s, job);
    saved = sim_past(s, job)->saved + (before ? sim_work_done(s, job) : 0);
    if (w->aside->completions)
        sim_job_estimate(s, job,
                         sim_rounds_time(s, job, sim_time_for(j, w->estimate)));
    else if (j->speed != SIM_FULL_SPEED && w->estimate > saved
             && !w->aside->withdraws)
        sim_job_estimate(s, job, sim_time_for(j, w->estimate - saved));
    if (j->start < 0) {
        j->start = s->now;
        j->level = level_of(s, job);
        sim_held_started(s, job);
    }
    SIM_TELL(s, started, job);
    if (!sim_recording_end_push(s, job))
        sim_end_push(
            s, job,
            sim_time_for(j, w->duration > saved ? w->duration - saved : 0));
}

/* The job, which the scheduler knows no more, is over. */
static void ended(struct sim *s, uint32_t job, enum report_state state,
                  const char *reason)
{
    struct sim_job *j = sim_life(s, job);

    sim_state_set(s, job, state);
    j->attempt++;
    sim_life_end(s, job);
    sim_ending_job_over(s, job);
    sim_held_over(s, job);
    sim_tell_ended(s, job, s->now, reason);
    s->quotas.uncreated -= j->created == 0;
    sim_quota_over(s, job);
}

/* Release all allocations of the job and end it. */
static void over(struct sim *s, uint32_t job, enum report_state state,
                 const char *reason)
{
    struct sim_job *j = sim_life(s, job);
    struct gsched_decision d;
    uint32_t at = GSCHED_FIRST;

    assert(state >= REPORT_DONE && j->state < REPORT_DONE);
    while (j->created
           && gsched_next_allocation(sim_sched(s, job), job, &at, &d)) {
        sim_tell_allocation(s, &d, ALLOCATION_RELEASED);
        sim_run_stop(s, &d);
    }
    if (j->created)
        sim_accepted(gsched_end(sim_sched(s, job), job, s->now));
    sim_allocated_add(s, job, -j->allocated_milli);
    sim_starting_set(s, job, false);
    ended(s, job, state, reason);
}

void sim_job_over(struct sim *s, uint32_t job)
{
    over(s, job, REPORT_DONE, NULL);
}

void sim_job_end(struct sim *s, uint32_t job)
{
    if (!sim_segment_goes_on(s, job))
        over(s, job, REPORT_DONE, NULL);
}

void sim_job_leave(struct sim *s, uint32_t job)
{
    const bool ran = sim_life(s, job)->start >= 0;

    if (sim_life(s, job)->state >= REPORT_DONE)
        return;
    s->is_dirty = true;
    sim_touch(s, job); /* it may be partially allocated */
    over(s, job, ran ? REPORT_DONE : REPORT_FAILED,
         ran ? NULL : "withdrawn before it could run");
}

/* --- GPUs that are cut ---------------------------------------------------- */

/* An instance runs after its GPU is cut; the first instance waits for that, and
 * so do those placed in the meantime.
 */
static void cut(struct sim *s, const struct gsched_decision *d)
{
    const struct topo_class *k =
        &s->topo->klass[s->topo->node_class[d->grant.node]];
    const struct trace_job *w = &s->work->job[d->job];
    int64_t *at;

    if (!s->cut_at
        || !s->work
                ->shape[trace_group_at(s->work, w->first_group + d->group)
                            ->shape]
                .mig)
        return;
    at = s->cut_at + s->first_device[d->grant.node]
         + __builtin_ctzll(d->grant.devices);
    if (d->grant.opens)
        *at = sim_later(s->now, k->mig_delay);
    if (*at > sim_life(s, d->job)->ready_at)
        sim_life(s, d->job)->ready_at = *at;
}

/* --- decisions ------------------------------------------------------------ */

static void placed(struct sim *s, const struct gsched_decision *d,
                   int64_t delay)
{
    struct sim_job *j = sim_life(s, d->job);

    assert(j->state < REPORT_DONE && d->grant.tasks > 0);
    assert(delay >= 0);
    s->stats.tasks += d->grant.tasks;
    j->placed += d->grant.tasks;
    assert(j->placed <= j->created);
    sim_allocated_add(s, d->job, sim_milli_of(s, d));
    cut(s, d);
    sim_start_cost(s, d);
    if (j->ready_at - s->now > delay)
        delay = j->ready_at - s->now;
    if (s->work->job[d->job].aside->completions)
        sim_run_begin(s, d, delay);
    sim_tell_allocation(s, d, ALLOCATION_PLACED);
    if (j->state == REPORT_RUNNING || j->is_starting) {
        if (s->work->job[d->job].duration == TRACE_FOREVER || s->segment)
            sim_touch(s, d->job);
        return;
    }
    sim_touch(s, d->job);
    if (j->placed < s->work->job[d->job].gang) {
        if (j->state != REPORT_PARTLY)
            sim_state_set(s, d->job, REPORT_PARTLY);
    } else if ((delay = sim_later(delay, sim_start_meet(s, d->job))) > 0) {
        sim_starting_set(s, d->job, true);
        sim_state_set(s, d->job, REPORT_PENDING);
        event_push(&s->queue, sim_later(s->now, delay), EVENT_JOB_START, d->job,
                   j->attempt);
    } else {
        sim_job_start(s, d->job);
    }
}

void sim_job_decided(struct sim *s, const struct gsched_decision *d,
                     int64_t delay)
{
    static const char *const why[GSCHED_CAUSES] = {
        [GSCHED_CAPACITY] = "asks for more than the cluster has",
        [GSCHED_CONSTRAINT] = "no node of the kind it asks for",
        [GSCHED_TOPOLOGY] = "no domain of its tier is large enough",
    };

    assert(d->job < s->next_submit);
    assert(sim_life(s, d->job)->state < REPORT_DONE);
    switch (d->kind) {
    case GSCHED_PLACE:
        placed(s, d, delay);
        break;
    case GSCHED_EVICT:
        sim_job_gave_back(s, d);
        break;
    case GSCHED_SHRINK:
        sim_job_shrank(s, d);
        break;
    case GSCHED_RETURN:
        sim_job_returned(s, d);
        break;
    case GSCHED_WARN:
        sim_job_warned(s, d->job);
        break;
    case GSCHED_REJECT:
        if (d->reason == GSCHED_GAVE_UP) {
            ended(s, d->job, REPORT_FAILED, "did not run in time, too often");
            break;
        }
        if (d->reason == GSCHED_FAILED_LATE) {
            ended(s, d->job, REPORT_FAILED,
                  "its gang was not complete in time");
            break;
        }
        sim_life(s, d->job)->state = REPORT_REJECTED;
        sim_life_end(s, d->job);
        sim_ending_job_over(s, d->job);
        sim_held_over(s, d->job);
        sim_tell_ended(s, d->job, s->now,
                       why[gsched_wait_cause(sim_sched(s, d->job), d->job)]);
        sim_quota_over(s, d->job);
        break;
    }
}

/* Fail the jobs that were evicted too often; others may use their allocations
 * in the same cycle.
 */
void sim_jobs_fail(struct sim *s)
{
    for (uint32_t i = 0; i < s->failing_count; i++) {
        if (sim_life(s, s->failing[i])->state < REPORT_DONE)
            over(s, s->failing[i], REPORT_FAILED,
                 "evicted more often than its retries");
    }
    s->is_dirty |= s->failing_count > 0;
    s->failing_count = 0;
}

void sim_job_close(struct sim *s, uint32_t job)
{
    uint32_t at = GSCHED_FIRST;
    struct gsched_decision d;

    assert(job < s->next_submit);
    if (sim_life(s, job)->state >= REPORT_DONE)
        return;
    if (sim_life(s, job)->eligible < 0) {
        sim_held_close(s, job);
        return;
    }
    while (sim_life(s, job)->created
           && gsched_next_allocation(sim_sched(s, job), job, &at, &d)) {
        sim_tell_allocation(s, &d, ALLOCATION_HELD);
        sim_run_stop(s, &d); /* a later decision with equal values is another
                                one */
    }
    sim_segment_close(s, job);
    sim_tell_ended(s, job, -1, NULL);
}
