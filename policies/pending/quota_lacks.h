/* policies/pending/quota_lacks.h - what quota jobs lacked when they were
 * refused.
 *
 * It is noted for the class queue whose first job did not fit, since all of its
 * jobs ask for the same, and kept for a job that leaves it.
 */
#ifndef POLICIES_PENDING_QUOTA_LACKS_H
#define POLICIES_PENDING_QUOTA_LACKS_H

#include "policies/state/state.h"

/* The first job of the class queue does not fit. */
void gsched_lack_note(struct gsched *s, uint32_t cqueue, uint32_t job);
/* Jobs of the class queue are not looked at while admitted ones do not run. */
void gsched_lack_hold(struct gsched *s, uint32_t cqueue);
bool gsched_lack_is_hold(const struct gsched *s, uint32_t cqueue);
/* Nor does it now, for the reason that it did not before. */
void gsched_lack_again(struct gsched *s, uint32_t cqueue, uint32_t job);
/* It was refused at `at`, too, without being looked at. */
void gsched_lack_stayed(struct gsched *s, uint32_t cqueue, int64_t at);
/* The job leaves the class queue for what it asked for. */
void gsched_lack_keep(struct gsched *s, uint32_t cqueue, uint32_t job);

#endif /* POLICIES_PENDING_QUOTA_LACKS_H */
