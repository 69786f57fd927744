/* policies/solver/solver.h - room for a job by trials of growing sets of
 * victims.
 *
 * Running jobs that may be victims stand in one order (victim_queue.c).  Units
 * of them, tasks above a gang or whole jobs, are added to a scenario one after
 * the other.  A trial (trial.c) evicts the units of a scenario that stand on
 * one node, and places the pending job and the evicted ones anew, in service
 * order among all that wait in their queues: a victim that finds its own place
 * again stays, one that finds another place is moved, the others are lost.
 * gsched_solve() (solve.c) does so for the first task of the gang, then for the
 * first two, and so on; the victims of one step are those with which the next
 * begins.  gsched_solution_carry_out() (moves.c) makes the last trial final.
 *
 * Different from kube-scheduler's and Volcano's search (preemption/), victims
 * are not lost where the cluster has another place for them.
 */
#ifndef POLICIES_SOLVER_SOLVER_H
#define POLICIES_SOLVER_SOLVER_H

#include "policies/preemption/preemption.h"
#include "policies/solver/alike.h"
#include "policies/solver/freed.h"
#include "policies/solver/kept_walk.h"
#include "policies/solver/queue_walk.h"
#include "policies/solver/victim_heaps.h"
#include "policies/state/state.h"

struct queue_entry;

/* What room is made for. */
enum solve_goal {
    SOLVE_MOVE,    /* jobs of any queue; none may be lost */
    SOLVE_RECLAIM, /* GSP_RECLAIM */
    SOLVE_PREEMPT, /* GSP_PREEMPT */
    SOLVE_GOALS,   /* their number */
};

/* A node in use, and what its jobs would lose. */
struct node_loss {
    double loss;
    int64_t used; /* thousandths of its GPUs */
    uint32_t node;
};

enum unit_fate {
    UNIT_STAYS, /* it found its own place again */
    UNIT_MOVES, /* it found another one */
    UNIT_GOES,
};

/* Tasks that are evicted together: an allocation that may go alone, or (NONE)
 * all that the job still has after its units before.
 */
struct unit {
    uint32_t job, allocation;
    uint32_t before; /* the unit of its job before it; NONE */
    uint32_t only;   /* its only allocation; NONE: it has several */
    enum unit_fate fate;
    uint64_t places;  /* for gsched_trial() */
    bool is_recorded; /* a victim of the solution for fewer tasks */
    bool is_protected;
};

/* Tasks that a trial placed. */
struct solver_place {
    struct gsched_decision d;
    uint32_t unit; /* NONE: of the pending job */
};

/* What the units so far hold on a node, in that step of the search. */
struct node_sum {
    uint32_t step;
    bool is_wide;  /* a job of them holds other nodes, too */
    int64_t gives; /* of those of queues that give any */
};

/* What victims of a queue hold, in that trial, of the dimension in which losses
 * are counted.
 */
struct gift {
    uint32_t step, trial;
    int64_t
        most; /* that the queue gives in that step, before its last victim */
    int64_t gone, largest;
};

/* What those units of a trial free, and how many rooms, that may go, of the
 * queues for which a module sets one bound.
 */
struct part {
    uint32_t trial;
    int64_t amount;
    uint64_t tasks;
};

/* What jobs with tasks on a node hold, see gsched_search_is_hopeful(). */
struct node_gift {
    uint32_t step;
    int64_t total;        /* that queues give, in that step */
    int64_t sum, largest; /* of the present queue; else 0 */
};

/* The unit of a job or an allocation, in the search of that stamp. */
struct solver_mark {
    uint32_t stamp, unit;
};

/* A walk over victims from one search for a goal to the next. */
struct victims_kept {
    struct kept_walk walk;
    struct gs_numbers again; /* queues to note for it: victims of this search
                                are no other's */
};

struct gsched_solver {
    /* The search: what it is for, and its bounds. */
    enum solve_goal goal;
    struct attempt attempt;
    const struct queue_entry *it; /* job NONE: for a node */
    uint8_t *avoid;     /* [node] 1: no victim is placed there; NULL */
    bool is_of_gpus;    /* all tasks of its job ask for GPUs */
    uint32_t closed_in; /* the search to which closed[] belongs */
    uint8_t *closed;    /* [node] 1: no victim without GPUs is placed there */
    uint32_t dim;       /* in which losses are counted */
    double price;       /* most that may be lost; below 0: any */
    uint32_t trials, jobs; /* trials, and jobs as victims, that are left */
    uint32_t stamp;        /* of this search, in what follows */

    /* The action: entries in order, and those that failed. */
    struct queue_walk pending;
    struct gs_numbers class_queues; /* that have entries */
    uint32_t turns;                 /* number of times that they were listed */
    struct alike alike;

    /* The order of victims. */
    struct victim_heaps heaps;
    struct victims_kept kept[SOLVE_GOALS];
    bool may_keep;        /* the order allows to keep some */
    uint32_t returned;    /* jobs in the walk that have units already */
    struct unit *unit;    /* in the order of eviction */
    int64_t *unit_amount; /* [unit * dims + dim] that its only one frees */
    uint32_t unit_count, unit_cap, unit_amount_cap;
    bool has_all_units;
    bool may_protect; /* modules may protect units of this search */
    struct solver_mark *job_last, *of_allocation; /* last unit of a job; unit of
                                                     an allocation */
    uint32_t job_last_cap, of_allocation_cap;

