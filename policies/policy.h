/* policies/policy.h - the contract between a scheduler and its modules.
 *
 * This is the only header a module may include besides the C library.  It
 * names no simulator type: the host may be gsim or a live scheduler.
 *
 * Rules for a module:
 *   - no globals that can be written, no I/O, no clock, no rand();
 *     all that it knows comes from the host's table, the views and its own
 *     `self`;
 *   - memory from host->keep() lives until close() and is freed by the host;
 *   - the same inputs give the same answers, bit for bit.
 */
#ifndef POLICIES_POLICY_H
#define POLICIES_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GSP_ABI_MAJOR 3 /* bumped when an existing field changes */
#define GSP_ABI_MINOR 0 /* bumped when a field is appended */

typedef int64_t gsp_time; /* microseconds */
#define GSP_NEVER INT64_MAX

/* Scores are integers, in millionths of a point, so that no rounding of a
 * sum ever decides an order.
 */
#define GSP_POINT INT64_C(1000000)
#define GSP_SCORE_MOST (INT64_C(1) << 60)

struct gsp_task; /* what one task asks for */
struct gsp_job;  /* one job, waiting or running */

#define GSP_NONE UINT32_MAX /* no queue, no user, no tier */

/* The first dimensions of every host. */
enum gsp_dim { GSP_CPU, GSP_MEMORY, GSP_RDMA, GSP_PODS, GSP_GPU };

/* Why a task may not run on a node in some state. */
enum gsp_refusal {
    GSP_ACCEPTED,
    GSP_NO_ROOM,    /* not now: something else is there */
    GSP_WRONG_NODE, /* never: model, label, taint or size */
};

/* What makes room for a job that does not fit. */
enum gsp_why {
    GSP_PREEMPT, /* jobs of lower priority in its own queue */
    GSP_RECLAIM, /* jobs of other queues, which hold more than they deserve */
};

/* Where all of a job must, or had better, stand.  Levels: 0 the cluster, then
 * the tiers from the outside in, at last the node (host->levels() - 1).
 */
enum gsp_fill { GSP_FIRST, GSP_TIGHTEST };

struct gsp_subtree {
    uint32_t widest;    /* level: it waits rather than go wider */
    uint32_t narrowest; /* level that is tried first */
    enum gsp_fill fill; /* of the domains that can hold it: the first, or
                           the one with the least free GPUs */
};

/* How jobs behind one that does not fit may run before it. */
enum gsp_backfill_mode {
    GSP_BACKFILL_NONE,
    GSP_BACKFILL_BEST_EFFORT,  /* tasks that ask for nothing */
    GSP_BACKFILL_EASY,         /* the first blocked job has a reservation */
    GSP_BACKFILL_CONSERVATIVE, /* every blocked job has one */
};

struct gsp_backfill {
    enum gsp_backfill_mode mode;
    bool replan; /* conservative: plan anew at every instant, instead of
                    keeping reservations and moving them up */
};

/* What a job demands of where it stands among other jobs. */
enum gsp_rule_kind {
    GSP_NEAR,   /* in a domain that holds a job with the label */
    GSP_APART,  /* in none that holds such a job */
    GSP_SPREAD, /* its own tasks over the domains, with a largest skew */
};

/* Amounts of a queue.  The first four are what the workload says of it, the
 * others count the queues below it too.
 */
enum gsp_amount {
    GSP_GUARANTEE,  /* 0: none */
    GSP_DESERVED,   /* 0: not said */
    GSP_LIMIT,      /* -1: none */
    GSP_USER_LIMIT, /* the most that one user may hold in it; -1: no limit */
    GSP_USED,       /* held by its jobs */
    GSP_ASKED,      /* held, and asked for by tasks that wait */
    GSP_ENTERED,    /* still to be given to gangs of admitted jobs */
    GSP_ELASTIC,    /* held by tasks above the gang's of their group */
    GSP_AMOUNTS
};

struct gsp_rule {
    enum gsp_rule_kind kind;
    uint32_t label;    /* id of a job label; unless GSP_SPREAD */
    uint32_t level;    /* of the domains meant; GSP_NONE: there are none */
    uint32_t max_skew; /* GSP_SPREAD */
};

/* States of nodes, as columns of `states` elements. */
struct gsp_view {
    uint32_t states;
    const uint32_t *gpus_free; /* whole devices */
    const uint32_t *klass;     /* [0, classes) */
    const uint8_t *room;     /* 1 when a task of the kind asked about fits now,
                                  else 0 */
    const uint8_t *hardware; /* GSP_ACCEPTED or GSP_WRONG_NODE: model, labels,
                                  taints, size */
    const uint8_t *kinds;    /* bits of the tasks there: 0 shares, 1 to 4 of 1,
                                  2, 4, 8 GPUs, 5 others; for modules that promise
                                  GSP_FOLLOWS_KINDS */
    const struct gsp_states *of; /* the host's, like `first` */
    uint32_t first;
};

