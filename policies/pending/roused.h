/* policies/pending/roused.h - request classes for which something was freed,
 * and which are not active yet.
 *
 * With one reservation, most of the classes that a freed node could help lose
 * it at once to the first of them in order.  They would become active, be
 * tried, fail and be parked again, each for itself.  So a parked class that
 * lacks nothing but room is only *roused*: it stays parked, with its cause,
 * until it is its turn.  gsched_rclass_wake() then makes it active, or leaves
 * it where it is when the room is gone.  Both are the same at the end of the
 * cycle, since gsched_causes_follow() sets the causes of parked classes by what
 * is free then.
 *
 * gsched_pending_activate() rouses; the actions wake those that they are about
 * to try; gsched_roused_end() wakes the rest.  No class is roused between
 * cycles.
 */
#ifndef POLICIES_PENDING_ROUSED_H
#define POLICIES_PENDING_ROUSED_H

#include "policies/state/state.h"

/* May classes be roused at all? */
bool gsched_may_rouse(const struct gsched *s);
/* Rouse the parked classes of a shape for which there may be room, if any may
 * be roused.  False: they must be examined one by one instead.
 */
bool gsched_rouse(struct gsched *s, uint32_t shape);
/* Activate the class if it is roused and there is room for it. */
void gsched_rclass_wake(struct gsched *s, uint32_t rclass);
/* It is roused no longer: there is no room for it, or it is active. */
void gsched_rclass_settle(struct gsched *s, uint32_t rclass);
/* The class is parked, for want of room or (`why`) something else. */
void gsched_rclass_lacks(struct gsched *s, uint32_t rclass,
                         enum gsched_cause why);
/* Wake all; those for which there is no room are roused no longer. */
void gsched_roused_end(struct gsched *s);

#endif /* POLICIES_PENDING_ROUSED_H */
