/* policies/placement/domain_set.h - a set of so many domains that is enough for
 * a gang, with as little room as possible.
 *
 * Of sets with equal room the one is taken whose last domain comes first,
 * without the leader rather than with it; then likewise by the one before it,
 * and so on.  A domain after those that are enough is in no set.  As
 * selectOptimalDomainSetToFit() of Kueue.
 */
#ifndef POLICIES_PLACEMENT_DOMAIN_SET_H
#define POLICIES_PLACEMENT_DOMAIN_SET_H

#include <stdbool.h>
#include <stdint.h>

struct domain_sets; /* scratch memory */

/* A domain that may be in the set. */
struct domain_item {
    uint64_t tasks, led; /* that fit, and beside the leader */
    bool holds;          /* tasks without the leader */
    bool leads;          /* the leader fits */
};

struct domain_sets *domain_sets_new(void);
void domain_sets_free(struct domain_sets *d);
/* Room for so many domains, to be filled; valid until the next call of it. */
struct domain_item *domain_sets_items(struct domain_sets *d, uint32_t count);
/* Choose `used` of `count` domains for `need` tasks and, with `leads`, the
 * leader, which one of them holds.  True: their places are in place[], rising.
 *
 * Cost: count * used * need / 64, until a set with no room to spare is found;
 * false if used * need is above 2^29, or 4,194,304 sums are possible.  Room for
 * more than 65,536 tasks above `need` counts as so much.
 */
bool domain_sets_choose(struct domain_sets *d, uint32_t count, uint32_t used,
                        uint64_t need, bool leads, uint32_t *place);

#endif /* POLICIES_PLACEMENT_DOMAIN_SET_H */
