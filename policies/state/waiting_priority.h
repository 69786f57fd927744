/* policies/state/waiting_priority.h - the highest priority of what waits in each
 * queue, for modules that promise GSP_FOLLOWS_WAITING.
 */
#ifndef POLICIES_STATE_WAITING_PRIORITY_H
#define POLICIES_STATE_WAITING_PRIORITY_H

#include "policies/state/state.h"

void gsched_waiting_open(struct gsched *s);
/* An entry of the job, of a group or NONE, begins to wait (sign 1), or ends. */
void gsched_waiting_count(struct gsched *s, uint32_t job, uint32_t group,
                          int sign);
/* Of the queue itself; INT32_MIN: nothing waits. */
int32_t gsched_waiting_priority(const struct gsched *s, uint32_t queue);
uint64_t gsched_waiting_changes(const struct gsched *s);

#endif /* POLICIES_STATE_WAITING_PRIORITY_H */
