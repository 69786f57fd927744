/* policies/preemption/attempt.h - an attempt to make room by eviction, and what
 * is kept from one to the next.
 */
#ifndef POLICIES_PREEMPTION_ATTEMPT_H
#define POLICIES_PREEMPTION_ATTEMPT_H

#include "policies/state/state.h"

/* Counted as evicted: a job's allocations from `head` on, or that one only,
 * which stood behind `newer` (NONE: first).
 */
struct evicted {
    uint32_t job, head, newer;
    bool is_whole;
};

struct gsched_evict {
    struct victim *victim; /* on the node looked at */
    struct gsp_job *job;
    uint8_t *protected, *scratch;
    uint32_t unit_count, unit_cap, job_cap, protected_cap, scratch_cap;
    struct evicted *evicted, *tentative;
    uint32_t evicted_count, evicted_cap, tentative_count, tentative_cap;
    struct gsched_decision *proposal;
    uint32_t proposal_count, proposal_cap;
    uint32_t *cqueue, cqueue_cap;
    uint32_t *queue;
    uint32_t *seen; /* [node] stamp of the search that looked at it */
    uint32_t stamp;
};

/* Making room for one task. */
struct attempt {
    enum gsp_why why;
    uint32_t job, shape;
    const struct topo_request *request;
    struct scope scope;
    int64_t asked[TOPO_DIMS_MAX]; /* by what is proposed already */
    bool asks_nothing;
};

/* What evictions cost, see kube-scheduler's pickOneNodeForPreemption. */
struct cost {
    int32_t highest; /* priority that goes */
    int64_t sum;     /* of priorities, moved up to be positive */
    uint32_t tasks;
    uint32_t groups; /* jobs of several tasks */
    int64_t start;   /* earliest, of those of the highest priority */
};

struct search {
    uint32_t node, found; /* the best; nodes that would do */
    struct cost cost;
};

/* What attempts work with is allocated where an action may evict, and freed. */
void gsched_attempt_open(struct gsched *s);
void gsched_attempt_free(struct gsched *s);

#endif /* POLICIES_PREEMPTION_ATTEMPT_H */
