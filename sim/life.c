/* sim/life.c - the life of a job: pending, partly placed, running, over. */
#include "base/array.h"
#include "sim/sim_private.h"

static const enum report_cause causes[] = {
    [GSCHED_NO_CAUSE] = REPORT_NO_CAUSE,
    [GSCHED_CAPACITY] = REPORT_CAPACITY,
    [GSCHED_FRAGMENTATION] = REPORT_FRAGMENTATION,
    [GSCHED_TOPOLOGY] = REPORT_TOPOLOGY,
    [GSCHED_CONSTRAINT] = REPORT_CONSTRAINT,
    [GSCHED_HOARDING] = REPORT_HOARDING,
    [GSCHED_ORDER] = REPORT_ORDER,
};

/* --- telling ---------------------------------------------------------------- */

enum span_event { SPAN_PLACED, SPAN_RELEASED, SPAN_HELD };

static void tell_span(struct sim *s, const struct gsched_decision *d,
                      enum span_event what)
{
    const struct report_span span = {
        .job = d->job,
        .group = d->group,
        .node = d->grant.node,
        .first_task = d->first_task,
        .tasks = d->grant.tasks,
        .devices = d->grant.devices,
        .placed_at = d->placed_at,
    };

    for (size_t i = 0; i < s->observer_count; i++) {
        const struct report_observer *o = s->observer[i];

        if (what == SPAN_PLACED && o->placed)
            o->placed(o->self, s->now, &span);
        else if (what == SPAN_RELEASED && o->released)
            o->released(o->self, s->now, &span);
        else if (what == SPAN_HELD && o->held)
            o->held(o->self, s->now, &span);
    }
}

static void tell_ended(struct sim *s, uint32_t job, int64_t end)
{
    const struct sim_job *j = &s->job[job];
    const struct report_job r = {
        .job = job,
        .state = (enum report_state)j->state,
        .cause = causes[gsched_wait_cause(s->sched, job)],
        .evictions = j->evictions,
        .level = j->level,
        .start = j->start,
        .end = end,
    };

    for (size_t i = 0; i < s->observer_count; i++) {
        if (s->observer[i]->ended)
            s->observer[i]->ended(s->observer[i]->self, s->now, &r);
    }
}

/* --- what it holds ---------------------------------------------------------- */

static int64_t milli_of(const struct sim *s, const struct gsched_decision *d)
{
    const struct trace_job *j = &s->work->job[d->job];
    const uint32_t shape = s->work->group[j->first_group + d->group].shape;

    return s->work->shape[shape].amount[TOPO_GPU] * d->grant.tasks;
}

/* Count GPU thousandths where a job in this state has them. */
static void account(struct sim *s, uint8_t state, int64_t milli)
{
    if (state == REPORT_RUNNING)
        s->instant.busy_milli += milli;
    else if (state == REPORT_PARTLY)
        s->instant.hoarded_milli += milli;
}

/* The job holds so much more. */
static void held_add(struct sim *s, struct sim_job *j, int64_t milli)
{
    j->held_milli += milli;
    account(s, j->state, milli);
}

static void touch(struct sim *s, uint32_t job)
{
    if (s->job[job].is_touched)
        return;
    s->job[job].is_touched = true;
    s->touched = gs_array_grow(s->touched, &s->touched_cap,
                               s->touched_count + 1, sizeof(*s->touched));
    s->touched[s->touched_count++] = job;
}

static void state_set(struct sim *s, uint32_t job, enum report_state to)
{
    struct sim_job *j = &s->job[job];

    account(s, j->state, -j->held_milli);
    s->instant.partly -= j->state == REPORT_PARTLY;
    s->instant.running -= j->state == REPORT_RUNNING;
    j->state = (uint8_t)to;
    s->instant.partly += j->state == REPORT_PARTLY;
    s->instant.running += j->state == REPORT_RUNNING;
    account(s, j->state, j->held_milli);
}

/* Level of the smallest subtree that holds all that the job holds. */
static uint32_t level_of(const struct sim *s, uint32_t job)
{
    uint32_t low = UINT32_MAX, high = 0, at = GSCHED_FIRST;
    struct gsched_decision d;

    while (gsched_next_span(s->sched, job, &at, &d)) {
        low = d.grant.node < low ? d.grant.node : low;
        high = d.grant.node > high ? d.grant.node : high;
    }
    return topo_level_between(s->topo, low, high);
}

/* --- events ----------------------------------------------------------------- */

