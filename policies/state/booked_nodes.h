/* policies/state/booked_nodes.h - nodes that are kept for some jobs at some
 * times (`reservations` of the workload).
 *
 * A job runs on a node only if its estimated time meets no reservation there
 * but its own; a job of a reservation, unless that is flexible, starts on its
 * nodes only, while it lasts.  Jobs that are placed already stay.
 */
#ifndef POLICIES_STATE_BOOKED_NODES_H
#define POLICIES_STATE_BOOKED_NODES_H

#include "policies/state/state.h"

/* NULL parts without reservations; nodes that the topology has not are left
 * out.
 */
void gsched_booked_open(struct gsched *s);
/* False: the job may run on the node for `time` from `at` on. */
bool gsched_booked_refuses(const struct gsched *s, uint32_t job, uint32_t node,
                           int64_t at, int64_t time);
/* The first time after `at` at which the answer for the node may change. */
int64_t gsched_booked_turn(const struct gsched *s, uint32_t node, int64_t at,
                           int64_t time);
/* The same for its estimate, from now on or from the time that
 * gsched_booked_look() set (GSCHED_NEVER: now).
 */
bool gsched_booked_closes(const struct gsched *s, uint32_t job, uint32_t node);
void gsched_booked_look(struct gsched *s, int64_t at);
/* The first begin or end of a reservation after `after`; GSCHED_NEVER. */
int64_t gsched_booked_next(const struct gsched *s, int64_t after);

#endif /* POLICIES_STATE_BOOKED_NODES_H */
