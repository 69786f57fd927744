/* policies/actions/room_list.h - for which class queues room may be made, in
 * order.
 *
 * A queue of which a module refuses all first entries, because of its amounts
 * or until a time, is not looked at before it is eased, or until then
 * (gsp_host.refused_by).
 */
#ifndef POLICIES_ACTIONS_ROOM_LIST_H
#define POLICIES_ACTIONS_ROOM_LIST_H

#include "policies/actions/room_tried.h"

/* Until when an entry has no chance. */
struct room_wait {
    bool is_known;  /* false: any change may give it one */
    uint32_t queue; /* until it is eased; NONE */
    int64_t at;     /* and at the latest then; GSCHED_NEVER */
};

void gsched_room_list_open(struct gsched *s);
/* Begin a pass (not by trials): put the class queues for which room may be made
 * into s->evict->cqueue, in order.  Returns their number; 0 when no first entry
 * may be tried now.
 */
uint32_t gsched_room_list(struct gsched *s, struct way way);
/* After room was made: add those that may be tried since then behind the first
 * `done` of `count`, and order what is behind these.  Returns the new number.
 */
uint32_t gsched_room_list_more(struct gsched *s, struct way way, uint32_t done,
                               uint32_t count);

/* May room be made for the entry?  Else *wait, unless NULL, says until when
 * not.
 */
bool gsched_room_may(struct gsched *s, struct way way,
                     const struct queue_entry *it, struct room_wait *wait);

#endif /* POLICIES_ACTIONS_ROOM_LIST_H */
