/* policies/policy.h - the contract between a scheduler and its modules.
 *
 * This is the only header a module may include besides the C library.  It names
 * no simulator type: the host may be gsim or a live scheduler.
 *
 * Rules for a module:
 *   - no writable globals, no I/O, no clock, no rand();
 *     its only inputs are the host's table, the views and its own
 *     `self`;
 *   - memory from host->keep() lives until close() and is freed by the host;
 *   - the same inputs give the same answers, bit for bit.
 */
#ifndef POLICIES_POLICY_H
#define POLICIES_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GSP_ABI_MAJOR 3  /* bumped when an existing field changes */
#define GSP_ABI_MINOR 10 /* bumped when a field is appended */

typedef int64_t gsp_time; /* microseconds */
#define GSP_NEVER INT64_MAX

/* Scores are integers, in millionths of a point, so that rounding never decides
 * an order.
 */
#define GSP_POINT INT64_C(1000000)
#define GSP_SCORE_MOST (INT64_C(1) << 60)

struct gsp_task; /* what one task asks for */
struct gsp_job;  /* one job, pending or running */

#define GSP_NONE UINT32_MAX /* no queue, no user, no tier */

/* The first dimensions of every host. */
enum gsp_dim { GSP_CPU, GSP_MEMORY, GSP_RDMA, GSP_PODS, GSP_GPU };

/* Whether a task may run on a node in a given state, and if not, why. */
enum gsp_refusal {
    GSP_ACCEPTED,
    GSP_NO_ROOM,    /* not now: other tasks hold what it needs */
    GSP_WRONG_NODE, /* never: model, label, taint or size */
};

/* Which jobs may be evicted for a job that does not fit. */
enum gsp_why {
    GSP_PREEMPT, /* jobs of lower priority in its own queue */
    GSP_RECLAIM, /* jobs of other queues that hold more than their deserved
                    share */
};

/* The subtree of the cluster in which all of a job must or should be placed.
 * Levels: 0 the cluster, then the tiers from the outermost to the innermost,
 * last the node (host->levels() - 1).
 */
enum gsp_fill { GSP_FIRST, GSP_TIGHTEST };

struct gsp_subtree {
    uint32_t widest;    /* the largest level allowed: without room there the
                           job waits */
    uint32_t narrowest; /* the level that is tried first */
    enum gsp_fill fill; /* domain to use of those that can hold it: the
                           first, or the one with the fewest free GPUs */
};

/* Backfill: which jobs may start before a blocked job ahead of them. */
enum gsp_backfill_mode {
    GSP_BACKFILL_NONE,
    GSP_BACKFILL_BEST_EFFORT,  /* tasks that ask for nothing */
    GSP_BACKFILL_EASY,         /* the first blocked job has a reservation */
    GSP_BACKFILL_CONSERVATIVE, /* every blocked job has one */
    GSP_BACKFILL_WINDOWED,     /* the first jobs in order have one on whole
                                  nodes, made anew at each pass (from ABI
                                  3.3, as the fields below) */
};

/* A limit of 0 is none. */

struct gsp_backfill {
    enum gsp_backfill_mode mode;
    bool replan; /* conservative: compute all reservations anew at every
                    instant, instead of keeping them and moving them to
                    earlier times */
    gsp_time interval, phase; /* windowed: passes are due at phase + n x
                                 interval */
    gsp_time clock;           /* what the clock of the grid shows at time 0 */
    gsp_time window;          /* no reservation starts later than this */
    gsp_time resolution;      /* reservations begin and end on this grid */
    gsp_time window_step;     /* added to the time in which ends are seen as
                                 one; 0: that time is doubled */
    gsp_time min_wait;        /* jobs that wait for less have no reservation */
    int32_t min_priority;     /* nor have jobs of lower priority; 0: none */
    uint32_t jobs;            /* jobs for which a place is searched */
    uint32_t starts;          /* jobs started in one pass */
    uint32_t per_user, per_queue_user; /* jobs looked at */
    uint32_t per_partition, per_partition_user;
    uint32_t reserved_per_partition; /* reservations */
    bool rounds_down; /* the end of a reservation is rounded down */
    /* from ABI 3.4 */
    bool running;    /* running jobs that fill nodes have reservations, too */
    bool busy_nodes; /* reservations are on nodes where jobs run, if they can */
    uint32_t records; /* of reservations and gaps, at which a pass ends */
};

/* When jobs are tried in order, and how many (from ABI 3.3). */
struct gsp_passes {
    gsp_time interval, phase; /* a pass over all jobs is due at phase + n x
                                 interval; interval 0: never */
    gsp_time submit_delay;    /* least time between a pass because of
                                 submissions and the last one not because of
                                 an end */
    uint32_t depth;           /* jobs looked at in other passes; 0: all */
    uint32_t starts;          /* jobs started in one pass; 0: any number */
    gsp_time min_wait;        /* a job that waits for less blocks no other */
    int32_t min_priority;     /* nor does a job of lower priority; 0: none */
    /* from ABI 3.4 */
    uint32_t per_partition; /* jobs of a partition looked at; 0: all */
    bool limits_block;      /* a job that a limit refuses blocks as others do */
};

