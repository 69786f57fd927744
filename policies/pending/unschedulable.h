/* policies/pending/unschedulable.h - what cannot be placed sleeps until there is room for it. */
#ifndef POLICIES_PENDING_UNSCHEDULABLE_H
#define POLICIES_PENDING_UNSCHEDULABLE_H

#include "policies/state/state.h"

/* Wake the asks that what was freed since the last cycle may help, and those
 * of jobs with rules when any such job was placed or gave back.
 */
void gsched_pending_wake(struct gsched *s);
/* Would it wake any for the sake of their rules? */
bool gsched_pending_may_wake(const struct gsched *s);
/* It may be served again. */
void gsched_ask_wake(struct gsched *s, uint32_t ask);
void gsched_ask_sleep(struct gsched *s, uint32_t ask, enum gsched_cause why);
/* List it among those awake, or no longer, when reservations are made. */
void gsched_ask_rouse(struct gsched *s, uint32_t ask);
void gsched_ask_rest(struct gsched *s, uint32_t ask);
/* Do bins of it stand in line?  Gangs that sleep do, for reservations. */
bool gsched_ask_stands(const struct gsched *s, uint32_t ask);
bool gsched_ask_is_asleep(const struct gsched *s, uint32_t ask);

#endif /* POLICIES_PENDING_UNSCHEDULABLE_H */
