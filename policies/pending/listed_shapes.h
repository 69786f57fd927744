/* policies/pending/listed_shapes.h - shapes with unschedulable request classes,
 * found by the nodes on which something changed.
 *
 * Life cycle: gsched_shape_list() when the first class of a shape is parked,
 * gsched_shape_unlist() when the last one is activated.
 */
#ifndef POLICIES_PENDING_LISTED_SHAPES_H
#define POLICIES_PENDING_LISTED_SHAPES_H

#include "base/numbers.h"
#include "policies/state/state.h"

void gsched_listed_open(struct gsched *s);
void gsched_listed_free(struct gsched *s);
void gsched_shape_list(struct gsched *s, uint32_t shape);
void gsched_shape_unlist(struct gsched *s, uint32_t shape);
/* What is free for the shape is to be summed up again. */
void gsched_shape_due(struct gsched *s, uint32_t shape);
/* The listed shapes that nodes where something was freed may suit; the others are
 * suited by none of them.  Valid until the next call; the reader may unlist the
 * shape that it reads.
 */
const struct gs_numbers *gsched_listed_freed(struct gsched *s);
/* The listed shapes for which the sums of what is free may have changed since the
 * last call, and those that are due; or `all`.  Valid as above.
 */
const struct gs_numbers *gsched_listed_changed(struct gsched *s, bool all);

#endif /* POLICIES_PENDING_LISTED_SHAPES_H */