/* How the action admit works (from ABI 3.5). */
struct gsp_admit {
    bool shares;       /* order and victims by dominant shares; else by what is
                          borrowed, priority and time */
    bool final_first;  /* a victim's side must keep at least the share of the
                          preemptor's; else have a larger one now */
    bool then_initial; /* then the second of these is tried, too */
    bool refuses_uncovered; /* jobs that ask for what no flavor of their queue
                               covers wait */
    gsp_time ready;  /* a job that does not run so long after its admission is
                        put back; 0: never */
    bool one_by_one; /* no job is admitted while an admitted one does not run */
    bool requeues_last; /* a job that was put back waits since then; else it
                           keeps its place */
    gsp_time pause,
        pause_most; /* before it is tried again, doubled each time */
    /* from ABI 3.6 */
    uint32_t
        attempts; /* a job that is put back so often is rejected; 0: never */
    gsp_time
        recovery; /* as ready, of a job that ran and lost its nodes; 0: it is
                          not put back */
};

/* What follows an attempt to place a request that does not fit (from ABI 3.4). */
struct gsp_retry {
    gsp_time first, most; /* the pause before the next: after the first attempt;
                             doubled by each, at most `most` */
    gsp_time gang; /* at least this for a gang; all 0: it is tried as soon
                             as something is freed that it could use */
    uint32_t part; /* with unit pod: the percentage of a gang that must
                             fit at once, or nothing of it is placed; 0: its
                             tasks are placed one by one */
};

/* Nodes that are kept for tasks that fit nowhere (from ABI 3.6). */
struct gsp_keep {
    gsp_time delay; /* a task has waited for that long before */
    gsp_time most;  /* then a node opens again if its task may not be placed
                       anywhere, because of what its queue holds */
};

/* Preemption: how victims are found, and how long they stay away. */
enum gsp_search {
    GSP_SEARCH_NODE,   /* for each task, on the node where they cost least */
    GSP_SEARCH_ORDER,  /* all over the cluster in one order, until the whole job
                         fits */
    GSP_SEARCH_TRIALS, /* sets of victims that grow; those that find another
                          place move (from ABI 3.5); also for reclaim */
};

struct gsp_preemption {
    enum gsp_search search;
    bool youngest_first; /* of the order: by start; else by priority and number
                            of nodes */
    bool strict;         /* the last victim moves to the front, the others keep
                            their order */
    uint32_t reorder;    /* times that the order is improved */
    gsp_time delay;      /* time in which an evicted job does not start */
    gsp_time grace;      /* time in which a victim goes on before it is evicted
                            (from ABI 3.5) */
    uint32_t jobs, trials; /* of trials: victims considered, and trials, for one
                              job at most; 0: any number (from ABI 3.5) */
    bool
        tries_alike; /* trials: jobs like one that failed, too (from ABI 3.6) */
};

/* Action consolidate: jobs move to other nodes to make room (from ABI 3.5). */
struct gsp_consolidation {
    gsp_time price;   /* what moves may lose for each unit of the main resource
                         that they make room for; GSP_NEVER: anything */
    gsp_time restart; /* what a moved job loses beside its work since its last
                         checkpoint */
    uint32_t jobs, trials; /* as of struct gsp_preemption */
    uint32_t nodes;        /* nodes that are to be empty */
    gsp_time period;       /* time between moves for that */
    bool for_preemptible;  /* not for jobs that are not preemptible */
    bool keeps_off;        /* jobs that take their own places again are tried
                              on other nodes, too (from ABI 3.6) */
};

/* How the nodes of a whole gang are chosen together (from ABI 3.4). */
enum gsp_choose {
    GSP_CHOOSE_RUNS,         /* neighbours: the smallest run that is enough,
                                else the largest first */
    GSP_CHOOSE_LEAST_LOADED, /* nodes with the largest part of their CPUs (or
                                GPUs, without CPUs) free */
    GSP_CHOOSE_TREE,         /* domains of the innermost tier: the smallest
                                that is enough, else those next to each other */
    GSP_CHOOSE_BLOCKS,       /* within one domain of the lowest tier that is
                                large enough */
    GSP_CHOOSE_DOMAINS,      /* the smallest domain that is enough of the tier
                                that the job states, and so on inside it (from
                                ABI 3.5) */
};

