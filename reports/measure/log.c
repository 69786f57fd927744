/* reports/measure/log.c - the observer that records a run, see log.h. */
#include "reports/measure/log.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/far.h"
#include "base/fetch.h"
#include "base/strtab.h"
#include "traces/workload/workload.h"

static void event_add(struct report_log *l, int64_t at,
                      enum report_event_kind kind, uint32_t job, uint32_t node,
                      uint32_t tasks)
{
    if (!l->keeps_events)
        return;
    l->event = gs_far_grow(l->work->far, l->event, &l->event_cap,
                           l->event_count + 1, sizeof(*l->event));
    l->event[l->event_count++] = (struct report_event){ at, job, node, tasks,
                                                        kind };
}

static void on_submitted(void *self, int64_t now, uint32_t job)
{
    event_add(self, now, REPORT_EVENT_SUBMIT, job, UINT32_MAX, 0);
}

static void on_placed(void *self, int64_t now,
                      const struct report_allocation *s)
{
    event_add(self, now, REPORT_EVENT_PLACE, s->job, s->node, s->tasks);
}

static void on_started(void *self, int64_t now, uint32_t job)
{
    event_add(self, now, REPORT_EVENT_START, job, UINT32_MAX, 0);
}

static void placement_add(struct report_log *l,
                          const struct report_allocation *s, int64_t end)
{
    l->placement = gs_far_grow(l->work->far, l->placement, &l->placement_cap,
                               l->placement_count + 1, sizeof(*l->placement));
    l->placement[l->placement_count++] = report_placement_of(s, end);
}

static void on_released(void *self, int64_t now,
                        const struct report_allocation *s)
{
    placement_add(self, s, now);
    event_add(self, now, REPORT_EVENT_RELEASE, s->job, s->node, s->tasks);
}

/* Store two rows: the tasks with their old numbers until now, then with new
 * ones.
 */
static void on_renumbered(void *self, int64_t now,
                          const struct report_allocation *s)
{
    if (s->placed_at < now)
        placement_add(self, s, now);
}

static void on_held(void *self, int64_t now, const struct report_allocation *s)
{
    (void)now; /* the end is unknown */
    placement_add(self, s, -1);
}

/* Keep the first wait of a job that waits again. */
static void first_keep(struct report_log *l, uint32_t job, const int64_t *waits)
{
    if (!l->first_of)
        l->first_of = gs_far_new(l->work->far, l->job_count,
                                 sizeof(*l->first_of));
    l->first = gs_far_grow(l->work->far, l->first, &l->first_cap,
                           l->first_count + 1, sizeof(*l->first));
    memcpy(l->first[l->first_count], waits, sizeof(*l->first));
    l->first_of[job] = ++l->first_count;
}

static void on_evicted(void *self, int64_t now, const struct report_eviction *e)
{
    struct report_log *l = self;

    l->eviction = gs_far_grow(l->work->far, l->eviction, &l->eviction_cap,
                              l->eviction_count + 1, sizeof(*l->eviction));
    l->eviction[l->eviction_count++] =
        (struct report_evicted){ now, *e, l->placement_count };
    l->eviction[l->eviction_count - 1].what.waits = NULL; /* the caller's */
    if (e->waits)
        first_keep(l, e->job, e->waits);
    event_add(l, now, REPORT_EVENT_EVICT, e->job, UINT32_MAX, e->tasks);
}

static const char *text_kept(struct report_log *l, const char *text)
{
    return gs_strtab_str(l->reason,
                         gs_strtab_put(l->reason, text, strlen(text)));
}

static void on_conflicted(void *self, int64_t now,
                          const struct report_conflict *c)
{
    struct report_log *l = self;

    l->conflict = gs_far_grow(l->work->far, l->conflict, &l->conflict_cap,
                              l->conflict_count + 1, sizeof(*l->conflict));
    l->conflict[l->conflict_count++] = (struct report_conflicted){
        now, c->job, c->tasks, text_kept(l, c->scheduler)
    };
    event_add(l, now, REPORT_EVENT_CONFLICT, c->job, c->node, c->tasks);
}

