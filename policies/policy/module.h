/* policies/policy/module.h - a module: parameters, promises, functions.  Part
 * of policy.h.
 */
#ifndef POLICIES_POLICY_MODULE_H
#define POLICIES_POLICY_MODULE_H

#include "host.h"
#include "settings.h"
#include "view.h"

/* --- parameters ----------------------------------------------------------- */

enum gsp_param_type {
    GSP_WHOLE,   /* value.whole */
    GSP_TIME,    /* value.whole, microseconds */
    GSP_YESNO,   /* value.whole, 0 or 1 */
    GSP_TEXT,    /* value.text */
    GSP_WEIGHTS, /* value.weights, by dimension; < 0: none */
    GSP_REAL,    /* value.real, from min to max */
    GSP_CHOICE,  /* value.whole: index in `choices` */
};

struct gsp_param {
    const char *name;
    enum gsp_param_type type;
    const char *fallback; /* default, as a profile states it */
    int64_t min, max;     /* of numbers; of weights from 0, max 0: 1e9 */
    const char *summary;
    const char *const *choices; /* NULL-terminated; GSP_CHOICE */
};

union gsp_value {
    int64_t whole;
    double real;
    const char *text;
    const double *weights;
};

/* --- the module ----------------------------------------------------------- */

/* The `self` of a module without open(). */
struct gsp_self {
    const struct gsp_host *host;
    void *ctx;
    const union gsp_value *value; /* in the order of `param` */
};

#define GSP_QUEUE_KEYS 8 /* numbers of queue_key() */

/* Promises of a module, on which the host relies. */
enum gsp_promise {
    /* The score of a node never falls while more tasks of one kind are placed
     * on it, so the host may fill a node in one step.
     */
    GSP_SCORE_RISES = 1,
    /* With GSP_PREEMPT it protects all victims of the preemptor's priority or
     * above, so the host does not ask about them; except where its class lists
     * that of the victim (job_evicts).
     */
    GSP_VICTIMS_ARE_LOWER = 2,
    /* victims() only protects: it never decides alone which jobs are victims,
     * and a victim that it protects stays protected whichever tier decides.
     */
    GSP_VICTIMS_ARE_SPARED = 4,
    /* It reads the kinds of tasks on nodes (gsp_view.kinds). */
    GSP_FOLLOWS_KINDS = 8,
    /* Its task mix contains all kinds of tasks, however rare. */
    GSP_WHOLE_MIX = 16,
    /* A node that filter() refuses for a task is refused too when more is
     * placed on it.  Without it the host looks for waiting tasks that a node
     * may take after placements on it (from ABI 3.2).
     */
    GSP_FILTER_STAYS = 32,
    /* Its allocatable() does not depend on queues: the host does not serve them
     * apart for it (from ABI 3.3).
     */
    GSP_ANY_QUEUE = 64,
    /* The host creates tasks of a job only while the quotas of the workload
     * have room for its whole gang (from ABI 3.3).
     */
    GSP_WHOLE_GANGS = 128,
    /* It reads queue_waiting_priority() (from ABI 3.5). */
    GSP_FOLLOWS_WAITING = 256,
    /* Its queue_key() reads queue_change() (from ABI 3.6). */
    GSP_FOLLOWS_CHANGE = 512,
    /* Its queue_order() is 0 where the numbers of queue_key() are equal (from
     * ABI 3.6).
     */
    GSP_KEYS_DECIDE = 1024,
    /* While room is made, its queue_order() follows from what the two queues
     * hold (GSP_USED, GSP_KEPT) and from queue_change() only (from ABI 3.6).
     */
    GSP_ORDER_OF_HOLDINGS = 2048,
    /* Its refuses() follows from tasks with labels that rules of the job name,
     * and from tasks whose rules name labels of the job; of a job with rules
     * while none of its own tasks is placed (from ABI 3.6).
     */
    GSP_REFUSES_BY_LABELS = 4096,
};

/* Settings of the workload that a module may act on, for `reads`.  A setting
 * that no module of a profile reads has no effect; the user is told.  The host
 * functions named below serve these settings; a module may call only those of
 * the settings that it states (asserted).
 */
