/* policies/preemption/victims.h - whose eviction makes room on a node. */
#ifndef POLICIES_PREEMPTION_VICTIMS_H
#define POLICIES_PREEMPTION_VICTIMS_H

#include "policies/preemption/attempt.h"

int32_t gsched_value_of(const struct gsched *s, uint32_t job);
/* May the job be asked to make room? */
bool gsched_is_eligible(struct gsched *s, const struct attempt *a,
                        uint32_t job);
/* Do the quotas allow the task, besides what is proposed already? */
bool gsched_quota_allows(struct gsched *s, const struct attempt *a);
/* Is there enough on the node, free or held by possible victims? */
bool gsched_node_may_do(struct gsched *s, const struct attempt *a,
                        uint32_t node);
/* Evict on the node until the task fits, then reprieve the victims that it does
 * not need, the most important first.  False, with nothing evicted, when it
 * cannot fit.
 */
bool gsched_node_clear(struct gsched *s, const struct attempt *a,
                       uint32_t node);
/* What the evictions from `first` on cost. */
struct cost gsched_preemption_cost(const struct gsched *s, uint32_t first);
/* Count a victim as gone. */
void gsched_victim_evict(struct gsched *s, const struct victim *v);
/* < 0: `a` goes before `b`. */
int gsched_victim_compare(const struct gsched *s, const struct victim *a,
                          const struct victim *b);
/* Take back the evictions from place `at` on. */
void gsched_restore(struct gsched *s, uint32_t at);

#endif /* POLICIES_PREEMPTION_VICTIMS_H */
