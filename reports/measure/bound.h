/* reports/measure/bound.h - lower bounds of makespan and waits. */
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

/* Jobs submitted in the window, without those that stand at time 0. */
struct report_bound_waits {
    uint32_t started, done; /* that started; that are done */
    double waited; /* us that the started ones waited at least, in all */
    double run;    /* us that the done ones ran at least, in all */
};

/* Jobs that are not done, or end without having done their work, count with a
 * wait of 0; arguments as above; see reports/measure/flow_bound.h.
 */
void report_bound_waits(const struct topo *t, const struct trace_workload *w,
                        const struct report_log *log,
                        const struct report_window *window, uint32_t speed_most,
                        struct report_bound_waits *out);

#endif /* REPORTS_MEASURE_BOUND_H */