enum gsp_input {
    GSP_READS_PRIORITY = 1,            /* job_priority */
    GSP_READS_PREEMPTION = 2,          /* job_preempts, job_evicts */
    GSP_READS_PREEMPTIBLE = 4,         /* used by the host; job_stays */
    GSP_READS_WITHIN = 8,              /* job_within, job_prefers_tier */
    GSP_READS_RULES = 16,              /* job_rules, job_rule: required */
    GSP_READS_ESTIMATE = 32,           /* used by the host, for reservations */
    GSP_READS_QUEUE_WEIGHT = 64,       /* queue_weight */
    GSP_READS_QUEUE_PRIORITY = 128,    /* queue_priority */
    GSP_READS_QUEUE_STATE = 256,       /* queue_is_open */
    GSP_READS_QUEUE_RECLAIMABLE = 512, /* queue_reclaimable */
    GSP_READS_QUEUE_GUARANTEE = 1024,  /* queue_amount: GSP_GUARANTEE */
    GSP_READS_QUEUE_DESERVED = 2048,   /* GSP_DESERVED */
    GSP_READS_QUEUE_LIMIT = 4096,      /* GSP_LIMIT */
    GSP_READS_USER_LIMIT = 8192,       /* GSP_USER_LIMIT */
    GSP_READS_PREFER = 16384,          /* job_prefers, job_points */
    GSP_READS_SOFT_AFFINITY = 32768,   /* job_soft_rules: GSP_NEAR, GSP_APART;
                                          job_rules, for scores */
    GSP_READS_SOFT_SPREAD = 65536,     /* job_soft_rules: GSP_SPREAD */
    GSP_READS_BUDGETS = 131072,        /* break_budgets */
    GSP_READS_MAX_WAIT = 262144,       /* job_max_wait */
    GSP_READS_ACCOUNTS = 524288,       /* account_..., job_account */
    GSP_READS_QOS = 1048576,           /* qos_... */
    GSP_READS_PARTITIONS = 2097152,    /* partition_... */
    GSP_READS_NICE = 4194304,          /* job_nice */
    GSP_READS_LIMITS = 8388608,        /* job_limit */
    GSP_READS_ADMISSION = 16777216,    /* job_admission */
    GSP_READS_POOLS = 33554432,        /* job_limit, of pools */
    GSP_READS_TASK_RULES = 67108864,   /* job_task_rules */
    /* from ABI 3.5 */
    GSP_READS_QUEUE_BORROW = 134217728, /* queue_amount: GSP_BORROW, GSP_LEND */
    GSP_READS_OVER_QUOTA = 268435456,   /* queue_over_quota */
    GSP_READS_FLAVORS = 536870912,      /* flavors, queue_flavors ... */
    GSP_READS_USER_LIMITS = 1073741824, /* user_limits */
};

/* Also of `reads`, but no int: slices of jobs, for GSP_CHOOSE_DOMAINS. */
#define GSP_READS_SLICES 2147483648u

struct gsp_module {
    uint16_t abi_major, abi_minor;
    uint32_t size;                 /* sizeof(struct gsp_module) in the module */
    const char *name;              /* what the user types */
    const char *summary;           /* one line for `gsim policies` */
    const struct gsp_param *param; /* table, or NULL: see GSP_PARAMS */
    uint32_t param_count;
    uint32_t promises; /* enum gsp_promise */
    uint32_t reads;    /* enum gsp_input: all settings that it may ever read */

    /* Life cycle.  `value` is in the order of `param` and valid as long as the
     * module is open.  A module without open() keeps no state of its own: its
     * `self` is a const struct gsp_self.
     */
    int (*open)(const struct gsp_host *host, void *ctx,
                const union gsp_value *value, void **self);
    void (*close)(void *self);
    /* The part of `reads` that it does not read with these values of its
     * parameters; NULL: it may read all of them.
     */
    uint32_t (*unread)(const union gsp_value *value);

    /* Extension points.  NULL: the module does not take part. */