/* Running tasks that may make room: one task above its job's gang, or a whole
 * job.
 */
struct gsp_victim {
    const struct gsp_job *job;
    const int64_t *amount; /* by dimension: what they hold */
    bool is_whole;
};

/* In the order in which they would be evicted. */
struct gsp_victims {
    uint32_t count;
    const struct gsp_victim *at;
};

/* Services the host lends to a module.  Appended to, never reordered. */
struct gsp_host {
    uint32_t size; /* sizeof(struct gsp_host) in the host */

    /* Zeroed, never NULL; while the module is open. */
    void *(*keep)(void *ctx, size_t size);
    /* Uniform in [0, below), from the module's own stream of the seed. */
    uint64_t (*random)(void *ctx, uint64_t below);

    uint32_t (*dims)(void *ctx);
    int64_t (*dim_total)(void *ctx, uint32_t dim); /* of the cluster */

    /* More columns of a view. */
    const int64_t *(*free)(const struct gsp_view *v, uint32_t dim);
    const int64_t *(*capacity)(const struct gsp_view *v, uint32_t dim);

    int64_t (*amount)(const struct gsp_task *t, uint32_t dim);
    uint32_t (*gpus)(const struct gsp_task *t);  /* whole devices */
    uint32_t (*share)(const struct gsp_task *t); /* thousandths; both are 0 of a
                                                    task that asks for a MIG
                                                    instance, see amount */

    /* When the job entered the queue: submitted, or last given back. */
    gsp_time (*job_since)(const struct gsp_job *j);
    int32_t (*job_priority)(const struct gsp_job *j);
    uint32_t (*job_queue)(const struct gsp_job *j);
    uint32_t (*job_gang)(const struct gsp_job *j); /* least tasks */
    uint32_t (*job_placed)(const struct gsp_job *j);
    uint32_t (*job_id)(const struct gsp_job *j); /* dense, from 0 */
    /* Since when it runs; GSP_NEVER while it does not. */
    gsp_time (*job_started)(const struct gsp_job *j);
    bool (*job_preempts)(const struct gsp_job *j); /* its class allows it */
    /* By dimension: what it holds; what its gang asks for in all.  Valid
     * until the next call.
     */
    const int64_t *(*job_used)(const struct gsp_job *j);
    const int64_t *(*job_minimum)(const struct gsp_job *j);

    gsp_time (*now)(void *ctx); /* of the cycle */

    /* For open(): say why it returns -1, as "WHY 'DETAIL'"; DETAIL may be
     * NULL.  Returns -1.
     */
    int (*fail)(void *ctx, const char *why, const char *detail);

    /* Queues are a tree: numbers, with parents before children or not. */
    uint32_t (*queues)(void *ctx);
    uint32_t (*queue_parent)(void *ctx, uint32_t queue);  /* or GSP_NONE */
    double (*queue_weight)(void *ctx, uint32_t queue);    /* > 0 */
    int32_t (*queue_priority)(void *ctx, uint32_t queue); /* 0 unless said */
    bool (*queue_is_open)(void *ctx, uint32_t queue);     /* takes more */
    bool (*queue_reclaimable)(void *ctx, uint32_t queue); /* gives back */
    /* By dimension. */
    const int64_t *(*queue_amount)(void *ctx, uint32_t queue,
                                   enum gsp_amount which);
    /* Held by the job's user in the job's own queue. */
    const int64_t *(*user_used)(const struct gsp_job *j);
    /* Goes up when any queue's amounts change. */
    uint64_t (*ledger)(void *ctx);

    /* Tiers. */
    uint32_t (*levels)(void *ctx); /* cluster, tiers, node */
    uint32_t (*level_find)(void *ctx, const char *tier); /* or GSP_NONE */
    uint32_t (*domains)(void *ctx, uint32_t level);
    /* The domain at a level that holds a node, [0, domains(level)). */
    uint32_t (*domain_of)(void *ctx, uint32_t node, uint32_t level);
    /* The tier that the job's own `topology: {within: ...}` names, and whether
     * it must not be left; GSP_NONE.
     */
    uint32_t (*job_within)(const struct gsp_job *j, bool *required);
    bool (*job_has_label)(const struct gsp_job *j, uint32_t label);
    uint32_t (*job_rules)(const struct gsp_job *j, uint32_t group);
    struct gsp_rule (*job_rule)(const struct gsp_job *j, uint32_t group,
                                uint32_t i);

