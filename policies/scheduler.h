/* policies/scheduler.h - the scheduler's door.
 *
 * A host (the simulator, or a live scheduler) makes a scheduler from a cluster,
 * a workload and a profile; tells it what happened; asks for a cycle at `now`;
 * and carries out the decisions.  The scheduler allocates on the cluster as it
 * decides; no other code does.  It reads no clock, does no I/O and allocates
 * no memory in a cycle once warm.
 *
 * Jobs are indices into the workload.  Jobs, groups and requests may be added
 * to it while the scheduler lives; jobs are removed once they are forgotten
 * (gsched_forget).  A job of a queue or priority class that was added after
 * gsched_create is refused: a new scheduler takes over (gsched_take_over), as
 * it does when nodes come and go.  Every call is refused once another resource
 * was declared.  Rules may name any label at any time.  The names of tiers are
 * labels of nodes only where topo_relabel (topology/labels.h) made the
 * topology.
 *
 * Times are microseconds, 0 to GSCHED_LAST, and never go back.
 *
 * Calls that make no sense are refused in every build, and change nothing: a
 * function of type int returns -1 (0: done), and gsched_refusal says why.
 *
 * Threads: the library has no global state and starts no thread.  One thread at
 * a time may use a scheduler and what it was made of: the cluster, the
 * workload, the string table, the topology.  Schedulers that share none of
 * these may be used by several threads at once; a profile of built-in modules
 * may be shared by all of them once it is made.
 */
#ifndef POLICIES_SCHEDULER_H
#define POLICIES_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

#include "topology/cluster.h"

#pragma GCC visibility push(default)

struct gs_err;
struct topo_mix;
struct gsched; /* opaque */
struct gsched_profile;
struct trace_workload;

/* The version of this header, and that of the library in use,
 * "MAJOR.MINOR.PATCH".  While the major version is 0, a change of the minor
 * version may break what was compiled before.
 */
#define GSCHED_VERSION_MAJOR 0
#define GSCHED_VERSION_MINOR 1
#define GSCHED_VERSION_PATCH 0
const char *gsched_version(void);

#define GSCHED_NEVER INT64_MAX
#define GSCHED_LAST (INT64_C(1) << 62)

enum gsched_kind {
    GSCHED_PLACE,  /* tasks go to a node and devices */
    GSCHED_EVICT,  /* ... give them back */
    GSCHED_RETURN, /* all of a job was evicted; it waits again */
    GSCHED_SHRINK, /* one task above its gang gives back; it runs on */
    GSCHED_REJECT, /* nothing in the cluster could ever run it */
};

/* Why something is given back. */
enum gsched_reason {
    GSCHED_TIMEOUT, /* partly placed for too long */
    GSCHED_PREEMPTED,
    GSCHED_RECLAIMED,
    GSCHED_LOST, /* with its node or GPU: a host's word, gsched_lost */
};

struct gsched_decision {
    enum gsched_kind kind;
    uint32_t job;
    uint32_t group;            /* position within the job */
    uint32_t first_task;       /* position within the group */
    struct topo_grant grant;   /* tasks, node, devices */
    int64_t placed_at;         /* when these tasks were placed, or were given
                                  these numbers; with completions: placed */
    enum gsched_reason reason; /* of GSCHED_EVICT and GSCHED_RETURN */
    uint32_t by;               /* the job it made room for; UINT32_MAX */
};

/* Why a job waits: the causes of the metric wait.by_cause. */
enum gsched_cause {
    GSCHED_NO_CAUSE,      /* it was not left waiting */
    GSCHED_QUOTA,         /* its queue's or user's limit or share */
    GSCHED_CAPACITY,      /* less is free than it asks for */
    GSCHED_FRAGMENTATION, /* enough is free, but on no set of nodes */
    GSCHED_TOPOLOGY,      /* it fits, but not within its tier */
    GSCHED_CONSTRAINT,    /* no node has the model, labels, size; or rules
                             about other jobs refuse all that it fits on */
    GSCHED_HOARDING,      /* partly placed jobs hold what it lacks */
    GSCHED_ORDER,         /* a job ahead of it goes first */
    GSCHED_LATENCY,       /* no cycle yet, or its tasks do not exist yet */
    GSCHED_CAUSES
};

