/* policies/pending/unschedulable.h - request classes that cannot be placed, and
 * their activation.
 */
#ifndef POLICIES_PENDING_UNSCHEDULABLE_H
#define POLICIES_PENDING_UNSCHEDULABLE_H

#include "policies/state/state.h"

/* Activate the request classes that resources released since the last cycle may
 * help; and those of jobs with rules when a job with rules was placed or
 * released.
 */
void gsched_pending_activate(struct gsched *s);
/* True when one of the nodes that were freed until the last call could take a
 * task of the shape.
 */
bool gsched_shape_activated(struct gsched *s, uint32_t shape);
/* True when gsched_pending_activate() would activate any because of rules. */
bool gsched_pending_may_activate(const struct gsched *s);
/* Activate the request class; make it unschedulable because of `why`. */
void gsched_rclass_activate(struct gsched *s, uint32_t rclass);
void gsched_rclass_unschedulable(struct gsched *s, uint32_t rclass,
                                 enum gsched_cause why);
/* With reservations: add the class to the list of active classes, or remove it.
 */
void gsched_rclass_list(struct gsched *s, uint32_t rclass);
void gsched_rclass_unlist(struct gsched *s, uint32_t rclass);
/* True when its class queues are in active queues.  Unschedulable gangs are
 * too, for reservations.
 */
bool gsched_rclass_is_served(const struct gsched *s, uint32_t rclass);
bool gsched_rclass_is_unschedulable(const struct gsched *s, uint32_t rclass);
/* The pause of the class is over: activate it if something that it could use
 * was freed meanwhile.
 */
void gsched_rclass_retry(struct gsched *s, uint32_t rclass);

#endif /* POLICIES_PENDING_UNSCHEDULABLE_H */
