/* sim/replay/recording.c - follows the record of a trace, see recording.h. */
#include "sim/replay/recording.h"

#include <assert.h>

#include "base/array.h"
#include "base/err.h"
#include "base/far.h"
#include "policies/profile/profile.h"
#include "sim/replay/replay_private.h"
#include "traces/workload/records.h"

#define TRIES_MAX 256u /* jobs without room that are tried at one instant */

int sim_recording_open(struct sim *s, const struct gsched_profile *p,
                       struct gs_err *err)
{
    const struct trace_workload *w = s->work;
    struct sim_recording *r = &s->recording;
    const struct gs_mark at = { .source = s->options->source };

    if (!p->is_recorded)
        return 0;
    for (uint32_t i = 0; i < w->job_count; i++)
        s->stats.recorded.without += w->job[i].record_count == 0
                                     && w->job[i].aside->stand_count == 0;
    if (s->stats.recorded.without == w->job_count)
        return gs_fail(
            err, GS_INPUT, at,
            "policy '%s' follows when and where jobs really ran, and "
            "no job has 'recorded'",
            p->name);
    if (p->beside)
        return gs_fail(err, GS_INPUT, at,
                       "policy '%s' follows the record, beside which no "
                       "scheduler can decide",
                       p->name);
    r->is_on = true;
    r->run = gs_far_new(s->work->far, w->job_count + 1, sizeof(*r->run));
    sim_recorded_open(&r->places, s->topo, w);
    return 0;
}

void sim_recording_free(struct sim *s)
{
    gs_far_free(s->work->far, s->recording.run);
    gs_array_free(s->recording.due);
    sim_recorded_free(&s->recording.places);
}

static const struct trace_record *run_of(const struct sim *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];
    const uint32_t run = s->recording.run[job];

    return run < j->record_count
               ? &s->work->records->record[j->first_record + run]
               : NULL;
}

/* Push the start of the next run. */
static void start_push(struct sim *s, uint32_t job)
{
    const struct trace_record *r = run_of(s, job);
    int64_t at;

    if (!r)
        return;
    at = trace_record_start(&s->work->job[job], r);
    event_push(&s->queue, at > s->now ? at : s->now, EVENT_RUN, job, 0);
    s->recording.coming++;
}

void sim_recording_submitted(struct sim *s, uint32_t job)
{
    if (s->recording.is_on)
        start_push(s, job);
}

void sim_recording_due(struct sim *s, uint32_t job)
{
    struct sim_recording *r = &s->recording;

    assert(r->coming > 0);
    r->coming--;
    r->due = gs_array_grow(r->due, &r->due_cap, r->due_count + 1,
                           sizeof(*r->due));
    r->due[r->due_count++] = job;
    s->is_dirty = true;
}

static void started_count(struct sim *s, uint32_t job,
                          enum sim_recorded_place how)
{
    const int64_t late =
        s->now - trace_record_start(&s->work->job[job], run_of(s, job));
    struct sim_recorded_stats *c = &s->stats.recorded;

    c->runs++;
    c->late += late > 0;
    c->latest = late > c->latest ? late : c->latest;
    c->unknown += how == SIM_RECORDED_UNKNOWN;
    c->elsewhere += how == SIM_RECORDED_ELSEWHERE;
}

/* Start the job if there is room; false: there is none, or it is not submitted
 * yet.
 */
static bool start(struct sim *s, uint32_t job)
{
    struct sim_recorded *p = &s->recording.places;
    const struct trace_job *w = &s->work->job[job];
    enum sim_recorded_place how;

    if (sim_life(s, job)->created < w->tasks)
        return false;
    how = sim_recorded_find(p, s->cluster, job, run_of(s, job));
    if (how == SIM_RECORDED_NOWHERE)
        return false;
    for (uint32_t i = 0; i < p->count; i++)
        sim_accepted(gsched_adopt(sim_sched(s, job), job, p->at[i].group,
                                  p->at[i].first_task, &p->at[i].grant, s->now,
                                  s->now));
    started_count(s, job, how);
    for (uint32_t i = 0; i < p->count; i++) {
        const struct gsched_decision d = { .kind = GSCHED_PLACE,
                                           .job = job,
                                           .group = p->at[i].group,
                                           .first_task = p->at[i].first_task,
                                           .grant = p->at[i].grant,
                                           .placed_at = s->now,
                                           .by = UINT32_MAX };

        sim_job_decided(s, &d, 0);
    }
    return true;
}

void sim_recording_cycle(struct sim *s)
{
    struct sim_recording *r = &s->recording;
    uint32_t left = 0, tries = 0;

    s->is_dirty = false;
    for (uint32_t i = 0; i < r->due_count; i++) {
        const uint32_t job = r->due[i];

        if (sim_life(s, job)->state >= REPORT_DONE)
            continue;
        if (tries < TRIES_MAX && start(s, job))
            continue;
        tries++;
        r->due[left++] = job;
    }
    r->due_count = left;
    s->stats.recorded.waiting = left;
    sim_accepted(gsched_look(s->schedulers.at[0].sched, s->now));
}

bool sim_recording_end_push(struct sim *s, uint32_t job)
{
    const struct trace_record *r = s->recording.is_on ? run_of(s, job) : NULL;
    const bool is_last = r
                         && s->recording.run[job] + 1
                                == s->work->job[job].record_count;

    if (!r || r->length == TRACE_FOREVER)
        return false;
    event_push(&s->queue, sim_later(s->now, r->length),
               is_last ? EVENT_JOB_END : EVENT_JOB_EVICTED, job,
               sim_life(s, job)->attempt);
    s->recording.coming += !is_last;
    return true;
}

void sim_recording_evict(struct sim *s, uint32_t job)
{
    const struct gsched_decision lost = { .job = job,
                                          .reason = GSCHED_PREEMPTED,
                                          .by = UINT32_MAX };

    assert(s->recording.coming > 0);
    s->recording.coming--;
    s->recording.run[job]++;
    sim_job_take(s, job, &lost);
    start_push(s, job);
}