    /* A trial: its units, the jobs that are placed, where. */
    uint32_t *chosen, *recorded, *placing;
    uint32_t chosen_count, recorded_count, placing_count, chosen_cap,
        recorded_cap, placing_cap;
    uint32_t *last, last_count, last_cap; /* units that were chosen last on a
                                             node of the newest unit */
    bool last_is_hopeful;
    uint32_t tasks; /* of the entry */
    struct queue_walk served;
    uint32_t *seen_queue, queue_stamp; /* [queue] */
    uint32_t *node, node_count;        /* of the newest unit */
    struct gs_numbers vacated;  /* nodes on which earlier steps made room */
    struct solver_place *place; /* of the last trial that fitted */
    struct solver_place *spare;
    uint32_t place_count, place_cap, spare_cap;
    /* Passes over jobs or nodes are numbered, so that each meets one only once.
     */
    uint32_t trial_stamp;             /* the number of the newest pass */
    uint32_t *seen_job, seen_job_cap; /* [job] the pass that met it last */
    uint32_t *seen_node;              /* [node] the same */
    /* Of a step of the search, for so many of its tasks. */
    uint32_t step;
    int64_t asked[TOPO_DIMS_MAX];
    int64_t lacking;       /* of v->dim, that victims must leave; 0: unknown */
    int64_t given;         /* the most of it that recorded units leave */
    uint64_t missing;      /* tasks without room now; 0: unknown */
    uint64_t room, wanted; /* tasks that have room now, and those that must;
                              equal: units are not counted as taking room */
    uint64_t freed_room;   /* tasks that units of the trial have room for */
    bool moves_are_early;  /* of jobs that might move one came in this cycle */
    bool is_doubled;       /* a second trial follows some */
    uint32_t overcounted;  /* trials that were counted and perhaps not made */
    bool is_lenient;       /* these are not counted any more */
    struct gsched_early early_then; /* when that began */
    bool is_exact; /* make those of which the number is not known */
    uint8_t *keeps, *keeps_by_one; /* [i] of v->chosen[]: modules keep it */
    struct gsp_yield *yield;       /* [i] of v->chosen[], by one module */
    uint32_t keeps_cap, keeps_by_one_cap, yield_cap;
    struct part *part;           /* [queue] */
    struct node_sum *sum;        /* [node] */
    int64_t *sum_freed;          /* [node * dims + dim] */
    struct gift *gift;           /* [queue] */
    struct node_gift *node_gift; /* [node] */
    int64_t most_given;          /* total of a node */

    uint32_t *given_node, given_count; /* with gifts of the present queue */
    struct freed freed;                /* by the units of the trial */

    /* Empty nodes. */
    uint8_t *not_on;        /* [node] for `avoid` */
    int64_t next_at;        /* when a node may be emptied */
    uint64_t idle;          /* allocation_changes when that last failed */
    struct node_loss *loss; /* nodes in use, a heap */
    uint32_t loss_count, loss_cap;
};

void gsched_solver_open(struct gsched *s);
void gsched_solver_free(struct gsched *s);

/* Begin a search; with its victims where there is an entry. */
void gsched_search_begin(struct gsched *s, enum solve_goal goal,
                         const struct queue_entry *it);
/* Choose a unit for the next trial; record the victims of the last trial. */
void gsched_unit_choose(struct gsched_solver *v, uint32_t unit);
void gsched_units_record(struct gsched_solver *v);

/* Make room for the entry: evict and move victims, and place it.  False:
 * nothing changed, or it has a claim on the room of victims that have a grace
 * time.
 */
bool gsched_solve(struct gsched *s, enum solve_goal goal,
                  const struct queue_entry *it);

#ifndef NDEBUG
/* Would a search find room that makes all trials within its bounds?  For
 * asserts.
 */
bool gsched_solves_plainly(struct gsched *s, enum solve_goal goal,
                           const struct queue_entry *it);
#endif

/* --- empty nodes: free_nodes.c -------------------------------------------- */

/* Where fewer nodes are empty than module moves states, and the time has come,
 * move the jobs of one more away.  When it has; GSCHED_NEVER.
 */
void gsched_nodes_free(struct gsched *s);
int64_t gsched_nodes_free_next(const struct gsched *s);

/* --- the order of victims: victim_walk.c, victim_queue.c ------------------ */

void gsched_victims_open(struct gsched *s);
void gsched_victims_free(struct gsched_solver *v);
/* Find the first running jobs that may be victims of the search. */
void gsched_victims_begin(struct gsched *s);
/* What searches for the same goal know of the order is not used by the next. */
void gsched_victims_forget(struct gsched *s);
/* May the job be a victim of the search, as it is now? */
bool gsched_is_possible(struct gsched *s, uint32_t job);
/* Would jobs be victims that were placed in this cycle, which undoes nothing of
 * it?  Others do not go in their stead: the next cycle is due at once, unless
 * there were too many at this instant.
 */
