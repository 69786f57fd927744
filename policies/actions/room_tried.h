/* policies/actions/room_tried.h - for which class queues room was tried to be
 * made since anything changed.
 */
#ifndef POLICIES_ACTIONS_ROOM_TRIED_H
#define POLICIES_ACTIONS_ROOM_TRIED_H

#include "policies/actions/entry_room.h"
#include "policies/pending/pending.h"

/* Indices into class_queue.tries, behind reasons (enum gsp_why), and reasons in
 * bundles.
 */
enum { ROOM_REASONS = 4, ROOM_WITHIN = ROOM_REASONS, ROOM_MOVES };
uint32_t gsched_room_number(struct way way);

/* True while the entry, or each of its tasks, waits for victims to leave. */
bool gsched_room_is_awaited(const struct gsched *s,
                            const struct queue_entry *it);
/* The place of the entry of the class queue for which room is made: the first;
 * where each makes room for itself, of those that do not wait for victims;
 * NONE.
 */
uint32_t gsched_room_entry(const struct gsched *s, const struct class_queue *b);
/* Can the class queue be tried now, for its entry at `entry` (NONE: no); is it
 * of those that make room in that way?
 */
bool gsched_room_is_open(const struct gsched *s, const struct class_queue *b,
                         uint32_t entry, struct way way);
bool gsched_room_is_of_kind(const struct gsched *s, const struct class_queue *b,
                            struct way way);
/* Can room be made for an entry of the request class, or of the class queue, as
 * far as is seen of it?
 */
bool gsched_room_class_may(const struct gsched *s, uint32_t rclass,
                           struct way way);
bool gsched_room_cqueue_may(const struct gsched *s, uint32_t cqueue,
                            struct way way);
/* Did the attempt for the entry of the class queue fail, and has nothing
 * changed since; note that it did.
 */
bool gsched_room_is_tried(const struct gsched *s, const struct class_queue *b,
                          uint32_t entry, struct way way);
void gsched_room_tried(struct gsched *s, uint32_t cqueue, uint32_t job,
                       struct way way);
/* Note it for all for which room might be made, by their first entries. */
void gsched_room_tried_all(struct gsched *s, struct way way);

#endif /* POLICIES_ACTIONS_ROOM_TRIED_H */
