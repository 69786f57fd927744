/* reports/measure/metrics_private.h - state shared by the files that compute
 * metrics.
 */
#ifndef REPORTS_MEASURE_METRICS_PRIVATE_H
#define REPORTS_MEASURE_METRICS_PRIVATE_H

#include "reports/measure/bound.h"
#include "reports/measure/metrics.h"
#include "topology/cluster.h"

#define REPORT_US_PER_HOUR 3.6e9
#define REPORT_QUEUES_MAX 1000u /* most queues with rows of their own */

/* Thousandths of GPUs x microseconds need more than 64 bits. */
__extension__ typedef unsigned __int128 report_wide;

struct report_broken;
struct report_fairness;
struct report_fragments;
struct report_outages;

struct report_metrics {
    struct report_observer observer;
    const struct topo *topo;
    const struct trace_workload *work;
    struct report_samples samples;
    struct report_fairness *fairness;
    struct report_fragments *fragments; /* NULL: no GPUs */
    struct report_outages *outages;
    struct report_broken *broken; /* NULL: no tiers */
    struct topo_mix *own_mix;     /* NULL: the mix was given */
    int64_t mix_span, mix_due;    /* us; span 0: the mix does not change */
    uint32_t mix_first, mix_end;  /* jobs in the mix */
    struct report_window window;  /* window of all metrics */
    int64_t since;                /* us; since when the values below hold */
    struct topo_totals totals;
    struct report_instant now;
    uint32_t speed_most; /* millionths */
    /* thousandths x us; out: GPUs that were neither free nor held */
    report_wide allocated, busy, hoarded, deadlocked, out;
    report_wide free[REPORT_FREE_REASONS];
    int64_t blocked;              /* us */
    double shares[REPORT_SERIES]; /* x us, from REPORT_NODE_SHARE on */
    /* rows, computed after the run */
    double bound_makespan; /* us; -1: none */
    struct report_bound_waits bound_waits;
    struct report_window measured;
    struct gs_arena *arena; /* for their texts */
    struct report_metric *row;
    uint32_t count, cap;
};

/* Add a row; the texts must live as long as it does. */
void report_metrics_put(struct report_metrics *m, const char *name,
                        const char *scope, const char *label, double value);
void report_metrics_put_cluster(struct report_metrics *m, const char *name,
                                double value);

/* When the job began to wait: it was submitted, and its dependencies were met;
 * INT64_MAX: they were not.
 */
int64_t report_eligible(const struct report_metrics *m,
                        const struct report_log *log, uint32_t job);
/* Was the job submitted, and in the window? */
bool report_metrics_has_job(const struct report_metrics *m,
                            const struct report_log *log, uint32_t job);

/* ... and is its submission known?  It is not of a job that runs at time 0,
 * which has no place in the distribution of waits, completions and slowdowns.
 */
bool report_metrics_has_submission(const struct report_metrics *m,
                                   const struct report_log *log, uint32_t job);

/* True when the job has no end. */
bool report_metrics_is_service(const struct report_metrics *m, uint32_t job);

/* Each function adds the rows of its metrics. */

/* --- job_metrics.c: distributions over jobs ------------------------------- */

/* wait.* */
void report_waits_put(struct report_metrics *m, const struct report_log *log);
/* jct.*, slowdown.* */
void report_completions_put(struct report_metrics *m,
                            const struct report_log *log);
/* large.*: of jobs of at least `large` GPUs */
void report_large_put(struct report_metrics *m, const struct report_log *log,
                      uint32_t large);

/* --- gpu_time.c ----------------------------------------------------------- */

/* gpu_time.* */
void report_gpu_time_put(struct report_metrics *m,
                         const struct report_log *log);

/* --- run_metrics.c: counts and sums --------------------------------------- */

/* jobs.* */
void report_counts_put(struct report_metrics *m, const struct report_log *log);
/* preempt.*, gang.timeouts, goodput */
void report_evictions_put(struct report_metrics *m,
                          const struct report_log *log);
/* conflicts, and jobs by scheduler, if there are several */
void report_schedulers_put(struct report_metrics *m,
                           const struct report_log *log);
/* failure.* */
void report_failures_put(struct report_metrics *m,
                         const struct report_log *log);
/* speed.*, if the log has run segments */
void report_speed_put(struct report_metrics *m, const struct report_log *log);
/* service.*, when jobs are withdrawn at a stated time */
void report_services_put(struct report_metrics *m,
                         const struct report_log *log);
/* deadlock.* */
void report_deadlocks_put(struct report_metrics *m,
                          const struct report_log *log);
/* placement.tier_share.* */
void report_tiers_put(struct report_metrics *m, const struct report_log *log);
/* makespan, throughput, bound.makespan, makespan.over_bound */
void report_makespan_put(struct report_metrics *m,
                         const struct report_log *log);
/* bound.wait.mean, bound.jct.mean */
void report_bounds_put(struct report_metrics *m);

/* Find m->bound_makespan and m->bound_waits, which the two above need; reads
 * the log and what does not change after the run, and may be called beside
 * others.
 */
void report_bounds_find(struct report_metrics *m, const struct report_log *log);

#endif /* REPORTS_MEASURE_METRICS_PRIVATE_H */
