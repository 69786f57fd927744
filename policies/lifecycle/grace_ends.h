/* policies/lifecycle/grace_ends.h - victims are warned, and evicted when their
 * grace time is over, see state/grace.h.
 */
#ifndef POLICIES_LIFECYCLE_GRACE_ENDS_H
#define POLICIES_LIFECYCLE_GRACE_ENDS_H

#include "policies/state/state.h"

/* Warn a victim of the claim: a job, or one allocation of it (NONE: all).
 * `why` is the eviction that follows.
 */
void gsched_grace_begin(struct gsched *s, uint32_t claim, uint32_t job,
                        uint32_t allocation, int64_t grace,
                        const struct gsched_decision *why);
/* Evict the victims whose time is over. */
void gsched_grace_end(struct gsched *s);
/* At the end of a cycle: close claims whose victims are gone, and let others
 * use what claims that were closed kept.
 */
void gsched_grace_follow(struct gsched *s);

#endif /* POLICIES_LIFECYCLE_GRACE_ENDS_H */
