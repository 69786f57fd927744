/* policies/scheduler_private.h - what the parts of the scheduler share.
 *
 *   scheduler.c  the door: events in, a cycle, decisions out
 *   check.c      calls that make no sense are refused
 *   open.c       a scheduler is made
 *   enter.c      who enters the queue, and who never could run
 *   host.c       what modules see of all this
 *   vote.c       what the modules of a profile answer together
 *   rules.c      the labels of jobs that rules between jobs name
 *   ledger.c     what queues, users and jobs hold and ask for
 *   shape.c      which nodes suit a kind of task, and the best of them
 *   pending.c    who waits, in bins of those that ask for the same
 *   sleep.c      what cannot be placed sleeps until there is room
 *   turn.c       whose turn it is: queues, then bins, then jobs
 *   subtree.c    the smallest part of the cluster that holds a gang
 *   place.c      gangs and single tasks onto nodes, in transactions
 *   allocate.c   the action: place what fits
 *   backfill.c   the action: run others before a blocked job, at no cost to it
 *   plan.c       conservative: a start planned for every job; timeline.c, what
 *                will be free when; opening.c, the earliest room for a gang
 *   future.c     the cluster at the time promised to that job
 *   evict.c      the actions preempt and reclaim: make room
 *   victims.c    who would have to go on one node
 *   trial.c      who would go for a whole gang, and need not
 *   rank.c       who runs, by queue, priority and start
 *   nodes.c      nodes that close and open, GPUs that break, what is lost
 *   hold.c       who holds what, and who holds too little to run
 *   wait.c       for how long what held a job back
 *   cause.c      why a job was left waiting
 *   front.c      who stands first, and whether fragmentation keeps it
 */
#ifndef POLICY_SCHEDULER_PRIVATE_H
#define POLICY_SCHEDULER_PRIVATE_H

#include "base/rng.h"
#include "policies/policy.h"
#include "policies/profile.h"
#include "policies/scheduler.h"
#include "topology/topology.h"
#include "traces/workload.h"

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

/* --- shapes (shape.c) ------------------------------------------------------ */

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
    int64_t adjust[GSCHED_CAUSES]; /* to its ask's clock; see wait.c */
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

/* --- queues (ledger.c, turn.c) ------------------------------------------------ */

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
    uint32_t end_at;          /* place in a heap of ends; see future.c */
    bool is_ranked;
    bool never_fits; /* it was adopted though no cluster would hold it all */
    uint8_t phase;   /* enum job_phase */
    uint8_t cause;   /* enum gsched_cause */
};

/* A job label; see rules.c. */
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

struct gsched_future; /* future.c */
struct gsched_plan;   /* plan.c */
struct gsched_evict;  /* evict.c */

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

/* host.c */
extern const struct gsp_host gsched_host;

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

/* vote.c */

/* What the open modules mean for the core. */
void gsched_modules_sum_up(struct gsched *s);
/* < 0: job `a` goes first; 0: no module tells them apart. */
int gsched_vote_jobs(const struct gsched *s, uint32_t a, uint32_t b);
int gsched_vote_queues(const struct gsched *s, uint32_t a, uint32_t b);
/* These three note the gate that refuses in s->refuser. */
bool gsched_vote_overused(struct gsched *s, uint32_t queue);
bool gsched_vote_allocatable(struct gsched *s, uint32_t job,
                             const int64_t *asked);
bool gsched_vote_enqueue(struct gsched *s, uint32_t job);
bool gsched_vote_preemptive(const struct gsched *s, uint32_t job,
                            const int64_t *asked);
bool gsched_vote_ready(const struct gsched *s, uint32_t job);
/* The node from which on tasks of the group are not refused; `node` itself,
 * or the first after the domain that is refused.
 */
uint32_t gsched_vote_node(const struct gsched *s, const struct where *w,
                          uint32_t node);
/* Which of the victims may go: count of those with spared[i] 0. */
uint32_t gsched_vote_victims(const struct gsched *s, enum gsp_why why,
                             uint32_t job, const struct gsp_victims *v,
                             uint8_t *spared, uint8_t *scratch);
/* Tell the modules that follow placements. */
void gsched_tell_placed(const struct gsched *s, uint32_t job, uint32_t group,
                        uint32_t node, uint32_t tasks);
void gsched_tell_released(const struct gsched *s, uint32_t job, uint32_t group,
                          uint32_t node, uint32_t tasks);

/* rules.c */
/* Number the labels that rules of the workload name; those of a job that is
 * submitted.
 */
