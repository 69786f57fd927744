/* sim/replay/schedulers.c - creates the schedulers, runs their cycles and tells
 * each what the others did, see schedulers.h.
 */
#include "sim/replay/schedulers.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/far.h"
#include "base/strtab.h"
#include "base/text.h"
#include "policies/profile/profile.h"
#include "sim/replay/conflicts.h"
#include "sim/replay/replay_private.h"

/* --- creation ------------------------------------------------------------- */

static bool is_same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* The first scheduler of the process of scheduler `i`. */
static uint32_t process_of(const struct sim_schedulers *all, uint32_t i)
{
    uint32_t k = 0;

    while (
        k < i
        && !is_same(all->at[k].profile->process, all->at[i].profile->process))
        k++;
    return k;
}

static int scheduler_open(struct sim *s, uint32_t i, struct gs_err *err)
{
    struct sim_scheduler *k = &s->schedulers.at[i];

    k->process = process_of(&s->schedulers, i);
    k->dirty_at = -1;
    k->cluster = s->schedulers.count == 1 ? s->cluster
                                          : topo_cluster_create(s->topo);
    k->sched = gsched_create(k->cluster, s->work, k->profile, s->options->seed,
                             err);
    return k->sched ? 0 : -1;
}

uint32_t sim_scheduler_find(const struct gsched_profile *p,
                            const struct trace_workload *w, uint32_t job)
{
    const uint32_t named = w->job[job].aside->scheduler;
    const char *name = named ? gs_strtab_str(w->names, named)
                             : TRACE_DEFAULT_SCHEDULER;
    uint32_t i = 0;

    assert(job < w->job_count);
    while (p && !is_same(p->scheduler, name)) {
        p = p->beside;
        i++;
    }
    return p ? i : named ? SIM_NO_SCHEDULER : 0;
}

int sim_scheduler_missing(const struct gsched_profile *p,
                          const struct trace_workload *w, uint32_t job,
                          const char *source, struct gs_err *err)
{
    const struct trace_job *j = &w->job[job];
    const struct gs_mark at = { .source = source, .line = (int)j->line };
    char names[200] = "";

    for (const struct gsched_profile *q = p; q; q = q->beside)
        gs_text_add(names, sizeof(names), "%s%s", q == p ? "" : ", ",
                    q->scheduler);
    return gs_fail(err, GS_INPUT, at,
                   "job '%.80s' waits for scheduler '%.80s'; the policy has "
                   "only: %s",
                   gs_strtab_str(w->names, j->name),
                   gs_strtab_str(w->names, j->aside->scheduler), names);
}

static int jobs_assign(struct sim *s, const struct gsched_profile *p,
                       struct gs_err *err)
{
    uint32_t *of = gs_far_new(s->work->far, s->work->job_count + 1,
                              sizeof(*of));

    s->schedulers.of_job = of;
    for (uint32_t i = 0; i < s->work->job_count; i++) {
        of[i] = sim_scheduler_find(p, s->work, i);
        if (of[i] == SIM_NO_SCHEDULER)
            return sim_scheduler_missing(p, s->work, i, s->options->source,
                                         err);
    }
    return 0;
}

int sim_schedulers_open(struct sim *s, const struct gsched_profile *p,
                        struct gs_err *err)
{
    struct sim_schedulers *all = &s->schedulers;
    uint32_t i = 0;

    assert(s->cluster && p && all->count == 0);
    for (const struct gsched_profile *q = p; q; q = q->beside)
        all->count++;
    all->at = gs_array_new(all->count, sizeof(*all->at));
    for (const struct gsched_profile *q = p; q; q = q->beside)
        all->at[i++].profile = q;
    for (i = 0; i < all->count; i++) {
        if (scheduler_open(s, i, err) < 0)
            return -1;
    }
    if (!p->scheduler)
        return 0;
    return jobs_assign(s, p, err);
}

void sim_schedulers_free(struct sim *s)
{
    struct sim_schedulers *all = &s->schedulers;

    for (uint32_t i = 0; i < all->count; i++) {
        gsched_destroy(all->at[i].sched);
        if (all->at[i].cluster != s->cluster)
            topo_cluster_destroy(all->at[i].cluster);
    }
    gs_array_free(all->at);
    gs_far_free(s->work->far, all->of_job);
    gs_array_free(all->news);
    sim_conflicts_free(&all->conflicts);
}

/* --- news ----------------------------------------------------------------- */

