/* reports/measure/metrics.c - integrals over time and distributions over jobs. */
#include "reports/measure/metrics.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/strtab.h"
#include "reports/measure/bound.h"
#include "reports/measure/fairness.h"
#include "reports/measure/fragmentation_log.h"
#include "reports/measure/metrics_private.h"
#include "reports/measure/mix_window.h"
#include "reports/measure/outages.h"
#include "reports/measure/quantiles.h"
#include "topology/cluster.h"
#include "topology/task_mix.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"
#include "traces/workload/workload_mix.h"

#define SECOND INT64_C(1000000)
#define ROWS_MAX 100000u

typedef report_wide wide;

struct report_metrics {
    struct report_observer observer;
    const struct topo *topo;
    const struct trace_workload *work;
    struct report_samples samples;
    struct report_fairness *fairness;
    struct report_fragments *fragments; /* NULL: no GPUs */
    struct report_outages *outages;
    struct topo_mix *own_mix;            /* NULL: it was given one */
    struct report_mix_window mix_window; /* span 0: it does not change */
    struct report_window window;         /* that all is measured in */
    int64_t since;                       /* the values below hold since then */
    struct topo_totals totals;
    struct report_instant now;
    uint32_t speed_most; /* millionths */
    /* thousandths x us; out: GPUs that were neither free nor held */
    wide allocated, busy, hoarded, deadlocked, out;
    int64_t blocked; /* us */
    /* x us */
    double node_share, free_share, capacity_share, demand, largest_gang;
    /* rows being made */
    struct report_metric *row;
    uint32_t count, cap;
};

/* --- over time -------------------------------------------------------------- */

static double share(double part, double all)
{
    return all > 0 ? part / all : 0;
}

/* What gangs of whole nodes could have of what is free.  Nothing is out of
 * their reach when nothing is free.
 */
static double gang_share(const struct report_metrics *m)
{
    if (!m->fragments || m->totals.gpu_free_milli == 0)
        return 1;
    return (double)(report_fragments_gangs(m->fragments) * TOPO_SHARE_ONE)
           / (double)m->totals.gpu_free_milli;
}

/* Add the time up to `now`, in which nothing changed, to the totals. */
static void advance(struct report_metrics *m, int64_t now)
{
    const struct topo_totals *t = &m->totals;
    const int64_t there = t->gpu_milli - t->out_milli;
    const int64_t used = there - t->gpu_free_milli;
    const int64_t us = report_window_overlap(&m->window, m->since, now);
    const uint64_t dt = (uint64_t)us;
    const double partial = (double)t->partial_free_milli;
    double value[REPORT_SERIES];

    m->since = now;
    if (dt == 0)
        return;
    m->allocated += (wide)used * dt;
    m->out += (wide)t->out_milli * dt;
    m->busy += (wide)m->now.busy_milli * dt;
    m->hoarded += (wide)m->now.hoarded_milli * dt;
    m->deadlocked += (wide)m->now.deadlocked_milli * dt;
    m->blocked += m->now.is_blocked ? us : 0;
    value[REPORT_ALLOCATED] = (double)used / 1000;
    value[REPORT_BUSY] = (double)m->now.busy_milli / 1000;
    value[REPORT_HOARDED] = (double)m->now.hoarded_milli / 1000;
    value[REPORT_WAITING] = m->now.waiting;
    value[REPORT_RUNNING_JOBS] = m->now.running;
    value[REPORT_NODE_SHARE] = share(t->partial_nodes,
                                     t->gpu_nodes - t->closed_nodes);
    value[REPORT_FREE_SHARE] = share(partial, (double)t->gpu_free_milli);
    value[REPORT_CAPACITY_SHARE] = share(partial, (double)there);
    value[REPORT_DEMAND] = m->fragments ? report_fragments_demand(
                               m->fragments, t->gpu_free_milli)
                                        : 0;
    m->demand += value[REPORT_DEMAND] * (double)dt;
    value[REPORT_LARGEST_GANG] = gang_share(m);
    m->largest_gang += value[REPORT_LARGEST_GANG] * (double)dt;
    m->node_share += value[REPORT_NODE_SHARE] * (double)dt;
    m->free_share += value[REPORT_FREE_SHARE] * (double)dt;
    m->capacity_share += value[REPORT_CAPACITY_SHARE] * (double)dt;
    report_samples_add(&m->samples, us, value);
}