struct gsp_choice {
    enum gsp_choose by;
    uint32_t within;    /* the level that no gang leaves, for GSP_CHOOSE_TREE */
    bool by_free;       /* runs and nodes compare by their free CPUs (or GPUs),
                           not by the tasks that fit */
    bool serial_last;   /* one task of at most one CPU: the last node */
    const char *weight; /* label whose number is a node's weight: nodes of
                           higher weight are used where others do not
                           suffice */
    bool all; /* GSP_CHOOSE_DOMAINS: jobs that state no topology, too (from ABI
                 3.5) */
    bool balanced; /* GSP_CHOOSE_DOMAINS: of a preferred tier first a few
                      domains with about as many tasks each (from ABI 3.10) */
};

/* How the usage that limits count is forgotten (from ABI 3.5). */
struct gsp_decay {
    gsp_time period; /* at each multiple of it ... */
    uint64_t keeps;  /* ... so much of 2^32 is left; 2^32, the most: all */
};

/* Rules about the placement of a job relative to other jobs. */
enum gsp_rule_kind {
    GSP_NEAR,   /* only in a domain that holds a job with the label */
    GSP_APART,  /* not in a domain that holds such a job */
    GSP_SPREAD, /* tasks evenly over the domains, with a maximum skew */
};

/* Amounts of a queue.  Those of its jobs include the queues below it; the others
 * are stated by the workload.
 */
enum gsp_amount {
    GSP_GUARANTEE,  /* 0: none */
    GSP_DESERVED,   /* 0: not stated; -1: all (from ABI 3.5) */
    GSP_LIMIT,      /* -1: none */
    GSP_USER_LIMIT, /* the most that one user may hold in it; -1: no limit */
    GSP_USED,       /* held by its jobs */
    GSP_ASKED,      /* held, plus the requests of pending tasks of its jobs */
    GSP_ENTERED,    /* what the gangs of its admitted jobs still lack */
    GSP_ELASTIC,    /* held by tasks of its jobs above the gang */
    /* from ABI 3.5 */
    GSP_KEPT,   /* held by its jobs that are not preemptible */
    GSP_BORROW, /* the most that it may hold above its guarantee; -1: no limit */
    GSP_LEND, /* the most of its guarantee that others may hold; -1: all of it */
    GSP_AMOUNTS
};

/* Settings of a queue that are one number each, or the index of a word; -1: it
 * states none (from ABI 3.5).
 */
enum gsp_queue_term {
    GSP_TERM_MAX_JOBS, /* jobs that are admitted or hold something at once */
    GSP_TERM_PREEMPT_MIN_RUNTIME, /* us that jobs run before they may be */
    GSP_TERM_RECLAIM_MIN_RUNTIME, /* evicted for these reasons */
    GSP_TERM_ORDER,               /* of its jobs: 0 fifo, 1 fair */
    GSP_TERM_ORDER_PRIORITY,      /* 1: their priority comes first */
    GSP_TERM_PRIORITY_OFFSET,     /* added to the priorities of its jobs; 0 */
    GSP_TERM_PRIORITY_FENCE,      /* 1: the offset alone is seen above; 0 */
    GSP_TERM_PREEMPTION, /* 0 any; 1 fence: its jobs evict none beyond it; 2 off:
                            none of its jobs is evicted */
    GSP_TERM_PREEMPTION_DELAY, /* us that its jobs wait before they evict */
    GSP_TERM_LIMIT_DELAY, /* us for which it may hold more than its limit */
    /* For action admit: the jobs that a job of the queue may evict, enum
     * gsp_evicts.
     */
    GSP_TERM_EVICTS_OWN,       /* of the queue itself */
    GSP_TERM_EVICTS_OTHERS,    /* of queues that borrow */
    GSP_TERM_EVICTS_BORROWING, /* 1: also while its own queue then borrows, if
                                  of lower priority */
    GSP_TERM_EVICTS_MOST,      /* and of at most this; INT64_MIN: any */
    GSP_TERM_NEXT_BORROWING,   /* 1: with a flavor in which it would borrow, */
    GSP_TERM_NEXT_EVICTING,    /* or evict, the next ones are tried, too */
    GSP_TERM_FLAVOR_PREFERS,   /* 0: borrowing rather than evicting; 1 */
    GSP_TERM_HEAD_BLOCKS,      /* 1: the first job blocks the others */
    GSP_QUEUE_TERMS
};

enum gsp_evicts {
    GSP_EVICTS_NONE,
    GSP_EVICTS_LOWER,          /* of lower priority */
    GSP_EVICTS_LOWER_OR_NEWER, /* and of equal priority that came later */
    GSP_EVICTS_ANY,
};

/* A flavor of a queue: nodes of one kind, of which it has quotas apart (from ABI
 * 3.5).
 */
struct gsp_queue_flavor {
    uint32_t flavor; /* [0, flavors) */
    /* By dimension. */
    const int64_t *guarantee; /* -1: not covered; flavors of a queue that cover
                                 the same resources are alternatives, in order
                                 of trial */
    const int64_t *borrow, *lend; /* as GSP_BORROW, GSP_LEND */
};