/* `c`, `w` and `p` outlive the scheduler.  `seed` feeds the modules that use
 * chance.  NULL on failure: a parameter is out of range, a tier or resource
 * is unknown, or workload and topology do not share names and resources.
 */
struct gsched *gsched_create(struct topo_cluster *c,
                             const struct trace_workload *w,
                             const struct gsched_profile *p, uint64_t seed,
                             struct gs_err *err);
/* At any time, whatever runs or waits; NULL is fine.  What jobs hold stays
 * allocated in the cluster.
 */
void gsched_destroy(struct gsched *s);

/* Why the last call that was refused was; NULL: none was. */
const char *gsched_refusal(const struct gsched *s);

/* The task mix by which fragmentation is measured (topology/task_mix.h), before
 * the first cycle; it must outlive the scheduler.  Otherwise it is the
 * workload's, as it is when a module first asks.
 */
int gsched_mix_set(struct gsched *s, struct topo_mix *mix);
/* Does a module look at the rarest of its kinds, too? */
bool gsched_wants_whole_mix(const struct gsched *s);

/* Job `job` is there, with its first `created` tasks, at most all.  Refused:
 * a job that is not in the workload, was submitted before, is over, or does not
 * add up (groups, replicas, minimum, gang, request, rules).
 */
int gsched_submit(struct gsched *s, uint32_t job, uint32_t created,
                  int64_t now);
/* `created` of its tasks exist now; more than before, at most all. */
int gsched_tasks_created(struct gsched *s, uint32_t job, uint32_t created,
                         int64_t now);
/* An allocation of tasks of the job, which runs, ended while the job goes on:
 * `at` is that of gsched_next_allocation.  It gives back what it holds, the
 * numbers of the group's later tasks move up, and `created` of the job's tasks
 * exist from now on: as many as before when others take their place, and fewer
 * by at most the tasks that ended.  It goes on, and does not wait, even when it
 * holds nothing for a while.  Refused: a job of several groups or with a gang
 * above 1, an allocation that is not the job's.
 */
int gsched_task_ended(struct gsched *s, uint32_t job, uint32_t at,
                      uint32_t created, int64_t now);
/* The job is over, well or not: it gives back all that it holds.  Refused: a
 * job that was not submitted, or is over, as after GSCHED_REJECT.
 */
int gsched_end(struct gsched *s, uint32_t job, int64_t now);

/* The job, which is over, will not be asked about any more.  0: its number may
 * be another job's from now on, which is added by trace_workload_add after
 * trace_workload_remove, and submitted as new; so memory follows the jobs that
 * are alive.  1: the number stays, since others that ask for the same are
 * compared with it: one job of each kind of request.  What gsched_waits tells
 * of other jobs that are over ends here.
 */
int gsched_forget(struct gsched *s, uint32_t job);

/* The job goes on as job `by` of the workload, which was added for it: of
 * another priority, queue, size.  `by` is submitted with its first `created`
 * tasks, keeps the place of `job` among its equals, and what `job` holds with
 * the time since when; `job` is over.  What is above its gang or group is asked
 * for or lost by itself (gsched_lost_part) before.  Its waits and its estimate
 * begin anew.  Refused: `job` holds tasks that ask for something else, or more
 * of them than `by` has.
 */
int gsched_replace(struct gsched *s, uint32_t job, uint32_t by,
                   uint32_t created, int64_t now);

/* All jobs of `from` that are not over go on in `to`, a new scheduler that was
 * made for the same workload, with the queues and priority classes that it has
 * now, and for a cluster of its own, whose nodes may be others: node i of
 * `from` is node[i] of `to`, UINT32_MAX where it is gone (`node` NULL: i).
 * Each keeps its place, its waits, its estimate and what it holds, with the
 * time since when.  A job on a node that is gone, or has not what it holds,
 * gives back all and waits in its place (gsched_placed is 0).  Nodes are
 * cordoned and GPUs failed in `to` before.  Kept plans, and how long gangs hold
 * too little, start anew.  Then `from` is of no use but to be destroyed.
 * Refused: jobs were submitted to `to` already, a job's queue is unknown to it.
 */