static void mix_move(struct report_metrics *m, int64_t now)
{
    struct topo_mix *old = report_mix_window_move(&m->mix_window, now);

    if (!old)
        return;
    report_fragments_mix_set(m->fragments, m->mix_window.mix);
    topo_mix_destroy(old);
}

static void on_instant(void *self, int64_t now, const struct report_instant *i)
{
    struct report_metrics *m = self;

    advance(m, now);
    m->now = *i;
    m->totals = *topo_cluster_totals(i->cluster);
    if (m->fragments && m->mix_window.span)
        mix_move(m, now);
    if (m->fragments)
        report_fragments_update(m->fragments, i->cluster);
    report_fairness_instant(m->fairness, now, i);
}

/* Placed or given back. */
static void on_span(void *self, int64_t now, const struct report_allocation *s)
{
    struct report_metrics *m = self;

    (void)now; /* it counts from the instant on */
    report_fragments_touch(m->fragments, s->node);
}

static void on_node(void *self, int64_t now, const struct report_node *n)
{
    struct report_metrics *m = self;

    report_outages_node(m->outages, now, n);
    if (m->fragments)
        report_fragments_touch(m->fragments, n->node);
}

static void on_finished(void *self, int64_t now)
{
    struct report_metrics *m = self;

    advance(m, now);
    report_fairness_finish(m->fairness, now);
}

void report_metrics_measure(struct report_metrics *m,
                            const struct report_window_request *ask)
{
    m->window = report_window_of(m->work, ask);
    m->samples.from = m->window.from;
    report_fairness_measure(m->fairness, &m->window);
    report_outages_measure(m->outages, &m->window);
}

const struct report_window *report_metrics_window(
    const struct report_metrics *m)
{
    return &m->window;
}

bool report_metrics_has_job(const struct report_metrics *m,
                            const struct report_log *log, uint32_t job)
{
    const int64_t submit = m->work->job[job].submit;

    return report_window_has(&m->window, submit) && submit <= log->end;
}

struct report_metrics *report_metrics_create(const struct topo *t,
                                             const struct trace_workload *w,
                                             struct topo_mix *mix)
{
    struct report_metrics *m = gs_array_new(1, sizeof(*m));

    assert(t);
    m->observer = (struct report_observer){ .self = m,
                                            .instant = on_instant,
                                            .node = on_node,
                                            .finished = on_finished };
    m->topo = t;
    m->work = w;
    m->speed_most = 1000000;
    m->totals.gpu_milli = m->totals.gpu_free_milli = (int64_t)t->gpu_count
                                                     * TOPO_SHARE_ONE;
    report_samples_init(&m->samples);
    m->fairness = report_fairness_create(t, w);
    m->outages = report_outages_create(t);
    report_metrics_measure(m, &REPORT_WINDOW_WHOLE);
    if (t->gpu_count == 0)
        return m;
    if (!mix)
        mix = m->own_mix = trace_mix_create(w, t, TRACE_MIX_FULL);
    m->fragments = report_fragments_create(t, mix);
    m->observer.placed = m->observer.released = on_span;
    return m;
}

struct report_metrics *report_metrics_create_window(
    const struct topo *t, const struct trace_workload *w, int64_t span)
{
    struct report_mix_window window;
    struct report_metrics *m;

    report_mix_window_init(&window, t, w, span);
    m = report_metrics_create(t, w, window.mix);
    m->mix_window = window;
    return m;
}

void report_metrics_destroy(struct report_metrics *m)
{
    if (!m)
        return;
    report_samples_fini(&m->samples);
    report_fairness_destroy(m->fairness);
    report_fragments_destroy(m->fragments);
    report_outages_destroy(m->outages);
    topo_mix_destroy(m->own_mix);
    report_mix_window_fini(&m->mix_window);
    gs_array_free(m->row);
    gs_array_free(m);
}

