/* policies/state/limit_sets.h - what jobs hold below the limits of their QOS
 * and accounts, and of pools of tokens, for module limits.
 *
 * Jobs of one user, account, QOS and partition, that take the same tokens, have
 * one set of limits, so that none of them is refused where another is not.  Of
 * several that limit the same, the first holds: the QOS of the partition, the
 * QOS of the job, the accounts from the user up; the sums of all accounts above
 * are limited.
 */
#ifndef POLICIES_STATE_LIMIT_SETS_H
#define POLICIES_STATE_LIMIT_SETS_H

#include "policies/state/state.h"

/* A module reads settings (enum gsp_input): limits are kept of those that one
 * of all modules reads.
 */
void gsched_limits_open(struct gsched *s, uint32_t reads);
void gsched_limits_free(struct gsched *s);
/* The number of the job's set, which is made when new; 0 without limits. */
uint32_t gsched_limits_set(struct gsched *s, uint32_t job);
/* Tasks of the job were placed (sign 1), or released; its `placed` has them
 * already, or no more.
 */
void gsched_limits_placed(struct gsched *s, uint32_t job, uint32_t group,
                          int64_t tasks);
/* The limit that keeps the job from taking `asked` more, by the name that it
 * has in Slurm ("QOSMaxGRESPerUser"); NULL: none.
 */
const char *gsched_limits_reason(const struct gsched *s, uint32_t job,
                                 const int64_t *asked);

/* When a job may go on that a limit refused, since the time that running jobs
 * have left falls; GSCHED_NEVER.  gsched_limits_follow() says that it came;
 * gsched_limits_turns() how often it did.
 */
int64_t gsched_limits_next(const struct gsched *s);
void gsched_limits_follow(struct gsched *s);
uint64_t gsched_limits_turns(const struct gsched *s);

#endif /* POLICIES_STATE_LIMIT_SETS_H */
