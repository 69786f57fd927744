/* policies/reservation/reservation.h - times and places reserved for blocked
 * jobs.
 *
 * The depth (gsched_modules.depth) says how many of the blocked jobs have a
 * reservation, in queue order: none; the first (EASY); all (conservative).
 *
 * With more than one, the *plan* keeps an availability profile of each place
 * (availability.h), finds in them the earliest slot for a job
 * (earliest_slot.c), and subtracts reservations from them.  For one reservation
 * the state at one time suffices: the *shadow state* is the cluster at the time
 * of the only reservation.  An event updates it by the jobs whose estimated
 * ends are between the old and the new time, so no event needs a search over
 * all nodes.  It counts shares of a GPU by device; an availability profile has
 * only their sum.
 *
 * gsched_reservations_started() and the functions after it inform both of
 * running jobs; the actions (actions/easy.c, actions/conservative.c) make
 * reservations.
 */
#ifndef POLICIES_RESERVATION_RESERVATION_H
#define POLICIES_RESERVATION_RESERVATION_H

#include <assert.h>

#include "policies/state/state.h"

/* Tasks of one group on one node; node 0 where tasks are only counted. */
struct reserved_slot {
    uint32_t group, node, tasks;
};

/* The gang of a job from `start` on, for as long as it is estimated to run. */
struct reservation {
    uint32_t job; /* NONE */
    uint32_t slots, slot_cap;
    struct reserved_slot *slot;
    int64_t start;  /* GSCHED_NEVER: none */
    uint32_t nodes; /* instead of `slot`: the set of its nodes, of which there
                       are `slots`, see whole_nodes.c; 0 */
    uint64_t since; /* version of the plan when they were sought */
};

/* Events of jobs.  Started: the job started, or has a new estimate.  Ended: it
 * ended, or is about to be evicted or to get another estimate.  Grew: it got
 * another allocation.
 */
void gsched_reservations_started(struct gsched *s, uint32_t job);
void gsched_reservations_ended(struct gsched *s, uint32_t job);
void gsched_reservations_grew(struct gsched *s, uint32_t job, uint32_t group,
                              const struct topo_grant *g);
/* Events of nodes: the node was cordoned or uncordoned, or `milli` thousandths
 * of its GPUs were repaired (failed: below 0).
 */
void gsched_reservations_node_changed(struct gsched *s, uint32_t node,
                                      int64_t milli);
/* True when a blocked job has a reservation. */
bool gsched_reservations_stand(const struct gsched *s);
/* Another scheduler took capacity, for an unknown time (`holds`), or released
 * it.
 */
void gsched_reservations_others(struct gsched *s, uint32_t job, uint32_t group,
                                const struct topo_grant *g, bool holds);
/* Tasks of these decisions got the devices g[i] instead of theirs. */
void gsched_reservations_exchanged(struct gsched *s,
                                   const struct gsched_decision *d,
                                   const struct topo_grant *g, uint32_t count);
void gsched_reservations_free(struct gsched *s);

/* Allocate and propose the reserved slots, starting now.  False, with nothing
 * proposed, when there are none or they are not free.
 */
bool gsched_reservation_take(struct gsched *s, const struct reservation *r);
void gsched_slot_add(struct reservation *r, uint32_t group, uint32_t node,
                     uint32_t tasks);
/* `at` + `by`, or GSCHED_NEVER. */
static inline int64_t gsched_later(int64_t at, int64_t by)
{
    assert(at >= -GSCHED_LAST && by >= 0); /* below 0: see gsched_adopt */
    return at < 0 || by < GSCHED_NEVER - at ? at + by : GSCHED_NEVER;
}
/* True when all tasks have the same request and may run on any node: then they
 * are only counted.
 */
bool gsched_tasks_are_alike(const struct gsched *s);

/* --- running jobs by their ends: job_ends.c ------------------------------- */

/* Running jobs by estimated end; a heap; `is_max`: the latest on top. */
struct ends {
    uint32_t *job;
    uint32_t count, cap;
    bool is_max;
};

/* The estimated end of a running job; GSCHED_NEVER. */
int64_t gsched_estimated_end(const struct gsched *s, uint32_t job);
/* Add a job that is in no heap; remove one that is in this heap.  Its estimated
 * end must not change in between.
 */
void gsched_ends_add(struct gsched *s, struct ends *e, uint32_t job);
void gsched_ends_drop(struct gsched *s, struct ends *e, uint32_t job);
/* The estimated end of the job on top; GSCHED_NEVER: the heap is empty. */
int64_t gsched_ends_first(const struct gsched *s, const struct ends *e);

