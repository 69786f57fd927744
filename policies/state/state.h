/* policies/state/state.h - what the parts of the scheduler share.
 *
 *   scheduler.c  the door: events in, a cycle, decisions out
 *   check.c      calls that make no sense are refused
 *   create.c       a scheduler is made
 *   admission.c      who enters the queue, and who never could run
 *   module_services.c       what modules see of all this
 *   module_calls.c       what the modules of a profile answer together
 *   job_labels.c      the labels of jobs that rules between jobs name
 *   usage.c     what queues, users and jobs hold and ask for
 *   candidates.c      which nodes suit a kind of task, and the best of them
 *   pending.c    who waits, in bins of those that ask for the same
 *   unschedulable.c      what cannot be placed sleeps until there is room
 *   service_order.c       whose turn it is: queues, then bins, then jobs
 *   topology_fit.c    the smallest part of the cluster that holds a gang
 *   gang_fit.c      gangs and single tasks onto nodes, in transactions
 *   allocate.c   the action: place what fits
 *   backfill.c   the action: run others before a blocked job, at no cost to it
 *   plan.c       conservative: a start planned for every job; availability.c, what
 *                will be free when; earliest_slot.c, the earliest room for a gang
 *   easy_shadow.c     the cluster at the time promised to that job
 *   preempt.c      the actions preempt and reclaim: make room
 *   victims.c    who would have to go on one node
 *   reprieve.c      who would go for a whole gang, and need not
 *   running_index.c       who runs, by queue, priority and start
 *   node_events.c      nodes that close and open, GPUs that break, what is lost
 *   allocations.c       who holds what, and who holds too little to run
 *   wait_clock.c       for how long what held a job back
 *   diagnosis.c      why a job was left waiting
 *   queue_head.c      who stands first, and whether fragmentation keeps it
 */
#ifndef POLICIES_STATE_STATE_H
#define POLICIES_STATE_STATE_H

#include "base/rng.h"
#include "policies/policy.h"
#include "policies/profile/profile.h"
#include "policies/scheduler.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define NONE UINT32_MAX
#define NO_GATE UINT8_MAX

/* --- modules -------------------------------------------------------------- */

/* An open module; also the `ctx` of its calls to the host. */
struct gsched_module {
    const struct gsp_module *module;
    void *self;
    struct gsched *s;
    struct gs_rng rng;
    uint32_t tier, only;
    uint8_t gate;             /* number among those that may refuse; NO_GATE */
    const char *why, *detail; /* it cannot start */
};

/* A kind of task is its request. */
struct gsp_task {
    struct topo_request request;
};

/* What modules are handed as struct gsp_job. */
struct gsp_job {
    const struct gsched *s;
    uint32_t id;
};

/* --- shapes (candidates.c) ------------------------------------------------------ */

/* A state group whose nodes can hold a task of the shape. */
struct candidate {
    uint32_t group;
    uint32_t queued; /* node it stands in the heap with; NONE */
    int64_t score;
};

/* A candidate in the heap: higher scores first, then lower nodes. */
struct contender {
    int64_t score;
    uint32_t node; /* the group's lowest when it was queued */
    uint32_t candidate;
};

/* What is known of a kind of task.  Groups made since the last look are
 * scored when it is looked at again.  Once there are many candidates their
 * best stands on top of a heap, which follows the cluster's news.
 */
struct shape_view {
    struct candidate *candidate; /* by rising group */
    uint32_t count, cap;
    uint32_t seen; /* groups looked at */
    struct contender *heap;
    uint32_t heap_count, heap_cap;
    uint64_t news; /* the cluster's news followed up to here */
    bool has_heap;
    uint8_t *fits_class; /* [class] right hardware */
    uint64_t most;       /* tasks that an empty cluster holds */
    uint64_t most_in[TOPO_TIERS_MAX + 2]; /* a domain of a level, + 1 */
    uint64_t woken_in; /* cycle in which `woken` was worked out */
    bool known, woken;
    uint32_t *sleeper; /* asks for n such tasks: a heap, fewest first */
    uint32_t sleeper_count, sleeper_cap;
    uint64_t enough_for; /* such tasks that what is free sums up to, at most */
    uint32_t listed;     /* in s->sleeping; NONE */
};

/* Where a task may stand: nodes [from, end), and where the modules that look
 * at other jobs do not refuse it.
 */
struct where {
    uint32_t from, end;
    uint32_t job, group;  /* whose rules are asked */
    bool has_rules;       /* ask them */
    const uint8_t *avoid; /* [node] 1: not there; NULL: none */
};

/* A node, and how many tasks of the shape fit there. */
struct choice {
    uint32_t node, fits;
};

/* --- who waits (pending.c) -------------------------------------------------- */