const struct report_observer *report_metrics_observer(
    const struct report_metrics *m)
{
    assert(m);
    return &m->observer;
}

const struct report_samples *report_metrics_samples(
    const struct report_metrics *m)
{
    assert(m);
    return &m->samples;
}

/* --- rows ------------------------------------------------------------------- */

void report_metrics_put(struct report_metrics *m, const char *name,
                        const char *scope, const char *label, double value)
{
    const struct report_metric_info *info = report_glossary_find(name);

    if (m->count == ROWS_MAX)
        return;
    m->row = gs_array_grow(m->row, &m->cap, m->count + 1, sizeof(*m->row));
    m->row[m->count++] = (struct report_metric){ name, scope, label, info->unit,
                                                 value };
}

void report_metrics_put_cluster(struct report_metrics *m, const char *name,
                                double value)
{
    report_metrics_put(m, name, "cluster", "", value);
}

/* The names a distribution goes by; those left NULL are not told. */
struct names {
    const char *mean, *p50, *p90, *p95, *p99, *max;
};

static const struct names wait_names = { "wait.mean", "wait.p50", "wait.p90",
                                         "wait.p95",  "wait.p99", "wait.max" };
static const struct names first_names = {
    "wait.first.mean", "wait.first.p50", NULL, "wait.first.p95", NULL,
    "wait.first.max"
};
static const struct names wait_part_names = { "wait.mean", "wait.p50",
                                              NULL,        "wait.p95",
                                              NULL,        "wait.max" };
static const struct names jct_names = { "jct.mean", "jct.p50", "jct.p90",
                                        "jct.p95",  "jct.p99", "jct.max" };
static const struct names slowdown_names = { "slowdown.mean", "slowdown.p50",
                                             "slowdown.p90",  "slowdown.p95",
                                             "slowdown.p99",  "slowdown.max" };
static const struct names large_names = { "large.start_delay.mean",
                                          "large.start_delay.p50",
                                          NULL,
                                          "large.start_delay.p95",
                                          NULL,
                                          "large.start_delay.max" };

/* Tell of sorted values, which are in millionths. */
static void put_values(struct report_metrics *m, const struct names *n,
                       const char *scope, const char *label,
                       const struct report_value *v, uint32_t count)
{
    const struct {
        const char *name;
        uint32_t percent;
    } ranks[] = { { n->p50, 50 },
                  { n->p90, 90 },
                  { n->p95, 95 },
                  { n->p99, 99 },
                  { n->max, 100 } };

    if (count == 0)
        return;
    report_metrics_put(m, n->mean, scope, label,
                       report_values_mean(v, count) / 1e6);
    for (size_t i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++) {
        if (ranks[i].name)
            report_metrics_put(
                m, ranks[i].name, scope, label,
                (double)report_values_percentile(v, count, ranks[i].percent)
                    / 1e6);
    }
}

/* --- parts of the jobs ------------------------------------------------------ */

static const struct size_class {
    const char *name;
    int64_t least; /* GPU thousandths */
} sizes[] = {
    { "CPU only", 0 },   { "share", 1 },     { "1", 1000 },
    { "2-7", 1001 },     { "8", 8000 },      { "9-64", 8001 },
    { "65-511", 64001 }, { "512+", 512000 },
};

#define N_SIZES (sizeof(sizes) / sizeof(sizes[0]))

static uint32_t size_of(int64_t milli)
{
    uint32_t i = N_SIZES - 1;

    while (milli < sizes[i].least)
        i--;
    return i;
}

/* Waits by part: sorted values are dealt out, so that parts are sorted. */
static void put_parts(struct report_metrics *m, const char *scope,
                      const struct report_value *v, uint32_t count,
                      const uint32_t *part_of, uint32_t parts,
                      const char *const *label)
{
    struct report_value *out = gs_array_new(count, sizeof(*out));
    uint32_t *at = gs_array_new(parts + 1, sizeof(*at));

    for (uint32_t i = 0; i < count; i++)
        at[part_of[v[i].job] + 1]++;
    for (uint32_t p = 0; p < parts; p++)
        at[p + 1] += at[p];
    for (uint32_t i = 0; i < count; i++)
        out[at[part_of[v[i].job]]++] = v[i];
    for (uint32_t p = 0, from = 0; p < parts; from = at[p++])
        put_values(m, &wait_part_names, scope, label[p], out + from,
                   at[p] - from);
    gs_array_free(out);
    gs_array_free(at);
}

