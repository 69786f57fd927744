/* reports/measure/metrics.h - the metrics of a run.
 *
 * The observer integrates time-weighted metrics exactly; distributions are
 * computed from the log after the run.
 */
#ifndef REPORTS_MEASURE_METRICS_H
#define REPORTS_MEASURE_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/glossary/glossary.h"
#include "reports/measure/log.h"
#include "reports/measure/samples.h"
#include "reports/measure/window.h"
#include "sim/replay/observer.h"

struct gs_arena;
struct topo;
struct topo_mix;
struct trace_workload;

#define REPORT_LARGE 64u /* GPUs of a large job */

struct report_metric {
    const char *name;  /* as in the glossary */
    const char *scope; /* "cluster", "queue", "size", "scheduler", "qos" */
    const char *label; /* of the queue, size class or scheduler; "" */
    enum report_unit unit;
    double value;
    bool has_gpu_us;
    int64_t gpu_us; /* the same in GPU microseconds */
};

/* Classes of jobs by all GPU thousandths that they ask for. */
#define REPORT_SIZES 8u
uint32_t report_size_of(int64_t milli);
const char *report_size_name(uint32_t size);

struct report_metrics; /* opaque */

/* Create.  Fragmentation is measured by `mix`, which must outlive it; NULL: by
 * the mix of the workload.
 */
struct report_metrics *report_metrics_create(const struct topo *t,
                                             const struct trace_workload *w,
                                             struct topo_mix *mix);
/* The same with a mix of the tasks submitted in the last `span` us. */
struct report_metrics *report_metrics_create_window(
    const struct topo *t, const struct trace_workload *w, int64_t span);
/* Before the run: measure in this window instead of the whole run. */
void report_metrics_measure(struct report_metrics *m,
                            const struct report_window_request *ask);
const struct report_window *report_metrics_window(
    const struct report_metrics *m);
void report_metrics_destroy(struct report_metrics *m); /* NULL is fine */

const struct report_observer *report_metrics_observer(
    const struct report_metrics *m);
const struct report_samples *report_metrics_samples(
    const struct report_metrics *m);

/* Set the upper bound of the speed of jobs under any policy, in millionths of
 * that of their node types; default 1,000,000.
 */
void report_metrics_speed_most(struct report_metrics *m, uint32_t millionths);

/* All metrics of the finished run, which `log` recorded, too; jobs of at least
 * `large` GPUs are large.  In `arena`.
 */
const struct report_metric *report_metrics_rows(struct report_metrics *m,
                                                const struct report_log *log,
                                                uint32_t large,
                                                struct gs_arena *arena,
                                                uint32_t *count);

#endif /* REPORTS_MEASURE_METRICS_H */
