/* policies/placement/choice_levels.h - nodes by domains, level by level: the
 * parts of choice_levels.c.
 *
 * A unit is a domain or a node.  It counts the tasks and slices that fit,
 * without a leader and with it; a leader is one task of another group that
 * stands in the domain of the others.
 */
#ifndef POLICIES_PLACEMENT_CHOICE_LEVELS_H
#define POLICIES_PLACEMENT_CHOICE_LEVELS_H

#include "policies/placement/node_choice.h"
#include "topology/topology.h"

/* A domain, or with a number from domain_count on a node. */
struct level_unit {
    uint64_t tasks, slices;   /* that fit */
    uint64_t led, led_slices; /* ... beside the leader */
    uint64_t gap, slice_gap;  /* the least that the leader costs a child */
    uint64_t takes;           /* tasks that it is to take */
    uint32_t parent, rank;    /* rank: by names, level by level */
    uint32_t first, count;    /* children, in child[] */
    bool leads;               /* the leader fits */
    bool takes_leader;
};

/* What is known of the levels, and scratch memory. */
struct choice_levels {
    uint32_t units;
    struct level_unit *unit;
    uint32_t *child;       /* of all domains */
    uint32_t *at;          /* list that is chosen from: a heap */
    uint32_t *now, *after; /* chosen units of a level, and of the next */
    uint32_t count, now_count, after_count;
    bool least;     /* little room goes first */
    bool leading;   /* the leader is still to be placed */
    bool led_order; /* the list is in the order of room beside the leader */
    struct level_unit *kept; /* unit[] as counted; NULL: not balanced */
    uint64_t *evenness;      /* [unit] of its children; NULL: not balanced */
    uint32_t *sets;          /* parents of sets that are compared; likewise */
    struct domain_sets *of;  /* scratch memory of domain_set.c; likewise */
};

/* One search. */
struct level_search {
    struct gsched *s;
    const struct choice_ask *ask;
    struct choice_levels *l;
    uint32_t nodes, slice_level, size;    /* level of nodes; of slices */
    uint32_t size_at[TOPO_TIERS_MAX + 2]; /* of inner layers, by level; 0 */
};

/* --- level_units.c: the tree, and what fits ------------------------------- */

/* Count what fits in all units. */
void gsched_units_count(const struct level_search *f);
/* Count a unit of the level anew from its nodes, which are counted, without
 * inner layers.
 */
void gsched_units_recount(const struct level_search *f, uint32_t unit,
                          uint32_t level);

/* --- level_list.c: the list that is chosen from --------------------------- */

extern const struct gs_heap gsched_units_by_room, gsched_units_by_rank;

/* Does unit `a` go before `b`, by room?  Most slices first, or fewest with
 * l->least, then the least room for single tasks, then names.
 */
bool gsched_unit_before(const struct choice_levels *l, uint32_t a, uint32_t b);
/* Append what has room to the list, or to an empty one: see l->count. */
void gsched_list_add(struct choice_levels *l, uint32_t unit);
void gsched_list_add_children(struct choice_levels *l, uint32_t unit);
/* All of a level that is asked about. */
void gsched_list_level(const struct level_search *f, uint32_t level);
/* Remove the unit at place `i` of the list, which is the heap `h`. */
uint32_t gsched_list_remove(struct choice_levels *l, const struct gs_heap *h,
                            uint32_t i);

/* --- choice_balanced.c ---------------------------------------------------- */

/* Choose units for all tasks, each about as many, of `level` or the one below,
 * whose number is returned: they are in l->now, with what they take.  NONE:
 * that cannot be, and nothing changed.
 */
uint32_t gsched_balanced_begin(const struct level_search *f, uint32_t level);

#endif /* POLICIES_PLACEMENT_CHOICE_LEVELS_H */
