/* policies/policy/view.h - what the host shows of queues, rules, nodes and
 * jobs.  Part of policy.h.
 */
#ifndef POLICIES_POLICY_VIEW_H
#define POLICIES_POLICY_VIEW_H

#include "values.h"

/* Rules about the placement of a job relative to other jobs. */
enum gsp_rule_kind {
    GSP_NEAR,   /* only in a domain that holds a job with the label */
    GSP_APART,  /* not in a domain that holds such a job */
    GSP_SPREAD, /* tasks evenly over the domains, with a maximum skew */
};

/* Amounts of a queue.  Those of its jobs include the queues below it; the
 * others are stated by the workload.
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
    GSP_BORROW, /* the most that it may hold above its guarantee; -1: no
                   limit */
    GSP_LEND,   /* the most of its guarantee that others may hold; -1: all of
                 it */
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
    GSP_TERM_PREEMPTION, /* 0 any; 1 fence: its jobs evict none beyond it; 2
                            off: none of its jobs is evicted */
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

/* A flavor of a queue: nodes of one kind, of which it has quotas apart (from
 * ABI 3.5).
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
 * apart[g]: tasks of groups g and h had better be on one node, or not;
 * symmetric, bit g: those of one group.  order[g]: 1 is placed first, 0 after
 * those that are listed.  All NULL: the job states nothing.
 */
struct gsp_task_rules {
    uint32_t groups; /* at most 64 */
    const uint64_t *together, *apart;
    const uint8_t *order;
};

#endif /* POLICIES_POLICY_VIEW_H */
