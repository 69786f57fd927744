/* import/kubernetes/native/after.h - jobs that depend on others. */
#ifndef KUBE_AFTER_H
#define KUBE_AFTER_H

#include <stdint.h>

#include "import/kubernetes/object/index.h"

struct kube;
struct kube_workload;
struct trace_workload;

/* Jobs that need others, and jobs by the key of their workload.  Zeroed it is
 * empty.
 */
struct kube_after {
    struct kube_after_job {
        uint32_t job, workload;
    } * job;
    uint32_t jobs, cap;
    struct kube_index by_key;
};

/* Job `job` of `to` is the last one added, of workload `w`. */
void kube_after_add(struct kube_after *a, const struct kube *k,
                    const struct kube_workload *w, uint32_t job);
/* All jobs are there and in the order in which they were added: give them their
 * dependencies.  What would make a cycle, or is not there, is told.  Frees `a`.
 */
void kube_after_finish(struct kube_after *a, struct kube *k,
                       struct trace_workload *to);

#endif /* KUBE_AFTER_H */
