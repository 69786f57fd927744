/* sim/replay/replay.c - the clock: the events of an instant, then one cycle.
 *
 * Jobs are sorted by submit time, so submissions are merged with the event heap
 * instead of being in it.
 */
#include "sim/replay/replay.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/far.h"
#include "base/strtab.h"
#include "policies/profile/profile.h"
#include "sim/replay/replay_private.h"
#include "sim/scenario/scenario.h"
#include "topology/cluster.h"

#define PROGRESS_CYCLES 4096u

/* --- time ----------------------------------------------------------------- */

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* True when the job of the event is over, or was evicted after the event was
 * pushed.
 */
static bool is_stale(const struct sim *s, const struct event *e)
{
    switch (event_kind_of(e)) {
    case EVENT_JOB_END:
    case EVENT_JOB_EVICTED:
    case EVENT_JOB_START:
        return e->attempt != sim_life(s, e->job)->attempt;
    case EVENT_JOB_LEAVE:
    case EVENT_TASK:
        return sim_life(s, e->job)->state >= REPORT_DONE;
    case EVENT_TASK_END:
        return s->run[e->job].is_over;
    case EVENT_SUBMIT:
    case EVENT_RUN:
    case EVENT_NODE:
        break;
    }
    return false;
}

static int64_t next_event(struct sim *s)
{
    const struct event *e;
    int64_t at;

    while ((e = event_first(&s->queue)) && is_stale(s, e)) {
        const struct event stale = event_pop(&s->queue);

        if (event_kind_of(&stale) == EVENT_TASK_END)
            (void)sim_run_end(s, stale.job); /* its entry is free for others */
    }
    at = e ? e->at : SIM_FOREVER;

    if (s->next_submit < s->work->job_count)
        at = earlier(at, s->work->job[s->next_submit].submit);
    return at;
}

/* Process the events at `now`: first those that release resources, then those
 * that request them.
 */
static void instant_apply(struct sim *s)
{
    const struct event *e;

    assert(s->over <= s->next_submit);
    while ((e = event_first(&s->queue)) && e->at == s->now
           && event_kind_of(e) < EVENT_SUBMIT) {
        const struct event next = event_pop(&s->queue);
        const enum event_kind kind = event_kind_of(&next);

        if (kind == EVENT_NODE) {
            sim_nodes_event(s, next.job);
            continue;
        }
        if (kind == EVENT_JOB_LEAVE) {
            sim_job_leave(s, next.job);
            continue;
        }
        if (kind == EVENT_TASK_END) {
            s->is_dirty |= sim_run_end(s, next.job);
            continue;
        }
        if (is_stale(s, &next))
            continue;
        if (kind == EVENT_JOB_END)
            sim_job_end(s, next.job);
        else if (kind == EVENT_JOB_EVICTED)
            sim_recording_evict(s, next.job);
        else
            sim_job_start(s, next.job);
        s->is_dirty = true;
    }
    sim_quotas_retry(s);
    while (s->next_submit < s->work->job_count
           && s->work->job[s->next_submit].submit == s->now) {
        sim_job_arrive(s, s->next_submit++);
        s->is_dirty = true;
    }
    while ((e = event_first(&s->queue)) && e->at == s->now
           && event_kind_of(e) >= EVENT_SUBMIT) {
        const struct event next = event_pop(&s->queue);

        if (event_kind_of(&next) == EVENT_SUBMIT)
            sim_held_submit(s, next.job);
        else if (event_kind_of(&next) == EVENT_RUN)
            sim_recording_due(s, next.job);
        else
            sim_job_task(s, next.job);
    }
}

/* --- a cycle -------------------------------------------------------------- */

/* Set the speed of jobs whose allocations changed. */
static void segments_change(struct sim *s)
{
    for (uint32_t i = 0; i < s->touched_count; i++)
        sim_segment_change(s, s->touched[i]);
}

