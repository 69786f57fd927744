/* sim/replay/conflicts.h - decisions of one of several schedulers, carried out
 * on the nodes as they are.
 */
#ifndef SIM_REPLAY_CONFLICTS_H
#define SIM_REPLAY_CONFLICTS_H

#include <stdint.h>

#include "topology/cluster.h"

struct gsched_decision;
struct sim;
struct sim_scheduler;

/* Scratch memory. */
struct sim_conflicts {
    struct topo_grant *grant; /* [decision] as the node gives it */
    uint8_t *outcome;         /* [decision] */
    uint32_t grant_cap, outcome_cap;
    struct gsched_decision *moved; /* decisions that got other devices ... */
    struct topo_grant *moved_to;   /* ... these */
    uint32_t moved_count, moved_cap, moved_to_cap;
};

/* Carry out the decisions of its cycle at this instant: evictions, then
 * placements, each as decided or on other devices of the node.  What has no
 * room is given back.
 */
void sim_conflicts_carry_out(struct sim *s, struct sim_scheduler *k);
void sim_conflicts_free(struct sim_conflicts *c);

#endif /* SIM_REPLAY_CONFLICTS_H */
