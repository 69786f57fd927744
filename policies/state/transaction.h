/* policies/state/transaction.h - tentative decisions, which are committed or
 * undone
 */
#ifndef POLICIES_STATE_TRANSACTION_H
#define POLICIES_STATE_TRANSACTION_H

#include "policies/state/state.h"

/* Roll the cluster back to `mark`, and remove the decisions from `first` on. */
void gsched_undo(struct gsched *s, uint32_t mark, uint32_t first);
/* Allocate tasks on a node; a share on the device that a module picks. */
struct topo_grant gsched_take(struct gsched *s, uint32_t node,
                              const struct topo_request *r, uint32_t tasks);
/* Append a decision to place allocated tasks, final when the transaction is
 * committed.
 */
void gsched_propose(struct gsched *s, uint32_t job, uint32_t group,
                    uint32_t first_task, const struct topo_grant *g);
/* Append a decision to those of the cycle. */
void gsched_decide(struct gsched *s, const struct gsched_decision *d);

/* True when the cycle has reached its limit of decisions; the next cycle
 * continues.
 */
static inline bool gsched_is_full(const struct gsched *s)
{
    return s->decision_count >= s->decision_limit;
}

#endif /* POLICIES_STATE_TRANSACTION_H */
