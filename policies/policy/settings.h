/* policies/policy/settings.h - how actions of the host work, as modules set it.
 * Part of policy.h.
 */
#ifndef POLICIES_POLICY_SETTINGS_H
#define POLICIES_POLICY_SETTINGS_H

#include "values.h"

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
    /* from ABI 3.12 */
    bool with_room; /* a job is admitted only where its gang has room now, and
                       is placed at once */
    bool by_time;   /* between queues priority does not count, only what is
                       borrowed or shares, and time */
    bool
        shares_alone; /* shares: one that borrows nothing of what it asks for is
                          not before others for that */
    bool own_is_even; /* shares: a job within the quota of its queue evicts
                          others only as their shares say */
    /* from ABI 3.15 */
    bool unfit_waits; /* a job that no node could ever run is not rejected */
};

/* What follows an attempt to place a request that does not fit (from ABI 3.4).
 */
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
    bool idle_first; /* trials: tasks go to nodes on which they fit without what
                        was evicted, if there are any (from ABI 3.12) */
    bool to_gpus; /* trials for a job of GPUs: victims without GPUs go to nodes
                     where GPUs are idle, or that victims leave (from ABI 3.12)
                   */
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
    bool by_turn; /* a job gets one turn: its gang, or a task above it (from ABI
                     3.12) */
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

#endif /* POLICIES_POLICY_SETTINGS_H */
