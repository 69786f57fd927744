/* sim/replay/observer.h - the events that a simulation reports.
 *
 * The simulator calls an observer for each event, in order of time; observers
 * that aggregate and store are in reports/.  All times are microseconds since
 * the trace's start.
 */
#ifndef SIM_REPLAY_OBSERVER_H
#define SIM_REPLAY_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

struct topo_cluster;

/* Causes of a wait (metric wait.by_cause). */
enum report_cause {
    REPORT_NO_CAUSE,
    REPORT_QUOTA,
    REPORT_CAPACITY,
    REPORT_FRAGMENTATION,
    REPORT_TOPOLOGY,
    REPORT_CONSTRAINT,
    REPORT_HOARDING,
    REPORT_ORDER,
    REPORT_LATENCY,
    REPORT_CAUSES
};

enum report_state {
    REPORT_PENDING, /* nothing placed yet */
    REPORT_PARTLY,  /* partially allocated: fewer tasks placed than its gang */
    REPORT_RUNNING,
    REPORT_DONE,
    REPORT_FAILED,
    REPORT_REJECTED, /* nothing in the cluster could ever run it */
    REPORT_STATES
};

/* Tasks of one group of one job on one node. */
struct report_allocation {
    uint32_t job, group; /* group: position within the job */
    uint32_t node;
    uint32_t first_task, tasks; /* positions within the group */
    uint64_t devices;           /* bit i: device i of the node */
    uint8_t slice;              /* memory slice a MIG instance begins at */
    int64_t placed_at;          /* us; time of placement, or of renumbering */
};

/* Sources of a job's speed, beside its node types. */
enum report_speed_by {
    REPORT_SPEED_NODES, /* nothing */
    REPORT_SPEED_ALL_REDUCE,
    REPORT_SPEED_TABLE,
    REPORT_SPEED_SOURCES
};

/* A part of a run at one speed, with the same tasks. */
struct report_run_segment {
    uint32_t job;
    int64_t start, us; /* us above 0 */
    int64_t gpu_milli; /* GPU thousandths it held */
    uint32_t tasks;
    uint32_t level; /* of the smallest subtree that held them */
    uint32_t speed; /* millionths of the speed at which durations were
                       measured */
    uint32_t nodes; /* factor of the node type, in thousandths */
    uint32_t model; /* factor of `by`, in millionths; the rest is by its
                       tasks */
    enum report_speed_by by;
};

/* Reasons for an eviction. */
enum report_eviction_kind {
    REPORT_TIMEOUT,           /* partially allocated for too long */
    REPORT_PREEMPT,           /* for a job of higher priority */
    REPORT_RECLAIM,           /* for a queue below its deserved share */
    REPORT_LOST,              /* its node or GPU failed or left */
    REPORT_MOVED,             /* off its node, by action shuffle */
    REPORT_RELOCATED,         /* to another place, to make room */
    REPORT_RECLAIM_BORROWING, /* as reclaim, for a queue that borrows itself */
    REPORT_RECLAIM_SHARE,     /* for a queue with a smaller share */
    REPORT_EVICTION_KINDS
};

/* True when it made room or quota for another job. */
static inline bool report_eviction_is_taking(enum report_eviction_kind kind)
{
    return kind == REPORT_PREEMPT || kind == REPORT_RECLAIM
           || kind == REPORT_RECLAIM_BORROWING || kind == REPORT_RECLAIM_SHARE;
}

struct report_eviction {
    uint32_t job;
    uint32_t by; /* the job it made room for; UINT32_MAX: none */
    enum report_eviction_kind kind;
    uint32_t tasks;       /* number evicted */
    bool is_whole;        /* the whole job; else only tasks above the gang */
    bool breaks;          /* it exceeds a disruption budget */
    int64_t lost_us;      /* run time to be repeated */
    int64_t lost_gpu_us;  /* the same times the GPUs held */
    int64_t run_us;       /* time since the job started to run; 0: it did not */
    const int64_t *waits; /* [REPORT_CAUSES] us of its first wait, told when it
                             is first evicted after a start; else NULL */
};

/* Tasks that a node refused, since another scheduler used its room at the same
 * instant: their job waits again, at least for them.
 */
struct report_conflict {
    uint32_t job, group;
    uint32_t node, tasks;
    const char *scheduler; /* that decided it */
};

enum report_node_state {
    REPORT_NODE_OPEN,
    REPORT_NODE_DRAINED, /* accepts no new tasks */
    REPORT_NODE_FAILED,
    REPORT_NODE_ABSENT, /* not present, and not paid for */
    REPORT_NODE_STATES
};

/* A node, or one of its GPUs, changed its state. */
struct report_node {
    uint32_t node;
    uint32_t device; /* the GPU, open or failed; UINT32_MAX: the node */
    enum report_node_state state;
    bool is_scaled; /* by the autoscaler */
};

/* Time for which a module refused a job because of its queue or the load. */
struct report_refusal {
    const char *module;
    int64_t us; /* above 0 */
};

