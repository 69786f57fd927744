/* policies/state/usage.h - amounts held and requested by queues, users and
 * jobs.
 */
#ifndef POLICIES_STATE_USAGE_H
#define POLICIES_STATE_USAGE_H

#include "policies/state/state.h"

void gsched_usage_open(struct gsched *s);
/* Once the modules are known: of which amounts account is kept. */
void gsched_usage_sum_up(struct gsched *s);
void gsched_usage_free(struct gsched *s);
/* Queues count the tasks as held (sign 1), or no more so (-1), before they are
 * allocated, or released.
 */
void gsched_usage_expect(struct gsched *s, uint32_t job, uint32_t group,
                         uint32_t tasks, int sign);
/* `tasks` tasks of a group were allocated (sign 1), or released (-1). */
void gsched_usage_allocated(struct gsched *s, uint32_t job, uint32_t group,
                            uint32_t tasks, int sign);
/* Tasks [from, to) of the job were requested (sign 1), or no longer are (-1).
 */
void gsched_usage_requested(struct gsched *s, uint32_t job, uint32_t from,
                            uint32_t to, int sign);
/* Count what the gang of the job still lacks as entered (1), or no longer (-1).
 */
void gsched_usage_admitted(struct gsched *s, uint32_t job, int sign);
/* The amounts [dims] that the job holds; that its gang asks for. */
void gsched_job_used(const struct gsched *s, uint32_t job, int64_t *amount);
void gsched_job_minimum(const struct gsched *s, uint32_t job, int64_t *amount);
/* That the gang's tasks of the group ask for. */
void gsched_group_minimum(const struct gsched *s, uint32_t job, uint32_t group,
                          int64_t *amount);
const int64_t *gsched_user_used(const struct gsched *s, uint32_t job);
/* A queue, or all of them (s->queues), may refuse less than before: it holds
 * less, or a module says so.  The queues of which this happened since
 * gsched_usage_eases() was `since`, as gsched_queue_changed(); when it did
 * last.
 */
void gsched_queue_ease(struct gsched *s, uint32_t queue);
uint64_t gsched_usage_eases(const struct gsched *s);
uint32_t gsched_queue_eased(const struct gsched *s, uint64_t since,
                            uint32_t after);
uint64_t gsched_queue_eased_at(const struct gsched *s, uint32_t queue);
/* Number of jobs that hold tasks, in the queue and below it. */
uint32_t gsched_queue_jobs(const struct gsched *s, uint32_t queue);
/* The amounts [dims] of the queue and those below it: GSP_USED or a later
 * amount.
 */
const int64_t *gsched_queue_amount(const struct gsched *s, uint32_t queue,
                                   enum gsp_amount which);

#endif /* POLICIES_STATE_USAGE_H */