    /* < 0: `a` goes first; 0: ask the next module.  May depend on the
     * properties of the jobs and on what they hold, on no other state; on time
     * only by reorder().
     */
    int (*job_order)(void *self, const struct gsp_job *a,
                     const struct gsp_job *b);
    /* The same for two queues with one parent; may depend on the ledger. */
    int (*queue_order)(void *self, uint32_t a, uint32_t b);
    /* True: the queue gets nothing more in this cycle. */
    bool (*overused)(void *self, uint32_t queue);
    /* May the job take `asked` more, by dimension? */
    bool (*allocatable)(void *self, const struct gsp_job *j,
                        const int64_t *asked);
    /* May the job reclaim them from other queues? */
    bool (*preemptive)(void *self, const struct gsp_job *j,
                       const int64_t *asked);
    /* May the job be admitted? */
    bool (*enqueue)(void *self, const struct gsp_job *j);
    /* Set refusal[i] of states on which the task may not run; do not change
     * states that another module refused already.
     */
    void (*filter)(void *self, const struct gsp_view *v,
                   const struct gsp_task *t, uint8_t *refusal);
    /* Add to score[i].  May depend on the state and the task only.  The sum is
     * kept within -GSP_SCORE_MOST to GSP_SCORE_MOST.
     */
    void (*score)(void *self, const struct gsp_view *v,
                  const struct gsp_task *t, int64_t *score);
    /* The choice among `count` nodes with the best score, in an order of the
     * host; below count.
     */
    uint64_t (*pick)(void *self, uint64_t count);
    /* May the placed tasks of the job be committed? */
    bool (*gang_ready)(void *self, const struct gsp_job *j);
    /* How long a partially allocated job may keep its allocations: above 0, or
     * GSP_NEVER.
     */
    gsp_time (*hold_time)(void *self);
    /* The subtree in which all of the job must or should be placed; false: no
     * opinion.
     */
    bool (*subtree)(void *self, const struct gsp_job *j,
                    struct gsp_subtree *out);
    /* 0 when a task of the job's group may run on the node; else 1 + the level
     * of the domain of the node that is refused as a whole.
     */
    uint32_t (*refuses)(void *self, const struct gsp_job *j, uint32_t group,
                        uint32_t node);
    /* Set spared[i] of victims that must not be evicted for `j`.  Victims are
     * in the order of eviction, so the module can count those evicted before.
     * False: no opinion on evictions for this reason.
     */
    bool (*victims)(void *self, enum gsp_why why, const struct gsp_job *j,
                    const struct gsp_victims *v, uint8_t *spared);
    /* The mode of backfill; false: no opinion. */
    bool (*backfill)(void *self, struct gsp_backfill *out);
    /* Tasks of the job's group were placed on a node, or removed from it; also
     * called while a placement is tried and undone.
     */
    void (*on_place)(void *self, const struct gsp_job *j, uint32_t group,
                     uint32_t node, uint32_t tasks);
    void (*on_release)(void *self, const struct gsp_job *j, uint32_t group,
                       uint32_t node, uint32_t tasks);
    /* How long after its start victims() protects a job because of its run
     * time; the host runs a cycle when that time is over.
     */
    gsp_time (*spare_time)(void *self);
    /* The device for the share of a task, on a node in the only state of `v`,
     * whose `count` devices have left[] thousandths left; GSP_NONE: no opinion.
     */
    uint32_t (*device)(void *self, const struct gsp_view *v,
                       const struct gsp_task *t, const uint16_t *left,
                       uint32_t count);

    /* --- from ABI 3.1 --- */

    /* How it distinguishes nodes for a task of the job's group beyond score();
     * GSP_NO_REGARD: prefer() is not called for it.
     */
    enum gsp_regard (*regards)(void *self, const struct gsp_job *j,
                               uint32_t group);
    /* Add to score[i], the sum so far of node[i].  `n` has all nodes where the
     * task may be placed, so that points may depend on the others; it is called
     * for each task anew.
     */
    void (*prefer)(void *self, const struct gsp_job *j, uint32_t group,
                   const struct gsp_nodes *n, int64_t *score);

    /* --- from ABI 3.2 --- */

    /* Add to score[i] of the domain at `level` that holds node[i], in which all
     * of the job may be placed.  The domain with the highest sum is tried
     * first; those with equal sums in the order of subtree().
     */
    void (*prefer_domain)(void *self, const struct gsp_job *j, uint32_t level,
                          const struct gsp_nodes *n, int64_t *score);

    /* Set broken[i] of victims on a node whose eviction for `j` breaks a rule
     * that should be kept where possible: they are evicted after all others and
     * reprieved first, and a node where fewer of them go is chosen.  The
     * victims are all that may be evicted there, in the order of eviction; some
     * may stay.
     */
    void (*breaks)(void *self, const struct gsp_job *j,
                   const struct gsp_victims *v, uint8_t *broken);

