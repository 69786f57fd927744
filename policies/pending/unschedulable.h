/* policies/pending/unschedulable.h - request classes that cannot be placed,
 * until there is room for them.
 */
#ifndef POLICIES_PENDING_UNSCHEDULABLE_H
#define POLICIES_PENDING_UNSCHEDULABLE_H

#include "policies/state/state.h"

/* Activate the request classes that what was freed since the last cycle may
 * help, and those of jobs with rules when any such job was placed or gave back.
 */
void gsched_pending_activate(struct gsched *s);
/* Would it activate any because of their rules? */
bool gsched_pending_may_activate(const struct gsched *s);
/* It may be served again. */
void gsched_rclass_activate(struct gsched *s, uint32_t rclass);
void gsched_rclass_unschedulable(struct gsched *s, uint32_t rclass,
                                 enum gsched_cause why);
/* List it among the active classes, or no longer, when reservations are made.
 */
void gsched_rclass_list(struct gsched *s, uint32_t rclass);
void gsched_rclass_unlist(struct gsched *s, uint32_t rclass);
/* Do its class queues stand in active queues? Unschedulable gangs do, for
 * reservations.
 */
bool gsched_rclass_is_served(const struct gsched *s, uint32_t rclass);
bool gsched_rclass_is_unschedulable(const struct gsched *s, uint32_t rclass);

#endif /* POLICIES_PENDING_UNSCHEDULABLE_H */