void gsched_rules_open(struct gsched *s);
void gsched_rules_submit(struct gsched *s, uint32_t job);
void gsched_rules_free(struct gsched *s);
/* The number of a label (string id of "key=value"); NONE: no rule names it. */
uint32_t gsched_label_number(const struct gsched *s, uint32_t label);
/* Do rules about other jobs matter to where its tasks stand, be they its own or
 * about a label of its?
 */
bool gsched_has_rules(const struct gsched *s, uint32_t job);
bool gsched_has_own_rules(const struct gsched *s, uint32_t job);
/* Of the labels that rules name; have two jobs the same ones? */
uint64_t gsched_labels_hash(const struct gsched *s, uint32_t job);
bool gsched_labels_same(const struct gsched *s, uint32_t a, uint32_t b);

/* ledger.c */
void gsched_ledger_open(struct gsched *s);
/* `tasks` of a group are held (sign 1), or given back (-1). */
void gsched_ledger_used(struct gsched *s, uint32_t job, uint32_t group,
                        uint32_t tasks, int sign);
/* Tasks [from, to) of the job are asked for (sign 1), or no longer (-1). */
void gsched_ledger_asked(struct gsched *s, uint32_t job, uint32_t from,
                         uint32_t to, int sign);
/* What the job's gang still lacks counts as entered (1), or no longer (-1). */
void gsched_ledger_entered(struct gsched *s, uint32_t job, int sign);
/* Vectors of dims: what the job holds; what its gang asks for. */
void gsched_job_used(const struct gsched *s, uint32_t job, int64_t *amount);
void gsched_job_minimum(const struct gsched *s, uint32_t job, int64_t *amount);
const int64_t *gsched_user_used(const struct gsched *s, uint32_t job);

/* shape.c */

/* What is known of a shape, brought up to date with the cluster. */
struct shape_view *gsched_shape(struct gsched *s, uint32_t shape);
/* Tasks that the largest domain of a level holds when it is empty. */
uint64_t gsched_shape_most_in(struct gsched *s, uint32_t shape, uint32_t level);
/* The best node for a task; false when there is none. */
bool gsched_shape_best(struct gsched *s, uint32_t shape, const struct where *w,
                       struct choice *best);
/* A node that holds `n` of them at once: the one with the least free GPUs
 * and, of those, the best; NONE.
 */
uint32_t gsched_shape_holds(struct gsched *s, uint32_t shape, uint32_t n,
                            bool is_tightest, const struct where *w);
/* Do `n` tasks of the shape fit now, in the whole cluster? */
bool gsched_shape_has_room(struct gsched *s, uint32_t shape, uint64_t n);
/* How many do. */
uint64_t gsched_shape_room(struct gsched *s, uint32_t shape);
/* Groups were renumbered: map[old] is new, or NONE. */
void gsched_shapes_remap(struct gsched *s, const uint32_t *map);
void gsched_shapes_free(struct gsched *s);
/* Could a node in state `group` take one? */
bool gsched_shape_suits(struct gsched *s, uint32_t shape, uint32_t group);

/* pending.c */

/* Which of two items goes first: < 0 `a`. */
int gsched_item_compare(const struct gsched *s, const struct item *a,
                        const struct item *b);
/* Queue what the job waits for now and is not queued for yet. */
void gsched_pending_add(struct gsched *s, uint32_t job);
/* Forget all that is queued for the job. */
void gsched_pending_drop(struct gsched *s, uint32_t job);
/* The job holds more or less: its items find their place again. */
void gsched_pending_moved(struct gsched *s, uint32_t job);
/* Wake the asks that what was freed since the last cycle may help, and those
 * of jobs with rules when any such job was placed or gave back.
 */
void gsched_pending_wake(struct gsched *s);
/* Would it wake any for the sake of their rules? */
bool gsched_pending_may_wake(const struct gsched *s);
/* The item is served, wherever it went in its bin as its job took more: drop
 * it, or queue the group's next task.
 */
void gsched_item_served(struct gsched *s, const struct item *it);
/* It may be served again. */
void gsched_ask_wake(struct gsched *s, uint32_t ask);
void gsched_ask_sleep(struct gsched *s, uint32_t ask, enum gsched_cause why);
/* List it among those awake, or no longer, when reservations are made. */
void gsched_ask_rouse(struct gsched *s, uint32_t ask);
void gsched_ask_rest(struct gsched *s, uint32_t ask);
/* Do bins of it stand in line?  Gangs that sleep do, for reservations. */
bool gsched_ask_stands(const struct gsched *s, uint32_t ask);
bool gsched_ask_is_asleep(const struct gsched *s, uint32_t ask);
/* The bin that a waiting job's first missing tasks stand in; NONE. */
uint32_t gsched_bin_of(const struct gsched *s, uint32_t job);
/* The first item of the bin in order whose estimate is at most `most`, at its
 * place; NONE.
 */
