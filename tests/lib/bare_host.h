/* tests/lib/bare_host.h - a host of the scheduler that calls nothing but its
 * public functions: equal nodes, and the jobs that a suite adds to `work`.
 */
#ifndef TEST_BARE_HOST_H
#define TEST_BARE_HOST_H

#include "base/arena.h"
#include "base/strtab.h"
#include "policies/scheduler.h"
#include "topology/cluster.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

struct bare_host {
    struct gs_arena *arena;
    struct gs_strtab *names;
    struct topo_dims dims;
    struct topo *topo;
    struct trace_workload *work;
    struct topo_cluster *cluster;
    struct gsched *sched; /* once it is started */
};

/* `nodes` nodes of `gpus` GPUs, 8 CPUs for each and 110 pods; no job. */
void bare_host_init(struct bare_host *h, uint32_t nodes, uint32_t gpus);
void bare_host_start(struct bare_host *h, const char *policy);
void bare_host_fini(struct bare_host *h);
uint32_t bare_host_id(struct bare_host *h, const char *text);

#endif /* TEST_BARE_HOST_H */
