/* policies/state/quota_holds.c - which jobs hold quota, and which of them must
 * run soon; see quota_holds.h.
 */
#include "policies/state/quota_holds.h"

#include <assert.h>

#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"

/* --- holding -------------------------------------------------------------- */

/* Add the job to those that must run within `time`; 0: at any time. */
static void wait_begin(struct gsched *s, uint32_t job, int64_t time,
                       struct quota_waits *w)
{
    struct quota_hold *h = &s->quotas->hold[job];

    h->is_unready = true;
    s->quotas->unready++;
    if (time == 0)
        return;
    h->until = s->now < GSCHED_LAST - time ? s->now + time : GSCHED_LAST;
    w->at = gs_array_grow(w->at, &w->cap, w->count + 1, sizeof(*w->at));
    w->at[w->count++] = (struct quota_wait){ h->until, job };
}

void gsched_quota_lost(struct gsched *s, uint32_t job)
{
    struct gsched_quotas *q = s->quotas;

    if (q && !q->hold[job].is_unready)
        wait_begin(s, job, q->how.recovery, &q->waits[WAITS_RECOVERY]);
}

/* The first that must still run; NULL. */
static const struct quota_wait *wait_first(const struct gsched_quotas *q,
                                           struct quota_waits *w)
{
    for (; w->first < w->count; w->first++) {
        const struct quota_hold *h = &q->hold[w->at[w->first].job];

        if (h->is_unready && h->until == w->at[w->first].until)
            return &w->at[w->first];
    }
    w->first = w->count = 0;
    return NULL;
}

/* Nothing began or ended since the job was put back: it would fail again, for
 * ever.
 */
static bool is_hopeless(const struct gsched_quotas *q, uint32_t job)
{
    const struct quota_hold *h = &q->hold[job];

    return q->how.attempts == 0 && h->times > 0 && h->seen == q->progress;
}

uint32_t gsched_quota_late(struct gsched *s)
{
    struct gsched_quotas *q = s->quotas;

    for (int i = 0; i < QUOTA_WAITS; i++) {
        const struct quota_wait *w;

        while ((w = wait_first(q, &q->waits[i])) && w->until <= s->now) {
            q->waits[i].first++;
            if (!is_hopeless(q, w->job))
                return w->job;
        }
    }
    return NONE;
}

void gsched_quota_take(struct gsched *s, uint32_t job,
                       const struct flavor_choice *c, int64_t reserved)
{
    struct gsched_quotas *q = s->quotas;
    const struct trace_job *j = &s->work->job[job];
    const struct flavor_list *l = &q->queue[j->queue].flavors;
    const struct quota_job of = { .node = j->queue,
                                  .need = quotas_need(q->q, c->ask, c->asks),
                                  .priority = s->work->klass[j->klass].value,
                                  .since = gsched_job(s, job)->since,
                                  .reserved = reserved,
                                  .stays = j->fixed };

    quotas_job_add(q->q, job, &of);
    if (s->modules->usage)
        gsched_quota_tell(s, job, true);
    for (uint32_t g = 0; g < j->group_count; g++) {
        q->group_flavors[j->first_group + g] = gsched_quota_set(
            s, l, c->pick + (size_t)g * l->sets);
        q->group_tasks[j->first_group + g] = c->tasks[g];
    }
    if (gsched_job(s, job)->phase != JOB_RUNNING)
        wait_begin(s, job, q->how.ready, &q->waits[WAITS_READY]);
    gsched_quota_moved(s, quotas_node(q->q, j->queue)->tree);
}

/* Can the node be one of the flavor? */
static bool is_of(const struct gsched *s, const struct flavor_list *l,
                  uint32_t flavor, uint32_t node)
{
    return node == NONE || l->flavor[flavor] == QUOTA_PLAIN
           || gsched_quota_class_has(s, s->topo->node_class[node],
                                     l->flavor[flavor] - 1);
}

/* Is one of these flavors of the same set as flavor `i`? */
static bool holds_set(const struct flavor_list *l, uint64_t held, uint32_t i)
{
    bool any = false;

    for (uint32_t k = 0; k < l->count; k++)
        any |= (held >> k & 1) && l->set[k] == l->set[i];
    return any;
}

void gsched_quota_adopt(struct gsched *s, uint32_t job, uint32_t group,
                        uint32_t node, int64_t since)
{
    const int64_t stated = s->work->job[job].aside->admitted_since;
    struct gsched_quotas *q = s->quotas;
    struct flavor_query f;

    if (!q || (gsched_quota_holds(s, job) && gsched_job(s, job)->placed))
        return; /* its other tasks told */
    gsched_quotas_grow(s);
    gsched_quota_drop(s, job);
    f = gsched_quota_query(s, job);
    for (uint32_t k = 0; k < f.kinds; k++) {
        const uint64_t held = gsched_quota_held(s, job, k, f.list);
        uint64_t allowed = held;

        for (uint32_t i = 0; i < f.list->count; i++) {
            if ((q->kind[k].allowed >> i & 1) && !holds_set(f.list, held, i)
                && is_of(s, f.list, i, k == group ? node : NONE))
                allowed |= UINT64_C(1) << i;
        }
        q->kind[k].allowed = allowed;
    }
    flavor_choose_first(&f, &q->choice);
    gsched_quota_take(s, job, &q->choice, stated ? stated : since);
}