static void news_add(struct sim *s, const struct gsched_decision *d,
                     bool is_release)
{
    struct sim_schedulers *all = &s->schedulers;
    const struct trace_job *j = &s->work->job[d->job];
    const struct topo_request *r =
        &s->work
             ->shape[trace_group_at(s->work, j->first_group + d->group)->shape];

    if (is_release)
        topo_cluster_release(s->cluster, r, &d->grant);
    else
        topo_cluster_take(s->cluster, r, &d->grant);
    all->news = gs_array_grow(all->news, &all->news_cap, all->news_count + 1,
                              sizeof(*all->news));
    all->news[all->news_count++] = (struct sim_news){ all->of_job[d->job],
                                                      d->job, d->group,
                                                      d->grant, is_release };
}

void sim_others_note(struct sim *s, const struct gsched_decision *d,
                     bool is_release)
{
    if (s->schedulers.count > 1)
        news_add(s, d, is_release);
}

void sim_others_learn_releases(struct sim *s, struct sim_scheduler *k)
{
    const struct sim_schedulers *all = &s->schedulers;

    for (; k->learned < all->news_count; k->learned++) {
        const struct sim_news *n = &all->news[k->learned];

        if (n->is_release && &all->at[n->by] != k)
            sim_accepted(
                gsched_released(k->sched, n->job, n->group, &n->grant, s->now));
    }
}

void sim_others_learn(struct sim *s)
{
    struct sim_schedulers *all = &s->schedulers;

    for (uint32_t i = 0; i < all->count && all->news_count; i++) {
        struct sim_scheduler *k = &all->at[i];

        for (uint32_t a = 0; a < all->news_count; a++) {
            const struct sim_news *n = &all->news[a];

            if (n->by == i)
                continue;
            k->is_dirty = true;
            if (!n->is_release)
                sim_accepted(gsched_taken(k->sched, n->job, n->group, &n->grant,
                                          s->now));
            else if (a >= k->learned)
                sim_accepted(gsched_released(k->sched, n->job, n->group,
                                             &n->grant, s->now));
        }
        k->learned = 0;
    }
    all->news_count = 0;
}

/* --- cycles --------------------------------------------------------------- */

/* The first tick, at `at` or later, of a clock with a tick at `first`. */
static int64_t tick_at(int64_t first, int64_t period, int64_t at)
{
    const int64_t phase = first % period;

    assert(first >= 0 && period > 0 && at >= 0);
    if (at <= phase)
        return phase;
    return phase + (at - phase + period - 1) / period * period;
}

/* The time of its next cycle, or SIM_FOREVER. */
static int64_t due_of(const struct sim *s, const struct sim_scheduler *k)
{
    const int64_t period = k->profile->period;
    int64_t at = k->dirty_at >= 0
                     ? sim_later(k->dirty_at, k->profile->start_latency)
                     : gsched_next_wake(k->sched);

    if (at == SIM_FOREVER)
        return at;
    at = at > k->busy_until ? at : k->busy_until;
    return period ? tick_at(s->first, period, at) : at;
}

void sim_schedulers_note(struct sim *s)
{
    for (uint32_t i = 0; i < s->schedulers.count; i++) {
        struct sim_scheduler *k = &s->schedulers.at[i];

        if (k->dirty_at < 0 && (s->is_dirty || k->is_dirty))
            k->dirty_at = s->now;
    }
}

int64_t sim_schedulers_due(const struct sim *s)
{
    int64_t first = SIM_FOREVER;

    if (s->recording.is_on)
        return s->is_dirty ? s->now : SIM_FOREVER;

    for (uint32_t i = 0; i < s->schedulers.count; i++) {
        const int64_t at = due_of(s, &s->schedulers.at[i]);

        first = at < first ? at : first;
    }
    return first;
}

static void cycle(struct sim *s, struct sim_scheduler *k)
{
    const struct sim_watch *watch = s->options->watch;
    const bool is_seen = watch && watch->at == s->now;
    const int64_t began = s->options->clock ? s->options->clock() : 0;

    if (is_seen)
        watch->before(watch->self, k->sched);
    k->decision = gsched_cycle(k->sched, s->now, &k->count);
    if (is_seen)
        watch->after(watch->self, k->sched, k->decision, k->count);
    if (s->options->clock)
        s->stats.cycle_us += s->options->clock() - began;
    s->stats.cycles++;
    s->stats.decisions += k->count;
    k->is_dirty = false;
    k->dirty_at = -1;
}

int64_t sim_decision_delay(const struct sim_scheduler *k,
                           const struct gsched_decision *d, int64_t delay)
{
    return d->kind == GSCHED_PLACE
               ? sim_later(delay, k->profile->decision_cost * d->grant.tasks)
               : delay;
}

static void one_alone(struct sim *s)
{
    struct sim_scheduler *k = &s->schedulers.at[0];
    int64_t delay = 0;

    cycle(s, k);
    for (uint32_t i = 0; i < k->count; i++) {
        delay = sim_decision_delay(k, &k->decision[i], delay);
        sim_job_decided(s, &k->decision[i], delay);
    }
    k->busy_until = sim_later(s->now, delay);
    assert(k->busy_until >= s->now);
    s->is_dirty = false;
}