struct gsp_rule {
    enum gsp_rule_kind kind;
    uint32_t label;    /* id of a job label; GSP_SPREAD, GSP_NONE: its own
                          tasks count */
    uint32_t level;    /* level of the domains; GSP_NONE: the topology has no
                          such tier */
    uint32_t max_skew; /* GSP_SPREAD */
};

/* A preferred rule of a job about its place among other jobs. */
struct gsp_soft_rule {
    enum gsp_rule_kind kind;
    uint32_t label;    /* as of struct gsp_rule */
    uint32_t level;    /* as there */
    uint32_t max_skew; /* GSP_SPREAD */
    int64_t weight;    /* 1 to 100; of GSP_SPREAD 1 */
};

/* How a module distinguishes the nodes on which a task may be placed. */
enum gsp_regard {
    GSP_NO_REGARD, /* not at all */
    GSP_BY_CLASS,  /* nodes of one class are alike */
    GSP_BY_NODE,   /* each node by itself */
};

/* Tasks of a group that are placed, and its minimum (from ABI 3.6). */
struct gsp_part {
    uint32_t placed, least;
};

/* Nodes on which a task may be placed now: all of them if a module has
 * GSP_BY_NODE, else at least one of each class.
 */
struct gsp_nodes {
    uint32_t count;
    const uint32_t *node;
};

/* Node states, as columns of `states` elements. */
struct gsp_view {
    uint32_t states;
    const uint32_t *gpus_free; /* whole devices */
    const uint32_t *klass;     /* [0, classes) */
    const uint8_t *room;       /* 1 when the task fits now, else 0 */
    const uint8_t *hardware;   /* GSP_ACCEPTED or GSP_WRONG_NODE: model, labels,
                                  taints, size */
    const uint8_t *kinds;      /* kinds of tasks on the node: bit 0 shares,
                                bits 1 to 4 tasks of 1, 2, 4, 8 GPUs, bit 5
                                others; for modules that promise
                                GSP_FOLLOWS_KINDS */
    const struct gsp_states *of; /* private to the host, as is `first` */
    uint32_t first;
};

/* A candidate for eviction: a task above the gang of its job, or of a job that
 * has not its gang; or a whole job.
 */
struct gsp_victim {
    const struct gsp_job *job;
    const int64_t *amount; /* what it holds, by dimension */
    bool is_whole;
};

/* In the order in which they would be evicted. */
struct gsp_victims {
    uint32_t count;
    const struct gsp_victim *at;
};

/* Victims in and below the queue may free so much of a dimension in all. */
struct gsp_yield {
    uint32_t queue;
    int64_t most; /* GSP_NEVER: any amount */
};

/* Tasks of a group of a running job on a node. */
struct gsp_placed {
    const struct gsp_job *job;
    uint32_t group, node, tasks;
    bool may_go; /* it may be evicted, with its whole job where it is not above
                    the gang */
};

/* In the order of nodes, on a node in that of eviction. */
struct gsp_standing {
    uint32_t count;
    const struct gsp_placed *at;
};

/* How kinds of tasks of a job stand to one another.  Bit h of together[g] and
 * apart[g]: tasks of groups g and h had better be on one node, or not; symmetric,
 * bit g: those of one group.  order[g]: 1 is placed first, 0 after those that
 * are listed.  All NULL: the job states nothing.
 */
struct gsp_task_rules {
    uint32_t groups; /* at most 64 */
    const uint64_t *together, *apart;
    const uint8_t *order;
};

/* Services the host lends to a module.  Appended to, never reordered. */
struct gsp_host {
    uint32_t size; /* sizeof(struct gsp_host) in the host */

    /* Zeroed memory, valid while the module is open; never NULL. */
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
    uint32_t (*share)(const struct gsp_task *t); /* thousandths of a device.
                                                    Both are 0 for a MIG
                                                    instance, see amount */

    /* When the job entered the queue: its submission or its last eviction. */
    gsp_time (*job_since)(const struct gsp_job *j);
    int32_t (*job_priority)(const struct gsp_job *j);
    uint32_t (*job_queue)(const struct gsp_job *j);
    uint32_t (*job_gang)(const struct gsp_job *j); /* least tasks */
    uint32_t (*job_placed)(const struct gsp_job *j);
    uint32_t (*job_id)(const struct gsp_job *j); /* dense, from 0 */
    /* Start of its current run, below 0 when it ran before time 0
     * (gsched_adopt, also while on_place() tells of it); GSP_NEVER while it
     * does not run.
     */
    gsp_time (*job_started)(const struct gsp_job *j);
    bool (*job_preempts)(const struct gsp_job *j); /* its class allows it */
    /* By dimension: what the job holds; what its whole gang asks for.  Valid
     * until the next call.
     */
    const int64_t *(*job_used)(const struct gsp_job *j);
    const int64_t *(*job_minimum)(const struct gsp_job *j);