static void cycle(struct sim *s)
{
    if (s->recording.is_on)
        sim_recording_cycle(s);
    else
        sim_schedulers_cycle(s);
    assert(s->touched_count <= s->next_submit);
    segments_change(s);
    sim_jobs_fail(s);
    sim_quotas_retry(s);
}

/* --- deadlocks ------------------------------------------------------------ */

/* Tell the detector which allocations changed in this cycle. */
static void holdings_update(struct sim *s)
{
    assert(s->touched_count <= s->work->job_count);
    for (uint32_t i = 0; i < s->touched_count; i++)
        deadlock_drop(s->deadlock, s->touched[i]);
    deadlock_follow(s->deadlock, sim_node_returns, s);
    for (uint32_t i = 0; i < s->touched_count; i++) {
        const uint32_t job = s->touched[i];
        const bool is_partly = sim_life(s, job)->state == REPORT_PARTLY;

        sim_life(s, job)->is_touched = false;
        if (is_partly
            || (sim_life(s, job)->state == REPORT_RUNNING
                && s->work->job[job].duration == TRACE_FOREVER))
            deadlock_hold(s->deadlock, job, is_partly);
    }
    s->touched_count = 0;
}

static void episode_tell(struct sim *s, const uint32_t *job, uint32_t count)
{
    assert(job || count == 0);
    s->instant.deadlocked_milli = 0;
    for (uint32_t i = 0; i < count; i++)
        s->instant.deadlocked_milli += sim_life(s, job[i])->allocated_milli;
    if (count == s->episode_count
        && (count == 0 || memcmp(job, s->episode, count * sizeof(*job)) == 0))
        return;
    for (size_t i = 0; i < s->observer_count; i++) {
        const struct report_observer *o = s->observer[i];

        if (count && o->deadlocked)
            o->deadlocked(o->self, s->now, job, count);
        else if (count == 0 && o->deadlock_over)
            o->deadlock_over(o->self, s->now);
    }
    s->episode = gs_array_grow(s->episode, &s->episode_cap, count + 1,
                               sizeof(*s->episode));
    if (count)
        memcpy(s->episode, job, count * sizeof(*job));
    s->episode_count = count;
}

/* Sum up what the queue holds and asks for under all schedulers. */
static void share_update(struct sim *s, uint32_t q)
{
    s->queue_used[q] = s->queue_asked[q] = 0;
    for (uint32_t i = 0; i < s->schedulers.count; i++) {
        const struct gsched *k = s->schedulers.at[i].sched;

        s->queue_used[q] += gsched_queue_used(k, q)[s->share_dim];
        s->queue_asked[q] += gsched_queue_asked(k, q)[s->share_dim];
    }
}

/* Update the allocations and requests of the queues, for fairness metrics. */
static void shares_update(struct sim *s)
{
    for (uint32_t i = 0; i < s->schedulers.count; i++) {
        struct sim_scheduler *k = &s->schedulers.at[i];

        for (uint32_t q =
                 gsched_queue_changed(k->sched, k->shares_at, GSCHED_FIRST);
             q != GSCHED_FIRST;
             q = gsched_queue_changed(k->sched, k->shares_at, q))
            share_update(s, q);
        k->shares_at = gsched_usage_changes(k->sched);
    }
}

static void shares_open(struct sim *s)
{
    const uint32_t n = s->work->queue_count;

    assert(n > 0);
    s->share_dim = s->topo->gpu_count ? TOPO_GPU : TOPO_CPU;
    for (uint32_t i = 0; i < s->topo->node_count; i++)
        s->instant.share_total +=
            s->topo->klass[s->topo->node_class[i]].capacity[s->share_dim];
    s->instant.queue_used = s->queue_used = gs_array_new(
        n, sizeof(*s->queue_used));
    s->instant.queue_asked = s->queue_asked = gs_array_new(
        n, sizeof(*s->queue_asked));
    s->class_rest = gs_array_new(s->topo->class_count, sizeof(*s->class_rest));
}

