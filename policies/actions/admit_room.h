/* policies/actions/admit_room.h - with `with_room` of gsp_admit a job is
 * admitted only where its gang finds room on nodes.
 *
 * Trials place the gang on the cluster itself, as if the job held the flavors
 * that were chosen for it, and undo that; victims are evicted for them
 * tentatively.  A job that is admitted is placed at once.
 */
#ifndef POLICIES_ACTIONS_ADMIT_ROOM_H
#define POLICIES_ACTIONS_ADMIT_ROOM_H

#include "policies/admission/flavors.h"
#include "policies/state/state.h"

struct contest_entry;

void gsched_admit_room_open(struct gsched *s);
/* What the search for flavors of the job asks about room; NULL: nothing. */
const struct quota_room *gsched_admit_room(struct gsched *s, uint32_t job);
/* The victim of another job is off its nodes, for trials; it is back. */
void gsched_admit_room_hide(struct gsched *s, uint32_t job);
void gsched_admit_room_show(struct gsched *s, uint32_t job);
/* Flavors were chosen for the entry: keep the places that were found, if it
 * fits.
 */
void gsched_admit_places_keep(struct gsched *s, struct contest_entry *e);
/* Is there still room for what was chosen for the entry, on the nodes that were
 * found for it?
 */
bool gsched_admit_has_room(struct gsched *s, const struct contest_entry *e);
/* Could an empty cluster have room for the job? */
bool gsched_admit_may_have_room(struct gsched *s, uint32_t job);
/* Victims of other entries leave nodes at the end of this round: which ones are
 * free is known in the next one, and the entry waits for it.
 */
bool gsched_admit_puts_off(struct gsched *s, struct contest_entry *e);
/* Place the job, which was just admitted. */
void gsched_admit_place(struct gsched *s, const struct contest_entry *e);
/* Was the job placed in this cycle?  The host knows nothing of that yet: when
 * it is put back, its decisions go.
 */
bool gsched_admit_is_placed_now(const struct gsched *s, uint32_t job);
void gsched_admit_place_back(struct gsched *s, uint32_t job,
                             const struct gsched_decision *why);
/* Why the entry has no room, with the flavors that were chosen for it. */
enum gsched_cause gsched_admit_room_cause(struct gsched *s,
                                          const struct contest_entry *e);
/* A round left a job without room: it is tried again when something is
 * released.
 */
void gsched_admit_room_missed(struct gsched *s);
void gsched_admit_room_wake(struct gsched *s);
/* No trial is left. */
void gsched_admit_room_done(const struct gsched *s);

#endif /* POLICIES_ACTIONS_ADMIT_ROOM_H */
