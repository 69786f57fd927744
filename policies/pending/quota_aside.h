/* policies/pending/quota_aside.h - class queues whose first job did not fit its
 * quota, with action admit: set aside until quota is freed.
 *
 * A queue all of whose class queues are refused whatever is evicted sleeps:
 * freed quota of its tree brings it back only when one of its first jobs might
 * fit.  Its jobs would have been refused one after another, a round each, in
 * which nothing else happens but that blocked queues of the tree are tried
 * again; these rounds are counted (quota_wake.rounds), so that decisions are as
 * if it had not slept.
 */
#ifndef POLICIES_PENDING_QUOTA_ASIDE_H
#define POLICIES_PENDING_QUOTA_ASIDE_H

#include "policies/state/state.h"

/* The job, first of the class queue, which is active in no queue, did not fit.
 */
void gsched_aside_add(struct gsched *s, uint32_t cqueue, uint32_t job);
/* Is the class queue known not to fit, since it slept for more than is left
 * now?
 */
bool gsched_aside_lacks(const struct gsched *s, uint32_t cqueue);
/* The class queue has no jobs any more. */
void gsched_aside_empty(struct gsched *s, uint32_t cqueue);
/* The queue does not sleep: freed quota brings it back. */
void gsched_aside_rouse(struct gsched *s, uint32_t queue);
/* Of the queue, which sleeps, all class queues from the place in its list on
 * are active; it sleeps with those before.
 */
void gsched_aside_wake_from(struct gsched *s, uint32_t queue, uint32_t from);
/* Freed quota might be enough for sleeping queues, or they have other first
 * jobs: rouse them.
 */
void gsched_aside_ease(struct gsched *s);
/* Quota of the tree was freed: its class queues that do not sleep are active.
 */
void gsched_aside_wake(struct gsched *s, uint32_t tree);

#endif /* POLICIES_PENDING_QUOTA_ASIDE_H */