uint32_t gsched_bin_short(const struct gsched *s, uint32_t bin, int64_t most);
void gsched_pending_free(struct gsched *s);

/* turn.c */
void gsched_line_add(struct gsched *s, uint32_t bin);
void gsched_line_drop(struct gsched *s, uint32_t bin);
void gsched_line_moved(struct gsched *s, uint32_t bin);
/* Out of line until the next cycle; `why` holds it meanwhile. */
void gsched_line_aside(struct gsched *s, uint32_t bin, uint8_t gate);
void gsched_line_rejoin(struct gsched *s);
/* Queues with work in `line` take turns: begin; whose turn it is (the bin, or
 * NONE when all are through); what was served or dropped since.
 */
void gsched_turn_begin(struct gsched *s, int line);
uint32_t gsched_turn_next(struct gsched *s, int line);
void gsched_turn_taken(struct gsched *s, uint32_t queue, int line);
/* < 0: queue `a` is served before `b`. */
int gsched_queue_compare(const struct gsched *s, uint32_t a, uint32_t b);
/* < 0: bin `a`'s first item goes before that of `b`. */
int gsched_bin_compare(const struct gsched *s, uint32_t a, uint32_t b);

/* front.c */

/* Items came to the ask or went, or something else is to blame. */
void gsched_front_blame(struct gsched *s, struct ask *a);
/* An item came to the bin; the last one left it; its first went or moved. */
void gsched_front_came(struct gsched *s, uint32_t bin);
void gsched_front_left(struct gsched *s, uint32_t bin);
void gsched_front_moved(struct gsched *s, uint32_t bin);

/* place.c */

/* Tasks of group `g` that the gang needs: the group's own minimum, and the rest
 * of the gang in the order of groups, as far as an empty cluster holds them.
 */
void gsched_gang_divide(struct gsched *s, uint32_t job);
uint32_t gsched_gang_of(const struct gsched *s, uint32_t job, uint32_t g);
/* Place the job's gang, or one task of a group (its next), for good. */
bool gsched_place_gang(struct gsched *s, uint32_t job);
bool gsched_place_task(struct gsched *s, uint32_t job, uint32_t group);
bool gsched_place_item(struct gsched *s, const struct item *it);
/* Is there room for every group by itself?  Rules most failures out. */
bool gsched_gang_has_room(struct gsched *s, uint32_t job);
/* The gang's tasks where the job may stand, or in [w->from, w->end) only:
 * allocated, proposed as decisions; nothing when false.
 */
bool gsched_gang_try(struct gsched *s, uint32_t job, const struct where *w);
void gsched_gang_commit(struct gsched *s, uint32_t job, uint32_t first);
/* Number the tasks of a gang's decisions anew, in the order of their nodes. */
void gsched_order_ranks(struct gsched_decision *d, uint32_t n);
void gsched_undo(struct gsched *s, uint32_t mark, uint32_t first);
/* The quota's answer on what an item asks for. */
bool gsched_item_allocatable(struct gsched *s, const struct item *it);
/* Allocate tasks on a node, a share on the device that a module picks. */
struct topo_grant gsched_take(struct gsched *s, uint32_t node,
                              const struct topo_request *r, uint32_t tasks);
struct where gsched_anywhere(const struct gsched *s, uint32_t job,
                             uint32_t group);
/* Put a decision aside until the transaction is known to hold. */
void gsched_propose(struct gsched *s, uint32_t job, uint32_t group,
                    uint32_t first_task, const struct topo_grant *g);

/* subtree.c */

/* The gang where its tiers allow, or there within [w->from, w->end), and not
 * on nodes to avoid: allocated and proposed; nothing when false.
 */
bool gsched_gang_place(struct gsched *s, uint32_t job, const uint8_t *avoid);
bool gsched_gang_place_in(struct gsched *s, const struct where *w);
/* The domains in which a gang that must not leave one could stand, one after
 * the other, from *at NONE on; once for one that may stand anywhere, or that
 * stands in one already.
 */
