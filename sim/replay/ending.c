/* sim/replay/ending.c - when a replay is over, see ending.h. */
#include "sim/replay/ending.h"

#include <assert.h>

#include "sim/replay/replay_private.h"

/* --- what is known to come ------------------------------------------------ */

static bool has_end(const struct sim *s, uint32_t job)
{
    return s->work->job[job].duration != TRACE_FOREVER;
}

/* True when tasks of the job are still to be created. */
static bool creates(const struct sim *s, uint32_t job)
{
    return s->work->job[job].aside->task_interval
           && sim_life(s, job)->due < s->work->job[job].tasks;
}

static bool leaves(const struct sim *s, uint32_t job)
{
    return s->work->job[job].aside->withdraws && has_end(s, job);
}

void sim_ending_submitted(struct sim *s, uint32_t job)
{
    assert(job < s->work->job_count);
    s->ending.leaving += leaves(s, job);
    s->ending.creating += creates(s, job);
    sim_ending_progress(s);
}

void sim_ending_job_over(struct sim *s, uint32_t job)
{
    assert(s->ending.leaving >= leaves(s, job));
    assert(s->ending.creating >= creates(s, job));
    s->ending.leaving -= leaves(s, job);
    s->ending.creating -= creates(s, job);
    sim_ending_progress(s);
}

void sim_ending_created(struct sim *s)
{
    assert(s->ending.creating > 0);
    s->ending.creating--;
}

void sim_ending_active(struct sim *s, uint32_t job, int by)
{
    assert(by == 1 || by == -1);
    assert(by > 0 || s->ending.active > 0 || !has_end(s, job));
    if (has_end(s, job))
        s->ending.active += (uint32_t)by;
}

/* --- progress ------------------------------------------------------------- */

void sim_ending_progress(struct sim *s)
{
    struct sim_ending *e = &s->ending;
    const uint64_t jobs = s->next_submit - s->over + 1;

    assert(s->over <= s->next_submit);
    e->progress_at = s->now;
    e->vain = e->vain_runs = 0;
    e->has_evicted = false;
    e->quiet_at = -1;
    e->vain_most = 16 * SIM_VAIN_EVICTION * jobs;
    if (s->nodes)
        e->vain_most += 16 * (uint64_t)s->topo->node_count;
    e->runs_most = e->vain_most;
}

void sim_ending_vain(struct sim *s, bool ran, unsigned weight)
{
    assert(weight == SIM_VAIN_EVICTION || weight == SIM_VAIN_LOSS);
    s->ending.has_evicted |= weight == SIM_VAIN_EVICTION;
    if (ran)
        s->ending.vain_runs += weight;
    else
        s->ending.vain += weight;
}

/* --- the rule ------------------------------------------------------------- */

/* True when a job with an end runs and was not disturbed since the last
 * progress. The next check is due when the number of lost runs has doubled.
 */
static bool has_left_alone(struct sim *s)
{
    s->ending.runs_most *= 2;
    for (uint32_t i = 0; i < s->next_submit; i++) {
        if (sim_life(s, i)->state == REPORT_RUNNING && has_end(s, i)
            && sim_life(s, i)->run_start <= s->ending.progress_at)
            return true;
    }
    return false;
}

/* Rule 1. */
static bool is_certain(const struct sim *s)
{
    return s->next_submit < s->work->job_count || s->ending.leaving
           || s->ending.creating || s->held.due || s->recording.coming
           || (sim_waiting(s) && sim_nodes_recorded(s));
}

static bool has_chance(const struct sim *s)
{
    return sim_waiting(s) && sim_nodes_chance(s);
}

/* True when random events were awaited for long enough. */
static bool is_chance_over(const struct sim *s, int64_t at)
{
    const struct sim_ending *e = &s->ending;
    const int64_t took = e->quiet_at - s->work->job[0].submit;

    return s->options->until == SIM_FOREVER
           && at - e->quiet_at
                  > (took > e->chance_least ? took : e->chance_least);
}

/* Rule 3, without running services, which are checked separately. */
static bool may_help(const struct sim *s, int64_t at)
{
    return sim_is_due(s) || (sim_waiting(s) && sim_nodes_scaling(s))
           || (has_chance(s) && !is_chance_over(s, at));
}

bool sim_ending_nothing_comes(const struct sim *s)
{
    return !is_certain(s) && !has_chance(s) && !sim_is_due(s)
           && !(sim_waiting(s) && sim_nodes_scaling(s));
}

bool sim_ending_reached(struct sim *s, int64_t at)
{
    struct sim_ending *e = &s->ending;
    const bool is_bounded = s->options->until != SIM_FOREVER;

    assert(at >= s->now);
    if (at == SIM_FOREVER || s->options->is_patient)
        return at == SIM_FOREVER;
    if (is_certain(s) || e->active)
        e->quiet_at = -1;
    else if (e->quiet_at < 0)
        e->quiet_at = s->now;
    if (is_certain(s))
        return false;
    if (e->active) {
        if (e->vain_runs <= e->runs_most || has_left_alone(s))
            return false;
        e->ended = SIM_ENDED_LIVELOCK;
        return true;
    }
    if (!(is_bounded && s->instant.running) && !may_help(s, at)) {
        e->ended = has_chance(s) ? SIM_ENDED_CHANCE : SIM_ENDED_DONE;
        return true;
    }
    e->vain += !is_bounded;
    if (e->vain <= e->vain_most && e->vain_runs <= e->vain_most)
        return false;
    e->ended = e->has_evicted || e->vain_runs > e->vain_most
                   ? SIM_ENDED_LIVELOCK
                   : SIM_ENDED_CHANCE;
    return true;
}
