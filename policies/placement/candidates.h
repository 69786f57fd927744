/* policies/placement/candidates.h - which nodes suit a kind of task, and the best of them. */
#ifndef POLICIES_PLACEMENT_CANDIDATES_H
#define POLICIES_PLACEMENT_CANDIDATES_H

#include "policies/state/state.h"

/* What is known of a shape, brought up to date with the cluster. */
struct shape_view *gsched_shape(struct gsched *s, uint32_t shape);
/* Tasks that the largest domain of a level holds when it is empty. */
uint64_t gsched_shape_most_in(struct gsched *s, uint32_t shape, uint32_t level);
/* The best node for a task; false when there is none. */
bool gsched_shape_best(struct gsched *s, uint32_t shape, const struct where *w,
                       struct choice *best);
/* A node that holds `n` of them at once: the one with the least free GPUs
 * and, of those, the best; NONE.
 */
uint32_t gsched_shape_holds(struct gsched *s, uint32_t shape, uint32_t n,
                            bool is_tightest, const struct where *w);
/* Do `n` tasks of the shape fit now, in the whole cluster? */
bool gsched_shape_has_room(struct gsched *s, uint32_t shape, uint64_t n);
/* How many do. */
uint64_t gsched_shape_room(struct gsched *s, uint32_t shape);
/* Groups were renumbered: map[old] is new, or NONE. */
void gsched_shapes_remap(struct gsched *s, const uint32_t *map);
void gsched_shapes_free(struct gsched *s);
/* Could a node in state `group` take one? */
bool gsched_shape_suits(struct gsched *s, uint32_t shape, uint32_t group);

#endif /* POLICIES_PLACEMENT_CANDIDATES_H */
