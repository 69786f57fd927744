/* reports/measure/metrics.c - integrals over time, and the rows of all metrics.
 */
#include "reports/measure/metrics.h"

#include <assert.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/worker.h"
#include "reports/glossary/metric_names.h"
#include "reports/measure/broken_domains.h"
#include "reports/measure/fairness.h"
#include "reports/measure/fragmentation_log.h"
#include "reports/measure/metrics_private.h"
#include "reports/measure/outages.h"
#include "topology/cluster.h"
#include "topology/task_mix.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"
#include "traces/workload/workload_mix.h"

#define ROWS_MAX 100000u
#define MANY_JOBS 100000u /* from which bounds have a thread of their own */
#define MIX_HOUR (INT64_C(3600) * 1000000)

typedef report_wide wide;

/* --- over time ------------------------------------------------------------ */

static double share(double part, double all)
{
    return all > 0 ? part / all : 0;
}

/* Share of the free GPUs that gangs of whole nodes could get; 1 when nothing is
 * free.
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
    for (int why = 0; why < REPORT_FREE_REASONS; why++)
        m->free[why] += (wide)m->now.free_milli[why] * dt;
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
    value[REPORT_LARGEST_GANG] = gang_share(m);
    for (int k = REPORT_NODE_SHARE; k < REPORT_SERIES; k++)
        m->shares[k] += value[k] * (double)dt;
    report_samples_add(&m->samples, us, value);
}

/* Update the mix of a window.  Jobs are sorted by submit time, so the window is
 * a range of them that moves forward.  A new mix is made at most once per hour
 * of the run; while the window has no jobs the last mix is kept.
 */
static void mix_follow(struct report_metrics *m, int64_t now)
{
    const struct trace_job *job = m->work->job;
    uint32_t first = m->mix_first, end = m->mix_end;
    struct topo_mix *old = m->own_mix;

    if (now < m->mix_due)
        return;
    while (end < m->work->job_count && job[end].submit <= now)
        end++;
    while (first < end && job[first].submit <= now - m->mix_span)
        first++;
    if (first == end || (first == m->mix_first && end == m->mix_end))
        return;
    m->mix_first = first;
    m->mix_end = end;
    m->mix_due = now + MIX_HOUR;
    m->own_mix = trace_workload_mix(m->work, m->topo, TRACE_MIX_FULL, first,
                                    end);
    report_fragments_mix_set(m->fragments, m->own_mix);
    topo_mix_destroy(old);
}

static void on_instant(void *self, int64_t now, const struct report_instant *i)
{
    struct report_metrics *m = self;

    advance(m, now);
    m->now = *i;
    m->totals = *topo_cluster_totals(i->cluster);
    if (m->fragments && m->mix_span)
        mix_follow(m, now);
    if (m->fragments)
        report_fragments_update(m->fragments, i->cluster);
    report_fairness_instant(m->fairness, now, i);
}

/* Fragments count from the instant on. */
static void span_count(struct report_metrics *m, int64_t now, uint32_t node,
                       int64_t tasks)
{
    if (m->fragments)
        report_fragments_touch(m->fragments, node);
    if (m->broken)
        report_broken_tasks(m->broken, now, node, tasks);
}

static void on_placed(void *self, int64_t now,
                      const struct report_allocation *s)
{
    span_count(self, now, s->node, s->tasks);
}

static void on_released(void *self, int64_t now,
                        const struct report_allocation *s)
{
    span_count(self, now, s->node, -(int64_t)s->tasks);
}

static void on_node(void *self, int64_t now, const struct report_node *n)
{
    struct report_metrics *m = self;

    report_outages_node(m->outages, now, n);
    if (m->broken)
        report_broken_node(m->broken, now, n);
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
}

const struct report_window *report_metrics_window(
    const struct report_metrics *m)
{
    return &m->window;
}

struct report_metrics *report_metrics_create(const struct topo *t,
                                             const struct trace_workload *w,
                                             struct topo_mix *mix)
{
    struct report_metrics *m = gs_array_new(1, sizeof(*m));

    assert(t);
    m->observer = (struct report_observer){ .self = m,
                                            .instant = on_instant,
                                            .placed = on_placed,
                                            .released = on_released,
                                            .node = on_node,
                                            .finished = on_finished };
    m->topo = t;
    m->work = w;
    m->speed_most = 1000000;
    m->totals.gpu_milli = m->totals.gpu_free_milli = (int64_t)t->gpu_count
                                                     * TOPO_SHARE_ONE;
    report_samples_init(&m->samples);
    m->fairness = report_fairness_create(t, w, &m->window);
    m->outages = report_outages_create(t, &m->window);
    m->broken = report_broken_create(t, &m->window);
    report_metrics_measure(m, &REPORT_WINDOW_WHOLE);
    if (t->gpu_count == 0)
        return m;
    if (!mix)
        mix = m->own_mix = trace_mix_create(w, t, TRACE_MIX_FULL);
    m->fragments = report_fragments_create(t, mix);
    return m;
}

