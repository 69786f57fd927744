/* import/slurm/slurm_trace.h - Slurm's jobs as a trace. */
#ifndef SLURM_SLURM_TRACE_H
#define SLURM_SLURM_TRACE_H

#include <stdint.h>

#include "import/slurm/slurm_cluster.h"

struct gs_err;
struct slurm;
struct trace_workload;

/* Nodes that jobs name, for slurm_cluster_make. */
struct slurm_marks {
    struct slurm_mark *at;
    uint32_t count, cap;
};

/* Add the jobs, their queues (accounts) and priority classes to the empty `w`,
 * and finish it.  *epoch: us since 1970 of its time 0.  Partitions, features
 * and types of GPUs are asked for if the cluster was read.
 */
int slurm_trace_make(struct slurm *s, struct trace_workload *w,
                     struct slurm_marks *marks, int64_t *epoch,
                     struct gs_err *err);

#endif /* SLURM_SLURM_TRACE_H */