static void put_waits_by_part(struct report_metrics *m,
                              const struct report_value *v, uint32_t count)
{
    const struct trace_workload *w = m->work;
    uint32_t *part = gs_array_new(w->job_count, sizeof(*part));
    const char **label = gs_array_new(w->queue_count + N_SIZES, sizeof(*label));

    for (uint32_t i = 0; i < w->queue_count; i++)
        label[i] = gs_strtab_str(w->names, w->queue[i].name);
    for (uint32_t i = 0; i < w->job_count; i++)
        part[i] = w->job[i].queue;
    if (w->queue_count <= REPORT_QUEUES_MAX)
        put_parts(m, "queue", v, count, part, w->queue_count, label);
    for (uint32_t i = 0; i < N_SIZES; i++)
        label[i] = sizes[i].name;
    for (uint32_t i = 0; i < w->job_count; i++)
        part[i] = size_of(trace_job_gpu_milli(w, i));
    put_parts(m, "size", v, count, part, N_SIZES, label);
    gs_array_free(part);
    gs_array_free(label);
}

/* --- jobs ------------------------------------------------------------------- */

static bool is_service(const struct report_metrics *m, uint32_t job)
{
    return m->work->job[job].duration == TRACE_FOREVER;
}

/* From submit to first start. */
static uint64_t first_wait(const struct report_metrics *m,
                           const struct report_job *j)
{
    return (uint64_t)(j->start - m->work->job[j->job].submit);
}

/* All time since submit in which it did not run, until its end or the run's. */
static uint64_t wait_of(const struct report_metrics *m,
                        const struct report_log *log,
                        const struct report_job *j)
{
    const int64_t end = j->end < 0 ? log->end : j->end;

    return (uint64_t)(end - m->work->job[j->job].submit - j->ran);
}

static void put_waits(struct report_metrics *m, const struct report_log *log,
                      struct report_value *v)
{
    uint32_t started = 0, waiting = 0;
    wide so_far = 0;

    for (uint32_t i = 0; i < log->job_count; i++) {
        const struct report_job *j = &log->job[i];
        const int64_t submit = m->work->job[i].submit;

        if (!report_metrics_has_job(m, log, i))
            continue;
        if (j->start >= 0)
            v[started++] = (struct report_value){ first_wait(m, j), i };
        else if (j->state < REPORT_DONE) {
            so_far += (uint64_t)(log->end - submit);
            waiting++;
        }
    }
    report_values_sort(v, started);
    put_values(m, &first_names, "cluster", "", v, started);
    if (log->eviction_count) {
        for (uint32_t k = 0; k < started; k++)
            v[k].value = wait_of(m, log, &log->job[v[k].job]);
        report_values_sort(v, started);
    }
    put_values(m, &wait_names, "cluster", "", v, started);
    report_metrics_put_cluster(m, "wait.unfinished.count", waiting);
    if (waiting)
        report_metrics_put_cluster(m, "wait.unfinished.mean",
                                   (double)so_far / 1e6 / waiting);
    put_waits_by_part(m, v, started);
}

/* In millionths. */
static uint64_t slowdown_of(const struct report_metrics *m,
                            const struct report_job *j)
{
    const uint64_t stay = (uint64_t)(j->end - m->work->job[j->job].submit);
    const uint64_t work = (uint64_t)j->work;
    const uint64_t base = work > 10 * SECOND ? work : 10 * SECOND;
    const wide ratio = (wide)stay * 1000000 / base;

    return ratio < 1000000 ? 1000000 : (uint64_t)ratio;
}

