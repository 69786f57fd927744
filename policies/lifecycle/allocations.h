/* policies/lifecycle/allocations.h - allocations of jobs, and jobs that hold
 * too little.
 */
#ifndef POLICIES_LIFECYCLE_ALLOCATIONS_H
#define POLICIES_LIFECYCLE_ALLOCATIONS_H

#include "policies/state/state.h"

void gsched_allocations_open(struct gsched *s);
void gsched_allocations_free(struct gsched *s);
/* Tasks were allocated, at `since`: they are the job's from now on. */
void gsched_allocation_add(struct gsched *s, uint32_t job, uint32_t group,
                           uint32_t first_task, const struct topo_grant *g,
                           int64_t since);
/* Give back all that the job holds; with decisions when it is evicted. */
void gsched_release_all(struct gsched *s, uint32_t job,
                        const struct gsched_decision *evicted);
/* The same, and it waits again, as one that came `since`. */
void gsched_wait_again(struct gsched *s, uint32_t job, int64_t since,
                       const struct gsched_decision *evicted);
/* Give back the allocations on these devices of the node (0: on the node), all
 * of them above the gang; others move up.
 */
void gsched_release_on(struct gsched *s, uint32_t job, uint32_t node,
                       uint64_t devices);
/* A node in the state group has room again. */
void gsched_freed_add(struct gsched *s, uint32_t group);
/* Give back an allocation above the gang. */
void gsched_release_allocation(struct gsched *s, uint32_t allocation,
                               const struct gsched_decision *evicted);
/* Take the allocation out of its job's list; the one before it, or NONE. */
uint32_t gsched_allocation_unlink(struct gsched *s, uint32_t allocation);
/* Give back one allocation, above the gang; others move up. */
void gsched_release_part(struct gsched *s, uint32_t job, uint32_t allocation);
/* Since when a job that is evicted or lost now waits, by the profile. */
int64_t gsched_since_again(const struct gsched *s, uint32_t job);
/* It waits again, as one that came `since`. */
void gsched_return(struct gsched *s, uint32_t job, int64_t since,
                   const struct gsched_decision *why);
/* An allocation of the job on the node that may go alone: the latest of its
 * group, and above the gang; NONE.
 */
uint32_t gsched_surplus_on(const struct gsched *s, uint32_t job, uint32_t node);
/* Does it hold tasks that must not be evicted? */
bool gsched_is_fixed(const struct gsched *s, uint32_t job);

#endif /* POLICIES_LIFECYCLE_ALLOCATIONS_H */
