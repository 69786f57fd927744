/* policies/preemption/reprieve.h - victims that need not go after all. */
#ifndef POLICIES_PREEMPTION_REPRIEVE_H
#define POLICIES_PREEMPTION_REPRIEVE_H

#include "policies/preemption/attempt.h"

struct queue_entry;

/* Remember the victims, and the decisions from `first` on. */
void gsched_attempt_remember(struct gsched *s, uint32_t first);
/* Undo all that was tried since `mark`. */
void gsched_attempt_undo(struct gsched *s, uint32_t mark, uint32_t first);
/* Reprieve the victims that the gang as a whole does not need, the most
 * important first.
 */
void gsched_attempt_reprieve(struct gsched *s, const struct attempt *a,
                             const struct queue_entry *it);

#endif /* POLICIES_PREEMPTION_REPRIEVE_H */
