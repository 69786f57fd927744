/* policies/pending/cause_follow.h - the cause of an unschedulable request class
 * follows what is free.
 */
#ifndef POLICIES_PENDING_CAUSE_FOLLOW_H
#define POLICIES_PENDING_CAUSE_FOLLOW_H

#include "policies/state/state.h"

/* The request class becomes unschedulable because of `why`, which
 * gsched_cause_of() found for its first entry.
 */
void gsched_cause_found(struct gsched *s, uint32_t rclass,
                        enum gsched_cause why);
/* At the end of a cycle: the cause of an unschedulable request class is found
 * anew when what is free no longer suffices for it in sum, or does again, and
 * when no job hoards any more.
 */
void gsched_causes_follow(struct gsched *s);

#endif /* POLICIES_PENDING_CAUSE_FOLLOW_H */
