/* policies/actions/room_list.h - for which class queues room may be made, in
 * order.
 *
 * A queue of which a module refuses all first entries, because of its amounts or
 * until a time, is not looked at before it is eased, or until then
 * (gsp_host.refused_by).
 */
#ifndef POLICIES_ACTIONS_ROOM_LIST_H
#define POLICIES_ACTIONS_ROOM_LIST_H

#include "policies/actions/entry_room.h"
#include "policies/pending/pending.h"

/* Indices into class_queue.tried, behind reasons (enum gsp_why), and reasons in
 * bundles.
 */
enum { ROOM_REASONS = 4, ROOM_WITHIN = ROOM_REASONS, ROOM_MOVES };

/* Until when an entry has no chance. */
struct room_wait {
    bool is_known;  /* false: any change may give it one */
    uint32_t queue; /* until it is eased; NONE */
    int64_t at;     /* and at the latest then; GSCHED_NEVER */
};

void gsched_room_list_open(struct gsched *s);
/* Begin a pass (not by trials): put the class queues for which room may be made
 * into s->evict->cqueue, in order.  Returns their number; 0 when no first entry may
 * be tried now.
 */
uint32_t gsched_room_list(struct gsched *s, struct way way);
/* After room was made: add those that may be tried since then behind the first
 * `done` of `count`, and order what is behind these.  Returns the new number.
 */
uint32_t gsched_room_list_more(struct gsched *s, struct way way, uint32_t done,
                               uint32_t count);

/* The place of the entry of the class queue for which room is made: the first;
 * where each makes room for itself, of those that do not wait for victims; NONE.
 */
uint32_t gsched_room_entry(const struct gsched *s, const struct class_queue *b);
/* May room be made for the entry?  Else *wait, unless NULL, says until when not. */
bool gsched_room_may(struct gsched *s, struct way way,
                     const struct queue_entry *it, struct room_wait *wait);
/* Can room be made for an entry of the class queue, as far as is seen of it? */
bool gsched_room_cqueue_may(const struct gsched *s, uint32_t cqueue,
                            struct way way);
/* Did the attempt for the entry of the class queue fail, and has nothing changed
 * since; note that it did.
 */
bool gsched_room_is_tried(const struct gsched *s, const struct class_queue *b,
                          uint32_t entry, struct way way);
void gsched_room_tried(struct gsched *s, uint32_t cqueue, uint32_t job,
                       struct way way);
/* Note it for all for which room might be made, by their first entries. */
void gsched_room_tried_all(struct gsched *s, struct way way);
/* True while the entry, or each of its tasks, waits for victims to leave. */
bool gsched_room_is_awaited(const struct gsched *s,
                            const struct queue_entry *it);

#endif /* POLICIES_ACTIONS_ROOM_LIST_H */
