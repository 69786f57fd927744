/* policies/preemption/preemption.h - an attempt to make room by eviction.
 *
 * An attempt (actions/preempt.c) places the tasks of an entry one by one.  For
 * a task that does not fit, gsched_node_clear() tries the eviction of victims
 * on a node, and gsched_preemption_cost() returns their cost.  Tentative
 * evictions are applied to the cluster, the usage and the modules, so that all
 * of them answer as after the eviction, until gsched_restore() undoes it.
 * gsched_attempt_remember() keeps the victims and placements of the whole
 * entry, gsched_attempt_undo() undoes all of it, and gsched_attempt_reprieve()
 * reprieves victims that the gang as a whole does not need.
 */
#ifndef POLICIES_PREEMPTION_PREEMPTION_H
#define POLICIES_PREEMPTION_PREEMPTION_H

#include "policies/state/state.h"

struct queue_entry;

/* A tentative eviction: all allocations of a job from `head` on, or only that
 * one, which followed `newer` in the list (NONE: it was the first).
 */
struct evicted {
    uint32_t job, head, newer;
    bool is_whole;
    bool breaks; /* a rule that is kept if possible, see breaks() of modules */
};

/* A candidate of the whole cluster, see victim_order.c. */
struct ranked_victim {
    uint32_t job, nodes;
    int32_t value; /* priority */
    int64_t start;
    uint32_t useful, place; /* its nodes that the job would use; its present
                               place */
};

/* Victims of one job that go together, see bundles.c. */
struct bundle {
    uint32_t first, count; /* of the candidates */
    uint32_t job;
    bool is_whole; /* the whole job; else tasks that may go alone */
    bool breaks;   /* a rule that is kept if possible */
    double gain;   /* what it frees of what is asked for, of all it holds */
};

struct gsched_evict {
    struct victim *victim;        /* candidates on the node being examined */
    struct gsp_job *job;          /* [i] job of victim[i] */
    struct gsp_victim *shown;     /* [i] victim[i], as modules see it */
    uint8_t *protected, *scratch; /* scratch: also those that break rules */
    bool may_protect; /* false: as far as asked, modules protect no victim from
                         that job */
    uint32_t victim_count, victim_cap, job_cap, shown_cap, protected_cap,
        scratch_cap;
    uint32_t *standing; /* allocations of possible victims in a domain */
    uint32_t standing_count, standing_cap;
    struct bundle *bundle;  /* in the order of eviction */
    struct victim *ordered; /* candidates in that order */
    uint32_t bundle_count, bundle_cap, ordered_cap;
    uint32_t *domain; /* where gangs may make room; profile->domains */
    struct evicted *evicted, *tentative; /* for the present task; for the
                                            whole entry */
    uint32_t evicted_count, evicted_cap, tentative_count, tentative_cap;
    struct gsched_decision *proposal;
    uint32_t proposal_count, proposal_cap;
    uint32_t *cqueue, cqueue_cap;    /* for which room may be made */
    uint64_t rules_listed;           /* rule_changes when they were listed */
    struct room_queue *queue_of_way; /* [way][queue], see room_list.c */
    struct gsched_turns *turns;      /* private to turns.c */
    struct ranked_victim *ranked;
    uint32_t ranked_count, ranked_cap;
    uint8_t *chosen; /* [node] 1: the job would use it */
    uint32_t *seen;  /* [node] stamp of the last search that examined it */
    uint32_t stamp;
    uint32_t *possible; /* nodes to be examined; NULL: those of victims are */
    struct gs_rng rng;
    struct gsched_room *room; /* private to room.c; NULL */
};

/* A preemption attempt for one task. */
struct attempt {
    enum gsp_why why;
    bool by_bundle; /* for all tasks at once, see bundles.c */
    bool by_trials; /* victims are judged as a set, see solver/ */
    bool within;    /* victims are less important tasks of the job itself */
    uint32_t job, shape;
    const struct topo_request *request;
    struct scope scope;
    int64_t asked[TOPO_DIMS_MAX]; /* by the tasks proposed already */
    uint32_t group;               /* of the job; NONE: its gang */
    int32_t value;                /* priority */
    bool asks_nothing;
};

/* The cost of evictions, as in pickOneNodeForPreemption of kube-scheduler. */
struct cost {
    uint32_t broken; /* number of victims that break a rule */
    int32_t highest; /* highest priority of the victims */
    int64_t sum;     /* sum of the priorities, each shifted to be positive */
    uint32_t tasks;
    uint32_t groups; /* number of whole jobs with several tasks */
    int64_t start;   /* earliest start among the victims of the highest
                        priority */
};

/* --- trying evictions: eviction.c ----------------------------------------- */

/* Allocate the working memory of attempts, if an action may evict; `seed` is
 * that of random starts.
 */
void gsched_attempt_open(struct gsched *s, uint64_t seed);
void gsched_attempt_free(struct gsched *s);
/* Evict the job, or one allocation of it (NONE: all), tentatively; `breaks` is
 * kept with it.
 */
void gsched_evict(struct gsched *s, uint32_t job, uint32_t allocation,
                  bool breaks);
/* Undo the evictions from index `at` on; undo the one at index `at`. */
void gsched_restore(struct gsched *s, uint32_t at);
void gsched_restore_one(struct gsched *s, uint32_t at);
/* Remember the evictions, and the decisions from `first` on. */
void gsched_attempt_remember(struct gsched *s, uint32_t first);
/* True when the rules allow the placements decided from `first` on if all
 * victims are evicted before.
 */
