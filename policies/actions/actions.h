/* policies/actions/actions.h - the actions of a cycle, in the order in which a
 * profile names them; enqueue is in lifecycle/admission.h.
 */
#ifndef POLICIES_ACTIONS_ACTIONS_H
#define POLICIES_ACTIONS_ACTIONS_H

#include "policies/state/state.h"

/* Place gangs, then members above their gangs, in service order. */
void gsched_allocate(struct gsched *s);
/* Place the jobs whose victims are gone since the last cycle, before others. */
void gsched_claims_serve(struct gsched *s);
/* The second half of it: only members above their gangs. */
void gsched_grow(struct gsched *s);

/* Start jobs ahead of blocked ones without delaying these; calls one of the
 * functions below, by the mode of the profile.
 */
void gsched_backfill(struct gsched *s);
/* Jobs that ask for nothing, whatever the quotas say. */
void gsched_best_effort(struct gsched *s);
/* One reservation, for the job that gsched_allocate() left as the head. */
void gsched_easy(struct gsched *s);
/* A reservation for every blocked job. */
void gsched_conservative(struct gsched *s);
/* Reservations on whole nodes for the first jobs, at intervals. */
void gsched_windowed(struct gsched *s);

/* Set the wait reason of all jobs that could be tried: no room for their class,
 * a limit, or jobs before them.
 */
void gsched_wait_reasons_set(struct gsched *s);

/* Make room for pending jobs by eviction.  Preempt: of jobs in the same queue;
 * reclaim: of jobs in queues that hold more than their share.
 */
void gsched_preempt(struct gsched *s);
void gsched_reclaim(struct gsched *s);
/* Start the gang in room made by eviction of jobs in its queue, on nodes that
 * are not in `avoid`, where the profile has action preempt.  False: nothing is
 * evicted.
 */
bool gsched_make_room(struct gsched *s, uint32_t job, const uint8_t *avoid);
/* The same for all tasks of a gang at once, domain by domain: victims are tasks
 * above their gangs, then whole gangs.
 */
void gsched_gang_preempt(struct gsched *s);
void gsched_gang_reclaim(struct gsched *s);
/* Make room for pending jobs by moving running ones, none of which is lost. */
void gsched_consolidate(struct gsched *s);

/* Evict the tasks that modules want elsewhere, at the times that they state. */
void gsched_shuffle(struct gsched *s);
void gsched_moves_open(struct gsched *s);
void gsched_moves_free(struct gsched *s);
/* When the next such time is; GSCHED_NEVER. */
int64_t gsched_moves_next(const struct gsched *s);

/* Give quota to the first jobs of all queues, by eviction where they allow it.
 */
void gsched_admit(struct gsched *s);
void gsched_admits_open(struct gsched *s);
void gsched_admits_free(struct gsched *s);

#endif /* POLICIES_ACTIONS_ACTIONS_H */
