/* traces/edit/scale.h - a workload that comes faster or slower, or whose jobs run
 * longer or shorter.
 */
#ifndef TRACES_EDIT_SCALE_H
#define TRACES_EDIT_SCALE_H

struct gs_err;
struct trace_workload;

#define TRACE_SCALE_MIN 0.001
#define TRACE_SCALE_MAX 1000.0

/* Divide the submit times of the finished `w` by `factor`, TRACE_SCALE_MIN to
 * TRACE_SCALE_MAX, to the nearest microsecond: at 1.5 the jobs of three days
 * come within two, and ask for half as much again.  Their order stays.  -1
 * with nothing changed when the factor is not allowed or a time would be
 * beyond GS_TIME_MAX.
 */
int trace_workload_scale_load(struct trace_workload *w, double factor,
                              struct gs_err *err);

/* Multiply durations and estimates, those of services apart; likewise. */
int trace_workload_scale_durations(struct trace_workload *w, double factor,
                                   struct gs_err *err);

#endif /* TRACES_EDIT_SCALE_H */
