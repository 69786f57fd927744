/* policies/state/check.h - calls of a host that make no sense are refused. */
#ifndef POLICIES_STATE_CHECK_H
#define POLICIES_STATE_CHECK_H

#include "policies/state/state.h"

/* Note why a call is refused; -1. */
int gsched_refuse(struct gsched *s, const char *why);
/* `now` is not before the last call's; the workload has still the same
 * resources.
 */
int gsched_check_now(struct gsched *s, int64_t now);
/* The job was submitted, and is not over. */
int gsched_check_live(struct gsched *s, uint32_t job);
bool gsched_is_live(const struct gsched *s, uint32_t job);
/* The job may be submitted, with its first `created` tasks. */
int gsched_check_new(struct gsched *s, uint32_t job, uint32_t created);
int gsched_check_node(struct gsched *s, uint32_t node);
int gsched_check_device(struct gsched *s, uint32_t node, uint32_t device);
int gsched_check_adopt(struct gsched *s, uint32_t job, uint32_t group,
                       uint32_t first_task, const struct topo_grant *g);

#endif /* POLICIES_STATE_CHECK_H */