/* What the job holds is freed. */
static void holds_ease(struct gsched_quotas *q, uint32_t job)
{
    const struct quota_job *of = quotas_job(q->q, job);
    uint32_t asks;
    const struct quota_ask *ask = quotas_need_at(q->q, of->need, &asks);

    for (uint32_t i = 0; i < asks; i++)
        quota_sleepers_ease(&q->sleepers, of->node, ask[i].cell);
}

void gsched_quota_drop(struct gsched *s, uint32_t job)
{
    struct gsched_quotas *q = s->quotas;
    const struct trace_job *j = &s->work->job[job];

    if (!q || !gsched_quota_holds(s, job))
        return;
    if (s->modules->usage)
        gsched_quota_tell(s, job, false);
    holds_ease(q, job);
    quotas_job_drop(q->q, job);
    q->unready -= q->hold[job].is_unready;
    q->hold[job].is_unready = false;
    q->hold[job].was_dropped = true;
    for (uint32_t g = 0; g < j->group_count; g++)
        q->group_flavors[j->first_group + g] = 0;
    q->wake[quotas_node(q->q, j->queue)->tree].is_freed = true;
    gsched_quota_moved(s, quotas_node(q->q, j->queue)->tree);
}

/* What the job holds is now that of `left` of its `had` tasks. */
static void holds_cut(struct gsched *s, uint32_t job, uint32_t had,
                      uint32_t left)
{
    struct gsched_quotas *q = s->quotas;
    uint32_t asks;
    const struct quota_ask *ask = quotas_need_at(
        q->q, quotas_job(q->q, job)->need, &asks);
    struct flavor_choice *c = &q->choice;

    c->asks = asks;
    c->ask = gs_array_grow(c->ask, &c->ask_cap, asks, sizeof(*c->ask));
    for (uint32_t i = 0; i < asks; i++)
        c->ask[i] = (struct quota_ask){ ask[i].cell, ask[i].is_short,
                                        ask[i].amount / had * left };
    quotas_job_change(q->q, job, quotas_need(q->q, c->ask, asks));
}

void gsched_quota_shrink(struct gsched *s, uint32_t job, uint32_t ended)
{
    struct gsched_quotas *q = s->quotas;
    const struct trace_job *j = &s->work->job[job];
    uint32_t *tasks, left;

    if (!q)
        return;
    assert(j->group_count == 1);
    assert(ended <= trace_job_runs(j) - q->hold[job].ended);
    q->hold[job].ended += ended;
    tasks = &q->group_tasks[j->first_group];
    left = gsched_quota_wanted(s, job, 0);
    if (!gsched_quota_holds(s, job) || left >= *tasks)
        return;
    if (s->modules->usage)
        gsched_quota_tell(s, job, false);
    holds_ease(q, job);
    holds_cut(s, job, *tasks, left);
    if (s->modules->usage)
        gsched_quota_tell(s, job, true);
    *tasks = left;
    q->wake[quotas_node(q->q, j->queue)->tree].is_freed = true;
    gsched_quota_moved(s, quotas_node(q->q, j->queue)->tree);
}

void gsched_quota_end(struct gsched *s, uint32_t job)
{
    if (!s->quotas)
        return;
    gsched_quota_drop(s, job);
    s->quotas->progress++;
    s->quotas->hold[job] =
        (struct quota_hold){ .lack = s->quotas->hold[job].lack };
}

/* Tasks that run for themselves are ready when all that have quota stand, or
 * have ended; those of a gang stand.
 */
static bool all_stand(const struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];
    const struct gsched_quotas *q = s->quotas;

    return !j->aside->completions
           || gsched_job(s, job)->placed + q->hold[job].ended
                  >= q->group_tasks[j->first_group];
}

void gsched_quota_ready(struct gsched *s, uint32_t job)
{
    struct gsched_quotas *q = s->quotas;

    if (!q || !q->hold[job].is_unready || !all_stand(s, job))
        return;
    q->hold[job].is_unready = false;
    q->unready--;
    q->progress += !q->hold[job].has_run;
    q->hold[job].has_run = true;
}

int64_t gsched_quota_pause(const struct gsp_admit *how, uint32_t times)
{
    int64_t pause = how->pause;

    for (uint32_t i = 0; i < times && pause > 0 && pause < how->pause_most; i++)
        pause = pause > how->pause_most - pause ? how->pause_most
                                                : pause + pause;
    return pause < how->pause_most ? pause : how->pause_most;
}

int64_t gsched_quotas_next(const struct gsched *s)
{
    struct gsched_quotas *q = s->quotas;
    int64_t first = GSCHED_NEVER;

    if (!q)
        return GSCHED_NEVER;
    if (q->is_held && q->unready == 0)
        return s->now + 1;
    for (int i = 0; i < QUOTA_WAITS; i++) {
        const struct quota_wait *w = wait_first(q, &q->waits[i]);

        if (w && w->until < first)
            first = w->until > s->now ? w->until : s->now;
    }
    return first;
}

/* --- what changed --------------------------------------------------------- */

void gsched_quota_news(struct gsched *s, uint32_t queue)
{
    struct gsched_quotas *q = s->quotas;

    if (q->queue[queue].is_news)
        return;
    q->queue[queue].is_news = true;
    (void)gs_numbers_add(&q->news, queue);
}

void gsched_quota_moved(struct gsched *s, uint32_t tree)
{
    struct gsched_quotas *q = s->quotas;

    if (q->wake[tree].is_listed)
        return;
    q->wake[tree].is_listed = true;
    (void)gs_numbers_add(&q->moved, tree);
}
