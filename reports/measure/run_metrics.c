/* reports/measure/run_metrics.c - counts and sums over a run. */
#include <limits.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/far.h"
#include "reports/glossary/metric_names.h"
#include "reports/measure/bound.h"
#include "reports/measure/metrics_private.h"
#include "topology/topology.h"
#include "traces/workload/budgets.h"
#include "traces/workload/dependencies.h"
#include "traces/workload/workload.h"

typedef report_wide wide;

/* --- jobs ----------------------------------------------------------------- */

int64_t report_eligible(const struct report_metrics *m,
                        const struct report_log *log, uint32_t job)
{
    const int64_t held = report_log_job(log, job).held;

    return held == INT64_MAX ? held : m->work->job[job].submit + held;
}

bool report_metrics_has_job(const struct report_metrics *m,
                            const struct report_log *log, uint32_t job)
{
    const int64_t submit = report_eligible(m, log, job);

    return report_window_has(&m->window, submit) && submit <= log->end;
}

bool report_metrics_has_submission(const struct report_metrics *m,
                                   const struct report_log *log, uint32_t job)
{
    return m->work->job[job].aside->stand_count == 0
           && report_metrics_has_job(m, log, job);
}

bool report_metrics_is_service(const struct report_metrics *m, uint32_t job)
{
    return m->work->job[job].duration == TRACE_FOREVER;
}

void report_counts_put(struct report_metrics *m, const struct report_log *log)
{
    uint32_t state[REPORT_STATES] = { 0 };
    uint32_t services = 0, all = 0, held = 0;

    for (uint32_t i = 0; i < log->job_count; i++) {
        const struct report_job j = report_log_job(log, i);

        held += j.held == INT64_MAX
                && report_window_has(&m->window, m->work->job[i].submit);
        if (!report_metrics_has_job(m, log, i))
            continue;
        all++;
        state[j.state]++;
        services += j.state == REPORT_RUNNING
                    && report_metrics_is_service(m, i);
    }
    report_metrics_put_cluster(m, METRIC_JOBS_TOTAL, all);
    report_metrics_put_cluster(m, METRIC_JOBS_DONE, state[REPORT_DONE]);
    report_metrics_put_cluster(m, METRIC_JOBS_FAILED, state[REPORT_FAILED]);
    report_metrics_put_cluster(m, METRIC_JOBS_REJECTED, state[REPORT_REJECTED]);
    if (m->work->dependencies->dependency_count)
        report_metrics_put_cluster(m, METRIC_JOBS_HELD, held);
    report_metrics_put_cluster(m, METRIC_JOBS_UNFINISHED,
                               state[REPORT_PENDING] + state[REPORT_PARTLY]
                                   + state[REPORT_RUNNING] - services);
    report_metrics_put_cluster(m, METRIC_JOBS_SERVICES, services);
}

void report_tiers_put(struct report_metrics *m, const struct report_log *log)
{
    uint32_t at[TOPO_TIERS_MAX + 2] = { 0 };
    uint32_t all = 0;

    for (uint32_t i = 0; i < log->job_count; i++) {
        const struct report_job j = report_log_job(log, i);

        if (j.start >= 0 && report_metrics_has_submission(m, log, i)
            && trace_job_gpu_milli(m->work, i) > TOPO_SHARE_ONE) {
            at[j.level]++;
            all++;
        }
    }
    for (uint32_t l = m->topo->tier_count + 2; all && l-- > 0;) {
        report_metrics_put_cluster(
            m,
            gs_arena_printf(m->arena, METRIC_PLACEMENT_TIER_SHARE "%s",
                            topo_level_name(m->topo, l)),
            (double)at[l] / all);
    }
}

