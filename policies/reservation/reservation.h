/* policies/reservation/reservation.h - times and places reserved for blocked
 * jobs.
 *
 * The depth (gsched_modules.depth) says how many of the blocked jobs have a
 * reservation, in queue order: none; the first (EASY); all (conservative).
 *
 * With more than one, the *plan* keeps an availability profile of each place
 * (availability.h), finds in it the earliest slot for a job (earliest_slot.c),
 * and takes what is reserved out of it.  For one job a single cut through the
 * profiles will do: the *shadow state* is the cluster at the time of the only
 * reservation.  It moves from event to event by the jobs whose ends it crosses,
 * so that no event costs a search over all nodes, and as a cluster it counts
 * shares of a GPU by device, where a profile has their sum.
 *
 * gsched_reservations_started() and those after it tell either of them what
 * runs; the actions (actions/easy.c, actions/conservative.c) reserve.
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
    bool is_missed; /* it could not start when it was time */
};

/* A job was started, or placed by an estimate that is new; it ended, or is
 * about to give back, or to have another estimate; it was given more.
 */
void gsched_reservations_started(struct gsched *s, uint32_t job);
void gsched_reservations_ended(struct gsched *s, uint32_t job);
void gsched_reservations_grew(struct gsched *s, uint32_t job, uint32_t group,
                              const struct topo_grant *g);
/* The node was cordoned or uncordoned; or `milli` thousandths of its GPUs came
 * back, or failed (below 0).
 */
void gsched_reservations_node_changed(struct gsched *s, uint32_t node,
                                      int64_t milli);
void gsched_reservations_free(struct gsched *s);

/* Allocate and propose the reserved slots, from now on; false, with nothing
 * proposed, when there are none or they are not free.
 */
bool gsched_reservation_take(struct gsched *s, const struct reservation *r);
void gsched_slot_add(struct reservation *r, uint32_t group, uint32_t node,
                     uint32_t tasks);
/* `at` + `by`, or GSCHED_NEVER. */
static inline int64_t gsched_later(int64_t at, int64_t by)
{
    assert(at >= 0 && by >= 0);
    return by < GSCHED_NEVER - at ? at + by : GSCHED_NEVER;
}
/* All tasks ask for the same and may stand on any node: they are counted. */
bool gsched_tasks_are_alike(const struct gsched *s);

/* --- one reservation: easy_shadow.c --------------------------------------- */

/* Running jobs by estimated end; `is_max`: the latest on top. */
struct ends {
    uint32_t *job;
    uint32_t count, cap;
    bool is_max;
};

/* The cluster at the shadow time: the earliest estimated end by which the head
 * fits (Lifka's EASY).  Jobs that end by then count as gone, the others hold
 * what they hold.
 */
struct shadow_state {
    struct topo_cluster *cluster; /* NULL: tasks are counted */
    int64_t room;                 /* tasks, when counted */
    struct ends ended, kept;      /* by the shadow time, after it */
    int64_t shadow_time;
    uint32_t head;    /* job with the reservation; NONE */
    bool is_stale;    /* the shadow time may be another than it was */
    bool is_beside;   /* jobs that start now leave the head its room */
    bool is_hopeless; /* the head fits by no end */
    bool has_slack;   /* `slack` is exact, for tasks of `slack_shape` */
    int64_t slack;    /* tasks beside the head at the shadow time */
    uint32_t slack_shape;
    uint64_t version; /* of all that lets others fit beside the head */
    struct reservation found, draft; /* slots at the shadow time; the next */
    uint8_t *avoid;                  /* [node] the head would stand there */
};

/* Events; see gsched_reservations_started(). */
void gsched_shadow_started(struct gsched *s, uint32_t job);
void gsched_shadow_ended(struct gsched *s, uint32_t job);
void gsched_shadow_grew(struct gsched *s, uint32_t job, uint32_t group,
                        const struct topo_grant *g);
void gsched_shadow_changed(struct gsched *s, uint32_t node);
void gsched_shadow_free(struct gsched *s);
/* Give `job` the reservation; the shadow time, GSCHED_NEVER if it would fit by
 * no end.
 */
int64_t gsched_shadow_reserve(struct gsched *s, uint32_t job);
/* Would the head fit at the shadow time if the decisions from `first` on stood
 * until after it?
 */
bool gsched_shadow_respects(struct gsched *s, uint32_t first);
/* [node] 1: the head would stand there; true until the next call. */
const uint8_t *gsched_shadow_avoid(struct gsched *s);

/* --- several: plan.c, earliest_slot.c ------------------------------------- */

struct availability;
struct slot_search;

struct gsched_plan {
    bool counts; /* one place, and its amount is tasks; else places are nodes */
    uint32_t places, dims;
    struct availability *profile; /* [place] less what is reserved */
    struct reservation *queue;    /* of all gangs that wait, in queue order */
    uint32_t count, cap;
    bool has_gap;     /* something ended early */
    bool is_starting; /* a job that leaves the queue leaves no gap */
    int64_t next;     /* the first start that is reserved; GSCHED_NEVER */
    struct slot_search *search;
};

/* Events; see gsched_reservations_started(). */
void gsched_plan_started(struct gsched *s, uint32_t job);
void gsched_plan_ended(struct gsched *s, uint32_t job);
void gsched_plan_grew(struct gsched *s, uint32_t job, uint32_t group,
                      const struct topo_grant *g);
void gsched_plan_changed(struct gsched *s, uint32_t node, int64_t milli);
void gsched_plan_free(struct gsched *s);
/* The plan, made when it is first needed. */
struct gsched_plan *gsched_plan_of(struct gsched *s);
/* The job is queued without a reservation; it leaves the queue. */
void gsched_plan_add(struct gsched *s, uint32_t job);
void gsched_plan_drop(struct gsched *s, uint32_t job);
/* Its reservation, if any, is given back: before its estimate changes. */
void gsched_plan_forget(struct gsched *s, uint32_t job);
/* What is reserved is taken out of the profiles (sign -1), or put back (1). */
void gsched_plan_reserve(struct gsched *s, const struct reservation *r,
                         int sign);
/* Put it back and forget it. */
void gsched_reservation_forget(struct gsched *s, struct reservation *r);
/* Do the decisions from `first` on, which start the job, leave the others what
 * is reserved for them?
 */
bool gsched_plan_respects(struct gsched *s, uint32_t job, uint32_t first);
/* From now on places are nodes: a job asks for something else than the others,
 * or nodes change.  Starts that are reserved stay.
 */
void gsched_plan_by_nodes(struct gsched *s);
/* What a task of the group takes of a place; for how long: at least 1 us. */
const int64_t *gsched_plan_amount(const struct gsched *s, uint32_t job,
                                  uint32_t group);
int64_t gsched_plan_time(const struct gsched *s, uint32_t job);
/* The next start, though nothing else may happen then; GSCHED_NEVER. */
int64_t gsched_plan_next(const struct gsched *s);
/* The start reserved for the job; GSCHED_NEVER. */
int64_t gsched_plan_start(const struct gsched *s, uint32_t job);

/* The earliest time from now on at which the profiles have room for the job's
 * gang for as long as it may run; its slots are added to `r`.  GSCHED_NEVER:
 * none.
 */
int64_t gsched_earliest_slot(struct gsched *s, struct reservation *r);
/* Is there room from `at` on, where places are nodes?  Adds the slots. */
bool gsched_slot_at(struct gsched *s, struct reservation *r, int64_t at);
void gsched_slot_search_free(struct gsched_plan *p);

#endif /* POLICIES_RESERVATION_RESERVATION_H */
