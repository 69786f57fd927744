/* policies/state/spans.h - allocations of jobs on nodes. */
#ifndef POLICIES_STATE_SPANS_H
#define POLICIES_STATE_SPANS_H

#include <assert.h>

#include "base/numbers.h"
#include "policies/state/state.h"

/* Tasks of one group on one node. */
struct allocation {
    uint32_t next, newer;       /* of the same job (next: or free); NONE */
    uint32_t group, first_task; /* positions in the job, in the group */
    struct topo_grant grant;
    int64_t placed_at;
    uint32_t job;
    uint32_t after, before; /* on the same node; NONE */
    bool is_evicted;        /* counted as evicted, while that is tried */
};

struct deadline {
    int64_t at;
    uint32_t job;
};

/* Allocations, and jobs that hold too little to run. */
struct gsched_allocations {
    struct allocation *allocation;
    uint32_t allocation_count, allocation_cap, free_allocation;
    uint32_t *node_allocation; /* [node] its first allocation; NONE.  If
                              allocations are kept by node */
    uint64_t rule_changes;     /* allocations made and released of jobs with
                              rules */
    struct gs_numbers freed; /* state groups that nodes came into by release */
    struct gs_numbers partial; /* jobs partly placed */
    struct deadline *deadline; /* of partly placed jobs, rising */
    uint32_t deadline_first, deadline_count, deadline_cap;
    uint64_t allocation_changes; /* changes of allocations */
    uint64_t releases;           /* of them: something was given back */
};

/* Allocation `i`; NULL: NONE.  Until one is added. */
static inline struct allocation *gsched_allocation_at(const struct gsched *s,
                                                      uint32_t i)
{
    assert(i == NONE || i < s->allocations->allocation_count);
    return i == NONE ? NULL : &s->allocations->allocation[i];
}

#endif /* POLICIES_STATE_SPANS_H */
