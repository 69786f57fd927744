/* policies/pending/cause_follow.h - updates of the wait reason of unschedulable
 * request classes when free amounts change.
 */
#ifndef POLICIES_PENDING_CAUSE_FOLLOW_H
#define POLICIES_PENDING_CAUSE_FOLLOW_H

#include "policies/state/state.h"

struct request_class;

/* Record that the request class is unschedulable because of `why`, which
 * gsched_cause_of() returned for its first entry.
 */
void gsched_cause_found(struct gsched *s, uint32_t rclass,
                        enum gsched_cause why);
/* Find the cause of an unschedulable request class anew if it `is_short` and
 * was not, or was and is not, or if no job hoards any more.
 */
void gsched_cause_follow(struct gsched *s, struct request_class *a,
                         bool is_short);
/* At the end of a cycle, find the cause of an unschedulable request class anew
 * when the sum of the free amounts no longer suffices for it, or suffices
 * again, and when no job hoards any more.
 */
void gsched_causes_follow(struct gsched *s);

#endif /* POLICIES_PENDING_CAUSE_FOLLOW_H */
