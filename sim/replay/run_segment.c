/* sim/replay/run_segment.c - a run in segments, each at one speed with one set
 * of tasks.
 *
 * Under a speed model only: without one, a job's speed never changes while it
 * runs.  The work of earlier segments is kept to the millionth of a
 * microsecond, so that it does not depend on their number.
 *
 * sim_segment_open begins the first segment at the job's start;
 * sim_segment_close ends one before the job's tasks change or the run ends;
 * sim_segment_change sets the speed of the next and moves the job's end.
 */
#include "sim/replay/replay_private.h"

#include <assert.h>

static bool is_running(const struct sim *s, uint32_t job)
{
    return s->segment && sim_life(s, job)->state == REPORT_RUNNING;
}

/* The job ran for `us` at its speed. */
static void add_work(struct sim *s, uint32_t job, int64_t us)
{
    struct sim_run_segment *l = &s->segment[job];
    const sim_wide done = (sim_wide)(uint64_t)us * sim_life(s, job)->speed
                          + l->rest;

    assert(us >= 0);
    l->work += (int64_t)(done / SIM_FULL_SPEED);
    l->rest = (uint32_t)(done % SIM_FULL_SPEED);
}

void sim_segment_open(struct sim *s, uint32_t job)
{
    const struct sim_job_speed p = sim_job_speed_of(s, job);

    assert(p.speed > 0 && sim_life(s, job)->state == REPORT_RUNNING);
    sim_life(s, job)->speed = p.speed;
    if (!s->segment)
        return;
    s->segment[job] = (struct sim_run_segment){ .start = s->now, .at = p };
    add_work(s, job, s->now - sim_life(s, job)->run_start);
}

static void segment_tell(struct sim *s, uint32_t job, int64_t us)
{
    const struct sim_run_segment *l = &s->segment[job];
    const struct report_run_segment told = {
        .job = job,
        .start = l->start,
        .us = us,
        .gpu_milli = sim_life(s, job)->allocated_milli,
        .tasks = l->at.tasks,
        .level = l->at.level,
        .speed = l->at.speed,
        .nodes = l->at.nodes,
        .model = l->at.model,
        .by = l->at.by,
    };

    assert(us > 0);
    SIM_TELL(s, ran, &told);
}

void sim_segment_close(struct sim *s, uint32_t job)
{
    struct sim_run_segment *l;
    int64_t us;

    if (!is_running(s, job))
        return;
    l = &s->segment[job];
    us = s->now - l->start;
    assert(us >= 0);
    if (us == 0)
        return;
    segment_tell(s, job, us);
    add_work(s, job, us);
    l->start = s->now;
}

int64_t sim_work_done(const struct sim *s, uint32_t job)
{
    const struct sim_job *j = sim_life(s, job);
    const struct sim_run_segment *l = s->segment ? &s->segment[job] : NULL;
    sim_wide done;

    if (!l)
        return sim_work_in(j, s->now - j->run_start);
    done = (sim_wide)(uint64_t)(s->now - l->start) * j->speed + l->rest;
    return l->work + (int64_t)(done / SIM_FULL_SPEED);
}

/* Time from now on for `work` of the attempt. */
static int64_t time_left(const struct sim *s, uint32_t job, int64_t work)
{
    const struct sim_job *j = sim_life(s, job);
    const struct sim_run_segment *l = &s->segment[job];
    sim_wide left;

    if (work <= l->work)
        return 0;
    left = (sim_wide)(uint64_t)(work - l->work) * SIM_FULL_SPEED - l->rest;
    left = (left + j->speed - 1) / j->speed;
    return left < SIM_LAST ? (int64_t)left : SIM_LAST;
}

void sim_segment_change(struct sim *s, uint32_t job)
{
    const struct trace_job *w = &s->work->job[job];
    struct sim_job *j = sim_life(s, job);
    const int64_t saved = sim_past(s, job)->saved;
    uint32_t before = j->speed;

    if (!is_running(s, job))
        return;
    s->segment[job].at = sim_job_speed_of(s, job);
    j->speed = s->segment[job].at.speed;
    if (j->speed == before)
        return;
    if (w->estimate - saved > s->segment[job].work && !w->aside->withdraws)
        sim_job_estimate(s, job, time_left(s, job, w->estimate - saved));
    j->attempt++;
    sim_end_push(s, job, time_left(s, job, w->duration - saved));
}

bool sim_segment_goes_on(const struct sim *s, uint32_t job)
{
    return s->segment && s->now < SIM_LAST
           && sim_work_done(s, job)
                  < s->work->job[job].duration - sim_past(s, job)->saved;
}