    gsp_time (*now)(void *ctx); /* of the cycle */

    /* For open(): set the message "WHY 'DETAIL'" (detail may be NULL) and
     * return -1.
     */
    int (*fail)(void *ctx, const char *why, const char *detail);

    /* Queues form a tree.  Their numbers have no order: a parent may have a
     * higher number than its children.
     */
    uint32_t (*queues)(void *ctx);
    uint32_t (*queue_parent)(void *ctx, uint32_t queue);  /* or GSP_NONE */
    double (*queue_weight)(void *ctx, uint32_t queue);    /* >= 0 */
    int32_t (*queue_priority)(void *ctx, uint32_t queue); /* 0 when not
                                                             stated */
    bool (*queue_is_open)(void *ctx, uint32_t queue);     /* accepts jobs */
    bool (*queue_reclaimable)(void *ctx, uint32_t queue); /* may be reclaimed
                                                             from */
    /* By dimension. */
    const int64_t *(*queue_amount)(void *ctx, uint32_t queue,
                                   enum gsp_amount which);
    /* Held by the job's user in the job's own queue. */
    const int64_t *(*user_used)(const struct gsp_job *j);
    /* Increases when the amounts of any queue change. */
    uint64_t (*ledger)(void *ctx);

    /* Tiers. */
    uint32_t (*levels)(void *ctx); /* cluster, tiers, node */
    uint32_t (*level_find)(void *ctx, const char *tier); /* or GSP_NONE */
    uint32_t (*domains)(void *ctx, uint32_t level);
    /* The domain at a level that holds a node, [0, domains(level)). */
    uint32_t (*domain_of)(void *ctx, uint32_t node, uint32_t level);
    /* The tier that the job states (`topology: {within: ...}`), and whether it
     * is required; GSP_NONE: none stated.
     */
    uint32_t (*job_within)(const struct gsp_job *j, bool *required);
    bool (*job_has_label)(const struct gsp_job *j, uint32_t label);
    uint32_t (*job_rules)(const struct gsp_job *j, uint32_t group);
    struct gsp_rule (*job_rule)(const struct gsp_job *j, uint32_t group,
                                uint32_t i);

    /* Set *left to the thousandths left on each partly used device of state
     * `i`, ascending.  Returns their number.
     */
    uint32_t (*parts)(const struct gsp_view *v, uint32_t i,
                      const uint16_t **left);
    /* Fragmentation of a node in state `i` under the task mix; and after the
     * task is placed there, its share on a device with `left` thousandths left.
     * In thousandths of a GPU x mix_weight.
     */
    int64_t (*fragment)(void *ctx, const struct gsp_view *v, uint32_t i);
    int64_t (*fragment_with)(void *ctx, const struct gsp_view *v, uint32_t i,
                             const struct gsp_task *t, uint32_t left);
    int64_t (*mix_weight)(void *ctx);
    /* The kinds of tasks in the mix, [0, mix_kinds), with their weights; and
     * whether nodes of a class, [0, classes), have hardware that suits a kind.
     */
    uint32_t (*mix_kinds)(void *ctx);
    const struct gsp_task *(*mix_kind)(void *ctx, uint32_t kind,
                                       int64_t *weight);
    bool (*mix_suits)(void *ctx, uint32_t kind, uint32_t klass);
    uint32_t (*classes)(void *ctx);
    /* Thousandths of GPUs on all nodes of a class. */
    int64_t (*class_gpus)(void *ctx, uint32_t klass);

    /* The labels of all tasks of the job, [0, job_labels): the number of the
     * i-th, or GSP_NONE while no rule names it.  When a rule of a later job
     * names it first, the host calls on_release and then on_place for all tasks
     * with the label.
     */
    uint32_t (*job_labels)(const struct gsp_job *j);
    uint32_t (*job_label)(const struct gsp_job *j, uint32_t i);
    /* True when the group's models and `nodes` conditions allow the node;
     * taints and size are not checked.
     */
    bool (*job_selects)(const struct gsp_job *j, uint32_t group, uint32_t node);

    /* --- from ABI 3.1 --- */

    /* Sum of the weights of the group's `prefer`; of those that the node
     * meets.
     */
    uint32_t (*job_prefers)(const struct gsp_job *j, uint32_t group);
    uint32_t (*job_points)(const struct gsp_job *j, uint32_t group,
                           uint32_t node);
    /* Number of taints PreferNoSchedule of all node classes; of those of the
     * node that the group's tasks do not tolerate.
     */
    uint32_t (*soft_taints)(void *ctx);
    uint32_t (*job_soft_taints)(const struct gsp_job *j, uint32_t group,
                                uint32_t node);
    /* The group's preferred rules, [0, job_soft_rules). */
    uint32_t (*job_soft_rules)(const struct gsp_job *j, uint32_t group);
    struct gsp_soft_rule (*job_soft_rule)(const struct gsp_job *j,
                                          uint32_t group, uint32_t i);

