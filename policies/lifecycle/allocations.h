/* policies/lifecycle/allocations.h - allocations of jobs, and partially
 * allocated jobs.
 */
#ifndef POLICIES_LIFECYCLE_ALLOCATIONS_H
#define POLICIES_LIFECYCLE_ALLOCATIONS_H

#include "policies/state/state.h"

struct allocation;

void gsched_allocations_open(struct gsched *s);
void gsched_allocations_free(struct gsched *s);
/* Record tasks that were allocated at `since` as an allocation of the job. */
void gsched_allocation_add(struct gsched *s, uint32_t job, uint32_t group,
                           uint32_t first_task, const struct topo_grant *g,
                           int64_t since);
/* Release all allocations of the job; with decisions when it is evicted
 * (`evicted` not NULL).
 */
void gsched_release_all(struct gsched *s, uint32_t job,
                        const struct gsched_decision *evicted);
/* Release all, and queue the job again as one that waits since `since`. */
void gsched_wait_again(struct gsched *s, uint32_t job, int64_t since,
                       const struct gsched_decision *evicted);
/* Release the allocations on these devices of the node (0: on the node), all of
 * which are above the gang; later tasks move down to their numbers.
 */
void gsched_release_on(struct gsched *s, uint32_t job, uint32_t node,
                       uint64_t devices);
/* Note that the node has room again. */
void gsched_freed_add(struct gsched *s, uint32_t node);
/* Evict an allocation that may go alone; the numbers of its tasks are free for
 * the next ones (gsched_task_next).
 */
void gsched_release_allocation(struct gsched *s, uint32_t allocation,
                               const struct gsched_decision *evicted);
/* Add an allocation to the lists of its job and of its node (sets the links of
 * `a`); remove one from both, and free its entry.
 */
void gsched_allocation_link(struct gsched *s, const struct allocation *a);
void gsched_allocation_drop(struct gsched *s, uint32_t allocation);
/* The allocation that the decision made; NONE when the job no longer has it. */
uint32_t gsched_allocation_of(const struct gsched *s,
                              const struct gsched_decision *d);
/* Remove the allocation from the list of its job.  Returns the allocation
 * before it, or NONE.
 */
uint32_t gsched_allocation_unlink(struct gsched *s, uint32_t allocation);
/* Release one allocation above the gang; later tasks move down to its numbers,
 * or these are free for the next tasks.
 */
void gsched_release_part(struct gsched *s, uint32_t job, uint32_t allocation,
                         bool moves_up);
/* The time since when a job that is evicted or lost now counts as waiting, by
 * the profile.
 */
int64_t gsched_since_again(const struct gsched *s, uint32_t job);
/* Queue the job again as one that waits since `since`. */
void gsched_return(struct gsched *s, uint32_t job, int64_t since,
                   const struct gsched_decision *why);
/* Take the quota of the job away, and all that it holds: it waits for its
 * admission again, since `since`.
 */
void gsched_put_back(struct gsched *s, uint32_t job, int64_t since,
                     const struct gsched_decision *why);
/* True when the allocation may be evicted without the others of its job: it is
 * above the gang and the minimum of its group, also when `of_job` other tasks
 * of the job go, `of_group` of them of its group; or its job has not its gang.
 */
bool gsched_may_go_alone(const struct gsched *s, uint32_t i, uint32_t of_job,
                         uint32_t of_group);
/* True when the job holds tasks that must not be evicted. */
bool gsched_is_fixed(const struct gsched *s, uint32_t job);

#endif /* POLICIES_LIFECYCLE_ALLOCATIONS_H */
