/* policies/state/module_calls.h - what the modules of a profile answer together. */
#ifndef POLICIES_STATE_MODULE_CALLS_H
#define POLICIES_STATE_MODULE_CALLS_H

#include "policies/state/state.h"

/* What the open modules mean for the core. */
void gsched_modules_sum_up(struct gsched *s);
/* < 0: job `a` goes first; 0: no module tells them apart. */
int gsched_vote_jobs(const struct gsched *s, uint32_t a, uint32_t b);
int gsched_vote_queues(const struct gsched *s, uint32_t a, uint32_t b);
/* These three note the gate that refuses in s->refuser. */
bool gsched_vote_overused(struct gsched *s, uint32_t queue);
bool gsched_vote_allocatable(struct gsched *s, uint32_t job,
                             const int64_t *asked);
bool gsched_vote_enqueue(struct gsched *s, uint32_t job);
bool gsched_vote_preemptive(const struct gsched *s, uint32_t job,
                            const int64_t *asked);
bool gsched_vote_ready(const struct gsched *s, uint32_t job);
/* The node from which on tasks of the group are not refused; `node` itself,
 * or the first after the domain that is refused.
 */
uint32_t gsched_vote_node(const struct gsched *s, const struct where *w,
                          uint32_t node);
/* Which of the victims may go: count of those with spared[i] 0. */
uint32_t gsched_vote_victims(const struct gsched *s, enum gsp_why why,
                             uint32_t job, const struct gsp_victims *v,
                             uint8_t *spared, uint8_t *scratch);
/* Tell the modules that follow placements. */
void gsched_tell_placed(const struct gsched *s, uint32_t job, uint32_t group,
                        uint32_t node, uint32_t tasks);
void gsched_tell_released(const struct gsched *s, uint32_t job, uint32_t group,
                          uint32_t node, uint32_t tasks);

#endif /* POLICIES_STATE_MODULE_CALLS_H */
