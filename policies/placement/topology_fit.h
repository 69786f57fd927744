/* policies/placement/topology_fit.h - the smallest part of the cluster that holds a gang. */
#ifndef POLICIES_PLACEMENT_TOPOLOGY_FIT_H
#define POLICIES_PLACEMENT_TOPOLOGY_FIT_H

#include "policies/state/state.h"

/* The gang where its tiers allow, or there within [w->from, w->end), and not
 * on nodes to avoid: allocated and proposed; nothing when false.
 */
bool gsched_gang_place(struct gsched *s, uint32_t job, const uint8_t *avoid);
bool gsched_gang_place_in(struct gsched *s, const struct scope *w);
/* The domains in which a gang that must not leave one could stand, one after
 * the other, from *at NONE on; once for one that may stand anywhere, or that
 * stands in one already.
 */
bool gsched_topology_next(const struct gsched *s, uint32_t job, uint32_t *at,
                          struct scope *w);
/* A task above the gang stays in the domain that its job must not leave. */
void gsched_topology_stay(const struct gsched *s, struct scope *w);
/* The dimension by which nodes and domains are the fuller or emptier for a
 * request of these amounts: GPUs; without any, the one of which the amount is
 * the largest part of the cluster's.
 */
uint32_t gsched_main_dim(const struct gsched *s, const int64_t *asked);
/* The level of which one domain must hold all of the job's gang; 0: none. */
uint32_t gsched_bound_level(const struct gsched *s, uint32_t job);

#endif /* POLICIES_PLACEMENT_TOPOLOGY_FIT_H */
