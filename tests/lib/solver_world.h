/* tests/lib/solver_world.h - a cluster with departments, queues and jobs in the
 * middle of their lives, as the end-to-end vectors of a scheduler state it.
 *
 *   nodes:       {NAME: {gpus, cpus, memory, gpu_memory_mb, max_pods, labels}}
 *   departments: [{name, deserved_gpus, max_gpus ...}], above the queues
 *   queues:      [{name, parent, deserved_gpus, gpu_over_quota_weight ...}]
 *   topologies:  {NAME: [LABEL, ...]}, the widest level first
 *   jobs:        [{name, queue, priority, gpus, min_member, subgroups,
 *   topology,
 *                  stale_s, tasks: [{state, node, count, subgroup,
 *                                    gpu_groups}]}]
 *
 * It is read as a topology, a trace and a profile; tasks that run are adopted.
 * A task that is about to release its room holds nothing: others may have it at
 * once, as here they get the room of a victim.
 */
#ifndef TEST_SOLVER_WORLD_H
#define TEST_SOLVER_WORLD_H

#include "base/yamldoc.h"
#include "policies/scheduler.h"
#include "tests/lib/world.h"
#include "topology/cluster.h"

#define SOLVER_JOBS 64
#define SOLVER_TASKS 64 /* of a job */

enum solver_state {
    SOLVER_WAITS,
    SOLVER_RUNS,     /* since before the first cycle */
    SOLVER_STARTED,  /* it was placed since */
    SOLVER_RELEASES, /* it was evicted, and holds nothing */
};

struct solver_task {
    enum solver_state state;
    uint32_t group, index; /* in the trace; group UINT32_MAX: not there */
    char node[64];         /* where it is, or was; "": nowhere */
    uint64_t devices;
};

struct solver_job {
    const struct gs_ynode *said;
    const char *name;
    uint32_t id, tasks; /* in the trace; UINT32_MAX: not there */
    uint64_t checked;   /* bit i: the test has looked at task i */
    struct solver_task task[SOLVER_TASKS];
};

struct solver_world {
    struct world w;
    struct topo_cluster *cluster;
    struct gsched *sched;
    struct solver_job job[SOLVER_JOBS]; /* in the order of creation */
    uint32_t jobs;
    int64_t now;
};

/* A world under the profile; 0, or -1 and w.err. */
int solver_world_init(struct solver_world *v, const struct gs_ynode *said,
                      const char *profile);
void solver_world_fini(struct solver_world *v);

/* Run a cycle in which no node takes a task: what waits is tried in vain. */
void solver_world_wait(struct solver_world *v);
/* Run a cycle, a minute later, and carry out its decisions. */
void solver_world_cycle(struct solver_world *v);

/* The job called `name`; NULL. */
struct solver_job *solver_job_called(struct solver_world *v, const char *name);

#endif /* TEST_SOLVER_WORLD_H */