/* --- one reservation: easy_shadow.c --------------------------------------- */

struct chance; /* actions/easy.c */

/* The cluster at the shadow time: the earliest estimated end by which the head
 * fits (Lifka's EASY).  Jobs that end by then are removed; the others keep
 * their allocations.
 */
struct shadow_state {
    struct topo_cluster *cluster; /* NULL: tasks are counted */
    int64_t room;            /* room in tasks: of all, when they are counted;
                                     else of the shape `room_shape` */
    uint32_t room_shape;     /* NONE: not known */
    struct ends ended, kept; /* jobs that end by the shadow time; jobs
                                     that end later */
    int64_t shadow_time;
    uint32_t head;    /* job with the reservation; NONE */
    bool is_stale;    /* the shadow time must be computed again */
    bool is_beside;   /* jobs that start now do not use the room of the head */
    bool is_hopeless; /* the head does not fit at any estimated end */
    bool has_slack;   /* `slack` is exact, for tasks of `slack_shape` */
    int64_t slack;    /* tasks beside the head at the shadow time */
    uint32_t slack_shape;
    uint64_t version; /* version of the state that others must fit beside the
                         head */
    struct reservation found, draft; /* slots at the shadow time; slots being
                                        searched */
    uint8_t *avoid;                  /* [node] 1: the head has reserved slots
                                        there */
    struct chance *chance;           /* of this cycle, see actions/easy.c */
    uint32_t chances, chance_cap;
};

/* Events; see gsched_reservations_started(). */
void gsched_shadow_started(struct gsched *s, uint32_t job);
void gsched_shadow_ended(struct gsched *s, uint32_t job);
void gsched_shadow_grew(struct gsched *s, uint32_t job, uint32_t group,
                        const struct topo_grant *g);
void gsched_shadow_changed(struct gsched *s, uint32_t node);
/* `g` of a job is held from now on, or no longer; no effect for jobs that the
 * shadow state does not contain.
 */
void gsched_shadow_hold(struct gsched *s, uint32_t job, uint32_t group,
                        const struct topo_grant *g, bool holds);
void gsched_shadow_free(struct gsched *s);
/* Give `job` the reservation.  Returns the shadow time; GSCHED_NEVER when the
 * job does not fit at any estimated end.
 */
int64_t gsched_shadow_reserve(struct gsched *s, uint32_t job);
/* The next estimated end of a job that runs, while the head waits: if the job
 * runs for longer, the shadow state changes without an event.  GSCHED_NEVER.
 */
int64_t gsched_shadow_next(const struct gsched *s);
/* True when the head still fits at the shadow time if the placements decided
 * from `first` on last beyond it.
 */
bool gsched_shadow_respects(struct gsched *s, uint32_t first);
/* [node] 1: the head has reserved slots there.  Valid until the next call. */
const uint8_t *gsched_shadow_avoid(struct gsched *s);

/* Number of tasks of the shape that fit a node in state `group` at the shadow
 * time; 0 without suitable hardware.
 */
uint32_t gsched_shadow_fit(struct gsched *s, uint32_t group, uint32_t shape);
/* Find slots for the head on nodes of the scope.  False, with those that were
 * found before, if there are none: a search for different requests may fail
 * where another assignment fits.
 */
bool gsched_head_slots_find(struct gsched *s, uint32_t job,
                            const struct scope *w);
/* True when the slots found for the job are free at the shadow time. */
bool gsched_head_slots_stand(struct gsched *s, uint32_t job);

/* --- several: plan.c, earliest_slot.c ------------------------------------- */

struct availability;
struct slot_search;
struct whole_nodes;

struct gsched_plan {
    bool counts; /* one place with an amount in tasks; else each node is a
                    place */
    uint32_t places, dims;
    struct availability *profile; /* [place] free amounts less the
                                     reservations */
    struct reservation *queue;    /* reservations of all pending gangs, in
                                     queue order */
    uint32_t count, cap;
    bool has_gap;     /* a job ended early */
    bool is_starting; /* jobs that leave the queue are starting: no gap */
    int64_t next;     /* the first reserved start; GSCHED_NEVER */
    struct slot_search *search;
    struct whole_nodes *whole; /* NULL: reservations are in the profiles */
};

/* Events; see gsched_reservations_started(). */
void gsched_plan_started(struct gsched *s, uint32_t job);
void gsched_plan_ended(struct gsched *s, uint32_t job);
void gsched_plan_grew(struct gsched *s, uint32_t job, uint32_t group,
                      const struct topo_grant *g);
