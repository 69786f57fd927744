/* policies/state/waiting_priority.h - the highest priority of what waits in
 * each queue, for modules that promise GSP_FOLLOWS_WAITING.
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
/* Increases when that of any queue changes; 0: no module follows it. */
uint64_t gsched_waiting_changes(const struct gsched *s);
/* The queues of which it changed since gsched_waiting_changes() was `since`,
 * the last one first: the one after `after`; NONE begins, and ends.
 */
uint32_t gsched_waiting_changed(const struct gsched *s, uint64_t since,
                                uint32_t after);

#endif /* POLICIES_STATE_WAITING_PRIORITY_H */
