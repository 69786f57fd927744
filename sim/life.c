/* sim/life.c - the life of a job: pending, partly placed, running, over. */
#include "base/array.h"
#include "sim/sim_private.h"
#include "sim/world.h"

static const enum report_cause causes[] = {
    [GSCHED_NO_CAUSE] = REPORT_NO_CAUSE,
    [GSCHED_QUOTA] = REPORT_QUOTA,
    [GSCHED_CAPACITY] = REPORT_CAPACITY,
    [GSCHED_FRAGMENTATION] = REPORT_FRAGMENTATION,
    [GSCHED_TOPOLOGY] = REPORT_TOPOLOGY,
    [GSCHED_CONSTRAINT] = REPORT_CONSTRAINT,
    [GSCHED_HOARDING] = REPORT_HOARDING,
    [GSCHED_ORDER] = REPORT_ORDER,
    [GSCHED_LATENCY] = REPORT_LATENCY,
};

static const enum report_eviction_kind reasons[] = {
    [GSCHED_TIMEOUT] = REPORT_TIMEOUT,
    [GSCHED_PREEMPTED] = REPORT_PREEMPT,
    [GSCHED_RECLAIMED] = REPORT_RECLAIM,
    [GSCHED_LOST] = REPORT_LOST,
};

/* --- waits -------------------------------------------------------------------- */

static void waits_map(int64_t *to, const int64_t *from)
{
    for (uint32_t c = 0; c < REPORT_CAUSES; c++)
        to[c] = 0;
    for (uint32_t c = 0; c < GSCHED_CAUSES; c++)
        to[causes[c]] += from[c];
}

/* Its gang is complete: take over what held it back. */
static void waits_take(struct sim *s, uint32_t job)
{
    const int64_t *us = gsched_waits(s->sched, job, s->now);
    uint32_t i = s->free_waits;

    if (!us || s->job[job].waits != UINT32_MAX)
        return;
    if (i != UINT32_MAX) {
        s->free_waits = s->waits[i].next;
    } else {
        s->waits = gs_array_grow(s->waits, &s->waits_cap, s->waits_count + 1,
                                 sizeof(*s->waits));
        i = s->waits_count++;
    }
    waits_map(s->waits[i].us, us);
    s->job[job].waits = i;
}

/* The rest until it starts, or until now: decided, not yet effective.  So is
 * that of a job which was evicted before its start.
 */
static void waits_complete(struct sim *s, uint32_t job)
{
    int64_t *us = s->waits[s->job[job].waits].us;
    int64_t rest = s->now - s->work->job[job].submit;

    for (uint32_t c = 0; c < REPORT_CAUSES; c++)
        rest -= us[c];
    us[REPORT_LATENCY] += rest;
}

static void waits_free(struct sim *s, uint32_t job)
{
    const uint32_t i = s->job[job].waits;

    if (i == UINT32_MAX)
        return;
    s->waits[i].next = s->free_waits;
    s->free_waits = i;
    s->job[job].waits = UINT32_MAX;
}

const int64_t *sim_job_waits(struct sim *s, uint32_t job)
{
    const int64_t *us;

    if (s->job[job].waits != UINT32_MAX) {
        if (s->job[job].start < 0)
            waits_complete(s, job);
        return s->waits[s->job[job].waits].us;
    }
    us = gsched_waits(s->sched, job, s->now);
    if (!us)
        return NULL;
    waits_map(s->told_waits, us);
    return s->told_waits;
}

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
        .slice = d->grant.slice,
        .placed_at = d->placed_at,
    };

    if (what != SPAN_HELD)
        sim_nodes_span(s, span.node, span.tasks, what == SPAN_PLACED);
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

static void tell_evicted(struct sim *s, const struct report_eviction *e)
{
    for (size_t i = 0; i < s->observer_count; i++) {
        if (s->observer[i]->evicted)
            s->observer[i]->evicted(s->observer[i]->self, s->now, e);
    }
}

