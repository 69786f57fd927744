/* policies/state/transaction.h - decisions that are tried, and stay or are
 * undone
 */
#ifndef POLICIES_STATE_TRANSACTION_H
#define POLICIES_STATE_TRANSACTION_H

#include "policies/state/state.h"

/* Roll the cluster back to `mark`, and drop the decisions from `first` on. */
void gsched_undo(struct gsched *s, uint32_t mark, uint32_t first);
/* Allocate tasks on a node, a share on the device that a module picks. */
struct topo_grant gsched_take(struct gsched *s, uint32_t node,
                              const struct topo_request *r, uint32_t tasks);
/* Decide to place allocated tasks: it stands when the transaction is committed. */
void gsched_propose(struct gsched *s, uint32_t job, uint32_t group,
                    uint32_t first_task, const struct topo_grant *g);
/* Append to the cycle's decisions. */
void gsched_decide(struct gsched *s, const struct gsched_decision *d);

/* Has the cycle decided as much as it may?  Then it goes on in the next. */
static inline bool gsched_is_full(const struct gsched *s)
{
    return s->decision_count >= s->decision_limit;
}

#endif /* POLICIES_STATE_TRANSACTION_H */