struct report_metrics *report_metrics_create_window(
    const struct topo *t, const struct trace_workload *w, int64_t span)
{
    struct topo_mix *none = topo_mix_create(t, NULL, 0);
    struct report_metrics *m = report_metrics_create(t, w, none);

    m->own_mix = none;
    m->mix_span = span;
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
    report_broken_destroy(m->broken);
    topo_mix_destroy(m->own_mix);
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

void report_metrics_speed_most(struct report_metrics *m, uint32_t millionths)
{
    assert(millionths > 0);
    m->speed_most = millionths;
}

/* --- rows ----------------------------------------------------------------- */

void report_metrics_put(struct report_metrics *m, const char *name,
                        const char *scope, const char *label, double value)
{
    const struct report_metric_info *info = report_glossary_find(name);

    assert(info);
    if (m->count == ROWS_MAX)
        return;
    m->row = gs_array_grow(m->row, &m->cap, m->count + 1, sizeof(*m->row));
    m->row[m->count++] = (struct report_metric){ .name = name,
                                                 .scope = scope,
                                                 .label = label,
                                                 .unit = info->unit,
                                                 .value = value };
}

void report_metrics_put_cluster(struct report_metrics *m, const char *name,
                                double value)
{
    report_metrics_put(m, name, "cluster", "", value);
}

static void put_integrals(struct report_metrics *m)
{
    const double span = (double)(m->measured.to - m->measured.from);
    /* The available GPU time. */
    const double all = (double)m->topo->gpu_count * 1000 * span
                       - (double)m->out;
    const struct {
        const char *name;
        double part, whole;
    } rows[] = {
        { METRIC_GPU_ALLOCATED, (double)m->allocated, all },
        { METRIC_GPU_BUSY, (double)m->busy, all },
        { METRIC_GPU_HOARDED, (double)m->hoarded, all },
        { METRIC_FRAG_NODE_SHARE, m->shares[REPORT_NODE_SHARE], span },
        { METRIC_FRAG_FREE_SHARE, m->shares[REPORT_FREE_SHARE], span },
        { METRIC_FRAG_CAPACITY_SHARE, m->shares[REPORT_CAPACITY_SHARE], span },
        { METRIC_FRAG_DEMAND, m->shares[REPORT_DEMAND], span },
        { METRIC_FRAG_LARGEST_GANG, m->shares[REPORT_LARGEST_GANG], span },
    };

    report_metrics_put_cluster(m, METRIC_FRAG_BLOCKED,
                               share((double)m->blocked, span));
    if (m->topo->gpu_count == 0)
        return;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        report_metrics_put_cluster(m, rows[i].name,
                                   share(rows[i].part, rows[i].whole));
}

/* What bounds follow from, for the other thread: it writes bounds only. */
struct bounding {
    struct report_metrics *m;
    const struct report_log *log;
};

static void bounds_take(void *ctx, void *block)
{
    const struct bounding *b = block;

    (void)ctx;
    report_bounds_find(b->m, b->log);
}

/* Start to find the bounds of a run of many jobs; else find them (NULL). */
static struct gs_worker *bounds_start(struct bounding *b)
{
    struct gs_worker *w;

    if (b->log->job_count < MANY_JOBS) {
        report_bounds_find(b->m, b->log);
        return NULL;
    }
    w = gs_worker_start(1, bounds_take, NULL);
    gs_worker_give(w, b);
    return w;
}

const struct report_metric *report_metrics_rows(struct report_metrics *m,
                                                const struct report_log *log,
                                                uint32_t large,
                                                struct gs_arena *arena,
                                                uint32_t *count)
{
    struct bounding bounding = { m, log };
    struct gs_worker *bounds;

    assert(m && log);
    m->count = 0;
    m->arena = arena;
    m->measured = report_window_closed(&m->window, log->end);
    bounds = bounds_start(&bounding);
    report_gpu_time_put(m, log);
    report_counts_put(m, log);
    report_waits_put(m, log);
    report_completions_put(m, log);
    put_integrals(m);
    if (m->broken)
        report_broken_put(m->broken, m, log->end);
    report_evictions_put(m, log);
    report_schedulers_put(m, log);
    report_speed_put(m, log);
    report_outages_put(m->outages, m, log);
    report_services_put(m, log);
    report_fairness_put(m->fairness, m);
    report_deadlocks_put(m, log);
    report_large_put(m, log, large);
    report_tiers_put(m, log);
    gs_worker_finish(bounds);
    report_makespan_put(m, log);
    report_bounds_put(m);
    *count = m->count;
    return gs_arena_memdup(arena, m->row, m->count * sizeof(*m->row));
}