static void instant_tell(struct sim *s)
{
    uint32_t count = 0;
    const uint32_t *stuck = NULL;

    assert(s->instant.running + s->instant.partly <= s->next_submit - s->over);
    if (s->instant.partly)
        sim_scale_expect(s);
    holdings_update(s);
    deadlock_follow(s->deadlock, sim_node_returns, s);
    if (s->instant.partly)
        stuck = deadlock_find(s->deadlock, &count);
    episode_tell(s, stuck, count);
    s->instant.waiting = sim_waiting(s) + s->quotas.uncreated;
    s->instant.is_blocked = sim_is_blocked(s);
    shares_update(s);
    sim_free_divide(s);
    SIM_TELL(s, instant, &s->instant);
}

/* Number the devices of all nodes, and allocate the times at which they are
 * cut, if cutting takes time anywhere.
 */
static void devices_open(struct sim *s)
{
    const struct topo *t = s->topo;
    bool takes_time = false;
    uint32_t devices = 0;

    s->first_device = gs_array_new(t->node_count, sizeof(*s->first_device));
    for (uint32_t node = 0; node < t->node_count; node++) {
        s->first_device[node] = devices;
        devices += t->klass[t->node_class[node]].gpus;
    }
    for (uint32_t k = 0; k < t->class_count; k++)
        takes_time |= t->klass[k].mig_delay > 0;
    if (takes_time)
        s->cut_at = gs_array_new(devices + 1, sizeof(*s->cut_at));
}

/* --- the run -------------------------------------------------------------- */

/* The run goes on at least until this time, unless it is a livelock. */
static int64_t goes_to(const struct sim *s)
{
    return s->options->until != SIM_FOREVER ? s->options->until
                                            : s->options->through;
}

/* Begin of the run: the first submission, or an earlier node event. */
static int64_t begin_of(const struct sim *s)
{
    const struct sim_scenario *scenario = s->options->scenario;
    int64_t at = s->work->job_count ? s->first : SIM_FOREVER;

    if (s->work->stand_count)
        return 0;
    for (uint32_t i = 0; scenario && i < scenario->event_count; i++) {
        const struct sim_scenario_event *e = &scenario->event[i];

        at = earlier(at, e->notice < e->at ? e->at - e->notice : 0);
    }
    return at == SIM_FOREVER ? 0 : at;
}

static void run(struct sim *s)
{
    sim_warm_begin(s);
    for (;;) {
        const int64_t event = next_event(s);
        int64_t due, at;

        sim_schedulers_note(s);
        due = sim_schedulers_due(s);
        at = earlier(event, due);

        if (sim_ending_reached(s, at)
            && (s->ending.ended == SIM_ENDED_LIVELOCK || at > goes_to(s))) {
            s->stats.ended = s->ending.ended;
            if (s->ending.ended != SIM_ENDED_LIVELOCK && s->now < goes_to(s))
                s->now = goes_to(s);
            return;
        }
        if (at > s->options->until) {
            s->now = s->options->until;
            s->stats.ended = SIM_ENDED_UNTIL;
            return;
        }
        assert(at >= s->now && at <= SIM_LAST); /* time never runs backwards */
        s->now = at;
        sim_end_reach(s);
        instant_apply(s);
        sim_ends_expect(s);
        sim_others_learn(s);
        sim_schedulers_note(s);
        if (sim_schedulers_due(s) == s->now)
            cycle(s);
        else
            segments_change(s); /* tasks may have been lost with nodes */
        sim_others_learn(s);
        sim_nodes_scale(s);
        instant_tell(s);
        sim_lives_forget(s);
        if (s->options->progress && s->stats.cycles % PROGRESS_CYCLES == 0)
            s->options->progress(s->options->progress_ctx, s->now,
                                 s->next_submit, s->over);
    }
}

