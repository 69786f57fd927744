/* policies/pending/back_off.h - times in which jobs and request classes are not
 * tried: evicted jobs for the `delay` of module preemption, request classes
 * after an attempt that failed for the pauses of module retry.
 */
#ifndef POLICIES_PENDING_BACK_OFF_H
#define POLICIES_PENDING_BACK_OFF_H

#include "policies/state/state.h"

struct request_class;

void gsched_back_off_open(struct gsched *s);
void gsched_back_off_free(struct gsched *s);
/* Keep the job, which is evicted or lost now, out of the queue for `delay`; or
 * until `at`, if that is in the future.  Called before it is queued again.
 */
void gsched_back_off(struct gsched *s, uint32_t job);
void gsched_back_off_until(struct gsched *s, uint32_t job, int64_t at);
/* An attempt to place the request of the class failed, or would have: it is not
 * tried again before its pause is over.  No effect without module retry.
 */
void gsched_pause_begin(struct gsched *s, uint32_t rclass);
/* True when the class is in its pause, and was not tried at this instant. */
bool gsched_is_paused(const struct gsched *s, const struct request_class *a);
/* Queue the jobs whose time has come, and try the classes that could use what
 * was freed during their pause.
 */
void gsched_back_off_end(struct gsched *s);
/* When the first of them comes back; GSCHED_NEVER. */
int64_t gsched_back_off_next(const struct gsched *s);

#endif /* POLICIES_PENDING_BACK_OFF_H */