void sim_job_submit(struct sim *s, uint32_t job)
{
    const struct trace_job *w = &s->work->job[job];
    struct sim_job *j = &s->job[job];

    j->created = w->task_interval ? 1 : w->tasks;
    for (size_t i = 0; i < s->observer_count; i++) {
        if (s->observer[i]->submitted)
            s->observer[i]->submitted(s->observer[i]->self, s->now, job);
    }
    gsched_submit(s->sched, job, j->created, s->now);
    if (j->created < w->tasks)
        event_push(&s->queue, sim_later(s->now, w->task_interval), EVENT_TASK,
                   job);
}

void sim_job_task(struct sim *s, uint32_t job)
{
    const struct trace_job *w = &s->work->job[job];
    struct sim_job *j = &s->job[job];

    if (j->state >= REPORT_DONE)
        return;
    gsched_tasks_created(s->sched, job, ++j->created, s->now);
    if (j->created < w->tasks)
        event_push(&s->queue, sim_later(s->now, w->task_interval), EVENT_TASK,
                   job);
}

void sim_job_start(struct sim *s, uint32_t job)
{
    const struct trace_job *w = &s->work->job[job];
    struct sim_job *j = &s->job[job];

    j->is_starting = false;
    s->idle_wakes = 0;
    state_set(s, job, REPORT_RUNNING);
    j->level = level_of(s, job);
    if (j->start < 0)
        j->start = s->now;
    for (size_t i = 0; i < s->observer_count; i++) {
        if (s->observer[i]->started)
            s->observer[i]->started(s->observer[i]->self, s->now, job);
    }
    if (w->duration != TRACE_FOREVER)
        event_push(&s->queue, sim_later(s->now, w->duration), EVENT_JOB_END,
                   job);
}

void sim_job_end(struct sim *s, uint32_t job)
{
    struct sim_job *j = &s->job[job];
    struct gsched_decision d;
    uint32_t at = GSCHED_FIRST;

    while (gsched_next_span(s->sched, job, &at, &d))
        tell_span(s, &d, SPAN_RELEASED);
    gsched_end(s->sched, job);
    held_add(s, j, -j->held_milli);
    state_set(s, job, REPORT_DONE);
    s->over++;
    tell_ended(s, job, s->now);
}

/* --- decisions -------------------------------------------------------------- */

static void placed(struct sim *s, const struct gsched_decision *d,
                   int64_t delay)
{
    struct sim_job *j = &s->job[d->job];

    s->stats.tasks += d->grant.tasks;
    j->placed += d->grant.tasks;
    held_add(s, j, milli_of(s, d));
    tell_span(s, d, SPAN_PLACED);
    if (j->state == REPORT_RUNNING || j->is_starting) {
        if (s->work->job[d->job].duration == TRACE_FOREVER)
            touch(s, d->job);
        return;
    }
    touch(s, d->job);
    if (j->placed < s->work->job[d->job].gang) {
        if (j->state != REPORT_PARTLY)
            state_set(s, d->job, REPORT_PARTLY);
    } else if (delay > 0) {
        j->is_starting = true;
        state_set(s, d->job, REPORT_PENDING);
        event_push(&s->queue, sim_later(s->now, delay), EVENT_JOB_START,
                   d->job);
    } else {
        sim_job_start(s, d->job);
    }
}

static void evicted(struct sim *s, const struct gsched_decision *d)
{
    struct sim_job *j = &s->job[d->job];

    j->placed -= d->grant.tasks;
    held_add(s, j, -milli_of(s, d));
    tell_span(s, d, SPAN_RELEASED);
}

static void returned(struct sim *s, uint32_t job)
{
    const struct report_eviction e = { .job = job, .by = UINT32_MAX };

    s->job[job].evictions++;
    state_set(s, job, REPORT_PENDING);
    touch(s, job);
    for (size_t i = 0; i < s->observer_count; i++) {
        if (s->observer[i]->evicted)
            s->observer[i]->evicted(s->observer[i]->self, s->now, &e);
    }
}

void sim_job_decided(struct sim *s, const struct gsched_decision *d,
                     int64_t delay)
{
    switch (d->kind) {
    case GSCHED_PLACE:
        placed(s, d, delay);
        break;
    case GSCHED_EVICT:
        evicted(s, d);
        break;
    case GSCHED_RETURN:
        returned(s, d->job);
        break;
    case GSCHED_REJECT:
        s->job[d->job].state = REPORT_REJECTED;
        s->over++;
        tell_ended(s, d->job, s->now);
        break;
    }
}

void sim_job_close(struct sim *s, uint32_t job)
{
    uint32_t at = GSCHED_FIRST;
    struct gsched_decision d;

    if (s->job[job].state >= REPORT_DONE)
        return;
    while (gsched_next_span(s->sched, job, &at, &d))
        tell_span(s, &d, SPAN_HELD);
    tell_ended(s, job, -1);
}