void report_makespan_put(struct report_metrics *m, const struct report_log *log)
{
    const double bound = m->bound_makespan;
    int64_t first = -1, last = -1;
    bool is_all_done = true; /* all jobs of the bound are done */
    uint32_t done = 0;

    for (uint32_t i = 0; i < log->job_count; i++) {
        const struct report_job j = report_log_job(log, i);

        if (!report_metrics_has_job(m, log, i))
            continue;
        if (first < 0 || report_eligible(m, log, i) < first)
            first = report_eligible(m, log, i);
        last = last < first ? first : last;
        done += j.state == REPORT_DONE;
        if (j.state != REPORT_DONE && j.state != REPORT_REJECTED
            && !report_metrics_is_service(m, i))
            is_all_done = false;
        if (j.state != REPORT_REJECTED && j.end > last)
            last = j.end;
    }
    if (done)
        report_metrics_put_cluster(m, METRIC_MAKESPAN,
                                   (double)(last - first) / 1e6);
    if (done && last > first)
        report_metrics_put_cluster(m, METRIC_THROUGHPUT_JOBS_PER_HOUR,
                                   done
                                       / ((double)(last - first) / 1e6 / 3600));
    if (bound >= 0)
        report_metrics_put_cluster(m, METRIC_BOUND METRIC_MAKESPAN,
                                   bound / 1e6);
    if (done && bound > 0 && is_all_done)
        report_metrics_put_cluster(m, METRIC_MAKESPAN_OVER_BOUND,
                                   (double)(last - first) / bound);
}

void report_bounds_find(struct report_metrics *m, const struct report_log *log)
{
    m->bound_makespan = report_bound_makespan(m->topo, m->work, log, &m->window,
                                              m->speed_most);
    report_bound_waits(m->topo, m->work, log, &m->window, m->speed_most,
                       &m->bound_waits);
}

void report_bounds_put(struct report_metrics *m)
{
    const struct report_bound_waits *b = &m->bound_waits;

    if (b->started)
        report_metrics_put_cluster(m, METRIC_BOUND METRIC_WAIT "mean",
                                   b->waited / 1e6 / b->started);
    if (b->done)
        report_metrics_put_cluster(m, METRIC_BOUND METRIC_JCT "mean",
                                   (b->run + b->waited) / 1e6 / b->done);
}

/* --- evictions ------------------------------------------------------------ */

#define KIND(kind) (1u << (kind))

/* Evictions in the window. */
struct evictions {
    uint32_t count, jobs, broken;
    wide lost; /* GPUs x us */
};

static struct evictions evictions_sum(const struct report_metrics *m,
                                      const struct report_log *log,
                                      unsigned kinds, bool is_whole)
{
    uint8_t *seen = gs_far_new(m->work->far, log->job_count + 1, 1);
    struct evictions sum = { 0 };

    for (uint32_t i = 0; i < log->eviction_count; i++) {
        const struct report_eviction *e = &log->eviction[i].what;

        if (!(kinds & KIND(e->kind)) || (is_whole && !e->is_whole)
            || !report_window_has(&m->window, log->eviction[i].at))
            continue;
        sum.count++;
        sum.broken += e->breaks;
        sum.jobs += !seen[e->job];
        seen[e->job] = 1;
        sum.lost += (uint64_t)e->lost_gpu_us;
    }
    gs_far_free(m->work->far, seen);
    return sum;
}

/* Nodes that moves emptied for no job: one at an instant. */
static uint32_t nodes_emptied(const struct report_metrics *m,
                              const struct report_log *log)
{
    int64_t last = INT64_MIN;
    uint32_t nodes = 0;

    for (uint32_t i = 0; i < log->eviction_count; i++) {
        const struct report_evicted *e = &log->eviction[i];

        if (e->what.kind != REPORT_RELOCATED || e->what.by != UINT32_MAX
            || e->at == last || !report_window_has(&m->window, e->at))
            continue;
        last = e->at;
        nodes++;
    }
    return nodes;
}

static void moves_put(struct report_metrics *m, const struct report_log *log)
{
    const struct evictions moves = evictions_sum(m, log, KIND(REPORT_RELOCATED),
                                                 false);

    if (moves.count == 0)
        return;
    report_metrics_put_cluster(m, METRIC_MOVES_COUNT, moves.count);
    report_metrics_put_cluster(m, METRIC_MOVES_LOST_GPU_HOURS,
                               (double)moves.lost / REPORT_US_PER_HOUR);
    report_metrics_put_cluster(m, METRIC_MOVES_NODES, nodes_emptied(m, log));
}

