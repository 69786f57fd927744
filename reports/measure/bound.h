/* reports/measure/bound.h - lower bound of the makespan. */
#ifndef REPORTS_MEASURE_BOUND_H
#define REPORTS_MEASURE_BOUND_H

#include <stdint.h>

struct report_log;
struct report_window;
struct topo;
struct trace_workload;

/* Lower bound of the makespan in us, from the first submit to the last end, of
 * the jobs of the window that were not rejected: their work / the capacity (of
 * GPUs; of CPU in a cluster without), or the latest end if every job started at
 * its submission.  Services have no end and are left out; -1 when no job is
 * left.  `speed_most`: upper bound of the speed of a job, in millionths of that
 * of its node types.
 */
double report_bound_makespan(const struct topo *t,
                             const struct trace_workload *w,
                             const struct report_log *log,
                             const struct report_window *window,
                             uint32_t speed_most);

#endif /* REPORTS_MEASURE_BOUND_H */
