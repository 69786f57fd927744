/* policies/preemption/turns.h - the queues that are reclaimed from, the one
 * that is served last first.
 */
#ifndef POLICIES_PREEMPTION_TURNS_H
#define POLICIES_PREEMPTION_TURNS_H

#include "policies/state/state.h"

/* Allocate the order, for s->evict. */
void gsched_turns_open(struct gsched *s);
/* Before a walk: order the queues as they are now. */
void gsched_turns_follow(struct gsched *s);
/* The queue behind `queue` in the walk, of all queues; NONE: the first one,
 * behind the last one none.
 */
uint32_t gsched_turns_next(const struct gsched *s, uint32_t queue);

#endif /* POLICIES_PREEMPTION_TURNS_H */