void gsched_plan_changed(struct gsched *s, uint32_t node, int64_t milli);
void gsched_plan_others(struct gsched *s, uint32_t job, uint32_t group,
                        const struct topo_grant *g, bool holds);
void gsched_plan_free(struct gsched *s);
/* The plan, made when it is first needed. */
struct gsched_plan *gsched_plan_of(struct gsched *s);
/* Add the job to the queue, without a reservation; remove it from the queue. */
void gsched_plan_add(struct gsched *s, uint32_t job);
void gsched_plan_drop(struct gsched *s, uint32_t job);
/* Restore the queue order, which changed; reservations move to earlier times in
 * the new order where possible.
 */
void gsched_plan_reorder(struct gsched *s);
/* Cancel the reservation of the job, if any; called before its estimate
 * changes.
 */
void gsched_plan_forget(struct gsched *s, uint32_t job);
/* The first job of the queue; NONE.  Cancel all reservations, after it started
 * in the place of others.
 */
uint32_t gsched_plan_first(const struct gsched *s);
void gsched_plan_clear(struct gsched *s);
/* Subtract the reservation from the profiles (sign -1), or add it again (1). */
void gsched_plan_reserve(struct gsched *s, const struct reservation *r,
                         int sign);
/* Add the reservation to the profiles again and clear it. */
void gsched_reservation_forget(struct gsched *s, struct reservation *r);
/* True when the decisions from `first` on, which start the job, do not use what
 * is reserved for others.
 */
bool gsched_plan_respects(struct gsched *s, uint32_t job, uint32_t first);
/* From now on each node is a place: a job has another request than the others,
 * or nodes change.  Reserved starts are kept.
 */
void gsched_plan_by_nodes(struct gsched *s);
/* The amounts that a task of the group takes from a place; and the time for
 * which it does so, at least 1 us.
 */
const int64_t *gsched_plan_amount(const struct gsched *s, uint32_t job,
                                  uint32_t group);
int64_t gsched_plan_time(const struct gsched *s, uint32_t job);
/* The next reserved start, at which a cycle is due; GSCHED_NEVER. */
int64_t gsched_plan_next(const struct gsched *s);
/* The reserved start of the job; GSCHED_NEVER. */
int64_t gsched_plan_start(const struct gsched *s, uint32_t job);

/* The earliest time from now on, `latest` at the latest, at which the profiles
 * have room for the gang during its estimated run time; its slots are added to
 * `r`.  GSCHED_NEVER, or a time after `latest`: none.
 */
int64_t gsched_earliest_slot(struct gsched *s, struct reservation *r,
                             int64_t latest);
/* True when there is room from `at` on, with nodes as places; adds the slots to
 * `r`.
 */
bool gsched_slot_at(struct gsched *s, struct reservation *r, int64_t at);
void gsched_slot_search_free(struct gsched_plan *p);
/* Free what the reservation has of memory; it has no slots any more. */
void gsched_reservation_close(struct gsched_plan *p, struct reservation *r);

/* --- gangs of whole nodes: whole_nodes.c ---------------------------------- */

/* While all that wait are gangs of tasks that ask for the same, of which a node
 * holds one, reservations are sets of nodes in node_times.h.  They are those
 * that the profiles would give.
 */

/* From now on, if all that wait are such gangs. */
void gsched_whole_begin(struct gsched *s);
/* No longer: reservations are subtracted from the profiles.  No effect if they
 * are.
 */
void gsched_whole_end(struct gsched *s);
/* A job joined the queue: if it is another kind of gang, no longer. */
void gsched_whole_joined(struct gsched *s, uint32_t job);
/* The profile of a node changed; after one or more of these, all changed. */
void gsched_whole_profile(struct gsched *s, uint32_t node);
void gsched_whole_profiles(struct gsched *s);
/* As gsched_plan_reserve(), gsched_earliest_slot(), gsched_plan_respects(). */
void gsched_whole_reserve(struct gsched *s, const struct reservation *r,
                          int sign);
int64_t gsched_whole_earliest(struct gsched *s, struct reservation *r,
                              int64_t latest);
bool gsched_whole_respects(struct gsched *s, uint32_t job, uint32_t first);
/* Reserve the earliest start anew, as far as it is not now.  False, with
 * nothing done, if it is now.
 */
bool gsched_whole_renew(struct gsched *s, struct reservation *r);
/* Give the reservation slots in place of its set, not both. */
void gsched_whole_slots(struct gsched *s, struct reservation *r);
void gsched_whole_free(struct gsched_plan *p);

#endif /* POLICIES_RESERVATION_RESERVATION_H */
