/* policies/profile/share_nodes.h - the nodes whose amounts queues share
 * (`shares_of` of a profile).
 */
#ifndef POLICIES_PROFILE_SHARE_NODES_H
#define POLICIES_PROFILE_SHARE_NODES_H

#include <stdbool.h>
#include <stdint.h>

struct gsched_profile;
struct topo;

/* Do queues share what the node has? */
bool gsched_node_is_shared(const struct gsched_profile *p, const struct topo *t,
                           uint32_t node);
/* True when the profile states nodes, and there are none of these. */
bool gsched_shares_none(const struct gsched_profile *p, const struct topo *t);

#endif /* POLICIES_PROFILE_SHARE_NODES_H */
