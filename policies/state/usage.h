/* policies/state/usage.h - amounts held and requested by queues, users and
 * jobs.
 */
#ifndef POLICIES_STATE_USAGE_H
#define POLICIES_STATE_USAGE_H

#include "policies/state/state.h"

void gsched_usage_open(struct gsched *s);
void gsched_usage_free(struct gsched *s);
/* `tasks` of a group are held (sign 1), or given back (-1). */
void gsched_usage_allocated(struct gsched *s, uint32_t job, uint32_t group,
                            uint32_t tasks, int sign);
/* Tasks [from, to) of the job are asked for (sign 1), or no longer (-1). */
void gsched_usage_requested(struct gsched *s, uint32_t job, uint32_t from,
                            uint32_t to, int sign);
/* What the job's gang still lacks counts as entered (1), or no longer (-1). */
void gsched_usage_admitted(struct gsched *s, uint32_t job, int sign);
/* Vectors of dims: what the job holds; what its gang asks for. */
void gsched_job_used(const struct gsched *s, uint32_t job, int64_t *amount);
void gsched_job_minimum(const struct gsched *s, uint32_t job, int64_t *amount);
const int64_t *gsched_user_used(const struct gsched *s, uint32_t job);
/* It rises with every change of these. */
uint64_t gsched_usage_changes(const struct gsched *s);
/* A vector of dims, GSP_USED or a later one: what the queue and those below it
 * hold, ask for.
 */
const int64_t *gsched_queue_amount(const struct gsched *s, uint32_t queue,
                                   enum gsp_amount which);

#endif /* POLICIES_STATE_USAGE_H */