    /* --- from ABI 3.2 --- */

    /* The labels of tasks of the group, as job_labels: those of the job, then
     * those of the group alone.
     */
    uint32_t (*task_labels)(const struct gsp_job *j, uint32_t group);
    uint32_t (*task_label)(const struct gsp_job *j, uint32_t group, uint32_t i);
    bool (*task_has_label)(const struct gsp_job *j, uint32_t group,
                           uint32_t label);

    /* What the node has when it is empty, by dimension; equal for nodes of one
     * class.
     */
    const int64_t *(*node_capacity)(void *ctx, uint32_t node);
    /* Free amount of a dimension in the domain at a level that holds the node;
     * nothing of a cordoned node is free.
     */
    int64_t (*domain_free)(void *ctx, uint32_t node, uint32_t level,
                           uint32_t dim);
    /* Thousandths of the cpu or memory of nodes of a class that are in use
     * beside tasks; -1: not known.
     */
    int32_t (*class_load)(void *ctx, uint32_t klass, uint32_t dim);
    /* Millionths of a device that share() is before it is rounded up. */
    int64_t (*share_exact)(const struct gsp_task *t);
    /* Number of tasks of the job; what a task of the group asks for. */
    uint32_t (*job_tasks)(const struct gsp_job *j);
    const struct gsp_task *(*job_task)(const struct gsp_job *j, uint32_t group);

    /* Set broken[i] of victims whose eviction exceeds a disruption budget of
     * the workload when those before it are evicted, too; or with `from_last`
     * those after it.  For victims() and breaks().
     */
    void (*break_budgets)(void *ctx, const struct gsp_victims *v,
                          bool from_last, uint8_t *broken);

    /* The longest wait that the job states; 0: none. */
    gsp_time (*job_max_wait)(const struct gsp_job *j);
    /* Names of the job's priority class and of its user; "": none. */
    const char *(*job_class)(const struct gsp_job *j);
    const char *(*job_user)(const struct gsp_job *j);

    /* --- from ABI 3.3 --- */

    /* Accounts and their users are entries of one tree, numbered from the root,
     * 0, as they were at the creation of the scheduler; an entry has a higher
     * number than its parent, GSP_NONE of the root.
     */
    uint32_t (*accounts)(void *ctx);
    uint32_t (*account_parent)(void *ctx, uint32_t account);
    bool (*account_is_user)(void *ctx, uint32_t account);
    /* Whole shares among the children of one parent; GSP_NONE: the children of
     * the entry stand beside it, as if they were of its parent.
     */
    uint32_t (*account_shares)(void *ctx, uint32_t account);
    /* What it used before time 0, without the entries below it. */
    double (*account_usage)(void *ctx, uint32_t account);
    /* The entry of the job's user in its account; that of the account for a
     * user that was not known at creation, and the root without an account.
     */
    uint32_t (*job_account)(const struct gsp_job *j);

    /* The job's QOS, [0, qos_levels), or GSP_NONE. */
    uint32_t (*qos_levels)(void *ctx);
    uint32_t (*job_qos)(const struct gsp_job *j);
    uint32_t (*qos_priority)(void *ctx, uint32_t qos);
    double (*qos_usage_factor)(void *ctx, uint32_t qos); /* >= 0 */

    /* The job's partition, [0, partitions), or GSP_NONE. */
    uint32_t (*partitions)(void *ctx);
    uint32_t (*job_partition)(const struct gsp_job *j);
    uint32_t (*partition_tier)(void *ctx, uint32_t partition);
    uint32_t (*partition_factor)(void *ctx, uint32_t partition);

    int32_t (*job_nice)(const struct gsp_job *j);
    /* How long the job is estimated to run, us; GSP_NEVER. */
    gsp_time (*job_estimate)(const struct gsp_job *j);
    /* How often the number job_id() was given to another job. */
    uint32_t (*job_life)(const struct gsp_job *j);
    /* fair_share() of the last module of the profile that has it; whether one
     * does.
     */
    double (*fair_share)(const struct gsp_job *j);
    bool (*has_fair_share)(void *ctx);

    /* Of rule `i` of the group, a required spread: true when the node makes its
     * domain count; domains of which the least is 0 if fewer count.
     */
    bool (*spread_counts)(const struct gsp_job *j, uint32_t group, uint32_t i,
                          uint32_t node);
    uint32_t (*spread_domains)(const struct gsp_job *j, uint32_t group,
                               uint32_t i);

    /* The limit of its QOS, account or user, or the pool without enough tokens,
     * that keeps the job from taking `asked` more, by dimension; NULL: none.
     * For allocatable().
     */
    const char *(*job_limit)(const struct gsp_job *j, const int64_t *asked);