/* Keep the name; a policy has few of them. */
static const char *scheduler_kept(struct report_log *l, const char *name)
{
    const char *kept = text_kept(l, name);
    uint32_t i = 0;

    while (i < l->scheduler_count && l->scheduler[i] != kept)
        i++;
    if (i == l->scheduler_count) {
        l->scheduler = gs_array_grow(l->scheduler, &l->scheduler_cap, i + 1,
                                     sizeof(*l->scheduler));
        l->scheduler[l->scheduler_count++] = kept;
    }
    return kept;
}

static void on_ran(void *self, int64_t now,
                   const struct report_run_segment *segment)
{
    struct report_log *l = self;

    (void)now; /* it tells of when it began */
    l->segment = gs_far_grow(l->work->far, l->segment, &l->segment_cap,
                             l->segment_count + 1, sizeof(*l->segment));
    l->segment[l->segment_count++] = *segment;
}

static void on_node(void *self, int64_t now, const struct report_node *n)
{
    struct report_log *l = self;

    l->outage = gs_far_grow(l->work->far, l->outage, &l->outage_cap,
                            l->outage_count + 1, sizeof(*l->outage));
    l->outage[l->outage_count++] = (struct report_outage){ now, *n };
}

static void wait_add(struct report_log *l, uint32_t job,
                     enum report_cause cause, int64_t us)
{
    const uint32_t at = l->first_of ? l->first_of[job] : 0;
    int64_t first = us;

    if (us <= 0)
        return;
    if (at && l->first[at - 1][cause] < us)
        first = l->first[at - 1][cause];
    l->wait = gs_far_grow(l->work->far, l->wait, &l->wait_cap,
                          l->wait_count + 1, sizeof(*l->wait));
    l->wait[l->wait_count++] = (struct report_wait){ us, first, job, cause };
}

static void refusal_add(struct report_log *l, uint32_t job,
                        const struct report_refusal *r)
{
    const char *module = text_kept(l, r->module);

    l->refused = gs_far_grow(l->work->far, l->refused, &l->refused_cap,
                             l->refused_count + 1, sizeof(*l->refused));
    l->refused[l->refused_count++] = (struct report_refused){ r->us, job,
                                                              module };
}

static bool has_rest(const struct report_job *j)
{
    const int64_t ran = j->start >= 0 && j->end >= 0 ? j->end - j->start : 0;

    return j->ran != ran || j->work != ran || j->held || j->lost_gpu_us
           || j->scheduler || j->reason || j->evictions || j->preemptions;
}

/* Keep the outcome, whose texts are kept already. */
static void outcome_set(struct report_log *l, const struct report_job *j)
{
    struct report_outcome *o = &l->outcome[j->job];
    uint32_t rest = o->rest;

    assert(j->level == UINT32_MAX || j->level < UINT16_MAX);
    if (!rest && has_rest(j)) {
        l->rest = gs_far_grow(l->work->far, l->rest, &l->rest_cap,
                              l->rest_count + 1, sizeof(*l->rest));
        rest = ++l->rest_count;
    }
    if (rest)
        l->rest[rest - 1] = (struct report_rest){
            .ran = j->ran,
            .held = j->held,
            .work = j->work,
            .lost_gpu_us = j->lost_gpu_us,
            .scheduler = j->scheduler,
            .reason = j->reason,
            .evictions = j->evictions,
            .preemptions = j->preemptions,
        };
    *o = (struct report_outcome){ .start = j->start,
                                  .end = j->end,
                                  .rest = rest,
                                  .level = (uint16_t)j->level,
                                  .state = j->state,
                                  .cause = j->cause };
}

void report_log_reason(struct report_log *l, uint32_t job, const char *reason)
{
    struct report_job j = report_log_job(l, job);

    j.reason = text_kept(l, reason);
    outcome_set(l, &j);
}

/* Forget the placements of a job that has ended: the last ones, which were
 * released with it.  What evictions lost is computed of placements before them.
 */
static void placements_forget(struct report_log *l, const struct report_job *j)
{
    const uint32_t floor = l->eviction_count
                               ? l->eviction[l->eviction_count - 1].placements
                               : 0;

    if (l->work->job[j->job].aside->withdraws)
        return;
    while (l->placement_count > floor
           && l->placement[l->placement_count - 1].job == j->job)
        l->placement_count--;
}

static void on_expected(const void *self, uint32_t job)
{
    const struct report_log *l = self;

    gs_fetch(&l->outcome[job], sizeof(*l->outcome));
}

