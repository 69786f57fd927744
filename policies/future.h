/* policies/future.h - the cluster as it will be when the blocked head fits.
 *
 * By the running jobs' estimated ends: those that end until the *shadow* time
 * are counted as gone, the others hold what they hold.  The shadow is the
 * earliest end by which the head fits (EASY, oracles of Lifka's definition).
 * Jobs move in and out as ends, starts and new heads move the shadow, so that
 * an event costs what it changes.
 */
#ifndef POLICY_FUTURE_H
#define POLICY_FUTURE_H

#include "policies/scheduler_private.h"

/* Running jobs by estimated end; `is_max`: the latest on top. */
struct ends {
    uint32_t *job;
    uint32_t count, cap;
    bool is_max;
};

struct gsched_future {
    struct topo_cluster *cluster; /* NULL: tasks are all alike and counted */
    int64_t room;                 /* tasks, when counted */
    struct ends gone, kept;
    int64_t shadow;
    uint32_t head;    /* job with the reservation; NONE */
    bool is_stale;    /* the shadow may be another than it was */
    bool is_beside;   /* what starts now leaves the head its room */
    bool is_hopeless; /* the head fits by no end */
    bool has_slack;   /* `slack` says it all for tasks of `slack_shape` */
    int64_t slack;    /* tasks beside the head at the shadow time */
    uint32_t slack_shape;
    uint64_t version; /* of all that lets others fit beside the head */
    uint8_t *avoid;   /* [node] the head would stand there */
    uint32_t *avoided, avoided_count, avoided_cap;
};

/* When a running job ends by its estimate. */
int64_t gsched_estimated_end(const struct gsched *s, uint32_t job);

/* Give `job` the reservation; the shadow time, GSCHED_NEVER if by no end it
 * would fit.
 */
int64_t gsched_future_reserve(struct gsched *s, uint32_t job);

/* Would the head still fit at the shadow time if these proposals, from
 * `first` on, stood until after it?
 */
bool gsched_future_bears(struct gsched *s, uint32_t first);

/* Mark, or unmark, the nodes that the head would take. */
const uint8_t *gsched_future_avoid(struct gsched *s);

#endif /* POLICY_FUTURE_H */