static void put_completions(struct report_metrics *m,
                            const struct report_log *log,
                            struct report_value *v)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < log->job_count; i++) {
        const struct report_job *j = &log->job[i];

        if (j->state == REPORT_DONE && report_metrics_has_job(m, log, i))
            v[n++] = (struct report_value){
                (uint64_t)(j->end - m->work->job[i].submit), i
            };
    }
    report_values_sort(v, n);
    put_values(m, &jct_names, "cluster", "", v, n);
    for (uint32_t k = 0; k < n; k++)
        v[k].value = slowdown_of(m, &log->job[v[k].job]);
    report_values_sort(v, n);
    put_values(m, &slowdown_names, "cluster", "", v, n);
}

static void put_large(struct report_metrics *m, const struct report_log *log,
                      uint32_t large, struct report_value *v)
{
    uint32_t count = 0, started = 0, good = 0;

    for (uint32_t i = 0; i < log->job_count; i++) {
        const struct report_job *j = &log->job[i];

        if (trace_job_gpu_milli(m->work, i) < (int64_t)large * TOPO_SHARE_ONE
            || !report_metrics_has_job(m, log, i))
            continue;
        count++;
        good += j->state == REPORT_DONE
                || (j->state == REPORT_RUNNING && is_service(m, i));
        if (j->start >= 0)
            v[started++] = (struct report_value){ first_wait(m, j), i };
    }
    report_metrics_put_cluster(m, "large.count", count);
    if (count)
        report_metrics_put_cluster(m, "large.success", (double)good / count);
    report_values_sort(v, started);
    put_values(m, &large_names, "cluster", "", v, started);
}

static void put_counts(struct report_metrics *m, const struct report_log *log)
{
    uint32_t state[REPORT_STATES] = { 0 };
    uint32_t services = 0, all = 0;

    for (uint32_t i = 0; i < log->job_count; i++) {
        const struct report_job *j = &log->job[i];

        if (!report_metrics_has_job(m, log, i))
            continue;
        all++;
        state[j->state]++;
        services += j->state == REPORT_RUNNING && is_service(m, i);
    }
    report_metrics_put_cluster(m, "jobs.total", all);
    report_metrics_put_cluster(m, "jobs.done", state[REPORT_DONE]);
    report_metrics_put_cluster(m, "jobs.failed", state[REPORT_FAILED]);
    report_metrics_put_cluster(m, "jobs.rejected", state[REPORT_REJECTED]);
    report_metrics_put_cluster(m, "jobs.unfinished",
                               state[REPORT_PENDING] + state[REPORT_PARTLY]
                                   + state[REPORT_RUNNING] - services);
    report_metrics_put_cluster(m, "jobs.services", services);
}

static void put_tiers(struct report_metrics *m, const struct report_log *log,
                      struct gs_arena *arena)
{
    static const char prefix[] = "placement.tier_share.";
    uint32_t at[TOPO_TIERS_MAX + 2] = { 0 };
    uint32_t all = 0;

    for (uint32_t i = 0; i < log->job_count; i++) {
        if (log->job[i].start >= 0 && report_metrics_has_job(m, log, i)
            && trace_job_gpu_milli(m->work, i) > TOPO_SHARE_ONE) {
            at[log->job[i].level]++;
            all++;
        }
    }
    for (uint32_t l = m->topo->tier_count + 2; all && l-- > 0;) {
        const char *tier = topo_level_name(m->topo, l);
        char *name = gs_arena_alloc(arena, sizeof(prefix) + strlen(tier), 1);

        strcat(strcpy(name, prefix), tier);
        report_metrics_put_cluster(m, name, (double)at[l] / all);
    }
}

void report_metrics_speed_most(struct report_metrics *m, uint32_t millionths)
{
    assert(millionths > 0);
    m->speed_most = millionths;
}

/* --- the whole run ---------------------------------------------------------- */

