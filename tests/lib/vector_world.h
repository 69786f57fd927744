/* tests/lib/vector_world.h - a cluster with running and pending jobs, stated as
 * data.  It is read as a topology, a trace and a profile; running jobs are
 * adopted, then the scheduler runs a cycle.
 *
 *   nodes:   {NAME: {what a node type says, within: {TIER: DOMAIN}}}
 *   tiers:   [TIER, ...], from the outside in
 *   queues, jobs, priority_classes: as in a trace; a job's
 *            `on: [NODE, ...]` says where its first tasks run (`~`: it waits),
 *            `pods: [NAME, ...]` what its tasks are called
 *   actions, modules, unit: as in a profile
 */
#ifndef TEST_VECTOR_WORLD_H
#define TEST_VECTOR_WORLD_H

#include "base/yamldoc.h"
#include "policies/scheduler.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"
#include "topology/cluster.h"

/* A world, and the scheduler in it. */
struct vector_world {
    const struct gs_ynode *said;
    struct world w;
    struct topo_cluster *cluster;
    struct gsched *sched;
    const struct gsched_decision *decision; /* of the last cycle */
    uint32_t decisions;
};

/* The data of a job. */
const struct gs_ynode *vector_job(const struct vector_world *v, uint32_t job);

/* The name of a job's task, counted through its groups; the job's own when
 * its tasks have none.
 */
const char *vector_pod(const struct vector_world *v, uint32_t job,
                       uint32_t task);

/* The first task of a decision, counted through the groups. */
uint32_t vector_task(const struct vector_world *v,
                     const struct gsched_decision *d);

const char *vector_node(const struct vector_world *v, uint32_t node);

/* A world from its data; 0, or -1 and w.err. */
int vector_world_init(struct vector_world *v, const struct gs_ynode *said);

void vector_world_fini(struct vector_world *v);

/* The `n`-th cycle, from 1. */
void vector_world_cycle(struct vector_world *v, uint32_t n);

#endif /* TEST_VECTOR_WORLD_H */
