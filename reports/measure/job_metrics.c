/* reports/measure/job_metrics.c - distributions over the jobs of a run. */
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/far.h"
#include "base/strtab.h"
#include "reports/glossary/cause_info.h"
#include "reports/glossary/metric_names.h"
#include "reports/measure/metrics_private.h"
#include "reports/measure/quantiles.h"
#include "topology/topology.h"
#include "traces/workload/accounts.h"
#include "traces/workload/workload.h"

#define SLOWDOWN_LEAST UINT64_C(10000000) /* us; least duration in slowdowns */

typedef report_wide wide;

/* Put "FAMILY.mean", ".p50" ... of sorted values, which are in millionths;
 * p90 and p99 only if `is_full`.
 */
static void put_values(struct report_metrics *m, const char *family,
                       bool is_full, const char *scope, const char *label,
                       const uint64_t *v, uint32_t count)
{
    static const struct {
        const char *name;
        uint32_t percent;
        bool is_full;
    } ranks[] = {
        { "p50", 50, false }, { "p90", 90, true },   { "p95", 95, false },
        { "p99", 99, true },  { "max", 100, false },
    };

    if (count == 0)
        return;
    report_metrics_put(m, gs_arena_printf(m->arena, "%smean", family), scope,
                       label, report_values_mean(v, count) / 1e6);
    for (size_t i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++) {
        if (is_full || !ranks[i].is_full)
            report_metrics_put(
                m, gs_arena_printf(m->arena, "%s%s", family, ranks[i].name),
                scope, label,
                (double)report_values_percentile(v, count, ranks[i].percent)
                    / 1e6);
    }
}

/* --- parts of the jobs ---------------------------------------------------- */

static const struct size_class {
    const char *name;
    int64_t least; /* GPU thousandths */
} sizes[REPORT_SIZES] = {
    { "CPU only", 0 },   { "share", 1 },     { "1", 1000 },
    { "2-7", 1001 },     { "8", 8000 },      { "9-64", 8001 },
    { "65-511", 64001 }, { "512+", 512000 },
};

uint32_t report_size_of(int64_t milli)
{
    uint32_t i = REPORT_SIZES - 1;

    while (i > 0 && milli < sizes[i].least)
        i--;
    return i;
}

const char *report_size_name(uint32_t size)
{
    return sizes[size].name;
}

/* --- waits ---------------------------------------------------------------- */

/* Metrics of waits are of jobs that started. */
static bool has_waited(const struct report_metrics *m,
                       const struct report_log *log, uint32_t job)
{
    return report_log_job(log, job).start >= 0
           && report_metrics_has_submission(m, log, job);
}

/* Until its first start. */
static uint64_t first_wait(const struct report_metrics *m,
                           const struct report_log *log, uint32_t job)
{
    return (uint64_t)(report_log_job(log, job).start
                      - report_eligible(m, log, job));
}

/* Waiting time of the job until its end or that of the run. */
static uint64_t wait_of(const struct report_metrics *m,
                        const struct report_log *log, uint32_t job)
{
    const struct report_job j = report_log_job(log, job);
    const int64_t end = j.end < 0 ? log->end : j.end;

    if (log->eviction_count == 0)
        return first_wait(m, log, job);
    return (uint64_t)(end - report_eligible(m, log, job) - j.ran);
}

/* --- waits of parts of the jobs ------------------------------------------- */

/* The part of the jobs that it belongs to. */
typedef uint32_t part_fn(const struct report_metrics *m,
                         const struct report_log *log, uint32_t job);

/* Add the waits of each part of the jobs. */
static void put_parts(struct report_metrics *m, const struct report_log *log,
                      const char *scope, part_fn *part_of, uint32_t parts,
                      const char *const *label)
{
    uint32_t *at = gs_array_new((size_t)parts + 1, sizeof(*at));
    uint64_t *v;

    for (uint32_t i = 0; i < log->job_count; i++) {
        if (has_waited(m, log, i))
            at[part_of(m, log, i) + 1]++;
    }
    for (uint32_t p = 0; p < parts; p++)
        at[p + 1] += at[p];
    v = gs_far_new(m->work->far, at[parts], sizeof(*v));
    for (uint32_t i = 0; i < log->job_count; i++) {
        if (has_waited(m, log, i))
            v[at[part_of(m, log, i)]++] = wait_of(m, log, i);
    }
    for (uint32_t p = 0, from = 0; p < parts; from = at[p++]) {
        report_values_sort(v + from, at[p] - from, m->work->far);
        put_values(m, METRIC_WAIT, false, scope, label[p], v + from,
                   at[p] - from);
    }
    gs_far_free(m->work->far, v);
    gs_array_free(at);
}