    /* From this time on the job is admitted, unless enqueue() of a module of
     * the same tier or of one before refuses it; GSP_NEVER: no opinion.  Asked
     * for the first job of a request class.
     */
    gsp_time (*admits_at)(void *self, const struct gsp_job *j);

    /* --- from ABI 3.3 --- */

    /* The order of jobs or queues changes with time: job_order() may depend on
     * host->now() at the last call of reorder() that returned true, and on
     * nothing that changed since.  Called at the begin of each cycle.
     */
    bool (*reorder)(void *self);
    /* When the order may change next by time alone; GSP_NEVER: it stays until
     * something happens.  It must come to that, or a run never ends.
     */
    gsp_time (*reorders_at)(void *self);
    /* The fair-share factor of the job, from 0 to 1; changes in reorder()
     * only.
     */
    double (*fair_share)(void *self, const struct gsp_job *j);

    /* How preemption works; false: no opinion. */
    bool (*preemption)(void *self, struct gsp_preemption *out);

    /* Jobs are tried in passes, in order; a job that cannot start closes its
     * partition for the rest of the pass.  False: no opinion.
     */
    bool (*passes)(void *self, struct gsp_passes *out);

    /* Do nodes of the class take tasks now?  The answer holds until *until,
     * later than now; GSP_NEVER: for ever.
     */
    bool (*class_open)(void *self, uint32_t klass, gsp_time *until);
    /* For action shuffle: when moves() is to be called next; it is not called
     * while nothing changed since it last chose nothing.  moves() sets goes[i]
     * of tasks to be evicted, and returns how many of one job may go at once.
     */
    gsp_time (*moves_at)(void *self);
    uint32_t (*moves)(void *self, const struct gsp_standing *v, uint8_t *goes);

    /* --- from ABI 3.4 --- */

    /* As victims(), for actions gang-preempt and gang-reclaim, which evict
     * tasks above a gang, or whole gangs; victims() is not called for these.
     */
    bool (*gang_victims)(void *self, enum gsp_why why, const struct gsp_job *j,
                         const struct gsp_victims *v, uint8_t *spared);
    /* False: no opinion. */
    bool (*retry)(void *self, struct gsp_retry *out);
    /* The nodes of a gang are chosen together: points do not count for it,
     * filters and rules do.  False: no opinion.
     */
    bool (*choice)(void *self, struct gsp_choice *out);
    /* The priority of a pending job as a number, for the limits of passes and
     * reservations; without it that of its class counts.
     */
    int64_t (*number)(void *self, const struct gsp_job *j);
    /* Of a gang of which left[g] tasks of each group are to be placed, the
     * group of the next one; GSP_NONE: no opinion.  Asked for jobs with task
     * rules whose kinds of tasks have one priority.
     */
    uint32_t (*next_group)(void *self, const struct gsp_job *j,
                           const uint32_t *left);

    /* --- from ABI 3.5 --- */

    /* May all these victims, found together, be evicted for `j`, which takes
     * `asked` more?  Queues hold what they did before the search.
     */
    bool (*victims_ok)(void *self, enum gsp_why why, const struct gsp_job *j,
                       const int64_t *asked, const struct gsp_victims *v);
    /* As spare_time, of one victim for `j`; not longer than that. */
    gsp_time (*spare_time_of)(void *self, enum gsp_why why,
                              const struct gsp_job *j,
                              const struct gsp_job *victim);

    /* Say by queue_eases() which queues may have more than before; called when
     * amounts of queues changed.  For modules that call refused_by().
     */
    void (*ease)(void *self);
    uint64_t terms; /* 1 << enum gsp_queue_term: those that it may ever read */

    /* How action consolidate moves jobs; false: no opinion. */
    bool (*consolidation)(void *self, struct gsp_consolidation *out);
    /* False: no opinion. */
    bool (*usage_decay)(void *self, struct gsp_decay *out);

    /* For action preempt: the module chooses all victims of a task; victims()
     * and breaks() are not asked.  When it may choose for the job next,
     * GSP_NEVER: not before something happens.
     */
    gsp_time (*room_at)(void *self, const struct gsp_job *j);
    /* Set goes[i] of the tasks to be evicted for a task of the job's group, and
     * *node to the one where it is placed then, GSP_NONE: wherever it fits
     * best.  False: none.
     */
    bool (*make_room)(void *self, const struct gsp_job *j, uint32_t group,
                      const struct gsp_standing *v, uint8_t *goes,
                      uint32_t *node);
    /* How the action admit works; false: no opinion. */
    bool (*admit)(void *self, struct gsp_admit *out);

