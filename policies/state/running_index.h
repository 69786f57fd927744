/* policies/state/running_index.h - who runs, by queue, priority and start: those who may have */
#ifndef POLICIES_STATE_RUNNING_INDEX_H
#define POLICIES_STATE_RUNNING_INDEX_H

#include "policies/state/state.h"

struct rank *gsched_rank_of(const struct gsched *s, uint32_t job);
void gsched_rank_add(struct gsched *s, uint32_t job);
void gsched_rank_drop(struct gsched *s, uint32_t job);
/* Nothing runs yet; does nothing unless an action may evict. */
void gsched_rank_open(struct gsched *s);

#endif /* POLICIES_STATE_RUNNING_INDEX_H */