/* A job, or with unit pod (and for elastic members) one task group of it. */
struct item {
    int64_t since; /* in the queue; for tasks: created */
    int64_t least; /* estimate of those below it in the heap, and its own */
    uint32_t job;
    uint32_t group; /* position within the job; NONE: its gang */
};

enum ask_kind {
    ASK_ENTER,   /* to enter the queue */
    ASK_GANG,    /* the job's gang at once */
    ASK_POD,     /* one task of a group */
    ASK_ELASTIC, /* one more than the gang */
    ASK_ALL,     /* whatever the first asks for: it blocks the others */
};

/* What is asked for by items that ask for the same.  When it does not fit it
 * sleeps until something that its tasks could use is freed.
 */
struct ask {
    int64_t clock[GSCHED_CAUSES]; /* us that each cause held it */
    int64_t clock_at;
    uint64_t hash;
    uint64_t moves;    /* s->moves when it went to sleep */
    uint64_t no_extra; /* s->future state in which it would have delayed */
    uint32_t sample, sample_group; /* a job that asks for it */
    uint32_t queue;                /* ASK_ALL: its queue */
    uint32_t shape, need;          /* of its first group */
    uint32_t first_bin;            /* the bins that ask for it */
    uint32_t waiting;              /* items in them */
    uint32_t sleeps_at;            /* place among the sleepers; NONE */
    uint32_t awake_at;             /* place in s->awake; NONE */
    uint8_t kind;                  /* enum ask_kind */
    uint8_t cause;                 /* enum gsched_cause of its last failure */
    bool is_simple;                /* one group: wakes when that has room */
    bool is_fragmented;            /* counted in s->fragmented */
    bool is_short;                 /* asleep: less is free than it asks for */
};

/* Items of one queue that ask for the same, the first in order on top. */
struct bin {
    int64_t adjust[GSCHED_CAUSES]; /* to its ask's clock; see wait_clock.c */
    int64_t held_at;
    struct item *heap;
    uint32_t count, cap;
    uint32_t ask, queue;
    uint32_t next;         /* of the same ask; NONE */
    uint32_t at;           /* place in its queue's line; NONE */
    uint32_t among;        /* place among its queue's bins with items */
    uint64_t tried[2];     /* [why] s->holdings when making room failed */
    uint32_t tried_for[2]; /* the first job then */
    uint64_t no_room;      /* cycle in which what asks for nothing found none */
    uint8_t held;          /* enum gsched_cause in its ask's stead */
    uint8_t gate;          /* GSCHED_QUOTA: which refused; NO_GATE */
    int64_t refused[GSCHED_GATES]; /* us of GSCHED_QUOTA by gate */
};

/* Bins that may be served, the one with the first item on top. */
struct line {
    uint32_t *bin;
    uint32_t count, cap;
};

enum { LINE_ENTER, LINE_GANGS, LINE_ELASTIC, LINES };

/* --- queues (usage.c, service_order.c) ------------------------------------------------ */

struct queue {
    uint32_t parent;                   /* the root has none */
    uint32_t first_child, child_count; /* in s->child_slot */
    uint32_t active;                   /* of them: with work in this pass */
    bool is_active, is_over;           /* in this pass */
    struct line line[LINES];
    uint32_t *waiting; /* bins with items, those to enter and elastic aside */
    uint32_t waiting_count, waiting_cap;
    uint32_t front; /* of them the one whose first item goes first; NONE: not
                       known */
};

struct user_row {
    uint32_t queue, user; /* user NONE: free */
    int64_t used[TOPO_DIMS_MAX];
};

/* --- jobs ------------------------------------------------------------------- */

enum job_phase {
    JOB_UNKNOWN,
    JOB_HELD,    /* submitted, not yet enqueued */
    JOB_WAITING, /* nothing placed */
    JOB_PARTLY,  /* less than its gang placed */
    JOB_RUNNING,
    JOB_OVER,
};

struct job_state {
    int64_t since;            /* in the queue */
    int64_t held_since;       /* partly placed, or running */
    int64_t estimate;         /* us of run time still expected */
    uint32_t first_span;      /* what it holds; NONE */
    uint32_t created, placed; /* tasks */
    uint32_t partly_at;       /* place in s->partly; NONE */
    uint32_t wait;            /* place in s->wait; NONE */
    uint32_t older, newer;    /* of the same rank, by start; NONE */
    uint32_t placed_in;       /* cycle that last gave it something */
    uint32_t end_at;          /* place in a heap of ends; see easy_shadow.c */
    bool is_ranked;
    bool never_fits; /* it was adopted though no cluster would hold it all */
    uint8_t phase;   /* enum job_phase */
    uint8_t cause;   /* enum gsched_cause */
};