void report_evictions_put(struct report_metrics *m,
                          const struct report_log *log)
{
    const struct evictions taken = evictions_sum(
        m, log,
        KIND(REPORT_PREEMPT) | KIND(REPORT_RECLAIM)
            | KIND(REPORT_RECLAIM_BORROWING) | KIND(REPORT_RECLAIM_SHARE),
        false);
    const wide lost = 1000 * evictions_sum(m, log, UINT_MAX, false).lost;

    report_metrics_put_cluster(m, METRIC_PREEMPT_COUNT, taken.count);
    report_metrics_put_cluster(m, METRIC_PREEMPT_JOBS, taken.jobs);
    if (m->work->budgets->budget_count)
        report_metrics_put_cluster(m, METRIC_PREEMPT_OVER_BUDGET, taken.broken);
    report_metrics_put_cluster(m, METRIC_PREEMPT_LOST_GPU_HOURS,
                               (double)taken.lost / REPORT_US_PER_HOUR);
    moves_put(m, log);
    report_metrics_put_cluster(
        m, METRIC_GANG_TIMEOUTS,
        evictions_sum(m, log, KIND(REPORT_TIMEOUT), false).count);
    if (m->allocated)
        report_metrics_put_cluster(m, METRIC_GOODPUT,
                                   m->busy > lost ? (double)(m->busy - lost)
                                                        / (double)m->allocated
                                                  : 0);
}

static uint32_t conflicts_of(const struct report_metrics *m,
                             const struct report_log *log,
                             const char *scheduler)
{
    uint32_t tasks = 0;

    for (uint32_t i = 0; i < log->conflict_count; i++) {
        const struct report_conflicted *c = &log->conflict[i];

        if (report_window_has(&m->window, c->at)
            && (!scheduler || c->scheduler == scheduler))
            tasks += c->tasks;
    }
    return tasks;
}

void report_schedulers_put(struct report_metrics *m,
                           const struct report_log *log)
{
    if (log->scheduler_count)
        report_metrics_put_cluster(m, METRIC_CONFLICTS,
                                   conflicts_of(m, log, NULL));
    for (uint32_t k = 0; k < log->scheduler_count; k++) {
        const char *name = log->scheduler[k];
        const char *label = gs_arena_strndup(m->arena, name, strlen(name));
        uint32_t all = 0, done = 0;

        for (uint32_t i = 0; i < log->job_count; i++) {
            const struct report_job j = report_log_job(log, i);

            if (j.scheduler != name || !report_metrics_has_job(m, log, i))
                continue;
            all++;
            done += j.state == REPORT_DONE;
        }
        report_metrics_put(m, METRIC_CONFLICTS, "scheduler", label,
                           conflicts_of(m, log, name));
        report_metrics_put(m, METRIC_JOBS_TOTAL, "scheduler", label, all);
        report_metrics_put(m, METRIC_JOBS_DONE, "scheduler", label, done);
    }
}

void report_failures_put(struct report_metrics *m, const struct report_log *log)
{
    const struct evictions lost = evictions_sum(m, log, KIND(REPORT_LOST),
                                                true);

    report_metrics_put_cluster(m, METRIC_FAILURE_RESTARTS, lost.count);
    report_metrics_put_cluster(m, METRIC_FAILURE_JOBS, lost.jobs);
    report_metrics_put_cluster(m, METRIC_FAILURE_LOST_GPU_HOURS,
                               (double)lost.lost / REPORT_US_PER_HOUR);
}

/* --- what held for a time ------------------------------------------------- */

