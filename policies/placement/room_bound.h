/* policies/placement/room_bound.h - what nodes have free at the most: a quick
 * test of whether a task fits anywhere.
 *
 * For each number of wholly free GPUs, the most of each resource that a node
 * with as many of them, or more, has free.  A task that asks for more fits
 * nowhere.
 */
#ifndef POLICIES_PLACEMENT_ROOM_BOUND_H
#define POLICIES_PLACEMENT_ROOM_BOUND_H

#include "policies/state/state.h"

struct room_bound {
    uint32_t rows; /* 1 + the most free GPUs of a node */
    int64_t most[TOPO_DEVICES_MAX + 1][TOPO_DIMS_MAX];
};

/* Compute the bound by what is free now: one step for each state of nodes. */
void gsched_room_bound(const struct gsched *s, struct room_bound *b);
/* False when no node has room for a task of the shape. */
bool gsched_room_bound_allows(const struct gsched *s,
                              const struct room_bound *b, uint32_t shape);

#endif /* POLICIES_PLACEMENT_ROOM_BOUND_H */
