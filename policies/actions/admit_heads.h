/* policies/actions/admit_heads.h - the rounds of action admit, and the first
 * jobs of queues, which enter them.
 */
#ifndef POLICIES_ACTIONS_ADMIT_HEADS_H
#define POLICIES_ACTIONS_ADMIT_HEADS_H

#include "policies/admission/contest.h"
#include "policies/state/state.h"

/* Used until the end of a round. */
struct quota_reserved {
    uint32_t node, cell;
    int64_t amount;
};

/* A job whose turn is when all admitted ones run, and the flavors that it gets
 * then.
 */
struct admit_held {
    uint32_t job;
    uint32_t first, picks; /* of its choice; 0: it did not fit */
};

/* The last trial for a request class of one group. */
struct room_trial {
    uint64_t round;          /* in which it was made; 0: none was */
    uint64_t releases;       /* by then */
    uint32_t flavors, tasks; /* of the group */
    uint32_t first, count;   /* places that it found */
    bool fits;
};

struct gsched_admits {
    struct contest_entry *entry;
    uint32_t entries, entry_cap;
    struct quota_victim *victim; /* of all entries */
    uint32_t victims, victim_cap;
    struct gs_numbers taken; /* jobs that are evicted at the end of the round */
    struct admit_held *held;
    uint32_t helds, held_cap;
    struct flavor_pick *held_pick;
    uint32_t held_picks, held_pick_cap;
    uint64_t *taken_in; /* [job] round in which they were taken */
    uint32_t taken_cap;
    struct quota_reserved *reserved;
    uint32_t reserved_count, reserved_cap;
    struct quota_room room;        /* of admit_room.h */
    uint32_t room_job;             /* that it is asked about */
    struct gsched_decision *place; /* that were found for entries; behind them
                                      those of the last trial */
    uint32_t places, place_cap, found, found_at;
    struct room_trial *trial; /* [request class] */
    uint32_t trial_cap;
    bool has_placed; /* a job, in this round */
};

/* Begin a round: the entries of those that are tried; false: there are none,
 * nor will be.
 */
bool gsched_heads_take(struct gsched *s);
/* The same of those that are held, in their order, which no longer are. Those
 * with the picks of the choice that they had have outcome CONTEST_HELD.
 */
bool gsched_heads_held(struct gsched *s);
/* One more entry, whose memory is used again; others may move. */
struct contest_entry *gsched_head_add(struct gsched *s);
/* The queue's first job did not fit: set it aside with its class, or let it
 * block the queue.  True: it is aside.
 */
bool gsched_head_leave(struct gsched *s, const struct contest_entry *e);
/* The round stops for the jobs that were admitted: it goes on with this one
 * when all of them run.
 */
void gsched_head_hold(struct gsched *s, struct contest_entry *e);
/* It is not the first of its queue any more because it was held. */
void gsched_head_free(struct gsched *s, const struct contest_entry *e);
/* Jobs that evict each other, none of which begins for the first time or ends,
 * stop after some rounds.
 */
bool gsched_heads_may_evict(const struct gsched *s);
/* Of the queues of the tree keep those that are still blocked. */
void gsched_heads_sweep(struct gsched *s, uint32_t tree);

#endif /* POLICIES_ACTIONS_ADMIT_HEADS_H */