static uint32_t scheduler_of(const struct report_metrics *m,
                             const struct report_log *log, uint32_t job)
{
    const char *name = report_log_job(log, job).scheduler;
    uint32_t k = 0;

    (void)m;
    while (k + 1 < log->scheduler_count && log->scheduler[k] != name)
        k++;
    return k;
}

static void put_waits_by_scheduler(struct report_metrics *m,
                                   const struct report_log *log)
{
    const char **label = gs_array_new(log->scheduler_count, sizeof(*label));

    for (uint32_t k = 0; k < log->scheduler_count; k++)
        label[k] = gs_arena_strndup(m->arena, log->scheduler[k],
                                    strlen(log->scheduler[k]));
    put_parts(m, log, "scheduler", scheduler_of, log->scheduler_count, label);
    gs_array_free(label);
}

static uint32_t qos_of(const struct report_metrics *m,
                       const struct report_log *log, uint32_t job)
{
    const uint32_t q = trace_qos_find(m->work, m->work->job[job].aside->qos);

    (void)log;
    return q < m->work->accounts->qos_count ? q : m->work->accounts->qos_count;
}

/* The QOS levels that the trace defines, in their order, then the others. */
static void put_waits_by_qos(struct report_metrics *m,
                             const struct report_log *log)
{
    const struct trace_workload *w = m->work;
    const uint32_t levels = w->accounts->qos_count;
    const char **label = gs_array_new((size_t)levels + 1, sizeof(*label));

    for (uint32_t q = 0; q < levels; q++)
        label[q] = gs_strtab_str(w->names, w->accounts->qos[q].name);
    label[levels] = "none";
    put_parts(m, log, "qos", qos_of, levels + 1, label);
    gs_array_free(label);
}

static uint32_t queue_of(const struct report_metrics *m,
                         const struct report_log *log, uint32_t job)
{
    (void)log;
    return m->work->job[job].queue;
}

static uint32_t size_of(const struct report_metrics *m,
                        const struct report_log *log, uint32_t job)
{
    (void)log;
    return report_size_of(trace_job_gpu_milli(m->work, job));
}

static void put_waits_by_part(struct report_metrics *m,
                              const struct report_log *log)
{
    const struct trace_workload *w = m->work;
    const char **label = gs_array_new(w->queue_count + REPORT_SIZES,
                                      sizeof(*label));

    for (uint32_t i = 0; i < w->queue_count; i++)
        label[i] = gs_strtab_str(w->names, w->queue[i].name);
    if (w->queue_count <= REPORT_QUEUES_MAX)
        put_parts(m, log, "queue", queue_of, w->queue_count, label);
    for (uint32_t i = 0; i < REPORT_SIZES; i++)
        label[i] = sizes[i].name;
    put_parts(m, log, "size", size_of, REPORT_SIZES, label);
    gs_array_free(label);
}

/* --- all jobs ------------------------------------------------------------- */

static void put_causes(struct report_metrics *m, const struct report_log *log)
{
    report_wide us[REPORT_CAUSES] = { 0 };

    if (!log->has_waits)
        return;
    for (uint32_t i = 0; i < log->wait_count; i++) {
        if (report_metrics_has_job(m, log, log->wait[i].job))
            us[log->wait[i].cause] += (uint64_t)log->wait[i].us;
    }
    for (int c = 0; c < REPORT_CAUSES; c++) {
        const char *name = report_cause_info((enum report_cause)c)->metric;

        if (name)
            report_metrics_put_cluster(m, name, (double)us[c] / 1e6);
    }
}