    /* May jobs of the priority class of `j` evict the victim? */
    bool (*job_evicts)(const struct gsp_job *j, const struct gsp_job *victim);

    /* Priority of the tasks in question among those of their job; job_priority
     * is that of the job, or with `unit: pod` of the task.
     */
    int32_t (*task_priority)(const struct gsp_job *j);
    /* By dimension: what counts when it is admitted, as it states or that of its
     * whole gang.  Valid until the next call.
     */
    const int64_t *(*job_admission)(const struct gsp_job *j);

    /* us since 1970 at time 0 of the run; 0: not known. */
    int64_t (*epoch)(void *ctx);
    uint32_t (*node_class)(void *ctx, uint32_t node);
    /* False: the node accepts no tasks at all. */
    bool (*node_takes)(void *ctx, uint32_t node);
    /* The value of the taint of nodes of the class; NULL: they have none. */
    const char *(*class_taint)(void *ctx, uint32_t klass, const char *key);
    /* True when the task tolerates taints with the key, and the value (NULL:
     * any).
     */
    bool (*tolerates)(void *ctx, const struct gsp_task *t, const char *key,
                      const char *value);
    bool (*job_stays)(const struct gsp_job *j); /* it is not preemptible */
    /* A node on which the eviction would release something. */
    uint32_t (*victim_node)(const struct gsp_victim *v);

    /* --- from ABI 3.4 --- */

    struct gsp_task_rules (*job_task_rules)(const struct gsp_job *j);
    uint32_t (*group_tasks)(const struct gsp_job *j, uint32_t group);
    /* The next tasks of the job that stand on a node, before what is placed in
     * trial; false: no more.  *at is GSP_NONE for the first ones.
     */
    bool (*job_stands)(const struct gsp_job *j, uint32_t *at,
                       struct gsp_placed *out);
    /* As job_since, but not before the end of the delay that kept it away after
     * an eviction (module preemption, with `requeue: last`).
     */
    gsp_time (*job_ready)(const struct gsp_job *j);

    /* --- from ABI 3.5 --- */

    /* For queue_order(), by dimension: how what the queue holds changes with
     * what is served next of it and the queues below.  The request of its first
     * pending job; while victims are listed what its victims so far and the next
     * one hold, below 0.  NULL: nothing.  Valid until the next call.
     */
    const int64_t *(*queue_change)(void *ctx, uint32_t queue);

    /* The queues of which amounts changed since ledger() was `since`, the last one
     * first: the one after `after`; GSP_NONE begins, and ends.
     */
    uint32_t (*queue_changed)(void *ctx, uint64_t since, uint32_t after);
    /* For overused(), allocatable(), preemptive(), enqueue(), and room_at() that is
     * GSP_NEVER: they refuse because of the amounts of the queue (GSP_NONE: of the
     * cluster), and will refuse jobs that ask for as much in any queue below it,
     * until what it holds or admitted falls, or until the module says by
     * queue_eases() that it may have more.
     */
    void (*refused_by)(void *ctx, uint32_t queue);
    void (*queue_eases)(void *ctx, uint32_t queue);

    /* Of the terms in `terms` of struct gsp_module. */
    int64_t (*queue_term)(void *ctx, uint32_t queue, enum gsp_queue_term term);
    /* Weight of the queue where what no queue deserves is divided; without one
     * queue_weight(), which is to be stated in `reads`, too.
     */
    double (*queue_over_quota)(void *ctx, uint32_t queue, uint32_t dim);
    uint32_t (*flavors)(void *ctx);
    const char *(*flavor_name)(void *ctx, uint32_t flavor);
    /* Have nodes of the class all labels of the flavor? */
    bool (*flavor_allows)(void *ctx, uint32_t flavor, uint32_t klass);
    uint32_t (*queue_flavors)(void *ctx, uint32_t queue);
    struct gsp_queue_flavor (*queue_flavor)(void *ctx, uint32_t queue,
                                            uint32_t i);

    /* The highest priority of the jobs that wait in the queue, without those
     * below it; INT32_MIN: none waits.  Increases when any of these changes.
     */
    int32_t (*queue_waiting_priority)(void *ctx, uint32_t queue);
    uint64_t (*waiting_changes)(void *ctx);
    /* Number of jobs that hold tasks, in the queue and below it. */
    uint32_t (*queue_jobs)(void *ctx, uint32_t queue);
    /* For queue_key(): its numbers may differ although no amount of the queue
     * changed.
     */
    void (*queue_moves)(void *ctx, uint32_t queue);

    /* --- from ABI 3.8 --- */

    /* The tier of which the job would have one domain: one inside the tier that
     * it requires, or that of job_within() if it is not required; GSP_NONE: none.
     */
    uint32_t (*job_prefers_tier)(const struct gsp_job *j);

    /* --- from ABI 3.9 --- */

