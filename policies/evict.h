/* policies/evict.h - what evict.c keeps between its calls. */
#ifndef POLICY_EVICT_H
#define POLICY_EVICT_H

#include "policies/scheduler_private.h"

/* Counted as evicted: a job's spans from `head` on, or that one only, which
 * stood behind `newer` (NONE: first).
 */
struct gone {
    uint32_t job, head, newer;
    bool is_whole;
};

struct gsched_evict {
    struct victim *unit; /* on the node looked at */
    struct gsp_job *job;
    uint8_t *spared, *scratch;
    uint32_t unit_count, unit_cap, job_cap, spared_cap, scratch_cap;
    struct gone *gone, *going;
    uint32_t gone_count, gone_cap, going_count, going_cap;
    struct gsched_decision *proposal;
    uint32_t proposal_count, proposal_cap;
    uint32_t *bin, bin_cap;
    uint32_t *queue;
    uint32_t *seen; /* [node] stamp of the search that looked at it */
    uint32_t stamp;
};

/* Making room for one task. */
struct attempt {
    enum gsp_why why;
    uint32_t job, shape;
    const struct topo_request *request;
    struct where where;
    int64_t asked[TOPO_DIMS_MAX]; /* by what is proposed already */
    bool asks_nothing;
};

/* What evictions cost, see kube-scheduler's pickOneNodeForPreemption. */
struct toll {
    int32_t highest; /* priority that goes */
    int64_t sum;     /* of priorities, moved up to be positive */
    uint32_t tasks;
    uint32_t groups; /* jobs of several tasks */
    int64_t start;   /* earliest, of those of the highest priority */
};

struct search {
    uint32_t node, found; /* the best; nodes that would do */
    struct toll toll;
};

/* victims.c */
int32_t gsched_value_of(const struct gsched *s, uint32_t job);
/* May the job be asked to make room? */
bool gsched_is_eligible(struct gsched *s, const struct attempt *a,
                        uint32_t job);
/* Do the quotas allow the task, besides what is proposed already? */
bool gsched_quota_allows(struct gsched *s, const struct attempt *a);
/* Is there enough on the node, free or held by those who may have to go? */
bool gsched_node_may_do(struct gsched *s, const struct attempt *a,
                        uint32_t node);
/* Evict on the node until the task fits, then spare whom that does not need,
 * the most important first.  False, with nothing evicted, when it cannot fit.
 */
bool gsched_node_clear(struct gsched *s, const struct attempt *a,
                       uint32_t node);
/* What the evictions from `first` on cost. */
struct toll gsched_toll_of(const struct gsched *s, uint32_t first);
/* Count a victim as gone. */
void gsched_unit_evict(struct gsched *s, const struct victim *v);
/* < 0: `a` goes before `b`. */
int gsched_unit_compare(const struct gsched *s, const struct victim *a,
                        const struct victim *b);
/* Take back the evictions from place `at` on. */
void gsched_restore(struct gsched *s, uint32_t at);

/* trial.c */

/* Remember who is counted as gone, and the decisions from `first` on. */
void gsched_trial_remember(struct gsched *s, uint32_t first);
/* Undo all that was tried since `mark`. */
void gsched_trial_undo(struct gsched *s, uint32_t mark, uint32_t first);
/* Spare whom the gang as a whole does not need, the most important first. */
void gsched_trial_trim(struct gsched *s, const struct attempt *a,
                       const struct item *it);

#endif /* POLICY_EVICT_H */