bool gsched_search_is_put_off(const struct gsched *s);
/* What the job would still hold after its units so far, by dimension. */
void gsched_job_rest(const struct gsched *s, uint32_t job, int64_t *amount);
/* True when unit `at` exists; units are found as they are asked for. */
bool gsched_unit_exists(struct gsched *s, uint32_t at);
/* Make units of what holds GPUs on the node.  False: something may not move, or
 * nothing does.
 */
bool gsched_units_on(struct gsched *s, uint32_t node);
/* Evict the unit tentatively. */
void gsched_unit_evict(struct gsched *s, uint32_t at);
/* The next allocation of the unit after `at` (NONE: the first); NONE.  Not
 * while it is evicted.
 */
uint32_t gsched_unit_next(const struct gsched *s, uint32_t unit, uint32_t at);
/* What that allocation of the unit frees, in `room` if it is not kept. */
const int64_t *gsched_unit_frees(const struct gsched *s, uint32_t unit,
                                 uint32_t at, int64_t *room);
/* The unit of an allocation; the last unit of a job that was found; NONE. */
uint32_t gsched_unit_of(const struct gsched *s, uint32_t allocation);
uint32_t gsched_unit_last(const struct gsched *s, uint32_t job);

/* --- hope: hope.c --------------------------------------------------------- */

/* Number of tasks of group `g` among the first `tasks` of the entry. */
uint32_t gsched_tasks_of(const struct gsched *s, const struct queue_entry *it,
                         uint32_t g, uint32_t tasks);
/* What the first `tasks` tasks of the entry ask for. */
void gsched_asked_by(const struct gsched *s, uint32_t tasks, int64_t *asked);
/* Begin the search for that many tasks. */
void gsched_step_begin(struct gsched *s, uint32_t tasks);
/* Count the unit among those on its nodes. */
void gsched_unit_count(struct gsched *s, uint32_t unit);
/* Could a trial on the node of a unit fit, by the units counted there? */
bool gsched_node_is_hopeful(struct gsched *s, uint32_t node);
/* Could `tasks` tasks fit by the sums of what is free, and of the units in
 * v->chosen[]; and may as many of these go as must?
 */
bool gsched_trial_is_hopeful(struct gsched *s, uint32_t tasks);
/* Find the jobs that searches for moves may move, the same for each entry that
 * does not run.  False: they may be all.
 */
bool gsched_moves_begin(struct gsched *s, const struct queue_entry *it);
/* Would the entry have room without any of them? */
bool gsched_moves_may_help(struct gsched *s, const struct queue_entry *it);
/* Could the last trial that was hopeful fit, or must it fail or be refused?
 * Units that ask for as much as a task of the entry take its room, unless they
 * go, and modules let only some go.
 */
bool gsched_trial_may_fit(struct gsched *s);

/* --- what queues give: gifts.c -------------------------------------------- */

/* Where victims must go: do queues give enough on some node? */
bool gsched_search_is_hopeful(struct gsched *s);
/* Does the queue of the job give anything? */
bool gsched_gives_any(struct gsched *s, uint32_t job);
/* Count a unit of the job that holds `amount` as one that goes. */
void gsched_gift_add(struct gsched *s, uint32_t job, int64_t amount);
/* Where not all units can have other places, as less is free than asked for,
 * some must go: do queues give those that were counted?
 */
bool gsched_gifts_are_enough(struct gsched *s);
/* Tasks of the unit that take the room of one of the shape each, if all of it
 * is placed.
 */
uint64_t gsched_room_taken(const struct gsched *s, const struct unit *u,
                           const struct topo_request *r);
/* Are so many tasks in units of the trial that modules may let go, and do these
 * hold as much as must go?
 */
bool gsched_gifts_may_go(struct gsched *s, uint64_t tasks);

/* --- a trial: trial.c ----------------------------------------------------- */

enum trial_result {
    TRIAL_FAILED,
    TRIAL_REFUSED, /* all fits, but modules or the price refuse the victims */
    TRIAL_FITS,    /* v->place and the fates of v->chosen[] say how */
};

/* Try to place the first `tasks` tasks of the entry with the units in
 * v->chosen[] evicted; everything is undone.
 */
enum trial_result gsched_trial(struct gsched *s, uint32_t tasks);
/* Find what became of the units in v->chosen[], which are evicted: the n-th
 * eviction is that of the n-th unit (fates.c).
 */
void gsched_fates_find(struct gsched *s);
/* Leave the units that found their own places where they are, if all others
 * have their places then.
 */
void gsched_fates_settle(struct gsched *s);

/* --- its end: moves.c ----------------------------------------------------- */

/* What is lost when the unit moves, in us x thousandths (or what is counted) of
 * v->dim.
 */
double gsched_unit_loss(const struct gsched *s, const struct unit *u);
/* Carry out the last trial that fitted.  False: its victims are warned, since
 * one of them has a grace time, and its places are claimed.
 */
bool gsched_solution_carry_out(struct gsched *s);

#endif /* POLICIES_SOLVER_SOLVER_H */