    /* The queues of which queue_waiting_priority() changed since
     * waiting_changes() was `since`, as queue_changed().
     */
    uint32_t (*waiting_changed)(void *ctx, uint64_t since, uint32_t after);

    /* --- from ABI 3.10 --- */

    /* The kind of tasks that subtree(), prefer_domain() or prefer() is asked about,
     * if it has a topology of its own, which job_within() and job_prefers_tier()
     * then are about; GSP_NONE: the job's holds.
     */
    uint32_t (*domain_kind)(const struct gsp_job *j);
    /* What has to stand in the domain: the gang, or the tasks of it of that kind. */
    const int64_t *(*domain_minimum)(const struct gsp_job *j);
};

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

/* The `self` of a module without open(). */
struct gsp_self {
    const struct gsp_host *host;
    void *ctx;
    const union gsp_value *value; /* in the order of `param` */
};

/* Promises of a module, on which the host relies. */
#define GSP_QUEUE_KEYS 8 /* numbers of queue_key() */

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
    /* Its queue_order() is 0 where the numbers of queue_key() are equal (from ABI
     * 3.6).
     */
    GSP_KEYS_DECIDE = 1024,
    /* While room is made, its queue_order() follows from what the two queues hold
     * (GSP_USED, GSP_KEPT) and from queue_change() only (from ABI 3.6).
     */
    GSP_ORDER_OF_HOLDINGS = 2048,
    /* Its refuses() follows from tasks with labels that rules of the job name, and
     * from tasks whose rules name labels of the job; of a job with rules while none
     * of its own tasks is placed (from ABI 3.6).
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
    /* Of a gang of which left[g] tasks of each group are to be placed, the group
     * of the next one; GSP_NONE: no opinion.  Asked for jobs with task rules
     * whose kinds of tasks have one priority.
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

    /* For action preempt: the module chooses all victims of a task; victims() and
     * breaks() are not asked.  When it may choose for the job next, GSP_NEVER:
     * not before something happens.
     */
    gsp_time (*room_at)(void *self, const struct gsp_job *j);
    /* Set goes[i] of the tasks to be evicted for a task of the job's group, and
     * *node to the one where it is placed then, GSP_NONE: wherever it fits best.
     * False: none.
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
     * takes `asked` more, before victims_ok() refuses a further one (so the last
     * may exceed it): an upper bound, set in most[], GSP_NEVER where there is
     * none.  Asked where victims_ok() is.  False: no opinion.
     */
    bool (*gives)(void *self, const struct gsp_job *j, const int64_t *asked,
                  uint32_t queue, int64_t *most);
    /* < 0: of two groups of a job that runs, and waits for tasks of both, `a` is
     * served first.
     */
    int (*group_order)(void *self, const struct gsp_part *a,
                       const struct gsp_part *b);
    /* Does hold_time() end with the first time that a job gave back by it, so
     * that the job then holds what it gets?
     */
    bool (*holds_once)(void *self);

    /* With unit pod: tasks that fit nowhere have nodes kept for them.  False: no
     * opinion.
     */
    bool (*keep)(void *self, struct gsp_keep *out);
    /* How much of what the task asks for is missing on nodes in the only state of
     * `v`: the node with the least is kept for it.  Of the module with keep().
     */
    double (*misfit)(void *self, const struct gsp_view *v,
                     const struct gsp_task *t);

    /* Set numbers by which queue_order() compares the queue with others first, at
     * most GSP_QUEUE_KEYS, always as many; the others are 0.  Of two queues the
     * first number that differs decides: the lower one goes first.  The host keeps
     * them while the amounts of the queue stay, with GSP_FOLLOWS_CHANGE also its
     * queue_change(), and until host->queue_moves(): for numbers that follow from
     * other queues ease() is called when amounts changed, or what waits.
     */
    void (*queue_key)(void *self, uint32_t queue, double *key);
    /* Mark in kept[], all 0 before, victims that victims_ok() refuses whichever
     * others of `v` go with them.  Asked where gives() is; a victim that is not
     * marked may be refused as well.
     */
    void (*keeps)(void *self, const struct gsp_job *j, const int64_t *asked,
                  const struct gsp_victims *v, uint8_t *kept);
    /* queue_order() of two queues with the same numbers of queue_key(); NULL: that
     * is asked (from ABI 3.7).
     */
    int (*queue_tie)(void *self, uint32_t a, uint32_t b);
    /* Set out[] to a bound for each victim, as keeps() does for one alone: as much
     * of dimension `dim`, at most, as all of `v` in and below that queue may free
     * before victims_ok() refuses, whichever go.  False: no opinion (from ABI 3.8).
     */
    bool (*yields)(void *self, const struct gsp_job *j, const int64_t *asked,
                   const struct gsp_victims *v, uint32_t dim,
                   struct gsp_yield *out);
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
