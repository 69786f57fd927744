/* import/kubernetes/workload/train.h - TrainJobs and the runtimes that they
 * name.
 */
#ifndef KUBE_TRAIN_H
#define KUBE_TRAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "import/kubernetes/object/amounts.h"
#include "import/kubernetes/object/index.h"
#include "import/kubernetes/workload/kube_workload.h"

struct kube_set_job;

/* A TrainingRuntime, or a ClusterTrainingRuntime. */
struct kube_runtime {
    uint32_t nodes;            /* of the trainer; 0: not stated */
    bool has_launcher_as_node; /* the launcher is one of them */
    const struct kube_set_job *job;
    uint32_t jobs;
};

struct kube_train_job {
    struct kube_workload work; /* without members */
    uint32_t runtime;          /* string id of what it names */
    uint32_t nodes;            /* 0: as the runtime says */
    struct kube_amounts request,
        limit; /* of a node; none: as the runtime says */
    bool has_resources;
};

struct kube_trains {
    struct kube_runtime *runtime;
    struct kube_train_job *job;
    uint32_t runtimes, runtime_cap, jobs, job_cap;
    struct kube_index by_name; /* "namespace/name" or, of all, "/name" */
};

/* Once all is read: make workloads of the TrainJobs. */
void kube_trains_finish(struct kube *k);

#endif /* KUBE_TRAIN_H */
