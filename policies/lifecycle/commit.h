/* policies/lifecycle/commit.h - final placement of gangs and single tasks */
#ifndef POLICIES_LIFECYCLE_COMMIT_H
#define POLICIES_LIFECYCLE_COMMIT_H

#include "policies/state/state.h"

struct queue_entry;

/* Place the gang of the job, or the next task of a group, and commit it.
 * False, with nothing placed, when there is no room.
 */
bool gsched_place_gang(struct gsched *s, uint32_t job);
bool gsched_place_task(struct gsched *s, uint32_t job, uint32_t group);
/* The same on that node. */
bool gsched_place_task_on(struct gsched *s, uint32_t job, uint32_t group,
                          uint32_t node);
bool gsched_place_entry(struct gsched *s, const struct queue_entry *it);
/* Turn the decisions from `first` on, which place the gang of the job, into
 * allocations.
 */
void gsched_gang_commit(struct gsched *s, uint32_t job, uint32_t first);
/* Renumber the tasks in the decisions of a gang by the order of their nodes. */
void gsched_order_ranks(struct gsched_decision *d, uint32_t n);

#endif /* POLICIES_LIFECYCLE_COMMIT_H */
