/* sim/replay/warm.h - jobs that run when time begins: which devices they hold.
 */
#ifndef SIM_REPLAY_WARM_H
#define SIM_REPLAY_WARM_H

#include <stdbool.h>
#include <stdint.h>

#include "topology/cluster.h"

struct gs_err;
struct topo;
struct trace_workload;

/* Tasks of a job that stand on a node at time 0. */
struct sim_warm_grant {
    uint32_t job, group, first_task;
    struct topo_grant grant;
};

struct sim_warm {
    struct sim_warm_grant *at; /* by the time since when, then by job */
    uint32_t count, cap;
};

/* Find devices for all tasks that stand at time 0, in the order of their jobs:
 * on each node as topo_cluster_allocate chooses.  Labels and taints of a node
 * do not matter to tasks that stand there.  -1, with the line in `source` (may
 * be NULL): the topology has no such node, or the node no room.  `out` is empty
 * at first; sim_warm_free in any case.
 */
int sim_warm_find(const struct topo *t, const struct trace_workload *w,
                  const char *source, struct sim_warm *out, struct gs_err *err);
void sim_warm_free(struct sim_warm *m);

/* [node] does a task stand there at time 0?  A new array; NULL: none does. */
bool *sim_warm_nodes(const struct topo *t, const struct trace_workload *w);

/* Let only those tasks stand that fit, in a workload made from another system's
 * files; the others wait.  The number of these.
 */
uint32_t sim_warm_fit(const struct topo *t, struct trace_workload *w);

/* Nodes of `was` that `now` has not are gone with their tasks.  A job that has
 * less than its gang then waits from time 0, with the work that it lost; a job
 * or task that can go on without them does.  The number of jobs that lost
 * tasks.
 */
uint32_t sim_warm_leave(const struct topo *was, const struct topo *now,
                        struct trace_workload *w);

#endif /* SIM_REPLAY_WARM_H */
