/* traces/edit/sample.h - a subset of the jobs of a workload. */
#ifndef TRACES_EDIT_SAMPLE_H
#define TRACES_EDIT_SAMPLE_H

#include <stdint.h>

struct gs_err;
struct trace_workload;

struct trace_sample {
    double fraction;  /* of the jobs, 0 to 1; 0: all */
    uint64_t seed;    /* decides with the name of a job whether the job is
                         kept */
    int64_t from, to; /* us: jobs submitted from `from` on and before `to`;
                         `from` becomes time 0.  A `to` of 0 is the end */
    const char *const *queue; /* jobs in one of these queues or below; none:
                                 all queues */
    uint32_t queue_count;
};

/* Keep the jobs of the finished `w` that `s` selects.  Fails with nothing
 * changed when the fraction is out of range, a queue is unknown, or no job is
 * left.
 */
int trace_workload_sample(struct trace_workload *w,
                          const struct trace_sample *s, struct gs_err *err);

#endif /* TRACES_EDIT_SAMPLE_H */
