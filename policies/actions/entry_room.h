/* policies/actions/entry_room.h - room for one entry, by eviction of others. */
#ifndef POLICIES_ACTIONS_ENTRY_ROOM_H
#define POLICIES_ACTIONS_ENTRY_ROOM_H

#include "policies/state/state.h"

struct queue_entry;

/* How room is made. */
struct way {
    enum gsp_why why;
    bool by_bundle; /* for all tasks at once */
    bool within;    /* for a task, by those of its job */
    bool by_trials; /* see solver/ */
    bool moves;     /* by trials, and no job is lost */
};

/* Evict others and place the entry, where nothing stands in `avoid` (NULL:
 * anywhere; not by bundles or trials), or warn victims that have a grace time.
 * False: it is not placed.
 */
bool gsched_entry_room(struct gsched *s, struct way way,
                       const struct queue_entry *it, const uint8_t *avoid);

#endif /* POLICIES_ACTIONS_ENTRY_ROOM_H */
