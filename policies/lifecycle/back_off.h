/* policies/lifecycle/back_off.h - evicted jobs that do not start for a while, as
 * module preemption states with `delay`.
 */
#ifndef POLICIES_LIFECYCLE_BACK_OFF_H
#define POLICIES_LIFECYCLE_BACK_OFF_H

#include "policies/state/state.h"

void gsched_back_off_open(struct gsched *s);
void gsched_back_off_free(struct gsched *s);
/* Keep the job, which is evicted or lost now, out of the queue for `delay`; or
 * until `at`, if that is in the future.  Called before it is queued again.
 */
void gsched_back_off(struct gsched *s, uint32_t job);
void gsched_back_off_until(struct gsched *s, uint32_t job, int64_t at);
/* Queue the jobs whose time has come. */
void gsched_back_off_end(struct gsched *s);
/* When the first of them comes back; GSCHED_NEVER. */
int64_t gsched_back_off_next(const struct gsched *s);

#endif /* POLICIES_LIFECYCLE_BACK_OFF_H */
