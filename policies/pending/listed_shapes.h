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
/* As long as the shape is not due, nothing changes for the classes parked with
 * it: one class of so many tasks, which all nodes suit, and for which `free`,
 * the sums by dimension, is too little or not (is_short).
 */
void gsched_shape_stays(struct gsched *s, uint32_t shape, uint32_t tasks,
                        bool is_short, const int64_t *free);
/* The listed shapes that nodes where something was freed may suit; the others
 * are suited by none of them, or (by_room) have no room there.  Valid until the
 * next call; the reader may unlist the shape that it reads.
 */
const struct gs_numbers *gsched_listed_freed(struct gsched *s, bool by_room);
/* The listed shapes for which it matters that the sums of what is free, `free`
 * in all, may have changed since the last call, and those that are due; or
 * `all`.  Valid as above.
 */
const struct gs_numbers *gsched_listed_changed(struct gsched *s, bool all,
                                               const int64_t *free);

#endif /* POLICIES_PENDING_LISTED_SHAPES_H */
