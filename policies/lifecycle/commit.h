/* policies/lifecycle/commit.h - gangs and single tasks are placed for good */
#ifndef POLICIES_LIFECYCLE_COMMIT_H
#define POLICIES_LIFECYCLE_COMMIT_H

#include "policies/state/state.h"

struct queue_entry;

/* Place the job's gang, or one task of a group (its next), for good; false, and
 * nothing is placed, when there is no room.
 */
bool gsched_place_gang(struct gsched *s, uint32_t job);
bool gsched_place_task(struct gsched *s, uint32_t job, uint32_t group);
bool gsched_place_entry(struct gsched *s, const struct queue_entry *it);
/* The decisions from `first` on, which place the job's gang, become allocations. */
void gsched_gang_commit(struct gsched *s, uint32_t job, uint32_t first);
/* Number the tasks of a gang's decisions anew, in the order of their nodes. */
void gsched_order_ranks(struct gsched_decision *d, uint32_t n);

#endif /* POLICIES_LIFECYCLE_COMMIT_H */
