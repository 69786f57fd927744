/* policies/pending/ruled_turns.h - unschedulable request classes of tasks with
 * rules about other jobs, in service order.
 *
 * Each of them would be tried again whenever a job with rules was placed or
 * released, and mostly in vain.  Where nothing but room and rules about labels
 * decides, an attempt fails for sure unless, since the last one, tasks moved
 * whose labels concern the class, or a node was freed that its rules allow.  An
 * attempt that fails for sure is not made; the wait reason that it would have
 * found, the same for all tasks of a shape, is set at the same turn.
 *
 * gsched_pending_activate() calls gsched_ruled_begin(): what was freed or moved
 * until then decides which classes have a turn.  The pass calls
 * gsched_ruled_reach() before it serves an entry, and when none is left.
 */
#ifndef POLICIES_PENDING_RULED_TURNS_H
#define POLICIES_PENDING_RULED_TURNS_H

#include "policies/state/state.h"

/* Park the class, which was tried in vain; false: it is not of this kind. */
bool gsched_ruled_add(struct gsched *s, uint32_t rclass);
/* The class is activated. */
void gsched_ruled_take(struct gsched *s, uint32_t rclass);
/* The class has another first entry, or none. */
void gsched_ruled_moved(struct gsched *s, uint32_t rclass);
/* The entries of the job get other places in order; they have them. */
void gsched_ruled_lift(struct gsched *s, uint32_t job);
void gsched_ruled_land(struct gsched *s);

void gsched_ruled_begin(struct gsched *s);
/* The turn of the first entry of the class queue comes, or (NONE) that of all
 * is over.  True: the class of an earlier turn may be placed now, and was
 * activated.
 */
bool gsched_ruled_reach(struct gsched *s, uint32_t cqueue);
/* No pass follows: activate the classes that have a turn. */
void gsched_ruled_flush(struct gsched *s);

/* True when jobs with rules were placed or released since some class was tried.
 */
bool gsched_ruled_are_due(const struct gsched *s);
/* See gsched_causes_follow(). */
void gsched_ruled_follow(struct gsched *s);
void gsched_ruled_open(struct gsched *s);
void gsched_ruled_free(struct gsched *s);

#endif /* POLICIES_PENDING_RULED_TURNS_H */
