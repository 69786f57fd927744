/* policies/pending/unschedulable.h - what cannot be placed sleeps until there is room for it. */
#ifndef POLICIES_PENDING_UNSCHEDULABLE_H
#define POLICIES_PENDING_UNSCHEDULABLE_H

#include "policies/state/state.h"

/* Wake the asks that what was freed since the last cycle may help, and those
 * of jobs with rules when any such job was placed or gave back.
 */
void gsched_pending_activate(struct gsched *s);
/* Would it wake any for the sake of their rules? */
bool gsched_pending_may_activate(const struct gsched *s);
/* It may be served again. */
void gsched_rclass_activate(struct gsched *s, uint32_t rclass);
void gsched_rclass_unschedulable(struct gsched *s, uint32_t rclass,
                                 enum gsched_cause why);
/* List it among those awake, or no longer, when reservations are made. */
void gsched_rclass_list(struct gsched *s, uint32_t rclass);
void gsched_rclass_unlist(struct gsched *s, uint32_t rclass);
/* Do bins of it stand in line?  Gangs that sleep do, for reservations. */
bool gsched_rclass_is_served(const struct gsched *s, uint32_t rclass);
bool gsched_rclass_is_unschedulable(const struct gsched *s, uint32_t rclass);

#endif /* POLICIES_PENDING_UNSCHEDULABLE_H */