static void finish(struct sim *s)
{
    const bool is_endless = s->episode_count && sim_ending_nothing_comes(s);

    assert(s->next_submit <= s->work->job_count);
    for (uint32_t job = 0; job < s->next_submit; job++)
        sim_job_close(s, job);
    for (size_t i = 0; i < s->observer_count; i++) {
        const struct report_observer *o = s->observer[i];

        if (o->deadlock_endless && is_endless)
            o->deadlock_endless(o->self, s->now);
        if (o->finished)
            o->finished(o->self, s->now);
    }
    s->stats.end = s->now;
}

/* Fails when a speed model is used with jobs whose tasks do not run together.
 */
static int speed_check(const struct trace_workload *w,
                       const struct sim_options *o, struct gs_err *err)
{
    const struct gs_mark nowhere = { .source = NULL };

    for (uint32_t i = 0; o->speed && i < w->job_count; i++) {
        if (w->job[i].aside->completions)
            return gs_fail(err, GS_INPUT, nowhere,
                           "job '%s' has 'completions': its tasks run by"
                           " themselves, of which no speed model knows",
                           gs_strtab_str(w->names, w->job[i].name));
    }
    return 0;
}

static struct gsched *scheduler_of(const void *ctx, uint32_t job)
{
    return sim_sched(ctx, job);
}

int sim_replay(const struct topo *t, const struct trace_workload *w,
               const struct gsched_profile *p, const struct sim_options *o,
               const struct report_observer *const *observer, size_t count,
               struct sim_stats *stats, struct gs_err *err)
{
    int rc;
    struct sim s = { .topo = t,
                     .work = w,
                     .options = o,
                     .observer = observer,
                     .observer_count = count };

    assert(t && w && p && o && stats && (observer || count == 0));
    assert(!t->build && w->queue_count > 0);
    if (speed_check(w, o, err) < 0)
        return -1;
    s.cluster = topo_cluster_create(t);
    if (sim_schedulers_open(&s, p, err) < 0) {
        sim_schedulers_free(&s);
        topo_cluster_destroy(s.cluster);
        return -1;
    }
    s.deadlock = deadlock_create(t, w, scheduler_of, &s, s.cluster);
    s.instant.cluster = s.cluster;
    sim_lives_open(&s);
    s.past = gs_array_grow(s.past, &s.past_cap, 1, sizeof(*s.past));
    s.past_count = 1;
    if (o->speed && !p->is_recorded) /* runs are as long as recorded */
        s.segment = gs_far_new(w->far, w->job_count + 1, sizeof(*s.segment));
    s.free_run = UINT32_MAX;
    s.first = w->job_count ? w->job[0].submit : 0;
    s.now = begin_of(&s);
    shares_open(&s);
    devices_open(&s);
    sim_start_costs_open(&s);
    sim_nodes_open(&s);
    sim_held_open(&s);
    sim_quotas_open(&s);
    rc = sim_recording_open(&s, p, err);
    rc = rc < 0 ? rc : sim_warm_open(&s, err);
    if (rc == 0) {
        run(&s);
        if (o->watch && o->watch->ended)
            o->watch->ended(o->watch->self, s.now, s.schedulers.at[0].sched);
        finish(&s);
        *stats = s.stats;
    }
    sim_warm_free(&s.warm);
    sim_recording_free(&s);
    deadlock_destroy(s.deadlock);
    sim_schedulers_free(&s);
    topo_cluster_destroy(s.cluster);
    event_queue_fini(&s.queue);
    sim_lives_free(&s);
    gs_array_free(s.past);
    gs_far_free(w->far, s.segment);
    gs_array_free(s.run);
    gs_array_free(s.node_run);
    gs_array_free(s.queue_used);
    gs_array_free(s.queue_asked);
    gs_array_free(s.class_rest);
    gs_array_free(s.touched);
    gs_array_free(s.failing);
    gs_array_free(s.episode);
    gs_array_free(s.cut_at);
    sim_start_costs_free(&s);
    gs_array_free(s.first_device);
    sim_nodes_free(&s);
    sim_held_free(&s);
    sim_quotas_free(&s);
    return rc;
}
