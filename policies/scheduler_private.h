/* policies/scheduler_private.h - what the parts of the scheduler share.
 *
 *   scheduler.c  the door: events in, a cycle, decisions out
 *   host.c       what modules see of all this
 *   shape.c      which nodes suit a kind of task, and the best of them
 *   pending.c    who waits, in which order, and what would help them
 *   allocate.c   the action: place gangs, pods, elastic members
 *   hold.c       who holds what, and who holds too little to run
 *   cause.c      why a job was left waiting
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

/* --- modules -------------------------------------------------------------- */

/* An open module; also the `ctx` of its calls to the host. */
struct gsched_module {
    const struct gsp_module *module;
    void *self;
    struct gsched *s;
    struct gs_rng rng;
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
    uint64_t woken_in;   /* cycle in which `woken` was worked out */
    bool known, woken;
};

/* A node, and how many tasks of the shape fit there. */
struct choice {
    uint32_t node, fits;
};

/* --- who waits (pending.c) -------------------------------------------------- */

/* A job, or with unit pod (and for elastic members) one task group of it. */
struct item {
    int64_t since; /* in the queue; for tasks: created */
    uint32_t job;
    uint32_t group; /* position within the job; NONE: its gang */
};

enum bin_kind { BIN_GANG, BIN_POD, BIN_ELASTIC, BIN_ALL };

/* Items that ask for the same: when the first cannot be placed, none can.
 * A bin sleeps from then on until something that its tasks could use is
 * freed.
 */
struct bin {
    struct item *heap; /* the first in order on top */
    uint32_t count, cap;
    enum bin_kind kind;
    bool asleep;
    uint8_t cause;   /* enum gsched_cause of its last failure */
    uint32_t listed; /* place in s->awake or s->asleep; NONE */
    uint64_t hash;   /* of what its items ask for */
    uint32_t sample; /* a job that asks for the same */
    uint32_t sample_group;
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
    int64_t held_since;       /* partly placed */
    uint32_t first_span;      /* what it holds; NONE */
    uint32_t created, placed; /* tasks */
    uint32_t partly_at;       /* place in s->partly; NONE */
    uint8_t phase;            /* enum job_phase */
    uint8_t cause;            /* enum gsched_cause */
};

/* Tasks of one group on one node. */
struct span {
    uint32_t next;              /* of the same job, or free; NONE */
    uint32_t group, first_task; /* positions in the job, in the group */
    struct topo_grant grant;
    int64_t placed_at;
};

/* What modules are handed as struct gsp_job. */
struct gsp_job {
    const struct gsched *s;
    uint32_t id;
};

struct deadline {
    int64_t at;
    uint32_t job;
};

/* --- the scheduler ----------------------------------------------------------- */

struct gsched {
    struct gs_arena *arena;
    struct topo_cluster *cluster;
    const struct topo *topo;
    const struct trace_workload *work;
    const struct gsched_profile *profile;

    struct gsched_module module[GSCHED_MODULES_MAX];
    uint32_t module_count;
    bool fills_nodes;                 /* every score rises as a node fills */
    const struct gsched_module *pick; /* NULL: ties to the lowest node */
    uint32_t within_level;            /* tier that must hold a gang; 0: none */
    int64_t hold_time;

    struct shape_view *shape;
    uint32_t shape_count, shape_cap;
    int64_t *score; /* scratch for batches of states */
    uint8_t *refusal, *hardware, *room;
    uint32_t batch_cap, room_cap, refusal_cap, hardware_cap;

    struct job_state *job;
    uint32_t job_count, job_cap;
    uint32_t *group_placed; /* [workload group] tasks placed */
    uint8_t *group_queued;  /* [workload group] an item waits for it */
    uint32_t group_cap, queued_cap;
    struct span *span;
    uint32_t span_count, span_cap, free_span;

    struct bin *bin;
    uint32_t bin_count, bin_cap;
    uint32_t *bin_slot; /* hash of what is asked for, bin + 1 */
    uint32_t bin_slots;
    uint32_t *awake, *asleep, *order; /* bins */
    uint32_t awake_count, awake_cap, asleep_count, asleep_cap, order_cap;
    uint32_t *freed; /* groups that nodes came into by release */
    uint32_t freed_count, freed_cap;
    uint32_t *held; /* jobs submitted, not enqueued, in order */
    uint32_t held_count, held_cap;
    uint32_t *partly; /* jobs partly placed */
    uint32_t partly_count, partly_cap;
    struct deadline *deadline; /* of partly placed jobs, rising */
    uint32_t deadline_first, deadline_count, deadline_cap;
    uint32_t waiting;

    struct gsched_decision *decision;
    uint32_t decision_count, decision_cap;
    int64_t now;
    uint64_t cycle;
};

/* host.c */
extern const struct gsp_host gsched_host;

/* A view is a run of state groups seen with one shape's eyes. */
struct gsp_view {
    const struct topo_groups *groups;
    uint32_t first, count;
    const uint8_t *room, *hardware;
};

/* shape.c */

/* What is known of a shape, brought up to date with the cluster. */
struct shape_view *gsched_shape(struct gsched *s, uint32_t shape);
/* The best node in [from, end) for a task; false when there is none. */
bool gsched_shape_best(struct gsched *s, uint32_t shape, uint32_t from,
                       uint32_t end, struct choice *best);
/* Do `n` tasks of the shape fit now, in the whole cluster? */
bool gsched_shape_has_room(struct gsched *s, uint32_t shape, uint64_t n);
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
/* Wake the bins that what was freed since the last cycle may help. */
void gsched_pending_wake(struct gsched *s);
/* The bin's first item is served: drop it, or queue the group's next task. */
void gsched_bin_served(struct gsched *s, uint32_t bin);
void gsched_bin_sleep(struct gsched *s, uint32_t bin, enum gsched_cause why);
/* The bin that a waiting job's first missing tasks stand in; NONE. */
uint32_t gsched_bin_of(const struct gsched *s, uint32_t job);
void gsched_pending_free(struct gsched *s);

/* allocate.c */
void gsched_allocate(struct gsched *s);

/* cause.c */
enum gsched_cause gsched_cause_of(struct gsched *s, const struct item *i);

/* hold.c */

/* Tasks were allocated: they are the job's from now on. */
void gsched_hold(struct gsched *s, uint32_t job, uint32_t group,
                 uint32_t first_task, const struct topo_grant *g);
/* Give back all that the job holds; with decisions when it is evicted. */
void gsched_release_all(struct gsched *s, uint32_t job, bool evicted);

/* scheduler.c */

/* Append to the cycle's decisions. */
void gsched_decide(struct gsched *s, const struct gsched_decision *d);
const struct trace_group *gsched_group(const struct gsched *s, uint32_t job,
                                       uint32_t group);
/* Tasks of a group that exist and are not placed. */
uint32_t gsched_group_missing(const struct gsched *s, uint32_t job,
                              uint32_t group);

#endif /* POLICY_SCHEDULER_PRIVATE_H */