    /* Thousandths left on the devices of state `i` that are partly used,
     * rising; how many they are.
     */
    uint32_t (*parts)(const struct gsp_view *v, uint32_t i,
                      const uint16_t **left);
    /* The fragmentation of a node in state `i` under the task mix; the same
     * after the task was placed there, its share on a device with `left`
     * thousandths left.  In thousandths of a GPU x mix_weight.
     */
    int64_t (*fragment)(void *ctx, const struct gsp_view *v, uint32_t i);
    int64_t (*fragment_with)(void *ctx, const struct gsp_view *v, uint32_t i,
                             const struct gsp_task *t, uint32_t left);
    int64_t (*mix_weight)(void *ctx);
    /* The kinds of tasks in the mix, [0, mix_kinds), with their weights; which
     * have hardware to their liking on nodes of a class, [0, classes).
     */
    uint32_t (*mix_kinds)(void *ctx);
    const struct gsp_task *(*mix_kind)(void *ctx, uint32_t kind,
                                       int64_t *weight);
    bool (*mix_suits)(void *ctx, uint32_t kind, uint32_t klass);
    uint32_t (*classes)(void *ctx);
    /* Thousandths of GPUs on all nodes of a class. */
    int64_t (*class_gpus)(void *ctx, uint32_t klass);

    /* The job's labels, [0, job_labels): the number of the i-th; GSP_NONE while
     * no rule names it.  When a later job's rule does, modules
     * are told on_release and then on_place of all tasks with the label.
     */
    uint32_t (*job_labels)(const struct gsp_job *j);
    uint32_t (*job_label)(const struct gsp_job *j, uint32_t i);
    /* Do the group's models and `nodes` conditions allow the node, whatever its
     * taints and size?
     */
    bool (*job_selects)(const struct gsp_job *j, uint32_t group, uint32_t node);
};

/* --- parameters ----------------------------------------------------------- */

enum gsp_param_type {
    GSP_WHOLE,   /* value.whole */
    GSP_TIME,    /* value.whole, microseconds */
    GSP_YESNO,   /* value.whole, 0 or 1 */
    GSP_TEXT,    /* value.text */
    GSP_WEIGHTS, /* value.weights, by dimension; < 0: none */
    GSP_REAL,    /* value.real, min to max as whole numbers */
    GSP_CHOICE,  /* value.whole: place in `choices` */
};

struct gsp_param {
    const char *name;
    enum gsp_param_type type;
    const char *fallback; /* as a profile would write it */
    int64_t min, max;     /* of a whole number */
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

/* What a module without open() works with. */
struct gsp_self {
    const struct gsp_host *host;
    void *ctx;
    const union gsp_value *value; /* in the order of `param` */
};

/* What a module promises about its scores. */
enum gsp_promise {
    /* A node's score never falls while more tasks of one kind are placed on
     * it: the host may fill a node in one step.
     */
    GSP_SCORE_RISES = 1,
    /* No victim of GSP_PREEMPT has the preemptor's priority or more: the host
     * need not ask about them.
     */
    GSP_VICTIMS_ARE_LOWER = 2,
    /* victims() only protects: it names no victims by itself, and a victim that
     * it protects is protected whatever tier decides.
     */
    GSP_VICTIMS_ARE_SPARED = 4,
    /* It asks the host for the kinds of tasks on nodes. */
    GSP_FOLLOWS_KINDS = 8,
    /* Its mix is all that tasks ask for, however rare they are. */
    GSP_WHOLE_MIX = 16,
};

/* Settings of the workload that a module may act on, for `reads`.  What no
 * module of a profile reads has no effect, which the user is told.  The host
 * functions below serve them; a module may call those of what it states, and no
 * others (asserted).
 */
enum gsp_input {
    GSP_READS_PRIORITY = 1,            /* job_priority */
    GSP_READS_PREEMPTION = 2,          /* job_preempts */
    GSP_READS_PREEMPTIBLE = 4,         /* the host's, for victims */
    GSP_READS_WITHIN = 8,              /* job_within */
    GSP_READS_RULES = 16,              /* job_rules, job_rule */
    GSP_READS_ESTIMATE = 32,           /* the host's, for a reservation */
    GSP_READS_QUEUE_WEIGHT = 64,       /* queue_weight */
    GSP_READS_QUEUE_PRIORITY = 128,    /* queue_priority */
    GSP_READS_QUEUE_STATE = 256,       /* queue_is_open */
    GSP_READS_QUEUE_RECLAIMABLE = 512, /* queue_reclaimable */
    GSP_READS_QUEUE_GUARANTEE = 1024,  /* queue_amount: GSP_GUARANTEE */
    GSP_READS_QUEUE_DESERVED = 2048,   /* GSP_DESERVED */
    GSP_READS_QUEUE_LIMIT = 4096,      /* GSP_LIMIT */
    GSP_READS_USER_LIMIT = 8192,       /* GSP_USER_LIMIT */
};

struct gsp_module {
    uint16_t abi_major, abi_minor;
    uint32_t size;                 /* sizeof(struct gsp_module) in the module */
    const char *name;              /* what the user types */
    const char *summary;           /* one line for `gsim policies` */
    const struct gsp_param *param; /* table, or NULL: see GSP_PARAMS */
    uint32_t param_count;
    uint32_t promises; /* enum gsp_promise */
    uint32_t reads;    /* enum gsp_input: all that it may ever ask for */

