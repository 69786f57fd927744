/* policies/solver/kept_jobs.h - the own jobs of a queue in a walk that is kept
 * (kept_walk.h): a heap from which they come one by one, the one that is served
 * last first.
 */
#ifndef POLICIES_SOLVER_KEPT_JOBS_H
#define POLICIES_SOLVER_KEPT_JOBS_H

#include "policies/solver/kept_walk.h"

/* Fill the heap of the queue anew; nothing of its jobs is gone. */
void gsched_kept_jobs_begin(struct gsched *s, struct kept_walk *w,
                            uint32_t queue);
/* The first job, which has the last entry of the tape of its queue, is done;
 * the next one is first.
 */
void gsched_kept_jobs_next(struct gsched *s, struct kept_walk *w,
                           uint32_t queue, enum kept_step how);

#endif /* POLICIES_SOLVER_KEPT_JOBS_H */
