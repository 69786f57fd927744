/* sim/replay/recorded.h - the devices of a run that the trace recorded.
 *
 * A recorded run names nodes, not devices.  sim_recorded_find() finds
 * devices for its tasks, in the order of the job's groups: on the nodes that
 * the record names, or where it names none, or these have no room, on the nodes
 * that a best fit chooses.
 */
#ifndef SIM_REPLAY_RECORDED_H
#define SIM_REPLAY_RECORDED_H

#include <stdint.h>

#include "topology/cluster.h"

struct topo;
struct trace_record;
struct trace_workload;

struct sim_recorded_grant {
    uint32_t group, first_task;
    struct topo_grant grant;
};

struct sim_recorded {
    const struct topo *topo;
    const struct trace_workload *work;
    uint32_t *node_of; /* [string id] node + 1 */
    uint32_t names;
    struct sim_recorded_grant *at; /* of the last call */
    uint32_t count, cap;
};

enum sim_recorded_place {
    SIM_RECORDED_THERE,     /* on the nodes of the record */
    SIM_RECORDED_UNKNOWN,   /* the record names no nodes: best fit */
    SIM_RECORDED_ELSEWHERE, /* its nodes are not there or have no room: best
                               fit */
    SIM_RECORDED_NOWHERE,   /* no room */
};

void sim_recorded_open(struct sim_recorded *r, const struct topo *t,
                       const struct trace_workload *w);
void sim_recorded_free(struct sim_recorded *r);

/* Find devices that are free on `c` for the tasks of the run; the grants, which
 * are not made, are in r->at.  Labels and taints of named nodes do not matter,
 * and rules between tasks nowhere.  Not within a transaction.
 */
enum sim_recorded_place sim_recorded_find(struct sim_recorded *r,
                                          struct topo_cluster *c, uint32_t job,
                                          const struct trace_record *run);

#endif /* SIM_REPLAY_RECORDED_H */