static void on_ended(void *self, int64_t now, const struct report_job *j)
{
    struct report_log *l = self;
    struct report_job kept = *j;

    if (j->reason)
        kept.reason = text_kept(l, j->reason);
    if (j->scheduler)
        kept.scheduler = scheduler_kept(l, j->scheduler);
    outcome_set(l, &kept);
    if (l->placements_leave)
        placements_forget(l, j);
    l->has_waits |= j->waits != NULL;
    for (int c = 0; j->waits && c < REPORT_CAUSES; c++)
        wait_add(l, j->job, (enum report_cause)c, j->waits[c]);
    for (uint32_t i = 0; i < j->refusals; i++)
        refusal_add(l, j->job, &j->refusal[i]);
    if (j->end >= 0)
        event_add(l, now, REPORT_EVENT_END, j->job, UINT32_MAX, 0);
}

static void on_deadlock_over(void *self, int64_t now)
{
    struct report_log *l = self;

    if (l->episode_count && l->episode[l->episode_count - 1].end < 0)
        l->episode[l->episode_count - 1].end = now;
}

static void on_deadlock_endless(void *self, int64_t now)
{
    struct report_log *l = self;
    struct report_episode *last = &l->episode[l->episode_count - 1];

    (void)now;
    assert(l->episode_count > 0 && last->end < 0);
    last->is_endless = true;
}

static void on_deadlocked(void *self, int64_t now, const uint32_t *job,
                          uint32_t count)
{
    struct report_log *l = self;

    on_deadlock_over(l, now);
    l->episode = gs_far_grow(l->work->far, l->episode, &l->episode_cap,
                             l->episode_count + 1, sizeof(*l->episode));
    l->episode[l->episode_count++] =
        (struct report_episode){ now, -1, l->episode_job_count, count, false };
    l->episode_job = gs_far_grow(l->work->far, l->episode_job,
                                 &l->episode_job_cap,
                                 l->episode_job_count + count, sizeof(*job));
    memcpy(l->episode_job + l->episode_job_count, job, count * sizeof(*job));
    l->episode_job_count += count;
}

static void on_finished(void *self, int64_t now)
{
    ((struct report_log *)self)->end = now;
}

struct report_log *report_log_create(const struct trace_workload *w,
                                     bool keeps_events)
{
    struct report_log *l = gs_array_new(1, sizeof(*l));

    assert(w);
    l->observer = (struct report_observer){
        .self = l,
        .submitted = keeps_events ? on_submitted : NULL,
        .placed = keeps_events ? on_placed : NULL,
        .started = keeps_events ? on_started : NULL,
        .ran = on_ran,
        .released = on_released,
        .renumbered = on_renumbered,
        .held = on_held,
        .evicted = on_evicted,
        .conflicted = on_conflicted,
        .expected = on_expected,
        .ended = on_ended,
        .node = on_node,
        .deadlocked = on_deadlocked,
        .deadlock_over = on_deadlock_over,
        .deadlock_endless = on_deadlock_endless,
        .finished = on_finished,
    };
    l->keeps_events = keeps_events;
    l->reason = gs_strtab_create();
    l->work = w;
    l->job_count = w->job_count;
    l->outcome = gs_far_new(l->work->far, w->job_count, sizeof(*l->outcome));
    for (uint32_t i = 0; i < w->job_count; i++)
        l->outcome[i] = (struct report_outcome){ .start = -1,
                                                 .end = -1,
                                                 .level = UINT16_MAX };
    return l;
}

void report_log_destroy(struct report_log *l)
{
    if (!l)
        return;
    gs_far_free(l->work->far, l->outcome);
    gs_far_free(l->work->far, l->rest);
    gs_strtab_destroy(l->reason);
    gs_far_free(l->work->far, l->wait);
    gs_far_free(l->work->far, l->first_of);
    gs_far_free(l->work->far, l->first);
    gs_far_free(l->work->far, l->refused);
    gs_far_free(l->work->far, l->eviction);
    gs_far_free(l->work->far, l->conflict);
    gs_array_free(l->scheduler);
    gs_far_free(l->work->far, l->outage);
    gs_far_free(l->work->far, l->segment);
    gs_far_free(l->work->far, l->placement);
    gs_far_free(l->work->far, l->episode);
    gs_far_free(l->work->far, l->episode_job);
    gs_far_free(l->work->far, l->event);
    gs_array_free(l);
}
