/* traces/edit/sample.h - some of a workload's jobs. */
#ifndef TRACES_EDIT_SAMPLE_H
#define TRACES_EDIT_SAMPLE_H

#include <stdint.h>

struct gs_err;
struct trace_workload;

struct trace_sample {
    double fraction;  /* of the jobs, 0 to 1; 0: all */
    uint64_t seed;    /* whether a job is kept depends on this and its name */
    int64_t from, to; /* us: jobs submitted from `from` on and before `to`;
                         `from` becomes time 0.  A `to` of 0 is the end */
    const char *const *queue; /* in one of these or below; none: all */
    uint32_t queue_count;
};

/* Keep the jobs of the finished `w` that `s` wants.  Fails with nothing changed
 * when a fraction is not allowed, a queue is unknown, or no job is left.
 */
int trace_workload_sample(struct trace_workload *w,
                          const struct trace_sample *s, struct gs_err *err);

#endif /* TRACES_EDIT_SAMPLE_H */
