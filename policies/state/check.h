/* policies/state/check.h - validation of calls of the host. */
#ifndef POLICIES_STATE_CHECK_H
#define POLICIES_STATE_CHECK_H

#include "policies/state/state.h"

/* Record why a call is refused.  Returns -1. */
int gsched_refuse(struct gsched *s, const char *why);
/* Check that `now` is not before the last call, and that the workload still has
 * the same resources.
 */
int gsched_check_now(struct gsched *s, int64_t now);
/* Check that the job was submitted and is not over. */
int gsched_check_live(struct gsched *s, uint32_t job);
bool gsched_is_live(const struct gsched *s, uint32_t job);
/* Check that the job may be submitted with its first `created` tasks. */
int gsched_check_new(struct gsched *s, uint32_t job, uint32_t created);
int gsched_check_node(struct gsched *s, uint32_t node);
int gsched_check_device(struct gsched *s, uint32_t node, uint32_t device);
int gsched_check_adopt(struct gsched *s, uint32_t job, uint32_t group,
                       uint32_t first_task, const struct topo_grant *g);

#endif /* POLICIES_STATE_CHECK_H */