void report_speed_put(struct report_metrics *m, const struct report_log *log)
{
    const struct report_window *w = &m->measured;
    report_wide gpus = 0, gpu_work = 0, us = 0, work = 0;

    for (uint32_t i = 0; i < log->segment_count; i++) {
        const struct report_run_segment *l = &log->segment[i];
        const uint64_t in = (uint64_t)report_window_overlap(w, l->start,
                                                            l->start + l->us);
        const report_wide held = (report_wide)(uint64_t)l->gpu_milli * in;

        gpus += held;
        gpu_work += held * l->speed;
        us += in;
        work += (report_wide)in * l->speed;
    }
    if (gpus)
        report_metrics_put_cluster(m, METRIC_SPEED_MEAN,
                                   (double)gpu_work / 1e6 / (double)gpus);
    if (us)
        report_metrics_put_cluster(m, METRIC_SPEED_STRETCH,
                                   (double)us * 1e6 / (double)work);
}

void report_services_put(struct report_metrics *m, const struct report_log *log)
{
    const struct report_window *window = &m->measured;
    const struct trace_workload *w = m->work;
    double wanted = 0, served = 0; /* jobs x us: whole numbers, and then parts
                                      of jobs by their tasks */
    bool is_any = false;

    for (uint32_t i = 0; i < w->job_count; i++) {
        const struct trace_job *j = &w->job[i];
        const int64_t from = report_eligible(m, log, i);
        const int64_t end = j->duration < INT64_MAX - from ? from + j->duration
                                                           : INT64_MAX;

        is_any |= j->aside->withdraws;
        if (j->aside->withdraws)
            wanted += (double)report_window_overlap(window, from,
                                                    end + j->aside->since);
    }
    for (uint32_t i = 0; is_any && i < log->placement_count; i++) {
        const struct report_placement *p = &log->placement[i];
        const int64_t end = p->end < 0 ? log->end : p->end;

        if (w->job[p->job].aside->withdraws)
            served += (double)report_window_overlap(window, p->start, end)
                      * p->tasks / w->job[p->job].tasks;
    }
    if (!is_any)
        return;
    report_metrics_put_cluster(m, METRIC_SERVICE_WANTED_HOURS,
                               wanted / REPORT_US_PER_HOUR);
    report_metrics_put_cluster(
        m, METRIC_SERVICE_UNSERVED_HOURS,
        wanted > served ? (wanted - served) / REPORT_US_PER_HOUR : 0);
}

/* Episodes that overlap the window.  One without an end lasts to the end of the
 * window; the log knows whether it is endless or was cut off.
 */
void report_deadlocks_put(struct report_metrics *m,
                          const struct report_log *log)
{
    const struct report_window *w = &m->measured;
    uint8_t *seen = gs_far_new(m->work->far, log->job_count, 1);
    uint32_t episodes = 0, jobs = 0, endless = 0;
    int64_t us = 0, first = -1;

    for (uint32_t i = 0; i < log->episode_count; i++) {
        const struct report_episode *e = &log->episode[i];
        const int64_t end = e->end < 0 ? log->end : e->end;

        if (!report_window_has(&m->window, e->start)
            && report_window_overlap(w, e->start, end) == 0)
            continue;
        episodes++;
        endless += e->is_endless;
        us += report_window_overlap(w, e->start, end);
        if (first < 0)
            first = e->start > w->from ? e->start - w->from : 0;
        for (uint32_t k = 0; k < e->job_count; k++) {
            jobs += !seen[log->episode_job[e->first_job + k]];
            seen[log->episode_job[e->first_job + k]] = 1;
        }
    }
    report_metrics_put_cluster(m, METRIC_DEADLOCK_ENDLESS, endless);
    report_metrics_put_cluster(m, METRIC_DEADLOCK_EPISODES, episodes);
    report_metrics_put_cluster(m, METRIC_DEADLOCK_JOBS, jobs);
    report_metrics_put_cluster(m, METRIC_DEADLOCK_SECONDS, (double)us / 1e6);
    report_metrics_put_cluster(m, METRIC_DEADLOCK_GPU_HOURS,
                               (double)m->deadlocked / 1000 / 1e6 / 3600);
    if (first >= 0)
        report_metrics_put_cluster(m, METRIC_DEADLOCK_FIRST_AT,
                                   (double)first / 1e6);
    gs_far_free(m->work->far, seen);
}
