/* policies/lifecycle/node_windows.h - nodes that modules close at some times.
 *
 * A node takes tasks while neither the host nor a module keeps it closed.
 */
#ifndef POLICIES_LIFECYCLE_NODE_WINDOWS_H
#define POLICIES_LIFECYCLE_NODE_WINDOWS_H

#include "policies/state/state.h"

/* Nothing without a module that has class_open(). */
void gsched_windows_open(struct gsched *s);
/* Ask the modules again, if it is time to. */
void gsched_windows_follow(struct gsched *s);
/* When that is next; GSCHED_NEVER. */
int64_t gsched_windows_next(const struct gsched *s);
/* The node changed; `milli` thousandths of GPUs were added (removed: below 0).
 */
void gsched_node_changed(struct gsched *s, uint32_t node, int64_t milli);
/* The node has new room. */
void gsched_node_freed(struct gsched *s, uint32_t node);
/* The host closes the node, or opens it. */
void gsched_node_close(struct gsched *s, uint32_t node);
void gsched_node_open(struct gsched *s, uint32_t node);

/* The same for reservations of the workload, state/booked_nodes.h. */
void gsched_booked_follow(struct gsched *s);

#endif /* POLICIES_LIFECYCLE_NODE_WINDOWS_H */
