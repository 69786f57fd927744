/* policies/preemption/preemption.h - an attempt to make room by eviction.
 *
 * An attempt (actions/preempt.c) places the tasks of an entry one by one.  For a
 * task that does not fit, gsched_node_clear() tries the eviction of victims on a
 * node, and gsched_preemption_cost() says what that costs.  Evictions count as
 * done on the cluster, in the usage and for the modules, so that all of them
 * answer as they would after it, until gsched_restore() takes them back.
 * gsched_attempt_remember() keeps the victims and placements of the whole entry,
 * gsched_attempt_undo() takes all of it back, and gsched_attempt_reprieve()
 * spares victims that the gang as a whole does not need.
 */
#ifndef POLICIES_PREEMPTION_PREEMPTION_H
#define POLICIES_PREEMPTION_PREEMPTION_H

#include "policies/state/state.h"

struct queue_entry;

/* Counted as evicted: a job's allocations from `head` on, or that one only,
 * which stood behind `newer` (NONE: first).
 */
struct evicted {
    uint32_t job, head, newer;
    bool is_whole;
};

struct gsched_evict {
    struct victim *victim;    /* on the node looked at */
    struct gsp_job *job;      /* [i] and */
    struct gsp_victim *shown; /* [i] they, as modules are shown them */
    uint8_t *protected, *scratch;
    uint32_t victim_count, victim_cap, job_cap, shown_cap, protected_cap,
        scratch_cap;
    struct evicted *evicted, *tentative; /* now; of the whole entry */
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
    int32_t highest; /* priority of the victims */
    int64_t sum;     /* of priorities, moved up to be positive */
    uint32_t tasks;
    uint32_t groups; /* jobs of several tasks */
    int64_t start;   /* earliest, of those of the highest priority */
};

/* --- trying evictions: eviction.c ----------------------------------------- */

/* What attempts work with, where an action may evict. */
void gsched_attempt_open(struct gsched *s);
void gsched_attempt_free(struct gsched *s);
/* Count the job as evicted, or one allocation of it (NONE: all). */
void gsched_evict(struct gsched *s, uint32_t job, uint32_t allocation);
/* Take back the evictions from place `at` on; that at place `at` alone. */
void gsched_restore(struct gsched *s, uint32_t at);
void gsched_restore_one(struct gsched *s, uint32_t at);
/* Remember the evictions, and the decisions from `first` on. */
void gsched_attempt_remember(struct gsched *s, uint32_t first);
/* Undo all that was tried since `mark`. */
void gsched_attempt_undo(struct gsched *s, uint32_t mark, uint32_t first);
/* Is more of the job evicted behind place `at`?  Its tasks go latest first. */
bool gsched_evicted_later(const struct evicted *e, uint32_t count, uint32_t at);
/* What a job holds, or one allocation of it (NONE: all). */
void gsched_victim_amount(const struct gsched *s, uint32_t job,
                          uint32_t allocation, int64_t *amount);

/* --- victims on a node: victims.c ----------------------------------------- */

/* The priority of the job. */
int32_t gsched_value_of(const struct gsched *s, uint32_t job);
/* May the job be asked to make room? */
bool gsched_is_eligible(struct gsched *s, const struct attempt *a,
                        uint32_t job);
/* Do the quotas allow the task, besides what is proposed already? */
bool gsched_quota_allows(struct gsched *s, const struct attempt *a);
/* Is there enough on the node, free or held by possible victims? */
bool gsched_node_may_do(struct gsched *s, const struct attempt *a,
                        uint32_t node);
/* Evict on the node until the task fits, then reprieve the victims that it does
 * not need, the most important first.  False, with nothing evicted, when it
 * cannot fit.
 */
bool gsched_node_clear(struct gsched *s, const struct attempt *a,
                       uint32_t node);
/* What the evictions from `first` on cost. */
struct cost gsched_preemption_cost(const struct gsched *s, uint32_t first);
/* < 0: `a` goes before `b`. */
int gsched_victim_compare(const struct gsched *s, const struct victim *a,
                          const struct victim *b);

/* --- victims of a gang: reprieve.c ---------------------------------------- */

/* Reprieve the victims that the gang as a whole does not need, the most
 * important first.
 */
void gsched_attempt_reprieve(struct gsched *s, const struct attempt *a,
                             const struct queue_entry *it);

#endif /* POLICIES_PREEMPTION_PREEMPTION_H */
