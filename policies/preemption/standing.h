/* policies/preemption/standing.h - the running tasks, node by node, on a node
 * in the order of eviction: what modules see that choose among all of them.
 */
#ifndef POLICIES_PREEMPTION_STANDING_H
#define POLICIES_PREEMPTION_STANDING_H

#include "policies/preemption/preemption.h"
#include "policies/state/module_calls.h"
#include "policies/state/state.h"

struct standing {
    struct gsp_placed *at;
    struct gsp_job *job;  /* [i] job of at[i] */
    uint32_t *allocation; /* [i] */
    uint32_t count, at_cap, job_cap, allocation_cap;
    bool has_new;          /* tasks of this cycle, which stay in it */
    struct victim *victim; /* scratch: of one node */
    uint32_t victim_cap;
    /* of which these are; cycle 0: none are known */
    uint64_t cycle;
    uint64_t changes;
    bool partial;
};

/* Those of jobs that have their gang; with `partial` also of others.  Does
 * nothing while they are known.
 */
void gsched_standing_gather(struct gsched *s, struct standing *m, bool partial);
void gsched_standing_free(struct standing *m);

#endif /* POLICIES_PREEMPTION_STANDING_H */