void report_waits_put(struct report_metrics *m, const struct report_log *log)
{
    uint64_t *v = gs_far_new(m->work->far, log->job_count, sizeof(*v));
    uint32_t started = 0, waiting = 0;
    wide so_far = 0;

    for (uint32_t i = 0; i < log->job_count; i++) {
        const struct report_job j = report_log_job(log, i);

        if (has_waited(m, log, i))
            v[started++] = first_wait(m, log, i);
        else if (j.start < 0 && j.state < REPORT_DONE
                 && report_metrics_has_submission(m, log, i)) {
            so_far += (uint64_t)(log->end - report_eligible(m, log, i));
            waiting++;
        }
    }
    report_values_sort(v, started, m->work->far);
    put_values(m, METRIC_WAIT_FIRST, false, "cluster", "", v, started);
    if (log->eviction_count) {
        started = 0;
        for (uint32_t i = 0; i < log->job_count; i++) {
            if (has_waited(m, log, i))
                v[started++] = wait_of(m, log, i);
        }
        report_values_sort(v, started, m->work->far);
    }
    put_values(m, METRIC_WAIT, true, "cluster", "", v, started);
    gs_far_free(m->work->far, v);
    report_metrics_put_cluster(m, METRIC_WAIT_UNFINISHED_COUNT, waiting);
    if (waiting)
        report_metrics_put_cluster(m, METRIC_WAIT_UNFINISHED_MEAN,
                                   (double)so_far / 1e6 / waiting);
    put_waits_by_part(m, log);
    if (log->scheduler_count)
        put_waits_by_scheduler(m, log);
    if (m->work->accounts->qos_count
        && m->work->accounts->qos_count <= REPORT_QUEUES_MAX)
        put_waits_by_qos(m, log);
    put_causes(m, log);
}

/* In millionths. */
static uint64_t slowdown_of(const struct report_metrics *m,
                            const struct report_log *log, uint32_t job)
{
    const struct report_job j = report_log_job(log, job);
    const uint64_t stay = (uint64_t)(j.end - report_eligible(m, log, job));
    const uint64_t work = (uint64_t)j.work;
    const uint64_t base = work > SLOWDOWN_LEAST ? work : SLOWDOWN_LEAST;
    const wide ratio = (wide)stay * 1000000 / base;

    return ratio < 1000000 ? 1000000 : (uint64_t)ratio;
}

/* Metrics of ends are of jobs that ended well. */
static bool has_completed(const struct report_metrics *m,
                          const struct report_log *log, uint32_t job)
{
    return report_log_job(log, job).state == REPORT_DONE
           && report_metrics_has_submission(m, log, job);
}

void report_completions_put(struct report_metrics *m,
                            const struct report_log *log)
{
    uint64_t *v = gs_far_new(m->work->far, log->job_count, sizeof(*v));
    uint32_t n = 0;

    for (uint32_t i = 0; i < log->job_count; i++) {
        if (has_completed(m, log, i))
            v[n++] = (uint64_t)(report_log_job(log, i).end
                                - report_eligible(m, log, i));
    }
    report_values_sort(v, n, m->work->far);
    put_values(m, METRIC_JCT, true, "cluster", "", v, n);
    n = 0;
    for (uint32_t i = 0; i < log->job_count; i++) {
        if (has_completed(m, log, i))
            v[n++] = slowdown_of(m, log, i);
    }
    report_values_sort(v, n, m->work->far);
    put_values(m, METRIC_SLOWDOWN, true, "cluster", "", v, n);
    gs_far_free(m->work->far, v);
}

void report_large_put(struct report_metrics *m, const struct report_log *log,
                      uint32_t large)
{
    uint64_t *v = NULL;
    uint32_t cap = 0, count = 0, started = 0, good = 0;

    for (uint32_t i = 0; i < log->job_count; i++) {
        const struct report_job j = report_log_job(log, i);

        if (trace_job_gpu_milli(m->work, i) < (int64_t)large * TOPO_SHARE_ONE
            || !report_metrics_has_job(m, log, i))
            continue;
        count++;
        good += j.state == REPORT_DONE
                || (j.state == REPORT_RUNNING
                    && report_metrics_is_service(m, i));
        if (!has_waited(m, log, i))
            continue;
        v = gs_far_grow(m->work->far, v, &cap, started + 1, sizeof(*v));
        v[started++] = first_wait(m, log, i);
    }
    report_metrics_put_cluster(m, METRIC_LARGE_COUNT, count);
    if (count)
        report_metrics_put_cluster(m, METRIC_LARGE_SUCCESS,
                                   (double)good / count);
    report_values_sort(v, started, m->work->far);
    put_values(m, METRIC_LARGE_START_DELAY, false, "cluster", "", v, started);
    gs_far_free(m->work->far, v);
}
