/* policies/placement/placement.h - placement of gangs and single tasks, and
 * diagnosis of failures.
 *
 * Tentative placements are allocated on the cluster and proposed as decisions;
 * either all of them are kept, or all are undone.
 */
#ifndef POLICIES_PLACEMENT_PLACEMENT_H
#define POLICIES_PLACEMENT_PLACEMENT_H

#include "policies/state/state.h"

struct queue_entry;

/* --- gangs: gang_fit.c ---------------------------------------------------- */

/* Divide the gang among the groups of the job (read by gsched_gang_of): the
 * minimum of each group, then the rest in the order of groups, as far as an
 * empty cluster holds them.
 */
void gsched_gang_divide(struct gsched *s, uint32_t job);
/* Allocate and propose the tasks of the gang on nodes [w->from, w->end).
 * False: nothing is placed.
 */
bool gsched_gang_try(struct gsched *s, uint32_t job, const struct scope *w);
/* The same of the gang's tasks of w->group and of those groups that share its
 * domain.
 */
bool gsched_group_try(struct gsched *s, const struct scope *w);
/* True when the modules let the job run with its gang placed. */
bool gsched_gang_is_ready(struct gsched *s, uint32_t job);
/* Number of tasks of group `g` in the entry; and the amounts [dims] of all its
 * tasks.
 */
uint32_t gsched_entry_tasks(const struct gsched *s,
                            const struct queue_entry *it, uint32_t g);
void gsched_entry_amount(const struct gsched *s, const struct queue_entry *it,
                         int64_t *amount);
/* True when each group of the entry, or of the gang of the job, has room by
 * itself: a cheap test that excludes most failures.
 */
bool gsched_entry_has_room(struct gsched *s, const struct queue_entry *it);
bool gsched_gang_has_room(struct gsched *s, uint32_t job);
/* True when the quotas allow the request of the entry. */
bool gsched_entry_allocatable(struct gsched *s, const struct queue_entry *it);

/* --- within the topology: topology_fit.c, topology_bound.c ---------------- */

/* Allocate and propose the gang in the smallest subtree that holds it, as far
 * as the modules ask for that, and not on the nodes in `avoid` (NULL: none); or
 * within `w`.  False: nothing is placed.
 */
bool gsched_gang_place(struct gsched *s, uint32_t job, const uint8_t *avoid);
bool gsched_gang_place_in(struct gsched *s, const struct scope *w);
/* The same for its tasks of the gang of w->group, which has a topology of its
 * own that a module heeds; in `w`, in which the gang is placed.
 */
bool gsched_group_has_subtree(const struct gsched *s, uint32_t job,
                              uint32_t group);
bool gsched_group_place_in(struct gsched *s, const struct scope *w);
/* Iterate over the domains in which a gang that requires one could be placed;
 * start with *at NONE.  One call for a gang that may be anywhere, or is in a
 * domain already.
 */
bool gsched_topology_next(const struct gsched *s, uint32_t job, uint32_t *at,
                          struct scope *w);
/* The domains in which room may be made for a gang, at most `most`, in out[]:
 * those that an empty cluster would let hold `asked`, from level `widest` on,
 * the wider tiers first, and of a tier that is too large the last.  Returns
 * their number.
 */
uint32_t gsched_domains_wide(const struct topo *t, uint32_t widest,
                             const int64_t *asked, uint32_t most,
                             uint32_t *out);
/* The nodes of a domain, of those where the job may be. */
struct scope gsched_scope_domain(const struct gsched *s, uint32_t job,
                                 uint32_t domain);
/* Limit `w` to the domain that the job must not leave, for a task above the
 * gang.
 */
void gsched_topology_stay(const struct gsched *s, struct scope *w);
/* Limit `w` to the node's domain that tasks of w->group must not leave, if they
 * have one of their own.
 */
void gsched_group_stay(const struct gsched *s, struct scope *w, uint32_t node);
/* The level of the single domain that must hold the whole gang; 0: none. */
uint32_t gsched_bound_level(const struct gsched *s, uint32_t job);
/* Likewise for the gang's tasks of a group, if it has a topology of its own. */
uint32_t gsched_group_bound_level(const struct gsched *s, uint32_t job,
                                  uint32_t group);
/* The dimension by which nodes and domains are ordered from full to empty for a
 * request of these amounts: GPUs; without GPUs the dimension of which the
 * request is the largest fraction of the cluster.
 */
uint32_t gsched_main_dim(const struct gsched *s, const int64_t *asked);

/* --- why: diagnosis.c ----------------------------------------------------- */

/* Why the entry cannot be placed now. */
enum gsched_cause gsched_cause_of(struct gsched *s,
                                  const struct queue_entry *it);
/* Free amount of the dimension on all nodes that suit the shape. */
int64_t gsched_suitable_free(struct gsched *s, uint32_t shape, uint32_t dim);
/* True when the sum of the free amounts covers the request of the entry. */
bool gsched_has_capacity(struct gsched *s, const struct queue_entry *it);
/* True when those of all nodes do: what moves for the entry may go to nodes
 * that do not suit it.
 */
bool gsched_moves_have_capacity(struct gsched *s, const struct queue_entry *it);

#endif /* POLICIES_PLACEMENT_PLACEMENT_H */
