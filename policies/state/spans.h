/* policies/state/spans.h - allocations of jobs on nodes. */
#ifndef POLICIES_STATE_SPANS_H
#define POLICIES_STATE_SPANS_H

#include <assert.h>

#include "base/numbers.h"
#include "policies/state/state.h"

/* Tasks of one group on one node. */
struct allocation {
    uint32_t next, newer;       /* list of the job (next: also the free
                                   list); NONE */
    uint32_t group, first_task; /* group of the job; first task of the group */
    struct topo_grant grant;
    int64_t placed_at;
    uint32_t job;
    uint32_t after, before; /* list of the node; NONE */
    uint32_t leaver;        /* 1 + index of it in state/grace.h; 0: it stays */
    bool is_evicted;        /* tentatively evicted */
    bool is_chosen; /* its decision is named, see gsched_devices_chosen */
};

struct deadline {
    int64_t at;
    uint64_t order; /* of those at the same time */
    uint32_t job;
};

/* Allocations, and partially allocated jobs. */
struct gsched_allocations {
    struct allocation *allocation;
    uint32_t allocation_count, allocation_cap, free_allocation;
    uint32_t linked;           /* allocations that are not in the free list */
    uint32_t *node_allocation; /* [node] its first allocation; NONE.  NULL:
                                  not indexed by node */
    uint64_t rule_changes;     /* allocations and releases of jobs with rules */
    struct gs_numbers freed;   /* state groups that nodes joined by a release */
    struct gs_numbers freed_nodes; /* these nodes, where there are rules */
    struct gs_numbers partial;     /* partially allocated jobs */
    struct deadline *deadline;     /* see lifecycle/deadlines.h */
    uint32_t deadline_count, deadline_cap;
    uint64_t deadlines;          /* that there were */
    uint64_t allocation_changes; /* number of changes */
    uint64_t releases;           /* number of releases */
};

/* Allocation `i`; NULL for NONE.  Valid until one is added. */
static inline struct allocation *gsched_allocation_at(const struct gsched *s,
                                                      uint32_t i)
{
    assert(i == NONE || i < s->allocations->allocation_count);
    return i == NONE ? NULL : &s->allocations->allocation[i];
}

#endif /* POLICIES_STATE_SPANS_H */
