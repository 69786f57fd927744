/* policies/placement/candidates.h - the nodes that suit a kind of task, and the
 * best of them.
 */
#ifndef POLICIES_PLACEMENT_CANDIDATES_H
#define POLICIES_PLACEMENT_CANDIDATES_H

#include "base/numbers.h"
#include "policies/state/state.h"

/* A state group whose nodes can hold a task of the shape. */
struct candidate {
    uint32_t group;
    uint32_t queued; /* node it stands in the heap with; NONE */
    int64_t score;
};

/* A candidate in the heap: higher scores first, then lower nodes. */
struct ranked_node {
    int64_t score;
    uint32_t node; /* the group's lowest when it was queued */
    uint32_t candidate;
};

/* What is known of a kind of task.  Groups made since the last look are
 * scored when it is looked at again.  Once there are many candidates their
 * best stands on top of a heap, which follows the cluster's news.
 */
struct shape_view {
    struct candidate *candidate; /* by rising group */
    uint32_t count, cap;
    uint32_t seen; /* groups looked at */
    struct ranked_node *heap;
    uint32_t heap_count, heap_cap;
    uint64_t news; /* the cluster's news followed up to here */
    bool has_heap;
    uint8_t *fits_class; /* [class] right hardware; NULL: nothing is known */
    uint64_t most;       /* tasks that an empty cluster holds */
    uint64_t most_in[TOPO_TIERS_MAX + 2]; /* a domain of a level, + 1 */
    uint64_t activated_in; /* cycle in which `activated` was worked out */
    bool activated;
    struct gs_numbers parked; /* unschedulable classes of such tasks: a heap,
                                 fewest first */
    uint64_t enough_for; /* such tasks that what is free sums up to, at most */
    uint32_t listed;     /* in s->unschedulable; NONE */
};

/* A node, and how many tasks of the shape fit there. */
struct node_fit {
    uint32_t node, fits;
};

/* What is known of a shape, brought up to date with the cluster. */
struct shape_view *gsched_shape(struct gsched *s, uint32_t shape);
/* Tasks that the largest domain of a level holds when it is empty. */
uint64_t gsched_shape_most_in(struct gsched *s, uint32_t shape, uint32_t level);
/* The best node for a task; false when there is none. */
bool gsched_shape_best(struct gsched *s, uint32_t shape, const struct scope *w,
                       struct node_fit *best);
/* A node that holds `n` of them at once: with `is_tightest` one with the least
 * free GPUs and of these the best, else the lowest; NONE.
 */
uint32_t gsched_shape_holds(struct gsched *s, uint32_t shape, uint32_t n,
                            bool is_tightest, const struct scope *w);
/* Do `n` tasks of the shape fit now, in the whole cluster? */
bool gsched_shape_has_room(struct gsched *s, uint32_t shape, uint64_t n);
/* How many fit, counted until there are `enough`. */
uint64_t gsched_shape_room(struct gsched *s, uint32_t shape, uint64_t enough);
/* Groups were renumbered: map[old] is new, or NONE. */
void gsched_shapes_remap(struct gsched *s, const uint32_t *map);
void gsched_shapes_open(struct gsched *s);
void gsched_shapes_free(struct gsched *s);
/* What is known of a shape that was looked at before, as it was then. */
struct shape_view *gsched_shape_seen(const struct gsched *s, uint32_t shape);
/* Could a node in state `group` take a task of the shape? */
bool gsched_shape_suits(struct gsched *s, uint32_t shape, uint32_t group);

#endif /* POLICIES_PLACEMENT_CANDIDATES_H */