bool gsched_rules_stand(struct gsched *s, uint32_t job, uint32_t first);
/* Undo all that was tried since `mark`. */
void gsched_attempt_undo(struct gsched *s, uint32_t mark, uint32_t first);
/* True when more tasks of the same job are evicted after index `at`: the tasks
 * of a job are evicted latest first.
 */
bool gsched_evicted_later(const struct evicted *e, uint32_t count, uint32_t at);
/* The amounts that the job holds, or one allocation of it (NONE: all). */
void gsched_victim_amount(const struct gsched *s, uint32_t job,
                          uint32_t allocation, int64_t *amount);

/* --- victims on a node: victims.c ----------------------------------------- */

/* The priority of tasks of the group; NONE: of the whole job. */
int32_t gsched_value_of(const struct gsched *s, uint32_t job, uint32_t group);
/* The same of a victim: an allocation, or with NONE all of its job. */
int32_t gsched_victim_value(const struct gsched *s, uint32_t job,
                            uint32_t allocation);
/* True when tasks of the job with that priority class may be victims of the
 * attempt.
 */
bool gsched_is_eligible(struct gsched *s, const struct attempt *a, uint32_t job,
                        uint32_t klass);
/* Add a candidate: an allocation of the job, NONE: the whole job, of which some
 * is on the node.
 */
void gsched_victim_add(struct gsched *s, uint32_t node, uint32_t job,
                       uint32_t allocation);
/* The candidates as modules see them, until another is added. */
struct gsp_victims gsched_victims_show(struct gsched *s);
/* Have a cycle when the victim, which was protected from the job, has run for
 * long enough, if that is why.
 */
void gsched_spared_note(struct gsched *s, enum gsp_why why, uint32_t job,
                        uint32_t victim);
/* Let the modules protect candidates.  Returns the number of the others. */
uint32_t gsched_victims_protect(struct gsched *s, const struct attempt *a);
/* May all candidates be evicted for the job, which asks for `asked`? */
bool gsched_victims_ok(struct gsched *s, const struct attempt *a,
                       const int64_t *asked);
/* Note which candidates break rules; their number. */
uint32_t gsched_victims_break(struct gsched *s, const struct attempt *a);
/* True when the quotas allow the task in addition to the tasks proposed
 * already.
 */
bool gsched_quota_allows(struct gsched *s, const struct attempt *a);
/* True when the node has enough that is free or held by possible victims. */
bool gsched_node_may_do(struct gsched *s, const struct attempt *a,
                        uint32_t node);
/* Does the task of the attempt fit on the node as it is now? */
bool gsched_node_fits(struct gsched *s, const struct attempt *a, uint32_t node);
/* Evict on the node until the task fits, then reprieve the victims that it does
 * not need, the most important first.  False, with nothing evicted, when it
 * cannot fit.
 */
bool gsched_node_clear(struct gsched *s, const struct attempt *a,
                       uint32_t node);
/* The cost of the evictions from index `first` on. */
struct cost gsched_preemption_cost(const struct gsched *s, uint32_t first);
/* < 0: of two allocations of one job the one of the less important, later task,
 * `a`, is evicted before `b`.
 */
int gsched_task_compare(const struct gsched *s, uint32_t a, uint32_t b);
/* < 0: `a` goes before `b`. */
int gsched_victim_compare(const struct gsched *s, const struct victim *a,
                          const struct victim *b);

/* --- the best node for one task: best_node.c ------------------------------ */

/* Evict on the node where that costs least, so that the task fits.  Returns the
 * node, or NONE with nothing evicted.
 */
uint32_t gsched_task_clear(struct gsched *s, const struct attempt *a);

/* --- victims that a module chooses: room.c -------------------------------- */

void gsched_room_open(struct gsched *s);
void gsched_room_free(struct gsched *s);
/* When it may choose for the job; that is now when there is none.  A cycle is
 * due then.
 */
gsp_time gsched_room_at(struct gsched *s, uint32_t job, uint32_t group);
/* As gsched_task_clear(). */
uint32_t gsched_room_clear(struct gsched *s, const struct attempt *a);

/* --- victims of the whole cluster: victim_order.c ------------------------- */

/* Find victims in one order so that the whole gang fits, and remember them and
 * its placements; false when it cannot fit.
 */
bool gsched_order_clear(struct gsched *s, const struct attempt *a,
                        const struct queue_entry *it);

/* --- victims of a gang: reprieve.c ---------------------------------------- */

/* Reprieve the victims that the gang as a whole does not need, the most
 * important first.
 */
void gsched_attempt_reprieve(struct gsched *s, const struct attempt *a,
                             const struct queue_entry *it);

/* --- victims in bundles: bundles.c ---------------------------------------- */

/* Evict bundles until the entry fits, in the domains that suit a gang that
 * requires one, the wide ones first, or on a node; else on all nodes, or where
 * the job is.  It remembers them and the placements, and undoes them; false: it
 * does not fit.
 */
bool gsched_bundles_place(struct gsched *s, struct attempt *a,
                          const struct queue_entry *it);

#endif /* POLICIES_PREEMPTION_PREEMPTION_H */
