/* policies/state/module_calls.h - combined answers of the modules of a profile.
 */
#ifndef POLICIES_STATE_MODULE_CALLS_H
#define POLICIES_STATE_MODULE_CALLS_H

#include "policies/state/queue_keys.h"
#include "policies/state/state.h"

/* An open module; also the `ctx` of its calls to the host. */
struct gsched_module {
    const struct gsp_module *module;
    void *self; /* from open(), else `plain` */
    struct gsp_self plain;
    struct gsched *s;
    struct gs_rng rng;
    uint32_t tier;
    uint64_t only;
    uint8_t gate;             /* its number among the gates; NO_GATE */
    const char *why, *detail; /* reason of a failed open() */
};

/* The scheduler of the module that calls the host with `ctx`. */
static inline struct gsched *gsched_of_module(void *ctx)
{
    return ((struct gsched_module *)ctx)->s;
}

/* The open modules of the profile, and properties derived from them
 * (module_properties.h).
 */
struct gsched_modules {
    struct gsched_module module[GSCHED_MODULES_MAX + 1]; /* and the module
                                                            fit */
    uint32_t module_count;
    const char *gate[GSCHED_GATES]; /* names of modules that may refuse */
    uint32_t gates;
    const struct gsched_module *order_by[GSCHED_MODULES_MAX + 1];
    uint32_t order_count;
    /* with queue_order(); on_place() or on_release(); overused(); victims_ok()
     */
    const struct gsched_module *queues_by[GSCHED_MODULES_MAX + 1];
    const struct gsched_module *told[GSCHED_MODULES_MAX + 1];
    const struct gsched_module *overused_by[GSCHED_MODULES_MAX + 1];
    const struct gsched_module *judge[GSCHED_MODULES_MAX + 1];
    uint32_t queues_by_count, told_count, overused_count, judges;
    bool fills_nodes;           /* all scores rise as a node fills */
    bool filter_opens;          /* placements may make a node suit */
    bool has_queues;            /* a module distinguishes queues */
    bool may_refuse, has_quota; /* a module refuses nodes; refuses
                                            amounts */
    bool refuses_by_labels;     /* those that refuse nodes promise so */
    bool orders_groups;         /* a module has group_order() */
    bool orders_tasks;      /* within gangs, see gsched_modules_next_group() */
    bool may_prefer;        /* a module relates nodes */
    bool orders_domains;    /* a module gives them points */
    bool may_admit;         /* a module has admits_at() */
    bool may_break;         /* a module has breaks() */
    bool bounds_gifts;      /* a module has gives() */
    bool reorders;          /* a module has reorder() */
    bool victims_are_lower; /* only jobs of lower priority are
                                            victims */
    const struct gsched_module *pick;       /* NULL: ties to the lowest node */
    const struct gsched_module *subtree;    /* NULL: anywhere */
    const struct gsched_module *fair_share; /* NULL: none */
    const struct gsched_module *usage;      /* NULL: none */
    const struct gsched_module *room; /* that chooses victims; NULL: none */
    struct gsp_backfill backfill;
    struct gsp_preemption preemption;
    struct gsp_consolidation consolidation;
    struct gsp_passes passes;
    struct gsp_retry retry;
    struct gsp_keep keep;
    const struct gsched_module *keeper; /* of `keep`; NULL: none */
    struct gsp_decay decay;             /* period 0: limits forget nothing */
    bool retries;                       /* there are pauses between attempts */
    const struct gsched_module *number; /* NULL: none */
    struct gsp_choice choice;
    bool has_choice;     /* nodes of a gang are chosen together */
    bool has_passes;     /* jobs are tried in passes, see actions/passes.h */
    int64_t hold_time;   /* of a partially allocated job that states none */
    bool limits_hold;    /* a module has such a time */
    bool holds_once;     /* ... for the first time only */
    bool grows_in_turn;  /* tasks above gangs take turns with gangs */
    int64_t min_runtime; /* jobs with a shorter run time may be protected */
    bool picks_devices;  /* a module picks devices */
    bool keeps_order;    /* the first in order blocks the others even when it
                            is unschedulable */
    bool counts_entered, counts_users;
    bool counts_kept;      /* amounts of jobs that are not preemptible have
                              limits of their own */
    bool counts_jobs;      /* a queue states max_jobs: those that hold
                              tasks may go on */
    bool needs_admission;  /* else all jobs are admitted at once */
    uint32_t depth;        /* number of blocked jobs with a reservation */
    bool is_planned;       /* reservations are kept by the plan, see
                              reservation.h */
    bool is_windowed;      /* they are made anew in each pass, see window.h */
    uint64_t module_reads; /* all that modules may read, see profile/reads.h */
    const char *limit;     /* that the module just asked named; NULL */
    uint8_t refuser;       /* gate of the last module that refused; NO_GATE */
    uint32_t blocker;      /* queue whose amounts were the reason, s->queues the
                         cluster, and no module before had a say; NONE */
    /* of the host, from a room above: see gsched_queue_change() */
    const int64_t *(*queue_change)(const struct gsched *s, uint32_t queue);
};

/* The score within -GSP_SCORE_MOST to GSP_SCORE_MOST, so that the addition of a
 * later module cannot overflow.
 */
