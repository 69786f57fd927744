/* policies/placement/candidates.h - candidate nodes for tasks of a shape, and
 * the best of them.
 */
#ifndef POLICIES_PLACEMENT_CANDIDATES_H
#define POLICIES_PLACEMENT_CANDIDATES_H

#include "base/numbers.h"
#include "policies/placement/class_set.h"
#include "policies/state/state.h"

/* A state group whose nodes can hold a task of the shape, if modules accept it.
 * They are asked once it has nodes.
 */
struct candidate {
    uint32_t group;
    uint32_t queued; /* node of its entry in the heap; NONE */
    int64_t score;   /* NOT_SCORED, REFUSED */
};

#define NOT_SCORED INT64_MIN
#define REFUSED (INT64_MIN + 1)

/* A candidate in the heap: higher scores first, then lower nodes. */
struct ranked_node {
    int64_t score;
    uint32_t node; /* the group's lowest when it was queued */
    uint32_t candidate;
};

/* What is the same for all tasks of a shape at one look at the cluster, see
 * pending/ruled_turns.c; each with the number of the look.
 */
struct shape_turns {
    uint64_t room_at, short_at, cause_at;
    bool has_room, is_short;
    uint8_t cause;
};

/* Cached candidates for tasks of one shape.  State groups created since the
 * last use are scored at the next use.  With many candidates a heap has the
 * best on top; it is updated from the news of the cluster.
 */
struct shape_view {
    struct candidate *candidate; /* by ascending group */
    uint32_t count, cap;
    uint32_t seen; /* groups scored so far */
    struct ranked_node *heap;
    uint32_t heap_count, heap_cap;
    uint64_t news; /* news of the cluster processed so far */
    bool has_heap;
    bool is_known;
    uint32_t shape;
    struct class_set suits;               /* classes with suitable hardware */
    uint64_t most;                        /* tasks that fit an empty cluster */
    uint64_t most_in[TOPO_TIERS_MAX + 2]; /* [level] tasks that fit an empty
                                             domain, + 1; 0: not computed */
    uint64_t activated_in; /* cycle in which `activated` was computed */
    bool activated;
    uint32_t classes;         /* request classes of gangs of such tasks */
    struct gs_numbers parked; /* unschedulable classes of such tasks: a heap,
                                 fewest tasks first */
    uint64_t enough_for;      /* upper bound of such tasks by the sum of free
                            amounts */
    uint32_t listed;          /* index in gsched_pending.unschedulable; NONE */
    uint32_t listed_in[CLASSES_NARROW]; /* and in lists of listed_shapes.c */
    uint64_t found_in;                  /* the call there that found it last */
    struct shape_turns turns;
};

/* Nodes compared for one task. */
struct node_scores {
    uint32_t *node;
    int64_t *score;
    uint32_t count, node_cap, score_cap;
};

/* Domains of a tier that have room for a gang: a heap, the first to be tried on
 * top.
 */
struct ranked_domains {
    struct node_scores scores; /* by the first node of each */
    struct ranked_domain {
        int64_t score;
        int64_t free; /* of equal scores the least goes first */
        uint32_t domain;
    } * at;
    uint32_t count, cap;
};

/* A node, and the number of tasks of the shape that fit there. */
struct node_fit {
    uint32_t node, fits;
};

/* The cached candidates of a shape, updated from the cluster. */
struct shape_view *gsched_shape(struct gsched *s, uint32_t shape);
/* The same, not updated: for all but candidates. */
struct shape_view *gsched_shape_known(struct gsched *s, uint32_t shape);
/* Number of tasks that fit the largest domain of a level when it is empty. */
uint64_t gsched_shape_most_in(struct gsched *s, uint32_t shape, uint32_t level);
/* The best node for a task; false when there is none. */
bool gsched_shape_best(struct gsched *s, uint32_t shape, const struct scope *w,
                       struct node_fit *best);
/* True when there is one; where searches move on, this is one of them. */
bool gsched_shape_fits(struct gsched *s, uint32_t shape, const struct scope *w);
/* True when modules relate nodes for tasks of the scope's group: they are then
 * placed one by one.
 */
bool gsched_scope_is_regarded(const struct gsched *s, const struct scope *w);
/* True when modules accept the candidate at place `i`; then it has a score. */
bool gsched_candidate_stands(struct gsched *s, struct shape_view *sv,
                             uint32_t i);
/* The candidate for a state group; NULL when a task does not fit there. */
const struct candidate *gsched_candidate(struct gsched *s, uint32_t shape,
                                         uint32_t group);
/* Scratch memory of the shapes. */
struct node_scores *gsched_node_scores(struct gsched *s);
struct ranked_domains *gsched_ranked_domains(struct gsched *s, bool of_group);
void gsched_node_scores_put(struct node_scores *n, uint32_t node,
                            int64_t score);
/* A node on which `n` tasks fit at once: the lowest, or with `is_tightest` one
 * with the fewest free GPUs, the best of equals; NONE.
 */
uint32_t gsched_shape_holds(struct gsched *s, uint32_t shape, uint32_t n,
                            bool is_tightest, const struct scope *w);
/* True when `n` tasks of the shape fit now, in the whole cluster. */
bool gsched_shape_has_room(struct gsched *s, uint32_t shape, uint64_t n);
/* Number of tasks that fit now; counting stops at `enough`. */
uint64_t gsched_shape_room(struct gsched *s, uint32_t shape, uint64_t enough);
/* State groups were renumbered: map[old] is the new number, or NONE. */
void gsched_shapes_remap(struct gsched *s, const uint32_t *map);
void gsched_shapes_open(struct gsched *s);
void gsched_shapes_free(struct gsched *s);
/* The cached candidates of a shape, not updated; the shape was used before. */
struct shape_view *gsched_shape_seen(const struct gsched *s, uint32_t shape);
/* True when a task of the shape fits on a node in state `group`. */
bool gsched_shape_suits(struct gsched *s, uint32_t shape, uint32_t group);

/* --- nodes that are evicted from: late_nodes.c --------------------------- */

/* Prepare, if the profile says so. */
void gsched_late_open(struct gsched *s);
/* Something on the node is to be evicted tentatively; all that is over. */
void gsched_late_note(struct gsched *s, uint32_t node);
void gsched_late_end(struct gsched *s);
/* Does a task of the shape fit on the node only without what was evicted? */
bool gsched_late_is(const struct gsched *s, uint32_t shape, uint32_t node);
/* The scope without such nodes, until gsched_late_scope_end(). */
struct scope gsched_late_scope(struct gsched *s, uint32_t shape,
                               const struct scope *w);
void gsched_late_scope_end(struct gsched *s, const struct scope *w);

/* --- a part of the nodes: sample.c ---------------------------------------- */

/* Prepare for searching a part of the nodes, if the profile says so. */
void gsched_sample_open(struct gsched *s);
/* True when only a part of the nodes of the scope is searched for a task. */
bool gsched_is_sampled(const struct gsched *s, const struct scope *w);
/* Collect the nodes that a search finds for a task of the scope's group, with
 * their scores; the next search begins behind the last of them.
 */
void gsched_sample_collect(struct gsched *s, uint32_t shape,
                           const struct scope *w, struct node_scores *n);

#endif /* POLICIES_PLACEMENT_CANDIDATES_H */
