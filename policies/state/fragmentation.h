/* policies/state/fragmentation.h - the task mix, and the fragmentation of node
 * states under it.
 */
#ifndef POLICIES_STATE_FRAGMENTATION_H
#define POLICIES_STATE_FRAGMENTATION_H

#include "policies/state/state.h"

struct topo_mix;

/* The mix that was set, else that of the workload. */
struct topo_mix *gsched_mix_of(struct gsched *s);
/* Fragmentation of a node in the state group, in the units of struct gsp_host;
 * cached, since it is the same for all kinds of tasks.
 */
int64_t gsched_fragment_of(struct gsched *s, uint32_t group);
/* State groups were renumbered: clear the cache. */
void gsched_fragment_forget(struct gsched *s);
void gsched_fragment_open(struct gsched *s);
void gsched_fragment_free(struct gsched *s);

#endif /* POLICIES_STATE_FRAGMENTATION_H */
