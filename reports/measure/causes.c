/* reports/measure/causes.c - metrics of why jobs waited, and of what was taken away. */
#include "base/array.h"
#include "reports/glossary/cause_info.h"
#include "reports/measure/metrics_private.h"
#include "traces/workload/workload.h"

#define US_PER_HOUR 3.6e9

void report_causes_put(struct report_metrics *m, const struct report_log *log)
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

void report_services_put(struct report_metrics *m, const struct report_log *log,
                         const struct report_window *window,
                         const struct trace_workload *w)
{
    double wanted = 0, served = 0; /* jobs x us: whole numbers, and then parts
                                      of jobs by their tasks */
    bool is_any = false;

    for (uint32_t i = 0; i < w->job_count; i++) {
        const struct trace_job *j = &w->job[i];
        const int64_t end = j->duration < INT64_MAX - j->submit
                                ? j->submit + j->duration
                                : INT64_MAX;

        is_any |= j->withdraws;
        if (j->withdraws)
            wanted += (double)report_window_overlap(window, j->submit, end);
    }
    for (uint32_t i = 0; is_any && i < log->placement_count; i++) {
        const struct report_placement *p = &log->placement[i];
        const int64_t end = p->end < 0 ? log->end : p->end;

        if (w->job[p->job].withdraws)
            served += (double)report_window_overlap(window, p->start, end)
                      * p->tasks / w->job[p->job].tasks;
    }
    if (!is_any)
        return;
    report_metrics_put_cluster(m, "service.wanted_hours", wanted / US_PER_HOUR);
    report_metrics_put_cluster(m, "service.unserved_hours",
                               wanted > served ? (wanted - served) / US_PER_HOUR
                                               : 0);
}

void report_evictions_put(struct report_metrics *m,
                          const struct report_log *log,
                          const struct report_gpu_time *gpu)
{
    const struct report_window *w = report_metrics_window(m);
    uint8_t *seen = gs_array_new(log->job_count, 1);
    uint32_t kind[REPORT_EVICTION_KINDS] = { 0 }, jobs = 0;
    report_wide taken = 0, lost = 0; /* GPUs x us */

    for (uint32_t i = 0; i < log->eviction_count; i++) {
        const struct report_eviction *e = &log->eviction[i].what;

        if (!report_window_has(w, log->eviction[i].at))
            continue;
        kind[e->kind]++;
        lost += (uint64_t)e->lost_gpu_us;
        if (e->kind == REPORT_TIMEOUT || e->kind == REPORT_LOST)
            continue;
        jobs += !seen[e->job];
        seen[e->job] = 1;
        taken += (uint64_t)e->lost_gpu_us;
    }
    report_metrics_put_cluster(m, "preempt.count",
                               kind[REPORT_PREEMPT] + kind[REPORT_RECLAIM]);
    report_metrics_put_cluster(m, "preempt.jobs", jobs);
    report_metrics_put_cluster(m, "preempt.lost_gpu_hours",
                               (double)taken / US_PER_HOUR);
    report_metrics_put_cluster(m, "gang.timeouts", kind[REPORT_TIMEOUT]);
    lost *= 1000; /* thousandths */
    if (gpu->allocated)
        report_metrics_put_cluster(m, "goodput",
                                   gpu->busy > lost
                                       ? (double)(gpu->busy - lost)
                                             / (double)gpu->allocated
                                       : 0);
    gs_array_free(seen);
}
