/* import/kubernetes/workload/job_set.h - the jobs of a JobSet, which other
 * kinds hold as templates.
 */
#ifndef KUBE_JOB_SET_H
#define KUBE_JOB_SET_H

#include <stdint.h>

struct gs_ynode;
struct kube;
struct kube_need;
struct kube_template;
struct kube_workload;

/* One of its jobs: pods of one template. */
struct kube_set_job {
    uint32_t name;
    uint32_t step;               /* its step of a TrainJob ("trainer"); 0 */
    uint32_t replicas, parallel; /* jobs; pods of each */
    const struct kube_template *pods; /* NULL: none, which was told */
    int64_t deadline;                 /* us; KUBE_UNKNOWN */
    const struct kube_need *need;     /* others of the set, by name */
    uint32_t needs;
};

/* The jobs of the spec of a JobSet, *count of them; in k->arena. */
struct kube_set_job *kube_set_jobs_read(struct kube *k,
                                        const struct gs_ynode *spec,
                                        uint32_t space, uint32_t *count);

#endif /* KUBE_JOB_SET_H */