static inline int64_t gsched_score_limited(int64_t score)
{
    return score > GSP_SCORE_MOST    ? GSP_SCORE_MOST
           : score < -GSP_SCORE_MOST ? -GSP_SCORE_MOST
                                     : score;
}

/* < 0: job `a` is first; 0: no module orders them. */
struct queue_entry;
int gsched_modules_compare(const struct gsched *s, const struct queue_entry *a,
                           const struct queue_entry *b);
/* Of two groups of a job. */
int gsched_modules_compare_groups(const struct gsched *s, uint32_t job,
                                  uint32_t a, uint32_t b);
/* The order of jobs or queues changed with time; when it will next. */
bool gsched_modules_reorder(const struct gsched *s);
int64_t gsched_modules_reorder_at(const struct gsched *s);
/* Modules tell which queues may refuse less. */
void gsched_modules_ease(struct gsched *s);
/* These three record the gate that refuses in `refuser`, and `blocker`. */
bool gsched_modules_overused(struct gsched *s, uint32_t queue);
bool gsched_modules_allocatable(struct gsched *s, uint32_t job,
                                const int64_t *asked);
bool gsched_modules_enqueue(struct gsched *s, uint32_t job);
/* When modules admit the job at the latest; GSCHED_NEVER. */
int64_t gsched_modules_admit_at(const struct gsched *s, uint32_t job);
bool gsched_modules_preemptive(const struct gsched *s, uint32_t job,
                               const int64_t *asked);
bool gsched_modules_ready(const struct gsched *s, uint32_t job);
/* Do modules say which task of the job's gang is placed next; the group of that
 * task when left[group] tasks are to be placed, at least one of them.
 */
bool gsched_orders_tasks(const struct gsched *s, uint32_t job);
uint32_t gsched_modules_next_group(const struct gsched *s, uint32_t job,
                                   const uint32_t *left);
/* The first node from `node` on that is not refused for tasks of the group:
 * `node` itself, or the first after the refused domain.
 */
uint32_t gsched_modules_allow_node(const struct gsched *s,
                                   const struct scope *w, uint32_t node);
/* The finest regard of all modules for a task; their points added to
 * score[n->count].
 */
enum gsp_regard gsched_modules_regard(const struct gsched *s, uint32_t job,
                                      uint32_t group);
void gsched_modules_prefer(const struct gsched *s, uint32_t job, uint32_t group,
                           const struct gsp_nodes *n, int64_t *score);
/* Their points for the domains at `level` that hold the nodes in `n`, added to
 * score[n->count]: for the gang, or for its tasks of a group (NONE: the
 * former).
 */
void gsched_modules_prefer_domain(const struct gsched *s, uint32_t job,
                                  uint32_t group, uint32_t level,
                                  const struct gsp_nodes *n, int64_t *score);
/* Set safe[i] of the protected victims, `by_bundle`: of those that go for a
 * whole gang.  Returns the number of those that are not protected.
 */
uint32_t gsched_modules_protect(const struct gsched *s, enum gsp_why why,
                                bool by_bundle, uint32_t job, uint32_t group,
                                const struct gsp_victims *v, uint8_t *safe,
                                uint8_t *scratch);
/* The same, asking only modules that promise GSP_VICTIMS_ARE_SPARED.  *any: one
 * has an opinion on evictions of that kind for the job, whatever the victims.
 */
uint32_t gsched_modules_spare(const struct gsched *s, enum gsp_why why,
                              uint32_t job, const struct gsp_victims *v,
                              uint8_t *safe, uint8_t *scratch, bool *any);
/* How long after its start the victim is protected from the job. */
int64_t gsched_modules_spare_time(const struct gsched *s, enum gsp_why why,
                                  uint32_t job, uint32_t victim);
/* At most how much of the dimension the queue gives before its last victim. */
int64_t gsched_modules_give(const struct gsched *s, uint32_t job,
                            const int64_t *asked, uint32_t queue, uint32_t dim);
/* Mark in kept[] the victims that modules refuse whichever others of `v` go
 * with them; scratch[] has room for as many.
 */
void gsched_modules_keep(const struct gsched *s, uint32_t job,
                         const int64_t *asked, const struct gsp_victims *v,
                         uint8_t *kept, uint8_t *scratch);
/* Does that one of judge[] bound how much of the dimension victims of a queue
 * free in all?  Sets out[] for each victim.
 */
bool gsched_module_yields(const struct gsched *s, uint32_t judge, uint32_t job,
                          const int64_t *asked, const struct gsp_victims *v,
                          uint32_t dim, struct gsp_yield *out);
/* May all victims of a search be evicted for the job, which takes `asked` more?
 */
bool gsched_modules_victims_ok(const struct gsched *s, enum gsp_why why,
                               uint32_t job, const int64_t *asked,
                               const struct gsp_victims *v);
/* Set broken[i] of the victims whose eviction breaks a rule of a module that is
 * kept if possible.  Returns their number.
 */
uint32_t gsched_modules_break(const struct gsched *s, uint32_t job,
                              const struct gsp_victims *v, uint8_t *broken);
/* Inform the modules with on_place or on_release. */
enum gsched_told { TOLD_PLACED, TOLD_RELEASED };
void gsched_tell(const struct gsched *s, uint32_t job, uint32_t group,
                 uint32_t node, uint32_t tasks, enum gsched_told what);

#endif /* POLICIES_STATE_MODULE_CALLS_H */