int gsched_take_over(struct gsched *to, struct gsched *from,
                     const uint32_t *node, int64_t now);

/* --- nodes ---------------------------------------------------------------- */

/* Nodes are the topology's, and all there until the host says otherwise,
 * between cycles.  A job that no node could ever serve is rejected; one that
 * only nodes could serve which are closed waits, by cause constraint or
 * capacity.  Shares of the cluster, such as those of DRF, are shares of all its
 * nodes.
 */

/* The node takes no more tasks; those that stand there stay until their jobs
 * end, are evicted or lost.  A reservation that needs the node is made anew.
 */
int gsched_node_cordoned(struct gsched *s, uint32_t node, int64_t now);
int gsched_node_uncordoned(struct gsched *s, uint32_t node, int64_t now);
/* A GPU failed, of which no job holds any part (else refused: end or lose the
 * jobs on it first); or it was repaired. Saying so twice is fine.
 */
int gsched_gpu_failed(struct gsched *s, uint32_t node, uint32_t device,
                      int64_t now);
int gsched_gpu_repaired(struct gsched *s, uint32_t node, uint32_t device,
                        int64_t now);

/* The job lost what it holds, running or partly placed: it gives all of it
 * back, and waits again, in the place that the profile says (requeue).
 * Refused: it holds nothing.
 */
int gsched_lost(struct gsched *s, uint32_t job, int64_t now);
/* Would the job, which runs, still have its gang, and each group its minimum,
 * without what it holds of these devices of the node (0: of the node)?  Then it
 * may lose that alone: the numbers of its other tasks move up.  Losing what it
 * cannot spare, or does not hold, is refused.
 */
bool gsched_can_spare(const struct gsched *s, uint32_t job, uint32_t node,
                      uint64_t devices);
int gsched_lost_part(struct gsched *s, uint32_t job, uint32_t node,
                     uint64_t devices, int64_t now);

/* Is it on any of these devices of the node (0: on the node)? */
static inline bool gsched_stands_on(const struct topo_grant *g, uint32_t node,
                                    uint64_t devices)
{
    return g->node == node && (devices == 0 || (g->devices & devices));
}

/* Allocations are kept by node from now on, for gsched_next_on: before anything
 * is placed.
 */
int gsched_follow_nodes(struct gsched *s);

/* Decide.  The decisions, `*count` of them, stand until the next cycle.  NULL,
 * and *count 0, when the call is refused.
 */
const struct gsched_decision *gsched_cycle(struct gsched *s, int64_t now,
                                           uint32_t *count);

/* A cycle stops after `most` decisions, at least 1, and those that belong to
 * the last of them (all of a gang, an eviction and what follows);
 * gsched_next_wake is then at once, and the next cycle goes on.  UINT32_MAX, as
 * at first: it decides all that there is to decide.  Rejections are not held
 * back.
 */
int gsched_limit_decisions(struct gsched *s, uint32_t most);

/* When a cycle is due even if nothing happens (a gang timeout, a planned
 * start), or GSCHED_NEVER.
 */
int64_t gsched_next_wake(const struct gsched *s);

/* A job that a host knows to run already, as after a restart of the host:
 * submitted before, it holds `g` from now on, which must be free, and was
 * placed there at `since`, at most `now`.  Once its gang is complete it runs,
 * since the latest of these times; its estimate counts from there, so tell
 * gsched_estimate of it afterwards.  The tasks of a group are adopted in order,
 * each once; the node may be cordoned.  Refused: tasks that do not exist, a
 * device that is taken, failed or not there, more than the node has left.  A
 * gang that is adopted in part waits for the rest, with conservative
 * reservations after all others: gsched_lost lets it start anew.  After a
 * restart all jobs are submitted first, in order of their submission, since
 * time does not go back; adopting in the order of starts is quickest.
 */
int gsched_adopt(struct gsched *s, uint32_t job, uint32_t group,
                 uint32_t first_task, const struct topo_grant *g, int64_t since,
                 int64_t now);

/* The host could not carry out the decision `d`, of GSCHED_PLACE: the tasks do
 * not run there.  Tasks above the gang are free again, those after them in
 * their group move up; else the job gives back all that it holds.  It waits
 * again in the place that it had.  Cordon the node first, or say which GPU
 * failed after it: else the next cycle may decide the same.  Refused: the job
 * does not hold the tasks any more.  An eviction that could not be carried out
 * is adopted again (gsched_adopt), once what was placed there is given back.
 */
