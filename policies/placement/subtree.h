/* policies/placement/subtree.h - the tiers at which a job looks for one domain,
 * for topology_fit.c and topology_bound.c.
 */
#ifndef POLICIES_PLACEMENT_SUBTREE_H
#define POLICIES_PLACEMENT_SUBTREE_H

#include <assert.h>

#include "policies/policy.h"
#include "policies/state/state.h"

/* False: the gang is placed anywhere, or no module asks for a domain.  Levels
 * up to that of the node.
 */
bool gsched_subtree_of(const struct gsched *s, uint32_t job,
                       struct gsp_subtree *out);
/* The same of a group with a tier of its own, which its tasks of the gang look
 * for in what is found for the gang.
 */
bool gsched_group_subtree_of(const struct gsched *s, uint32_t job,
                             uint32_t group, struct gsp_subtree *out);

/* The intersection of `w` and `count` nodes from `from` on. */
static inline struct scope gsched_scope_within(const struct scope *w,
                                               uint32_t from, uint32_t count)
{
    struct scope in = *w;

    assert(w->from <= w->end);
    in.from = from > w->from ? from : w->from;
    in.end = from + count < w->end ? from + count : w->end;
    return in;
}

#endif /* POLICIES_PLACEMENT_SUBTREE_H */
