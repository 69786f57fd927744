/* reports/measure/job_metrics.c - distributions over the jobs of a run. */
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
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
                       const struct report_value *v, uint32_t count)
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

/* Add the waits of each part of the jobs; sorted values are distributed, so
 * each part is sorted.
 */
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
        put_values(m, METRIC_WAIT, false, scope, label[p], out + from,
                   at[p] - from);
    gs_array_free(out);
    gs_array_free(at);
}

static void put_waits_by_scheduler(struct report_metrics *m,
                                   const struct report_log *log,
                                   const struct report_value *v, uint32_t count)
{
    uint32_t *part = gs_array_new(log->job_count, sizeof(*part));
    const char **label = gs_array_new(log->scheduler_count, sizeof(*label));

    for (uint32_t k = 0; k < log->scheduler_count; k++)
        label[k] = gs_arena_strndup(m->arena, log->scheduler[k],
                                    strlen(log->scheduler[k]));
    for (uint32_t i = 0; i < count; i++) {
        const char *name = report_log_job(log, v[i].job).scheduler;

        while (log->scheduler[part[v[i].job]] != name)
            part[v[i].job]++;
    }
    put_parts(m, "scheduler", v, count, part, log->scheduler_count, label);
    gs_array_free(part);
    gs_array_free(label);
}

/* The QOS levels that the trace defines, in their order, then the others. */
static void put_waits_by_qos(struct report_metrics *m,
                             const struct report_value *v, uint32_t count)
{
    const struct trace_workload *w = m->work;
    const uint32_t levels = w->qos_count;
    uint32_t *part = gs_array_new(w->job_count, sizeof(*part));
    const char **label = gs_array_new(levels + 1, sizeof(*label));

    for (uint32_t q = 0; q < levels; q++)
        label[q] = gs_strtab_str(w->names, w->qos[q].name);
    label[levels] = "none";
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t q = trace_qos_find(w, w->job[v[i].job].aside->qos);

        part[v[i].job] = q < levels ? q : levels;
    }
    put_parts(m, "qos", v, count, part, levels + 1, label);
    gs_array_free(part);
    gs_array_free(label);
}

static void put_waits_by_part(struct report_metrics *m,
                              const struct report_value *v, uint32_t count)
{
    const struct trace_workload *w = m->work;
    uint32_t *part = gs_array_new(w->job_count, sizeof(*part));
    const char **label = gs_array_new(w->queue_count + REPORT_SIZES,
                                      sizeof(*label));

    for (uint32_t i = 0; i < w->queue_count; i++)
        label[i] = gs_strtab_str(w->names, w->queue[i].name);
    for (uint32_t i = 0; i < w->job_count; i++)
        part[i] = w->job[i].queue;
    if (w->queue_count <= REPORT_QUEUES_MAX)
        put_parts(m, "queue", v, count, part, w->queue_count, label);
    for (uint32_t i = 0; i < REPORT_SIZES; i++)
        label[i] = sizes[i].name;
    for (uint32_t i = 0; i < w->job_count; i++)
        part[i] = report_size_of(trace_job_gpu_milli(w, i));
    put_parts(m, "size", v, count, part, REPORT_SIZES, label);
    gs_array_free(part);
    gs_array_free(label);
}

/* --- jobs ----------------------------------------------------------------- */

/* Until its first start. */
static uint64_t first_wait(const struct report_metrics *m,
                           const struct report_log *log,
                           const struct report_job *j)
{
    return (uint64_t)(j->start - report_eligible(m, log, j->job));
}

/* Waiting time of the job until its end or that of the run. */
static uint64_t wait_of(const struct report_metrics *m,
                        const struct report_log *log, uint32_t job)
{
    const struct report_job j = report_log_job(log, job);
    const int64_t end = j.end < 0 ? log->end : j.end;

    return (uint64_t)(end - report_eligible(m, log, job) - j.ran);
}

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
    struct report_value *v = gs_array_new(log->job_count, sizeof(*v));
    uint32_t started = 0, waiting = 0;
    wide so_far = 0;

    for (uint32_t i = 0; i < log->job_count; i++) {
        const struct report_job j = report_log_job(log, i);
        const int64_t submit = report_eligible(m, log, i);

        if (!report_metrics_has_submission(m, log, i))
            continue;
        if (j.start >= 0)
            v[started++] = (struct report_value){ first_wait(m, log, &j), i };
        else if (j.state < REPORT_DONE) {
            so_far += (uint64_t)(log->end - submit);
            waiting++;
        }
    }
    report_values_sort(v, started);
    put_values(m, METRIC_WAIT_FIRST, false, "cluster", "", v, started);
    if (log->eviction_count) {
        for (uint32_t k = 0; k < started; k++)
            v[k].value = wait_of(m, log, v[k].job);
        report_values_sort(v, started);
    }
    put_values(m, METRIC_WAIT, true, "cluster", "", v, started);
    report_metrics_put_cluster(m, METRIC_WAIT_UNFINISHED_COUNT, waiting);
    if (waiting)
        report_metrics_put_cluster(m, METRIC_WAIT_UNFINISHED_MEAN,
                                   (double)so_far / 1e6 / waiting);
    put_waits_by_part(m, v, started);
    if (log->scheduler_count)
        put_waits_by_scheduler(m, log, v, started);
    if (m->work->qos_count && m->work->qos_count <= REPORT_QUEUES_MAX)
        put_waits_by_qos(m, v, started);
    gs_array_free(v);
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

void report_completions_put(struct report_metrics *m,
                            const struct report_log *log)
{
    struct report_value *v = gs_array_new(log->job_count, sizeof(*v));
    uint32_t n = 0;

    for (uint32_t i = 0; i < log->job_count; i++) {
        const struct report_job j = report_log_job(log, i);

        if (j.state == REPORT_DONE && report_metrics_has_submission(m, log, i))
            v[n++] = (struct report_value){
                (uint64_t)(j.end - report_eligible(m, log, i)), i
            };
    }
    report_values_sort(v, n);
    put_values(m, METRIC_JCT, true, "cluster", "", v, n);
    for (uint32_t k = 0; k < n; k++)
        v[k].value = slowdown_of(m, log, v[k].job);
    report_values_sort(v, n);
    put_values(m, METRIC_SLOWDOWN, true, "cluster", "", v, n);
    gs_array_free(v);
}

void report_large_put(struct report_metrics *m, const struct report_log *log,
                      uint32_t large)
{
    struct report_value *v = gs_array_new(log->job_count, sizeof(*v));
    uint32_t count = 0, started = 0, good = 0;

    for (uint32_t i = 0; i < log->job_count; i++) {
        const struct report_job j = report_log_job(log, i);

        if (trace_job_gpu_milli(m->work, i) < (int64_t)large * TOPO_SHARE_ONE
            || !report_metrics_has_job(m, log, i))
            continue;
        count++;
        good += j.state == REPORT_DONE
                || (j.state == REPORT_RUNNING
                    && report_metrics_is_service(m, i));
        if (j.start >= 0 && report_metrics_has_submission(m, log, i))
            v[started++] = (struct report_value){ first_wait(m, log, &j), i };
    }
    report_metrics_put_cluster(m, METRIC_LARGE_COUNT, count);
    if (count)
        report_metrics_put_cluster(m, METRIC_LARGE_SUCCESS,
                                   (double)good / count);
    report_values_sort(v, started);
    put_values(m, METRIC_LARGE_START_DELAY, false, "cluster", "", v, started);
    gs_array_free(v);
}