    /* --- from ABI 3.6 --- */

    /* With action admit: the job got quota of these amounts, by dimension, or
     * gave it back; not called in trial.
     */
    void (*on_quota)(void *self, const struct gsp_job *j, const int64_t *amount,
                     bool holds);
    /* What jobs with its account and user used: of the jobs of one queue that
     * wait for quota the one of the least is first, before job_order(), and the
     * one of the most is evicted first.  Changes in on_quota() and reorder()
     * only.
     */
    double (*usage)(void *self, const struct gsp_job *j);
    /* How much of each dimension victims of the queue may free for `j`, which
     * takes `asked` more, before victims_ok() refuses a further one (so the
     * last may exceed it): an upper bound, set in most[], GSP_NEVER where there
     * is none.  Asked where victims_ok() is.  False: no opinion.
     */
    bool (*gives)(void *self, const struct gsp_job *j, const int64_t *asked,
                  uint32_t queue, int64_t *most);
    /* < 0: of two groups of a job that runs, and waits for tasks of both, `a`
     * is served first.
     */
    int (*group_order)(void *self, const struct gsp_part *a,
                       const struct gsp_part *b);
    /* Does hold_time() end with the first time that a job gave back by it, so
     * that the job then holds what it gets?
     */
    bool (*holds_once)(void *self);

    /* With unit pod: tasks that fit nowhere have nodes kept for them.  False:
     * no opinion.
     */
    bool (*keep)(void *self, struct gsp_keep *out);
    /* How much of what the task asks for is missing on nodes in the only state
     * of `v`: the node with the least is kept for it.  Of the module with
     * keep().
     */
    double (*misfit)(void *self, const struct gsp_view *v,
                     const struct gsp_task *t);

    /* Set numbers by which queue_order() compares the queue with others first,
     * at most GSP_QUEUE_KEYS, always as many; the others are 0.  Of two queues
     * the first number that differs decides: the lower one goes first.  The
     * host keeps them while the amounts of the queue stay, with
     * GSP_FOLLOWS_CHANGE also its queue_change(), and until
     * host->queue_moves(): for numbers that follow from other queues ease() is
     * called when amounts changed, or what waits.
     */
    void (*queue_key)(void *self, uint32_t queue, double *key);
    /* Mark in kept[], all 0 before, victims that victims_ok() refuses whichever
     * others of `v` go with them.  Asked where gives() is; a victim that is not
     * marked may be refused as well.
     */
    void (*keeps)(void *self, const struct gsp_job *j, const int64_t *asked,
                  const struct gsp_victims *v, uint8_t *kept);
    /* queue_order() of two queues with the same numbers of queue_key(); NULL:
     * that is asked (from ABI 3.7).
     */
    int (*queue_tie)(void *self, uint32_t a, uint32_t b);
    /* Set out[] to a bound for each victim, as keeps() does for one alone: as
     * much of dimension `dim`, at most, as all of `v` in and below that queue
     * may free before victims_ok() refuses, whichever go.  False: no opinion
     * (from ABI 3.8).
     */
    bool (*yields)(void *self, const struct gsp_job *j, const int64_t *asked,
                   const struct gsp_victims *v, uint32_t dim,
                   struct gsp_yield *out);
    /* With unit gang: do tasks above gangs take turns with gangs, in the order
     * of jobs and queues?  Else they come after all gangs, as they do in any
     * case with reservations and passes (from ABI 3.11).
     */
    bool (*grows_in_turn)(void *self);
};

/* The one symbol that a shared object exports: data, no function, so that a
 * host can read the version before it calls anything.
 *     const struct gsp_module gsp_module = { GSP_ABI, .name = ... };
 */
extern const struct gsp_module gsp_module;

/* The first fields of every module. */
#define GSP_ABI                                             \
    .abi_major = GSP_ABI_MAJOR, .abi_minor = GSP_ABI_MINOR, \
    .size = sizeof(struct gsp_module)

/* Its parameters, an array. */
#define GSP_PARAMS(array) \
    .param = (array), .param_count = sizeof(array) / sizeof((array)[0])

#endif /* POLICIES_POLICY_MODULE_H */
