/* traces/edit/scale.h - scaling of submit times and durations. */
#ifndef TRACES_EDIT_SCALE_H
#define TRACES_EDIT_SCALE_H

struct gs_err;
struct trace_workload;

#define TRACE_SCALE_MIN 0.001
#define TRACE_SCALE_MAX 1000.0

/* Divide the submit times of the finished `w` by `factor`, TRACE_SCALE_MIN to
 * TRACE_SCALE_MAX, rounded to the nearest microsecond: with 1.5 the jobs of
 * three days come within two, which is 1.5 times the load.  The order stays.
 * -1 with nothing changed when the factor is out of range or a time would
 * exceed GS_TIME_MAX.
 */
int trace_workload_scale_load(struct trace_workload *w, double factor,
                              struct gs_err *err);

/* Multiply durations and estimates by `factor`, except those of services. Range
 * and failures as above.
 */
int trace_workload_scale_durations(struct trace_workload *w, double factor,
                                   struct gs_err *err);

#endif /* TRACES_EDIT_SCALE_H */
