/* reports/measure/metrics_private.h - what the files that make metrics share. */
#ifndef REPORTS_MEASURE_METRICS_PRIVATE_H
#define REPORTS_MEASURE_METRICS_PRIVATE_H

#include "reports/measure/metrics.h"

#define REPORT_QUEUES_MAX 1000u /* told of one by one */

/* Thousandths of GPUs x microseconds outgrow 64 bits. */
__extension__ typedef unsigned __int128 report_wide;

/* Add a row; the texts must live as long as it does. */
void report_metrics_put(struct report_metrics *m, const char *name,
                        const char *scope, const char *label, double value);
void report_metrics_put_cluster(struct report_metrics *m, const char *name,
                                double value);

/* Was the job submitted, and in the window? */
bool report_metrics_has_job(const struct report_metrics *m,
                            const struct report_log *log, uint32_t job);

/* --- causes.c ---------------------------------------------------------------- */

/* GPU time over a run, in thousandths x microseconds. */
struct report_gpu_time {
    report_wide allocated, busy;
};

/* wait.by_cause.* */
void report_causes_put(struct report_metrics *m, const struct report_log *log);
/* service.*, where jobs are withdrawn when they are not wanted any more */
void report_services_put(struct report_metrics *m, const struct report_log *log,
                         const struct report_window *window,
                         const struct trace_workload *w);
/* preempt.*, gang.timeouts, goodput */
void report_evictions_put(struct report_metrics *m,
                          const struct report_log *log,
                          const struct report_gpu_time *gpu);

/* --- speed_log.c ------------------------------------------------------------------ */

/* Put speed.*, if the log has run segments. */
void report_speed_put(struct report_metrics *m, const struct report_log *log,
                      const struct report_window *w);

#endif /* REPORTS_MEASURE_METRICS_PRIVATE_H */
