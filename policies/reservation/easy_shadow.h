/* policies/reservation/easy_shadow.h - the cluster as it will be when the
 * blocked head fits.
 *
 * By the running jobs' estimated ends: those that end until the *shadow* time
 * are counted as gone, the others hold what they hold.  The shadow is the
 * earliest end by which the head fits (EASY, oracles of Lifka's definition).
 * Jobs move in and out as ends, starts and new heads move the shadow, so that
 * an event costs what it changes.
 */
#ifndef POLICIES_RESERVATION_EASY_SHADOW_H
#define POLICIES_RESERVATION_EASY_SHADOW_H

#include "policies/state/state.h"

/* Running jobs by estimated end; `is_max`: the latest on top. */
struct ends {
    uint32_t *job;
    uint32_t count, cap;
    bool is_max;
};

/* Tasks of one of the head's groups, where they will stand. */
struct slot {
    uint32_t group, node, tasks;
};

struct shadow_state {
    struct topo_cluster *cluster; /* NULL: tasks are all alike and counted */
    int64_t room;                 /* tasks, when counted */
    struct ends ended, kept;
    int64_t shadow_time;
    uint32_t head;    /* job with the reservation; NONE */
    bool is_stale;    /* the shadow may be another than it was */
    bool is_beside;   /* what starts now leaves the head its room */
    bool is_hopeless; /* the head fits by no end */
    bool has_slack;   /* `slack` says it all for tasks of `slack_shape` */
    int64_t slack;    /* tasks beside the head at the shadow time */
    uint32_t slack_shape;
    uint64_t version;          /* of all that lets others fit beside the head */
    struct slot *slot, *draft; /* easy_slots.c */
    uint32_t slot_count, slot_cap, draft_count, draft_cap;
    uint32_t slotted; /* job that the slots are for */
    uint8_t *avoid;   /* [node] the head would stand there */
    uint32_t *avoided, avoided_count, avoided_cap;
};

/* When a running job ends by its estimate. */
int64_t gsched_estimated_end(const struct gsched *s, uint32_t job);

/* Give `job` the reservation; the shadow time, GSCHED_NEVER if by no end it
 * would fit.
 */
int64_t gsched_shadow_reserve(struct gsched *s, uint32_t job);

/* Would the head still fit at the shadow time if these proposals, from
 * `first` on, stood until after it?
 */
bool gsched_shadow_respects(struct gsched *s, uint32_t first);

/* Mark, or unmark, the nodes that the head would take. */
const uint8_t *gsched_shadow_avoid(struct gsched *s);

/* How many tasks of the shape a node in state `group` of the future cluster
 * holds; 0 when it has no hardware for them.
 */
uint32_t gsched_shadow_fit(struct gsched *s, uint32_t group, uint32_t shape);

/* easy_slots.c */
/* Reserve slots for the job on nodes [from, end) at the shadow time. */
bool gsched_slot_find(struct gsched *s, uint32_t job, uint32_t from,
                      uint32_t end);
/* Does the job have slots, and are they free at the shadow time? */
bool gsched_slot_stands(struct gsched *s, uint32_t job);
/* Note the nodes of the slots as those to avoid. */
void gsched_slot_mark(struct gsched *s);
/* Propose the job's slots, all of its gang, for now; false, with nothing
 * proposed, when it has none or they are not free.
 */
bool gsched_slot_take(struct gsched *s, uint32_t job);

/* The job runs from now on; it gave back what it held. */
void gsched_shadow_started(struct gsched *s, uint32_t job);
void gsched_shadow_ended(struct gsched *s, uint32_t job);
/* A running job was given more. */
void gsched_shadow_grew(struct gsched *s, uint32_t job, uint32_t group,
                        const struct topo_grant *g);
/* The node closed, opened, or a GPU of it broke or was mended. */
void gsched_shadow_changed(struct gsched *s, uint32_t node);
void gsched_shadow_free(struct gsched *s);

#endif /* POLICIES_RESERVATION_EASY_SHADOW_H */