bool gsched_subtree_next(const struct gsched *s, uint32_t job, uint32_t *at,
                         struct where *w);
/* A task above the gang stays in the domain that its job must not leave. */
void gsched_subtree_stay(const struct gsched *s, struct where *w);
/* The dimension by which nodes and domains are the fuller or emptier for a
 * request of these amounts: GPUs; without any, the one of which the amount is
 * the largest part of the cluster's.
 */
uint32_t gsched_main_dim(const struct gsched *s, const int64_t *asked);
/* The level of which one domain must hold all of the job's gang; 0: none. */
uint32_t gsched_bound_level(const struct gsched *s, uint32_t job);

/* allocate.c */
void gsched_allocate(struct gsched *s);
/* Place members of gangs above their minimum. */
void gsched_grow(struct gsched *s);

/* backfill.c */
void gsched_backfill(struct gsched *s);
/* Is there nothing in `amount`, but pods? */
bool gsched_asks_nothing(const struct gsched *s, const int64_t *amount);

/* future.c */
/* The job runs from now on; it gave back what it held. */
void gsched_future_started(struct gsched *s, uint32_t job);
void gsched_future_ended(struct gsched *s, uint32_t job);
/* A running job was given more. */
void gsched_future_grew(struct gsched *s, uint32_t job, uint32_t group,
                        const struct topo_grant *g);
/* The node closed, opened, or a GPU of it broke or was mended. */
void gsched_future_changed(struct gsched *s, uint32_t node);
void gsched_future_free(struct gsched *s);

/* plan.c: jobs that wait, run, end; those that can start do */
void gsched_plan_run(struct gsched *s);
void gsched_plan_add(struct gsched *s, uint32_t job);
void gsched_plan_drop(struct gsched *s, uint32_t job);
/* If it is planned, it is planned anew: before its estimate changes. */
void gsched_plan_forget(struct gsched *s, uint32_t job);
void gsched_plan_started(struct gsched *s, uint32_t job);
void gsched_plan_ended(struct gsched *s, uint32_t job);
void gsched_plan_grew(struct gsched *s, uint32_t job, uint32_t group,
                      const struct topo_grant *g);
/* The node closed or opened; or so many thousandths of its GPUs are there no
 * longer (below 0), or again.
 */
void gsched_plan_changed(struct gsched *s, uint32_t node, int64_t milli);
/* The next start, though nothing else may happen then; GSCHED_NEVER. */
int64_t gsched_plan_next(const struct gsched *s);
int64_t gsched_planned(const struct gsched *s, uint32_t job);
void gsched_plan_free(struct gsched *s);

/* evict.c */
void gsched_preempt(struct gsched *s);
void gsched_reclaim(struct gsched *s);
struct rank *gsched_rank_of(const struct gsched *s, uint32_t job);
void gsched_rank_add(struct gsched *s, uint32_t job);
void gsched_rank_drop(struct gsched *s, uint32_t job);
void gsched_evict_open(struct gsched *s);
void gsched_evict_free(struct gsched *s);

/* fragment.c */
/* State groups were renumbered. */
void gsched_fragment_forget(struct gsched *s);
void gsched_fragment_free(struct gsched *s);

/* cause.c */
enum gsched_cause gsched_cause_of(struct gsched *s, const struct item *i);
/* The cause of the request class, which becomes unschedulable, is of now. */
void gsched_cause_found(struct gsched *s, uint32_t ask);
/* At the end of a cycle: the cause of an unschedulable request class is found
 * anew when what is free no longer suffices for it in sum, or does again, and
 * when no job hoards any more.
 */
void gsched_causes_follow(struct gsched *s);

/* wait.c */
void gsched_wait_begin(struct gsched *s, uint32_t job, enum gsched_cause why);
/* From now on `why` holds it, or what holds the bin that it stands in. */
void gsched_wait_for(struct gsched *s, uint32_t job, enum gsched_cause why);
void gsched_wait_in(struct gsched *s, uint32_t job, uint32_t bin);
/* It stands first in a bin that it blocks, because of `why`. */
void gsched_wait_head(struct gsched *s, uint32_t job, enum gsched_cause why);
/* It runs. */
void gsched_wait_end(struct gsched *s, uint32_t job);
/* It ran, and waits again from now on because of `why`; nothing for a job that
 * waits still.
 */