int gsched_give_back(struct gsched *s, const struct gsched_decision *d,
                     int64_t now);

/* Of the job's run time `us` are still to come, as far as is known: less
 * than its estimate once work is saved.  Not below 0; the job may wait or run.
 */
int gsched_estimate(struct gsched *s, uint32_t job, int64_t us);

/* Time in us that the job waited because of each cause (enum gsched_cause),
 * from its submission until `now` or its end: before it first ran, and after
 * each eviction.  They add up to all the time in which it did not run, by the
 * scheduler's decisions.  Valid until the next call of the scheduler; of a job
 * that is over (ended, rejected) until the next cycle, then NULL, as
 * of one that was never submitted.
 */
const int64_t *gsched_waits(struct gsched *s, uint32_t job, int64_t now);

/* The modules that may hold a job back for its queue or the load (they have
 * overused(), allocatable() or enqueue()), by number from 0, and their names;
 * only the first GSCHED_GATES of a profile are told apart.
 */
#define GSCHED_GATES 8
uint32_t gsched_gates(const struct gsched *s);
const char *gsched_gate(const struct gsched *s, uint32_t gate);

/* Of the time that gsched_waits tells for GSCHED_QUOTA, what each gate refused
 * [gsched_gates], in us: the first module that refuses is counted.  Valid, and
 * NULL, as there.
 */
const int64_t *gsched_refused(struct gsched *s, uint32_t job, int64_t now);

/* What the queue's jobs, and those of the queues below it, hold, and hold or
 * ask for, by dimension; NULL: there was no such queue at creation.
 */
const int64_t *gsched_queue_used(const struct gsched *s, uint32_t queue);
const int64_t *gsched_queue_asked(const struct gsched *s, uint32_t queue);

/* When a blocked job has been promised to start at the latest, if no estimate
 * is exceeded, nothing goes before it and no rule about other jobs is in its
 * way; GSCHED_NEVER without a reservation.
 */
int64_t gsched_promised(const struct gsched *s, uint32_t job);

/* Why no cycle will ever place the job, which was submitted: an empty cluster
 * could not hold its gang.  GSCHED_NO_CAUSE: it could.
 */
enum gsched_cause gsched_never(struct gsched *s, uint32_t job);

/* Why the job was last left waiting; GSCHED_NO_CAUSE of one not known. */
enum gsched_cause gsched_wait_cause(const struct gsched *s, uint32_t job);

/* Tasks of the job that are placed now; 0 of one that is not known. */
uint32_t gsched_placed(const struct gsched *s, uint32_t job);

/* What the job holds, allocation by allocation, the latest first: start with
 * *at of GSCHED_FIRST; false after the last, and of a job that is not known.
 * As decisions of kind GSCHED_PLACE.  Begin anew when something changed
 * between.
 */
#define GSCHED_FIRST UINT32_MAX
bool gsched_next_allocation(const struct gsched *s, uint32_t job, uint32_t *at,
                            struct gsched_decision *out);

/* Nodes of the type (a string id) that jobs that wait for room could fill, up
 * to `most`; without jobs that need more than that and all open nodes of other
 * types, and without jobs that wait for their quota.
 */
uint32_t gsched_nodes_wanted(struct gsched *s, uint32_t type, uint32_t most);

/* What stands on a node, allocation by allocation, likewise; after
 * gsched_follow_nodes.
 */
bool gsched_next_on(const struct gsched *s, uint32_t node, uint32_t *at,
                    struct gsched_decision *out);

/* Number of jobs with nothing placed, or less than their gang. */
uint32_t gsched_waiting(const struct gsched *s);

/* Does fragmentation keep the job that is first in its queue, or first of all
 * when no module tells queues apart?
 */
bool gsched_is_blocked(struct gsched *s);

/* Could one more of these tasks be placed right now? */
bool gsched_could_place(struct gsched *s, uint32_t shape);

#pragma GCC visibility pop

#endif /* POLICIES_SCHEDULER_H */