static void put_integrals(struct report_metrics *m,
                          const struct report_window *w)
{
    const double span = (double)(w->to - w->from);
    /* The GPU time that was there. */
    const double all = (double)m->topo->gpu_count * 1000 * span
                       - (double)m->out;

    report_metrics_put_cluster(m, "frag.blocked",
                               share((double)m->blocked, span));
    if (m->topo->gpu_count == 0)
        return;
    report_metrics_put_cluster(m, "gpu.allocated",
                               share((double)m->allocated, all));
    report_metrics_put_cluster(m, "gpu.busy", share((double)m->busy, all));
    report_metrics_put_cluster(m, "gpu.hoarded",
                               share((double)m->hoarded, all));
    report_metrics_put_cluster(m, "frag.node_share",
                               share(m->node_share, span));
    report_metrics_put_cluster(m, "frag.free_share",
                               share(m->free_share, span));
    report_metrics_put_cluster(m, "frag.capacity_share",
                               share(m->capacity_share, span));
    report_metrics_put_cluster(m, "frag.demand", share(m->demand, span));
    report_metrics_put_cluster(m, "frag.largest_gang",
                               share(m->largest_gang, span));
}

/* Episodes that the window has a part of.  One without an end lasts to the
 * end of the window; whether it is endless, or was only cut, the log knows.
 */
static void put_deadlocks(struct report_metrics *m,
                          const struct report_log *log,
                          const struct report_window *w)
{
    uint8_t *seen = gs_array_new(log->job_count, 1);
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
    report_metrics_put_cluster(m, "deadlock.endless", endless);
    report_metrics_put_cluster(m, "deadlock.episodes", episodes);
    report_metrics_put_cluster(m, "deadlock.jobs", jobs);
    report_metrics_put_cluster(m, "deadlock.seconds", (double)us / 1e6);
    report_metrics_put_cluster(m, "deadlock.gpu_hours",
                               (double)m->deadlocked / 1000 / 1e6 / 3600);
    if (first >= 0)
        report_metrics_put_cluster(m, "deadlock.first_at", (double)first / 1e6);
    gs_array_free(seen);
}

static void put_makespan(struct report_metrics *m, const struct report_log *log)
{
    const double bound = report_bound_makespan(m->topo, m->work, log,
                                               &m->window, m->speed_most);
    int64_t first = -1, last = -1;
    bool is_all_done = true; /* of what the bound is of */
    uint32_t done = 0;

    for (uint32_t i = 0; i < log->job_count; i++) {
        const struct report_job *j = &log->job[i];

        if (!report_metrics_has_job(m, log, i))
            continue;
        if (first < 0)
            first = last = m->work->job[i].submit;
        done += j->state == REPORT_DONE;
        if (j->state != REPORT_DONE && j->state != REPORT_REJECTED
            && !is_service(m, i))
            is_all_done = false;
        if (j->state != REPORT_REJECTED && j->end > last)
            last = j->end;
    }
    if (done)
        report_metrics_put_cluster(m, "makespan", (double)(last - first) / 1e6);
    if (done && last > first)
        report_metrics_put_cluster(m, "throughput.jobs_per_hour",
                                   done
                                       / ((double)(last - first) / 1e6 / 3600));
    if (bound >= 0)
        report_metrics_put_cluster(m, "bound.makespan", bound / 1e6);
    if (done && bound > 0 && is_all_done)
        report_metrics_put_cluster(m, "makespan.over_bound",
                                   (double)(last - first) / bound);
}

const struct report_metric *report_metrics_rows(struct report_metrics *m,
                                                const struct report_log *log,
                                                uint32_t large,
                                                struct gs_arena *arena,
                                                uint32_t *count)
{
    const struct report_gpu_time gpu = { m->allocated, m->busy };
    const struct report_window w = report_window_closed(&m->window, log->end);
    struct report_value *v = gs_array_new(log->job_count, sizeof(*v));

    assert(m);
    m->count = 0;
    put_counts(m, log);
    put_waits(m, log, v);
    report_causes_put(m, log);
    put_completions(m, log, v);
    put_integrals(m, &w);
    report_evictions_put(m, log, &gpu);
    report_speed_put(m, log, &w);
    report_outages_put(m->outages, m, log);
    report_services_put(m, log, &w, m->work);
    report_fairness_put(m->fairness, m);
    put_deadlocks(m, log, &w);
    put_large(m, log, large, v);
    put_tiers(m, log, arena);
    put_makespan(m, log);
    gs_array_free(v);
    *count = m->count;
    return gs_arena_memdup(arena, m->row, m->count * sizeof(*m->row));
}