static void tell_ended(struct sim *s, uint32_t job, int64_t end,
                       const char *reason)
{
    const struct sim_job *j = &s->job[job];
    const struct report_job r = {
        .job = job,
        .state = (enum report_state)j->state,
        .cause = causes[gsched_wait_cause(s->sched, job)],
        .evictions = j->evictions,
        .preemptions = j->preemptions,
        .level = j->level,
        .start = j->start,
        .end = end,
        .reason = reason,
        .waits = sim_job_waits(s, job),
        .lost_gpu_us = j->lost_gpu_us,
    };

    for (size_t i = 0; i < s->observer_count; i++) {
        if (s->observer[i]->ended)
            s->observer[i]->ended(s->observer[i]->self, s->now, &r);
    }
    waits_free(s, job);
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
    sim_leg_close(s, (uint32_t)(j - s->job));
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

static void bore_fruit(struct sim *s)
{
    s->fruit_at = s->now;
    s->fruitless = 0;
    s->patience = 16 * (uint64_t)(s->next_submit - s->over) + 16;
}

bool sim_is_livelock(struct sim *s)
{
    if (s->next_submit < s->work->job_count || s->fruitless <= s->patience)
        return false;
    s->patience *= 2; /* the next look is as far off again */
    for (uint32_t i = 0; i < s->next_submit; i++) {
        if (s->job[i].state == REPORT_RUNNING
            && s->job[i].run_start <= s->fruit_at
            && s->work->job[i].duration != TRACE_FOREVER)
            return false; /* it was left alone so far, and will end */
    }
    return true;
}

void sim_job_submit(struct sim *s, uint32_t job)
{
    const struct trace_job *w = &s->work->job[job];
    struct sim_job *j = &s->job[job];

    j->created = w->task_interval ? 1 : w->tasks;
    for (size_t i = 0; i < s->observer_count; i++) {
        if (s->observer[i]->submitted)
            s->observer[i]->submitted(s->observer[i]->self, s->now, job);
    }
    bore_fruit(s);
    gsched_submit(s->sched, job, j->created, s->now);
    if (w->withdraws)
        event_push(&s->queue, sim_later(s->now, w->duration), EVENT_JOB_LEAVE,
                   job, 0);
    if (j->created < w->tasks)
        event_push(&s->queue, sim_later(s->now, w->task_interval), EVENT_TASK,
                   job, j->attempt);
}

void sim_job_task(struct sim *s, uint32_t job)
{
    const struct trace_job *w = &s->work->job[job];
    struct sim_job *j = &s->job[job];

    if (j->state >= REPORT_DONE)
        return;
    bore_fruit(s);
    s->is_dirty = true;
    gsched_tasks_created(s->sched, job, ++j->created, s->now);
    if (j->created < w->tasks)
        event_push(&s->queue, sim_later(s->now, w->task_interval), EVENT_TASK,
                   job, j->attempt);
}

void sim_job_estimate(struct sim *s, uint32_t job, int64_t left)
{
    if (s->work->job[job].estimate != TRACE_FOREVER)
        gsched_estimate(s->sched, job, left);
}

static int64_t left_of(int64_t work, int64_t saved)
{
    return work > saved ? work - saved : 0;
}

void sim_end_push(struct sim *s, uint32_t job, int64_t left)
{
    const struct trace_job *w = &s->work->job[job];
    const int64_t leaves = sim_later(w->submit, w->duration);
    int64_t at = sim_later(s->now, left);

    if (w->duration == TRACE_FOREVER)
        return;
    if (w->withdraws && at < leaves)
        at = leaves;
    event_push(&s->queue, at, EVENT_JOB_END, job, s->job[job].attempt);
}

void sim_job_start(struct sim *s, uint32_t job)
{
    const struct trace_job *w = &s->work->job[job];
    struct sim_job *j = &s->job[job];

    j->is_starting = false;
    state_set(s, job, REPORT_RUNNING);
    j->run_start = s->now;
    sim_leg_open(s, job);
    if (j->speed != SIM_FULL_SPEED && w->estimate > j->saved && !w->withdraws)
        sim_job_estimate(s, job, sim_time_for(j, w->estimate - j->saved));
    if (j->start < 0) {
        j->start = s->now;
        j->level = level_of(s, job);
        waits_complete(s, job);
    }
    for (size_t i = 0; i < s->observer_count; i++) {
        if (s->observer[i]->started)
            s->observer[i]->started(s->observer[i]->self, s->now, job);
    }
    sim_end_push(s, job, sim_time_for(j, left_of(w->duration, j->saved)));
}

/* It gives back all that it holds, and is over. */
static void over(struct sim *s, uint32_t job, enum report_state state,
                 const char *reason)
{
    struct sim_job *j = &s->job[job];
    struct gsched_decision d;
    uint32_t at = GSCHED_FIRST;

    while (gsched_next_span(s->sched, job, &at, &d))
        tell_span(s, &d, SPAN_RELEASED);
    gsched_end(s->sched, job, s->now);
    held_add(s, j, -j->held_milli);
    state_set(s, job, state);
    j->attempt++;
    s->over++;
    bore_fruit(s);
    tell_ended(s, job, s->now, reason);
}

void sim_job_end(struct sim *s, uint32_t job)
{
    if (!sim_leg_goes_on(s, job))
        over(s, job, REPORT_DONE, NULL);
}

void sim_job_leave(struct sim *s, uint32_t job)
{
    const bool ran = s->job[job].start >= 0;

    if (s->job[job].state >= REPORT_DONE)
        return;
    s->is_dirty = true;
    touch(s, job); /* it may be partly placed */
    over(s, job, ran ? REPORT_DONE : REPORT_FAILED,
         ran ? NULL : "withdrawn before it could run");
}

/* --- GPUs that are cut ------------------------------------------------------ */

/* An instance on a GPU runs once that is cut, which the first one waits for
 * with those that come meanwhile.
 */
static void cut(struct sim *s, const struct gsched_decision *d)
{
    const struct topo_class *k =
        &s->topo->klass[s->topo->node_class[d->grant.node]];
    const struct trace_job *w = &s->work->job[d->job];
    int64_t *at;

    if (!s->cut_at
        || !s->work->shape[s->work->group[w->first_group + d->group].shape].mig)
        return;
    at = s->cut_at + s->first_device[d->grant.node]
         + __builtin_ctzll(d->grant.devices);
    if (d->grant.opens)
        *at = sim_later(s->now, k->mig_delay);
    if (*at > s->job[d->job].ready_at)
        s->job[d->job].ready_at = *at;
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
    cut(s, d);
    if (j->state == REPORT_RUNNING || j->is_starting) {
        if (s->work->job[d->job].duration == TRACE_FOREVER || s->leg)
            touch(s, d->job);
        return;
    }
    touch(s, d->job);
    if (j->ready_at - s->now > delay)
        delay = j->ready_at - s->now;
    if (j->placed >= s->work->job[d->job].gang && j->start < 0)
        waits_take(s, d->job);
    if (j->placed < s->work->job[d->job].gang) {
        if (j->state != REPORT_PARTLY)
            state_set(s, d->job, REPORT_PARTLY);
    } else if (delay > 0) {
        j->is_starting = true;
        state_set(s, d->job, REPORT_PENDING);
        event_push(&s->queue, sim_later(s->now, delay), EVENT_JOB_START, d->job,
                   j->attempt);
    } else {
        sim_job_start(s, d->job);
    }
}

static void gave_back(struct sim *s, const struct gsched_decision *d)
{
    struct sim_job *j = &s->job[d->job];

    s->evicted.tasks += d->grant.tasks;
    s->evicted.milli += milli_of(s, d);
    j->placed -= d->grant.tasks;
    held_add(s, j, -milli_of(s, d));
    tell_span(s, d, SPAN_RELEASED);
    touch(s, d->job);
}

/* Work between the job's checkpoints; 0: it makes none. */
static int64_t checkpoint_of(const struct sim *s, uint32_t job)
{
    const int64_t own = s->work->job[job].checkpoint;

    return own || !s->options->world ? own : s->options->world->checkpoint;
}

/* Work that the job has to repeat, having run until now. */
static int64_t work_lost(const struct sim *s, uint32_t job)
{
    const struct trace_job *w = &s->work->job[job];
    const struct sim_job *j = &s->job[job];
    const int64_t done = j->saved + sim_work_done(s, job);
    const int64_t step = checkpoint_of(s, job);

    if (w->resumes)
        return 0;
    if (j->noticed && done - j->noticed < done % step)
        return done - j->noticed;
    return step ? done % step : done;
}

/* GPUs x us of so many thousandths for so long. */
static int64_t gpu_time(int64_t us, int64_t milli)
{
    const sim_wide time = (sim_wide)(uint64_t)us * (uint64_t)milli / 1000;

    return time < SIM_LAST ? (int64_t)time : SIM_LAST;
}

void sim_job_warned(struct sim *s, uint32_t job)
{
    struct sim_job *j = &s->job[job];

    if (j->state == REPORT_RUNNING && checkpoint_of(s, job))
        j->noticed = j->saved + sim_work_done(s, job);
}

/* It lost something with a node: in vain, but for a service in a run whose end
 * is stated, which serves in between.
 */
static void lost_again(struct sim *s, uint32_t job)
{
    s->fruitless += s->work->job[job].duration != TRACE_FOREVER
                    || s->options->until == SIM_FOREVER;
}

/* All of the job was given back: it starts again, or gives up. */
static void returned(struct sim *s, const struct gsched_decision *d)
{
    const struct trace_job *w = &s->work->job[d->job];
    struct sim_job *j = &s->job[d->job];
    struct report_eviction e = { .job = d->job,
                                 .by = d->by,
                                 .kind = reasons[d->reason],
                                 .tasks = s->evicted.tasks,
                                 .is_whole = true };

    j->evictions++;
    j->attempt++;
    j->is_starting = false;
    if (j->state == REPORT_RUNNING) {
        const int64_t lost = work_lost(s, d->job);
        const int64_t kept = sim_work_done(s, d->job) - lost;

        j->preemptions++;
        e.lost_us = sim_time_for(j, lost);
        e.lost_gpu_us = gpu_time(e.lost_us, s->evicted.milli);
        j->lost_gpu_us = sim_later(j->lost_gpu_us, e.lost_gpu_us);
        j->saved += kept;
        if (kept > 0 && w->duration != TRACE_FOREVER)
            bore_fruit(s);
        if (w->estimate > j->saved)
            sim_job_estimate(s, d->job, w->estimate - j->saved);
    }
    if (d->reason == GSCHED_LOST)
        lost_again(s, d->job);
    else
        s->fruitless++;
    j->ready_at = 0;
    state_set(s, d->job, REPORT_PENDING);
    touch(s, d->job);
    tell_evicted(s, &e);
    s->evicted = (struct sim_evicted){ 0 };
    if (w->retries != TRACE_NONE && j->preemptions > w->retries) {
        s->failing = gs_array_grow(s->failing, &s->failing_cap,
                                   s->failing_count + 1, sizeof(*s->failing));
        s->failing[s->failing_count++] = d->job;
    }
}

/* A task above its gang gave back. */
static void shrank(struct sim *s, const struct gsched_decision *d)
{
    const struct report_eviction e = { .job = d->job,
                                       .by = d->by,
                                       .kind = reasons[d->reason],
                                       .tasks = d->grant.tasks };

    s->fruitless++;
    gave_back(s, d);
    s->evicted = (struct sim_evicted){ 0 };
    tell_evicted(s, &e);
}

/* It runs on with what it holds elsewhere. */
static void lost_part(struct sim *s, uint32_t job, uint32_t node,
                      uint64_t devices)
{
    struct report_eviction e = { .job = job,
                                 .by = UINT32_MAX,
                                 .kind = REPORT_LOST };

    gsched_lost_part(s->sched, job, node, devices, s->now);
    lost_again(s, job);
    e.tasks = s->evicted.tasks;
    s->evicted = (struct sim_evicted){ 0 };
    tell_evicted(s, &e);
}

void sim_job_lost(struct sim *s, uint32_t job, uint32_t node, uint64_t devices)
{
    const bool is_part = s->job[job].state == REPORT_RUNNING
                         && gsched_can_spare(s->sched, job, node, devices);
    const struct gsched_decision lost = { .job = job,
                                          .reason = GSCHED_LOST,
                                          .by = UINT32_MAX };
    struct gsched_decision d;
    uint32_t at = GSCHED_FIRST;

    while (gsched_next_span(s->sched, job, &at, &d)) {
        if (!is_part || gsched_stands_on(&d.grant, node, devices))
            gave_back(s, &d);
    }
    if (is_part) {
        lost_part(s, job, node, devices);
        return;
    }
    gsched_lost(s->sched, job, s->now);
    returned(s, &lost);
}

void sim_job_decided(struct sim *s, const struct gsched_decision *d,
                     int64_t delay)
{
    static const char *const why[GSCHED_CAUSES] = {
        [GSCHED_CAPACITY] = "asks for more than the cluster has",
        [GSCHED_CONSTRAINT] = "no node of the kind it asks for",
        [GSCHED_TOPOLOGY] = "no domain of its tier is large enough",
    };

    switch (d->kind) {
    case GSCHED_PLACE:
        placed(s, d, delay);
        break;
    case GSCHED_EVICT:
        gave_back(s, d);
        break;
    case GSCHED_SHRINK:
        shrank(s, d);
        break;
    case GSCHED_RETURN:
        returned(s, d);
        break;
    case GSCHED_REJECT:
        s->job[d->job].state = REPORT_REJECTED;
        s->over++;
        tell_ended(s, d->job, s->now, why[gsched_wait_cause(s->sched, d->job)]);
        break;
    }
}

/* Jobs that were evicted too often give up; others may use what they were
 * given again in this very cycle.
 */
void sim_jobs_fail(struct sim *s)
{
    for (uint32_t i = 0; i < s->failing_count; i++) {
        if (s->job[s->failing[i]].state < REPORT_DONE)
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

    if (s->job[job].state >= REPORT_DONE)
        return;
    while (gsched_next_span(s->sched, job, &at, &d))
        tell_span(s, &d, SPAN_HELD);
    sim_leg_close(s, job);
    tell_ended(s, job, -1, NULL);
}