/* A job label; see job_labels.c. */
struct label_state {
    uint32_t number; /* + 1; 0: no rule names it */
    uint32_t seen;   /* + 1, of the last job with it before one did; 0 */
};

struct label_seen {
    uint32_t job;
    uint32_t next; /* + 1, of the same label; 0 */
};

/* How long what held a waiting job back. */
struct wait {
    int64_t us[GSCHED_CAUSES];
    int64_t at;                    /* since when `cause` holds it */
    uint32_t bin;                  /* whose clock it goes by; NONE: `cause` */
    uint32_t next;                 /* free; NONE */
    uint8_t cause;                 /* enum gsched_cause */
    int64_t refused[GSCHED_GATES]; /* of us[GSCHED_QUOTA], by gate */
    bool is_over;                  /* it runs, or is over */
    bool is_head;  /* of a bin that its first item blocks: `cause`, and
                       not GSCHED_ORDER, since `at` */
    int64_t order; /* is_head: what the bin read of GSCHED_ORDER then */
};

/* Tasks of one group on one node. */
struct span {
    uint32_t next, newer;       /* of the same job (next: or free); NONE */
    uint32_t group, first_task; /* positions in the job, in the group */
    struct topo_grant grant;
    int64_t placed_at;
    uint32_t job;
    uint32_t after, before; /* on the same node; NONE */
    bool is_gone;           /* counted as evicted, while that is tried */
};

struct deadline {
    int64_t at;
    uint32_t job;
};

/* Vectors that modules are shown. */
struct answers {
    int64_t used[TOPO_DIMS_MAX], minimum[TOPO_DIMS_MAX];
    uint32_t asked; /* inputs that modules asked for so far */
};

/* Jobs of one priority in one queue that run, by start. */
struct rank {
    uint32_t oldest, newest;     /* NONE */
    int64_t used[TOPO_DIMS_MAX]; /* held by such jobs */
};

struct gsched_future; /* easy_shadow.c */
struct gsched_plan;   /* plan.c */
struct gsched_evict;  /* preempt.c */

/* --- the scheduler ----------------------------------------------------------- */

struct gsched {
    struct gs_arena *arena;
    struct topo_cluster *cluster;
    const struct topo *topo;
    const struct trace_workload *work;
    const struct gsched_profile *profile;
    uint32_t dims, queues, classes; /* of the workload, at creation */
    const char *why_refused;        /* of the last call refused; NULL */

    struct gsched_module module[GSCHED_MODULES_MAX + 1]; /* and fit */
    uint32_t module_count;
    const char *gate[GSCHED_GATES]; /* names of modules that may refuse */
    uint32_t gates;
    const struct gsched_module *order_by[GSCHED_MODULES_MAX + 1];
    uint32_t order_count;
    bool fills_nodes;                    /* every score rises as a node fills */
    bool has_queues;                     /* a module tells queues apart */
    bool may_refuse, has_quota;          /* a module refuses nodes, amounts */
    bool has_rules;                      /* may_refuse, and jobs have rules */
    bool notifies;                       /* a module follows placements */
    bool victims_are_lower;              /* only lower priorities make room */
    const struct gsched_module *pick;    /* NULL: ties to the lowest node */
    const struct gsched_module *subtree; /* NULL: anywhere */
    struct gsp_backfill backfill;
    int64_t hold_time;
    int64_t spare_time; /* who has run for less may be spared for that */
    int64_t ripe_at;    /* when the first of those who were is no longer */

    struct shape_view *shape;
    uint32_t shape_count, shape_cap;
    uint32_t *sleeping; /* shapes with sleepers */
    uint32_t sleeping_count, sleeping_cap;
    struct topo_mix *mix, *own_mix; /* own_mix: to be destroyed */
    int64_t *fragment;              /* [group] under the mix; -1: not known */
    uint32_t fragment_count, fragment_cap;
    bool picks_devices; /* a module does */
    bool nodes_change;  /* some did: tasks are no longer counted, wherever */

    int64_t *score; /* scratch for batches of states */
    uint8_t *refusal, *hardware, *room;
    uint32_t batch_cap, room_cap, refusal_cap, hardware_cap;

    struct job_state *job;
    uint32_t job_count, job_cap;
    uint32_t *group_placed; /* [workload group] tasks placed */
    uint32_t *group_gang;   /* [workload group] tasks of the gang; of jobs with
                               more than one group */
    uint32_t *group_bin;    /* [workload group] bin its item is in; NONE */
    uint32_t *group_at;     /* [workload group] place there */
    uint32_t group_cap, group_gang_cap, group_bin_cap, group_at_cap;
    struct span *span;
    uint32_t span_count, span_cap, free_span;
    uint32_t *node_span; /* [node] its first span; NONE.  If spans are kept
                            by node */
    struct wait *wait;
    uint32_t wait_count, wait_cap, free_wait;
    uint32_t *settled; /* waits to be freed when the next cycle begins */
    uint32_t settled_count, settled_cap;

