/* policies/actions/keep_nodes.h - tasks that fit nowhere have nodes kept for
 * them, and are placed before others; see state/kept_nodes.h.
 */
#ifndef POLICIES_ACTIONS_KEEP_NODES_H
#define POLICIES_ACTIONS_KEEP_NODES_H

#include "policies/state/state.h"

/* Place the tasks for which nodes are kept, in service order: on their own
 * nodes, else on open ones.  Nothing without module keep-nodes, as of all
 * functions here.
 */
void gsched_kept_serve(struct gsched *s);
/* Tell of the nodes that opened again.  True: there were any, and what waits
 * may fit there.
 */
bool gsched_kept_reopen(struct gsched *s);
/* Keep a node for each task that has waited for long enough, in service order:
 * of the open ones the one where least of what it asks for is missing.
 */
void gsched_nodes_keep(struct gsched *s);
/* When the next task has waited for long enough; GSCHED_NEVER. */
int64_t gsched_keep_next(const struct gsched *s);

#endif /* POLICIES_ACTIONS_KEEP_NODES_H */
