/* policies/state/jobs.h - what is known of a job, its groups and what it asks for */
#ifndef POLICIES_STATE_JOBS_H
#define POLICIES_STATE_JOBS_H

#include "policies/state/state.h"

/* Tasks of group `g` that the gang needs: the group's own minimum, and the rest
 * of the gang in the order of groups, as far as an empty cluster holds them.
 */
uint32_t gsched_gang_of(const struct gsched *s, uint32_t job, uint32_t g);
/* Allocate tasks on a node, a share on the device that a module picks. */
struct where gsched_anywhere(const struct gsched *s, uint32_t job,
                             uint32_t group);
/* Is there nothing in `amount`, but pods? */
bool gsched_asks_nothing(const struct gsched *s, const int64_t *amount);
/* Append to the cycle's decisions. */
const struct trace_group *gsched_group(const struct gsched *s, uint32_t job,
                                       uint32_t group);
/* Tasks of a group that exist and are not placed. */
uint32_t gsched_group_missing(const struct gsched *s, uint32_t job,
                              uint32_t group);
bool gsched_has_action(const struct gsched *s, enum gsched_action a);
/* The queue a job counts for: its own, or 0 when no module tells them apart. */
uint32_t gsched_queue_of(const struct gsched *s, uint32_t job);

#endif /* POLICIES_STATE_JOBS_H */