    /* Life cycle.  `value` stands in the order of `param`, and lasts as long as
     * the module is open.  A module without open() keeps no state of its own:
     * its `self` is a const struct gsp_self.
     */
    int (*open)(const struct gsp_host *host, void *ctx,
                const union gsp_value *value, void **self);
    void (*close)(void *self);
    /* Which of `reads` it does not ask for with these values of its parameters;
     * NULL: it may ask for all of them.
     */
    uint32_t (*unread)(const union gsp_value *value);

    /* Extension points.  NULL means "has no opinion". */

    /* < 0: `a` goes first; 0: ask the next module.  May depend on what the
     * jobs are and what they hold, on nothing else that changes.
     */
    int (*job_order)(void *self, const struct gsp_job *a,
                     const struct gsp_job *b);
    /* The same for two queues with one parent; may depend on the ledger. */
    int (*queue_order)(void *self, uint32_t a, uint32_t b);
    /* Nothing more for this queue in this cycle, whatever it asks. */
    bool (*overused)(void *self, uint32_t queue);
    /* May the job take `asked` more, by dimension? */
    bool (*allocatable)(void *self, const struct gsp_job *j,
                        const int64_t *asked);
    /* May it take them from other queues? */
    bool (*preemptive)(void *self, const struct gsp_job *j,
                       const int64_t *asked);
    /* May this job enter the queue of those that are scheduled? */
    bool (*enqueue)(void *self, const struct gsp_job *j);
    /* Set refusal[i] of states that the task may not run on; states refused
     * by a module before are not to be changed.
     */
    void (*filter)(void *self, const struct gsp_view *v,
                   const struct gsp_task *t, uint8_t *refusal);
    /* Add to score[i].  May depend on the state and the task only.  The sum is
     * kept within -GSP_SCORE_MOST to GSP_SCORE_MOST.
     */
    void (*score)(void *self, const struct gsp_view *v,
                  const struct gsp_task *t, int64_t *score);
    /* Which of `count` nodes with the best score, numbered as the host
     * likes; below count.
     */
    uint64_t (*pick)(void *self, uint64_t count);
    /* May what is placed of the job be committed? */
    bool (*gang_ready)(void *self, const struct gsp_job *j);
    /* How long a partly placed job may hold what it has: more than 0, or
     * GSP_NEVER.
     */
    gsp_time (*hold_time)(void *self);
    /* Where all of the job must or should stand; false: no opinion. */
    bool (*subtree)(void *self, const struct gsp_job *j,
                    struct gsp_subtree *out);
    /* May a task of the job's group stand on the node?  0 if so; else 1 + the
     * level of the domain around the node that is refused as a whole.
     */
    uint32_t (*refuses)(void *self, const struct gsp_job *j, uint32_t group,
                        uint32_t node);
    /* Set spared[i] of victims that must not make room for `j`.  They come
     * in the order of eviction, so that a module counts what is gone before.
     * False: no opinion on evictions for this reason.
     */
    bool (*victims)(void *self, enum gsp_why why, const struct gsp_job *j,
                    const struct gsp_victims *v, uint8_t *spared);
    /* How jobs behind a blocked one may run; false: no opinion. */
    bool (*backfill)(void *self, struct gsp_backfill *out);
    /* Tasks of the job's group were put on a node, or taken off again:
     * also while a placement is only tried.
     */
    void (*on_place)(void *self, const struct gsp_job *j, uint32_t group,
                     uint32_t node, uint32_t tasks);
    void (*on_release)(void *self, const struct gsp_job *j, uint32_t group,
                       uint32_t node, uint32_t tasks);
    /* For how long after its start victims() spares a job for that reason:
     * the host asks again when that is over.
     */
    gsp_time (*spare_time)(void *self);
    /* The device for a task's share, on a node of the only state in `v`, whose
     * `count` devices have left[] thousandths left; GSP_NONE: no opinion.
     */
    uint32_t (*device)(void *self, const struct gsp_view *v,
                       const struct gsp_task *t, const uint16_t *left,
                       uint32_t count);
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

#endif /* POLICIES_POLICY_H */
