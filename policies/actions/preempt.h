/* policies/actions/preempt.h - the actions that make room by eviction. */
#ifndef POLICIES_ACTIONS_PREEMPT_H
#define POLICIES_ACTIONS_PREEMPT_H

#include "policies/state/state.h"

/* For jobs of a higher priority; for queues below what they deserve. */
void gsched_preempt(struct gsched *s);
void gsched_reclaim(struct gsched *s);

#endif /* POLICIES_ACTIONS_PREEMPT_H */