void gsched_wait_resume(struct gsched *s, uint32_t job, enum gsched_cause why);
/* It is over: its times stand until gsched_waits_free. */
void gsched_wait_close(struct gsched *s, uint32_t job);
void gsched_waits_free(struct gsched *s); /* those that were closed */
void gsched_ask_blames(struct gsched *s, struct ask *a, enum gsched_cause why);
void gsched_bin_blames(struct gsched *s, struct bin *b, enum gsched_cause why);
/* The module behind the gate refuses the bin's items: GSCHED_QUOTA. */
void gsched_bin_refused(struct gsched *s, struct bin *b, uint8_t gate);
/* What holds items of the bin now. */
enum gsched_cause gsched_bin_cause(const struct gsched *s, const struct bin *b);

/* hold.c */

/* Tasks were allocated: they are the job's from now on. */
void gsched_hold(struct gsched *s, uint32_t job, uint32_t group,
                 uint32_t first_task, const struct topo_grant *g);
/* Give back all that the job holds; with decisions when it is evicted. */
void gsched_release_all(struct gsched *s, uint32_t job,
                        const struct gsched_decision *evicted);
/* The same, and it waits again, as one that came `since`. */
void gsched_wait_again(struct gsched *s, uint32_t job, int64_t since,
                       const struct gsched_decision *evicted);
/* Give back the spans on these devices of the node (0: on the node), all of
 * them above the gang; others move up.
 */
void gsched_release_on(struct gsched *s, uint32_t job, uint32_t node,
                       uint64_t devices);
/* A node in the state group has room again. */
void gsched_freed_add(struct gsched *s, uint32_t group);
/* Give back a span above the gang. */
void gsched_release_span(struct gsched *s, uint32_t span,
                         const struct gsched_decision *evicted);
/* Take the span out of its job's list; the one before it, or NONE. */
uint32_t gsched_span_unlink(struct gsched *s, uint32_t span);
/* Since when a job that is evicted or lost now waits, by the profile. */
int64_t gsched_since_again(const struct gsched *s, uint32_t job);
/* It waits again, as one that came `since`. */
void gsched_return(struct gsched *s, uint32_t job, int64_t since,
                   const struct gsched_decision *why);
/* A span of the job on the node that may go alone: the latest of its group, and
 * above the gang; NONE.
 */
uint32_t gsched_surplus_on(const struct gsched *s, uint32_t job, uint32_t node);
/* Does it hold tasks that must not be evicted? */
bool gsched_is_fixed(const struct gsched *s, uint32_t job);

/* enter.c */

/* Look at what was submitted since: reject what can never run; the rest enters
 * the queue, or asks to.
 */
void gsched_take_in(struct gsched *s);
/* Why not even an empty cluster could hold the job's gang; GSCHED_NO_CAUSE. */
enum gsched_cause gsched_never_fits(struct gsched *s, uint32_t job);
/* The next cycle looks at the job. */
void gsched_held_add(struct gsched *s, uint32_t job);
/* The action: those that the modules let in enter, in order. */
void gsched_enqueue(struct gsched *s);

/* check.c: 0, or -1 with the reason noted.  `s` may be NULL in the first three.
 */

/* Note why a call is refused; -1. */
int gsched_refuse(struct gsched *s, const char *why);
/* `now` is not before the last call's; the workload has still the same
 * resources.
 */
int gsched_check_now(struct gsched *s, int64_t now);
/* The job was submitted, and is not over. */
int gsched_check_live(struct gsched *s, uint32_t job);
bool gsched_is_live(const struct gsched *s, uint32_t job);
/* The job may be submitted, with its first `created` tasks. */
int gsched_check_new(struct gsched *s, uint32_t job, uint32_t created);
int gsched_check_node(struct gsched *s, uint32_t node);
int gsched_check_device(struct gsched *s, uint32_t node, uint32_t device);
int gsched_check_adopt(struct gsched *s, uint32_t job, uint32_t group,
                       uint32_t first_task, const struct topo_grant *g);

/* scheduler.c */

/* Append to the cycle's decisions. */
void gsched_decide(struct gsched *s, const struct gsched_decision *d);
const struct trace_group *gsched_group(const struct gsched *s, uint32_t job,
                                       uint32_t group);
/* Tasks of a group that exist and are not placed. */
uint32_t gsched_group_missing(const struct gsched *s, uint32_t job,
                              uint32_t group);
bool gsched_has_action(const struct gsched *s, enum gsched_action a);
/* The queue a job counts for: its own, or 0 when no module tells them apart. */
uint32_t gsched_queue_of(const struct gsched *s, uint32_t job);

#endif /* POLICY_SCHEDULER_PRIVATE_H */