    struct ask *ask;
    uint32_t ask_count, ask_cap;
    uint32_t *ask_slot; /* hash of what is asked for, ask + 1 */
    uint32_t ask_slots;
    struct bin *bin;
    uint32_t bin_count, bin_cap;
    uint32_t *bin_slot; /* hash of ask and queue, bin + 1 */
    uint32_t bin_slots;
    uint32_t *awake; /* asks with items that do not sleep; with reservations */
    uint32_t awake_count, awake_cap;
    uint32_t *complex; /* sleeping asks that are not simple */
    uint32_t complex_count, complex_cap;
    uint64_t wakes;      /* times that sleepers were looked at */
    uint64_t moves;      /* spans taken and given back by jobs with rules */
    uint64_t moves_seen; /* of them when sleepers were looked at last */
    uint32_t lined;      /* bins in lines */
    bool keeps_lines;    /* asleep or not: the first in order matters */
    uint32_t *aside;     /* bins taken out of line until the next cycle */
    uint32_t aside_count, aside_cap;
    uint32_t *freed; /* state groups that nodes came into by release */
    uint32_t freed_count, freed_cap;
    uint32_t *held; /* jobs submitted, not enqueued, in order */
    uint32_t held_count, held_cap;
    uint32_t *partly; /* jobs partly placed */
    uint32_t partly_count, partly_cap;
    uint64_t causes_followed;  /* s->holdings when causes were found anew */
    bool causes_hoarded;       /* some job was partly placed then */
    struct deadline *deadline; /* of partly placed jobs, rising */
    uint32_t deadline_first, deadline_count, deadline_cap;
    uint32_t waiting;
    uint32_t fragmented; /* asks with items that fragmentation keeps */

    struct queue *queue;  /* the root last */
    uint32_t queue_count; /* without the root */
    uint32_t *child_slot;
    int64_t *queue_used, *queue_asked, *queue_entered; /* [queue][dim] */
    int64_t *queue_elastic; /* the same: placed above the gangs */
    struct user_row *user;
    uint32_t user_slots, user_count;
    uint64_t ledger; /* changes of the above */
    bool counts_entered, counts_users;

    struct rank *rank;     /* [queue][place of the class among the values] */
    uint32_t *class_place; /* [class] by rising value */
    int32_t *place_value;  /* [place] */
    uint32_t place_count;
    bool may_evict;
    bool asks_to_enter;   /* or all may enter the queue at once */
    bool has_evicted;     /* in this cycle */
    bool is_early;        /* who was placed in this cycle might make room in the
                         next, which is due at once */
    uint32_t early_count; /* cycles at early_at */
    int64_t early_at;
    uint64_t holdings; /* changes of who holds what */
    uint64_t releases; /* of them: something was given back */
    struct gsched_evict *evict;
    struct gsched_future *future;
    struct gsched_plan *plan;
    bool is_planned;  /* conservative: every blocked job has a reservation */
    int64_t reserved; /* when the head will fit; GSCHED_NEVER */
    uint32_t head;    /* bin whose first item is blocked, in this cycle; NONE */

    struct gsched_decision *decision;
    uint32_t decision_count, decision_cap;
    int64_t now;
    uint64_t cycle;
    struct answers *scratch;          /* to modules */
    uint32_t module_reads;            /* inputs that modules state to read */
    int64_t dim_total[TOPO_DIMS_MAX]; /* of the cluster */
    uint32_t *domain_place;           /* [domain] its place at its level */
    struct label_state *label;        /* [string id of a job label] */
    uint32_t label_cap, label_count;  /* label_count: named by rules */
    struct label_seen *seen;
    uint32_t seen_count, seen_cap;
    int64_t told_waits[GSCHED_CAUSES];
    int64_t told_refused[GSCHED_GATES];
    uint8_t refuser; /* gate of the last vote that refused; NO_GATE */
};

/* A view is a run of state groups seen with one shape's eyes. */
struct gsp_view {
    const struct topo_cluster *cluster;
    const struct topo_groups *groups;
    uint32_t first, count;
    const uint8_t *room, *hardware;
};

/* Victims as modules see them. */
struct victim {
    uint32_t job;
    bool is_whole; /* else one task above its gang */
    uint32_t span; /* of that task */
    int64_t amount[TOPO_DIMS_MAX];
};

struct gsp_victims {
    const struct gsched *s;
    const struct victim *victim;
    const struct gsp_job *job; /* [i] */
    uint32_t count;
};

#endif /* POLICIES_STATE_STATE_H */
