/* policies/state/fragmentation.h - the task mix, and the fragmentation of node
 * states under it.
 */
#ifndef POLICIES_STATE_FRAGMENTATION_H
#define POLICIES_STATE_FRAGMENTATION_H

#include "policies/state/state.h"

struct topo_mix;

/* The workload's own unless another was set. */
struct topo_mix *gsched_mix_of(struct gsched *s);
/* Of a state group, as struct gsp_host states it; kept, since every kind of task
 * looks at it.
 */
int64_t gsched_fragment_of(struct gsched *s, uint32_t group);
/* State groups were renumbered. */
void gsched_fragment_forget(struct gsched *s);
void gsched_fragment_open(struct gsched *s);
void gsched_fragment_free(struct gsched *s);

#endif /* POLICIES_STATE_FRAGMENTATION_H */