/* The outcome of a job, reported once: at its end, or at the end of the run. */
struct report_job {
    uint32_t job;
    uint8_t state;      /* enum report_state */
    uint8_t cause;      /* enum report_cause: of the longest wait; of a pending
                           job: the present cause; of a rejected job: the
                           reason; REPORT_NO_CAUSE: none */
    uint16_t refusals;  /* count of refusal[] */
    uint32_t evictions; /* evictions of the whole job */
    uint32_t preemptions;  /* evictions while it ran */
    uint32_t level;        /* level of the smallest subtree that held its
                                tasks at its start; UINT32_MAX: never started */
    int64_t start;         /* first start; -1: never */
    int64_t end;           /* -1: not ended */
    const char *scheduler; /* that served it; NULL: the only one */
    const char *reason;    /* why it failed, was rejected or is held; or what
                                quota it lacked; NULL */
    const int64_t *waits;  /* [REPORT_CAUSES] us of waiting before its
                                first start and after each eviction; the sum
                                is the time since its submission less `ran`.
                                NULL: unknown */
    const struct report_refusal *refusal; /* of waits[REPORT_QUOTA] */
    int64_t ran;                          /* run time in us */
    int64_t held;        /* us from its submission in the trace until its
                            dependencies were met, from when on it waited;
                            INT64_MAX: they were not */
    int64_t work;        /* run time that need not be repeated */
    int64_t lost_gpu_us; /* work repeated, in GPU microseconds */
};

/* Why GPUs are free that waiting jobs lack, in order: an earlier reason is
 * counted first.
 */
enum report_free {
    REPORT_FREE_ORDER,      /* they would fit; the order, a reservation, the
                               time of the next pass */
    REPORT_FREE_QUOTA,      /* a quota or limit refuses them */
    REPORT_FREE_FRAGMENTED, /* enough are free, but not where they fit */
    REPORT_FREE_SHORT,      /* too few are free */
    REPORT_FREE_REASONS
};

/* State of the cluster from this instant to the next. */
struct report_instant {
    const struct topo_cluster *cluster; /* read only */
    int64_t busy_milli;       /* GPU thousandths held by running jobs */
    int64_t hoarded_milli;    /* held by partially allocated jobs */
    int64_t deadlocked_milli; /* held by deadlocked jobs */
    /* free, and lacked by jobs that wait for this reason */
    int64_t free_milli[REPORT_FREE_REASONS];
    uint32_t waiting, running, partly; /* jobs */
    bool is_blocked; /* the first job of some queue waits because of
                        fragmentation */
    /* By queue, including the queues below: held; and held or requested; in
     * thousandths of GPUs (of CPU cores on a cluster without GPUs).  The
     * cluster has `share_total`.
     */
    const int64_t *queue_used, *queue_asked;
    int64_t share_total;
};

struct report_observer {
    void *self;
    /* Any of these may be NULL. */
    void (*submitted)(void *self, int64_t now, uint32_t job);
    void (*placed)(void *self, int64_t now, const struct report_allocation *s);
    void (*started)(void *self, int64_t now, uint32_t job);
    /* With a speed model: at the end of each run segment. */
    void (*ran)(void *self, int64_t now, const struct report_run_segment *l);
    void (*released)(void *self, int64_t now,
                     const struct report_allocation *s);
    /* The tasks of the allocation have new numbers, since earlier tasks of
     * their group were lost.
     */
    void (*renumbered)(void *self, int64_t now,
                       const struct report_allocation *s);
    /* Instead of `released`, for allocations that exist when the run ends. */
    void (*held)(void *self, int64_t now, const struct report_allocation *s);
    void (*evicted)(void *self, int64_t now, const struct report_eviction *e);
    /* Only with several schedulers. */
    void (*conflicted)(void *self, int64_t now,
                       const struct report_conflict *c);
    /* The job may end soon: a good time to fetch memory of it, no more. */
    void (*expected)(const void *self, uint32_t job);
    void (*ended)(void *self, int64_t now, const struct report_job *j);
    /* Every node is open before the first of these. */
    void (*node)(void *self, int64_t now, const struct report_node *n);
    /* A deadlock episode of these jobs begins; the previous episode, if any,
     * ends.
     */
    void (*deadlocked)(void *self, int64_t now, const uint32_t *job,
                       uint32_t count);
    /* The current episode ends and no other begins. */
    void (*deadlock_over)(void *self, int64_t now);
    /* Before `finished`: the current episode is endless; no event known to come
     * could end it.
     */
    void (*deadlock_endless)(void *self, int64_t now);
    void (*instant)(void *self, int64_t now, const struct report_instant *i);
    /* The last call: nothing happens after `now`.  Before it come `held`
     * for allocations never released and `ended` for jobs without an end, in
     * order.
     */
    void (*finished)(void *self, int64_t now);
};

#endif /* SIM_REPLAY_OBSERVER_H */