/* One of each process; the others of it run at the same instant, but later. */
static void several(struct sim *s)
{
    struct sim_schedulers *all = &s->schedulers;

    assert(all->news_count == 0);
    for (uint32_t i = 0; i < all->count; i++) {
        struct sim_scheduler *k = &all->at[i];

        k->is_dirty |= s->is_dirty;
        k->runs = due_of(s, k) == s->now;
        for (uint32_t m = k->process; m < i && k->runs; m++)
            k->runs = all->at[m].process != k->process || !all->at[m].runs;
    }
    s->is_dirty = false;
    for (uint32_t i = 0; i < all->count; i++) {
        if (all->at[i].runs)
            cycle(s, &all->at[i]);
    }
    for (uint32_t i = 0; i < all->count; i++) {
        if (all->at[i].runs)
            sim_conflicts_carry_out(s, &all->at[i]);
    }
    sim_others_learn(s);
    (void)topo_cluster_sweep(s->cluster);
}

void sim_schedulers_cycle(struct sim *s)
{
    if (s->schedulers.count == 1)
        one_alone(s);
    else
        several(s);
}

const char *sim_scheduler_name(const struct sim *s, uint32_t job)
{
    const struct sim_schedulers *all = &s->schedulers;

    return all->of_job ? all->at[all->of_job[job]].profile->scheduler : NULL;
}

/* --- all of them ---------------------------------------------------------- */

uint32_t sim_waiting(const struct sim *s)
{
    uint32_t jobs = 0;

    for (uint32_t i = 0; i < s->schedulers.count; i++)
        jobs += gsched_waiting(s->schedulers.at[i].sched);
    return jobs;
}

bool sim_is_blocked(const struct sim *s)
{
    bool is_blocked = false;

    for (uint32_t i = 0; i < s->schedulers.count; i++)
        is_blocked |= gsched_is_blocked(s->schedulers.at[i].sched);
    return is_blocked;
}

uint32_t sim_nodes_wanted(const struct sim *s, uint32_t type, uint32_t most)
{
    uint64_t nodes = 0;

    for (uint32_t i = 0; i < s->schedulers.count; i++)
        nodes += gsched_nodes_wanted(s->schedulers.at[i].sched, type, most);
    return nodes < most ? (uint32_t)nodes : most;
}

bool sim_is_due(const struct sim *s)
{
    bool is_due = s->is_dirty;

    if (s->recording.is_on)
        return is_due;

    for (uint32_t i = 0; i < s->schedulers.count && !is_due; i++)
        is_due = s->schedulers.at[i].is_dirty
                 || gsched_next_wake(s->schedulers.at[i].sched) != GSCHED_NEVER;
    return is_due;
}

void sim_nodes_follow(struct sim *s)
{
    for (uint32_t i = 0; i < s->schedulers.count; i++)
        sim_accepted(gsched_follow_nodes(s->schedulers.at[i].sched));
}

void sim_node_cordon(struct sim *s, uint32_t node, bool is_cordoned)
{
    for (uint32_t i = 0; i < s->schedulers.count; i++) {
        struct gsched *sched = s->schedulers.at[i].sched;

        sim_accepted(is_cordoned ? gsched_node_cordoned(sched, node, s->now)
                                 : gsched_node_uncordoned(sched, node, s->now));
    }
    if (s->schedulers.count == 1)
        return;
    if (is_cordoned)
        topo_cluster_cordon(s->cluster, node);
    else
        topo_cluster_uncordon(s->cluster, node);
}

void sim_gpu_fail(struct sim *s, uint32_t node, uint32_t device, bool is_failed)
{
    sim_others_learn(s);
    for (uint32_t i = 0; i < s->schedulers.count; i++) {
        struct gsched *sched = s->schedulers.at[i].sched;

        sim_accepted(is_failed
                         ? gsched_gpu_failed(sched, node, device, s->now)
                         : gsched_gpu_repaired(sched, node, device, s->now));
    }
    if (s->schedulers.count == 1)
        return;
    if (is_failed)
        topo_cluster_fail(s->cluster, node, device);
    else
        topo_cluster_repair(s->cluster, node, device);
}

bool sim_next_on(const struct sim *s, uint32_t node, uint32_t *scheduler,
                 uint32_t *at, struct gsched_decision *out)
{
    for (; *scheduler < s->schedulers.count; ++*scheduler) {
        if (gsched_next_on(s->schedulers.at[*scheduler].sched, node, at, out))
            return true;
        *at = GSCHED_FIRST;
    }
    return false;
}
