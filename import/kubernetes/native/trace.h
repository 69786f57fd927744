/* import/kubernetes/native/trace.h - workloads and pods as jobs. */
#ifndef KUBE_TRACE_H
#define KUBE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

struct gs_err;
struct kube;
struct trace_workload;

struct kube_trace_options {
    int64_t duration; /* us that a job runs which states no run time */
    int64_t span;     /* us from time 0 on for which CronJobs make jobs */
    int64_t at;       /* time 0; KUBE_UNKNOWN */
    bool history;     /* nothing runs at time 0 */
};

/* Add jobs, queues and priority classes to the empty `w` (made with k->names
 * and k->dims) and finish it.  *epoch: us since 1970 of its time 0, 0 when no
 * object states a date.  Without workloads and pods `w` stays without jobs.
 */
int kube_trace_make(struct kube *k, const struct kube_trace_options *o,
                    struct trace_workload *w, int64_t *epoch,
                    struct gs_err *err);

#endif /* KUBE_TRACE_H */
