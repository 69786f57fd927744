/* policies/scheduler.h - the public interface of the scheduler.
 *
 * A host (the simulator, or a live scheduler) creates a scheduler from a
 * cluster, a workload and a profile, reports events to it, calls gsched_cycle()
 * and carries out the decisions.  Only the scheduler allocates on the cluster,
 * when it decides.  It reads no clock, does no I/O and, once warm, allocates no
 * memory in a cycle.
 *
 * Jobs are indices into the workload.  Jobs, groups and requests may be added
 * to the workload while the scheduler lives; a job may be removed once it is
 * forgotten (gsched_forget).  A job whose queue or priority class was added
 * after gsched_create() is refused: a new scheduler must take over
 * (gsched_take_over), as when nodes are added or removed.  Once another
 * resource is declared, all calls are refused.  Rules may name any label at any
 * time.  The names of tiers are labels of nodes only if topo_relabel
 * (topology/labels.h) made the topology.
 *
 * Times are microseconds, 0 to GSCHED_LAST, and never decrease.
 *
 * Invalid calls are refused in every build and change nothing: a function of
 * type int returns -1 (0: done), and gsched_refusal() says why.
 *
 * Threads: the library has no global state and starts no thread.  One thread at
 * a time may use a scheduler and the objects that it was created from: the
 * cluster, the workload, the string table, the topology.  Schedulers that share
 * none of these may run in several threads at once; they may share a profile of
 * built-in modules once it is complete.
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

/* The version of this header; and the version of the library at run time,
 * "MAJOR.MINOR.PATCH".  While the major version is 0, a new minor version may
 * be incompatible.
 */
#define GSCHED_VERSION_MAJOR 0
#define GSCHED_VERSION_MINOR 1
#define GSCHED_VERSION_PATCH 0
const char *gsched_version(void);

#define GSCHED_NEVER INT64_MAX
#define GSCHED_LAST (INT64_C(1) << 62)

enum gsched_kind {
    GSCHED_PLACE,  /* tasks are placed on a node and its devices */
    GSCHED_EVICT,  /* tasks are evicted and release them */
    GSCHED_RETURN, /* the whole job was evicted; it is pending again */
    GSCHED_SHRINK, /* tasks are evicted alone: above the gang of a job, which
                      runs on, or of a job that has not its gang; the next
                      tasks of the group get their numbers */
    GSCHED_REJECT, /* nothing in the cluster could ever run it; or
                      GSCHED_GAVE_UP: it did not run in time, too often; or
                      GSCHED_FAILED_LATE */
    GSCHED_WARN,   /* a job, or tasks of it (grant), will be evicted at
                      `leaves_at`, its grace time: it goes on until then, unless
                      it ends before, and holds what it holds */
};

/* Reasons for an eviction. */
enum gsched_reason {
    GSCHED_TIMEOUT, /* partially allocated for too long */
    GSCHED_PREEMPTED,
    GSCHED_RECLAIMED,
    GSCHED_LOST,      /* its node or GPU failed, see gsched_lost */
    GSCHED_MOVED,     /* a module wants it elsewhere, or off its node (action
                     shuffle) */
    GSCHED_RELOCATED, /* it is placed elsewhere, to make room: in the same
                         cycle, unless a victim has a grace time */
    /* Action admit: its queue borrows quota; and so does that of the other job;
     * its queue has a larger share.
     */
    GSCHED_RECLAIMED_BORROWING,
    GSCHED_RECLAIMED_SHARE,
    GSCHED_GAVE_UP,     /* of GSCHED_REJECT: action admit, `attempts` of module
                       quota */
    GSCHED_FAILED_LATE, /* of GSCHED_REJECT: its gang, of style hard, was not
                           complete in time */
};

struct gsched_decision {
    enum gsched_kind kind;
    uint32_t job;
    uint32_t group;            /* position within the job */
    uint32_t first_task;       /* position within the group */
    struct topo_grant grant;   /* tasks, node, devices */
    int64_t placed_at;         /* when these tasks were placed or got these
                                  numbers; with completions: when they were
                                  placed */
    enum gsched_reason reason; /* of GSCHED_EVICT and GSCHED_RETURN */
    uint32_t by;               /* the job that needed the room; UINT32_MAX:
                                  none */
    int64_t leaves_at;         /* of GSCHED_WARN */
    bool breaks;               /* of an eviction: it exceeds a disruption
                                  budget of the workload */
};

/* Why a job waits: the causes of the metric wait.by_cause. */
enum gsched_cause {
    GSCHED_NO_CAUSE,      /* it was not left pending */
    GSCHED_QUOTA,         /* its queue's or user's limit or share */
    GSCHED_CAPACITY,      /* less is free than it asks for */
    GSCHED_FRAGMENTATION, /* enough is free in sum, but not on suitable nodes */
    GSCHED_TOPOLOGY,      /* it fits, but not within its tier */
    GSCHED_CONSTRAINT,    /* no node has the model, labels or size; or rules
                             about other jobs refuse every node on which it
                             fits */
    GSCHED_HOARDING,      /* partially allocated jobs hold what it lacks */
    GSCHED_ORDER,         /* a job ahead of it is served first */
    GSCHED_LATENCY,       /* no cycle yet, or its tasks do not exist yet */
    GSCHED_CAUSES
};

/* Create a scheduler.  `c`, `w` and `p` must outlive it.  `seed` is for modules
 * that use random numbers.  NULL on failure: a parameter is out of range, a
 * tier or resource is unknown, or workload and topology do not share names and
 * resources.
 */
struct gsched *gsched_create(struct topo_cluster *c,
                             const struct trace_workload *w,
                             const struct gsched_profile *p, uint64_t seed,
                             struct gs_err *err);
/* Allowed at any time; NULL is fine.  Allocations of jobs stay in the cluster.
 */
void gsched_destroy(struct gsched *s);

/* Why the last refused call was refused; NULL: no call was. */
const char *gsched_refusal(const struct gsched *s);

/* Set the task mix for fragmentation (topology/task_mix.h), before the first
 * cycle; it must outlive the scheduler.  Without this call the mix is that of
 * the workload at the time when a module first needs it.
 */
int gsched_mix_set(struct gsched *s, struct topo_mix *mix);
/* True when a module needs all kinds of tasks in the mix, the rarest too. */
bool gsched_wants_whole_mix(const struct gsched *s);
/* True when a module wants that the host creates the tasks of a job only while
 * its quotas have room for its whole gang.
 */
bool gsched_wants_whole_gangs(const struct gsched *s);

/* Submit job `job` with its first `created` tasks, at most all.  Refused: a job
 * that is not in the workload, was submitted before, is over, or is
 * inconsistent (groups, replicas, minimum, gang, request, rules).
 */
int gsched_submit(struct gsched *s, uint32_t job, uint32_t created,
                  int64_t now);
/* The number of created tasks of the job is now `created`: more than before, at
 * most all.
 */
int gsched_tasks_created(struct gsched *s, uint32_t job, uint32_t created,
                         int64_t now);
/* An allocation of a running job ended while the job goes on; `at` is from
 * gsched_next_allocation().  The allocation is released, later tasks of the
 * group move down to its numbers, and `created` tasks of the job exist from now
 * on: as many as before when others replace them, or fewer by at most the tasks
 * that ended.  The job stays running, even when it holds nothing for a while.
 * Refused: a job of several groups or with a gang above 1, an allocation of
 * another job.
 */
int gsched_task_ended(struct gsched *s, uint32_t job, uint32_t at,
                      uint32_t created, int64_t now);
/* The job is over, completed or failed: all its allocations are released.
 * Refused: a job that was not submitted, or is over, as after GSCHED_REJECT.
 */
int gsched_end(struct gsched *s, uint32_t job, int64_t now);
/* A hint without any other effect than on time: the job may end soon.  Fetches
 * memory that gsched_end() reads, in steps 0 to 2, each best a microsecond
 * after the one before.
 */
void gsched_expect_end(const struct gsched *s, uint32_t job, uint32_t step);

/* Forget a job that is over, or one of another scheduler that holds nothing.
 * Returns 0: its number may be reused for another
 * job, which is added by trace_workload_add() after trace_workload_remove() and
 * submitted as new, so memory is bounded by the jobs alive.  Returns 1: the
 * number stays in use, since jobs with the same request are compared with this
 * one (one job for each request class).  After this call gsched_waits() is no
 * longer valid for other jobs that are over.
 */
int gsched_forget(struct gsched *s, uint32_t job);

/* Replace a job by job `by` of the workload, which was added for it with
 * another priority, queue or size.  `by` is submitted with its first `created`
 * tasks, takes the place of `job` in the queue order, and gets its allocations
 * with their start times; `job` is over.  Tasks above the gang or group must be
 * created or lost (gsched_lost_part) separately, before.  Wait times and the
 * estimate start anew.  Refused: `job` holds tasks with another request, or
 * more of them than `by` has.
 */
int gsched_replace(struct gsched *s, uint32_t job, uint32_t by,
                   uint32_t created, int64_t now);

/* Move all jobs of `from` that are not over to `to`.  `to` is a new scheduler
 * for the same workload, with the queues and priority classes that it has now,
 * and for its own cluster, which may have other nodes: node i of `from` is
 * node[i] of `to`, UINT32_MAX where it was removed (`node` NULL: i).
 *
 * Each job keeps its place, its waits, its estimate and its allocations with
 * their start times; tell `to` afterwards what other
 * schedulers took (gsched_taken).  A job on a removed node, or on a node that
 * lacks what it holds, releases everything and waits in its place
 * (gsched_placed is 0).  Cordon nodes and fail GPUs in `to` before.  Plans,
 * pauses (module retry), grace times and the hold times of partially allocated
 * jobs start anew.  `from` can only be destroyed afterwards.
 *
 * Refused: `to` has jobs already, or does not know the queue of a job.
 */
int gsched_take_over(struct gsched *to, struct gsched *from,
                     const uint32_t *node, int64_t now);

/* --- nodes ---------------------------------------------------------------- */

/* All nodes of the topology are available until the host reports otherwise,
 * between cycles.  A job that no node could ever run is rejected; a job that
 * only closed nodes could run waits, with cause constraint or capacity.  Shares
 * of the cluster, such as those of DRF, are of all its nodes.
 */

/* The node accepts no more tasks; tasks on it stay until their jobs end, are
 * evicted or lost.  A reservation that needs the node is made anew.
 */
int gsched_node_cordoned(struct gsched *s, uint32_t node, int64_t now);
int gsched_node_uncordoned(struct gsched *s, uint32_t node, int64_t now);
/* A GPU failed or was repaired.  Refused for a failure while a job holds part
 * of the GPU: end or lose these jobs first.  Repeating a call is fine.
 */
int gsched_gpu_failed(struct gsched *s, uint32_t node, uint32_t device,
                      int64_t now);
int gsched_gpu_repaired(struct gsched *s, uint32_t node, uint32_t device,
                        int64_t now);

/* The job lost all its allocations, running or partially allocated: it waits
 * again, in the place that the profile states (requeue).  Refused: it holds
 * nothing.
 */
int gsched_lost(struct gsched *s, uint32_t job, int64_t now);
/* gsched_can_spare: would a running job still have its gang, and each group its
 * minimum, without its allocations on these devices of the node (0: on the
 * node)?  Then gsched_lost_part() removes only these; later tasks move down to
 * their numbers.  Refused: allocations that the job cannot spare or does not
 * have.
 */
bool gsched_can_spare(const struct gsched *s, uint32_t job, uint32_t node,
                      uint64_t devices);
int gsched_lost_part(struct gsched *s, uint32_t job, uint32_t node,
                     uint64_t devices, int64_t now);

/* True when `g` is on any of these devices of the node (0: on the node). */
static inline bool gsched_stands_on(const struct topo_grant *g, uint32_t node,
                                    uint64_t devices)
{
    return g->node == node && (devices == 0 || (g->devices & devices));
}

/* From now on allocations are indexed by node, for gsched_next_on().  Call it
 * before anything is placed.
 */
int gsched_follow_nodes(struct gsched *s);

/* Run a cycle.  Returns its `*count` decisions, valid until the next cycle;
 * NULL, with *count 0, when the call is refused.
 */
const struct gsched_decision *gsched_cycle(struct gsched *s, int64_t now,
                                           uint32_t *count);

/* Instead of a cycle, where another decides: only set why jobs wait. */
int gsched_look(struct gsched *s, int64_t now);

/* Let the next cycle make all passes of the profile that are due at intervals
 * (modules passes and backfill of mode windowed), whatever their clocks say;
 * and the longest time for which a job may wait for such a pass, in us: 0
 * without them.
 */
int gsched_passes_hurry(struct gsched *s);
int64_t gsched_passes_interval(const struct gsched *s);

/* Stop a cycle after `most` decisions, at least 1, and those that belong to the
 * last of them (the rest of a gang, an eviction and its placement).  Then
 * gsched_next_wake() is at once and the next cycle continues.  UINT32_MAX, the
 * default: no limit.  Rejections do not count.
 */
int gsched_limit_decisions(struct gsched *s, uint32_t most);

/* The time at which a cycle is due even without events (a gang timeout, a
 * planned start, the end of a grace time, the estimated end of a job that runs
 * for longer), or GSCHED_NEVER.
 */
int64_t gsched_next_wake(const struct gsched *s);

/* Adopt running tasks, for example after a restart of the host.  The job,
 * submitted before, holds `g` from now on, which must be free and was placed at
 * `since`, at most `now`; below 0, but above -GSCHED_LAST, when that was before
 * time 0.  It runs once its gang is complete, since the latest
 * of these times; its estimate counts from there, so call gsched_estimate()
 * afterwards.  Each task is adopted once; the node
 * may be cordoned.  Refused: tasks that do not exist, a device that is taken,
 * failed or does not exist, more than the node has free.
 *
 * A gang that is adopted in part waits for the rest, with conservative
 * reservations after all others: gsched_lost() lets it start anew.  After a
 * restart, submit all jobs first, in order of submission, since time must not
 * decrease; adopting in order of starts is fastest.
 */
int gsched_adopt(struct gsched *s, uint32_t job, uint32_t group,
                 uint32_t first_task, const struct topo_grant *g, int64_t since,
                 int64_t now);

/* The host could not carry out the decision `d`, of GSCHED_PLACE: the tasks do
 * not run.  Tasks above the gang are released; otherwise the job releases
 * everything.  It waits again in its former place.  Cordon the node before, or
 * report the failed GPU afterwards: else the next cycle may decide the same.
 * Refused: the job does not hold the tasks any more.  An eviction that could
 * not be carried out is adopted again (gsched_adopt), after the tasks that were
 * placed there are given back.
 */
int gsched_give_back(struct gsched *s, const struct gsched_decision *d,
                     int64_t now);

/* Their nodes gave the tasks of decision d[i], of GSCHED_PLACE, the devices of
 * g[i] instead of those that were decided, as a kubelet may.  Refused: another
 * node or number of tasks, devices that are not free.
 */
int gsched_devices_chosen(struct gsched *s, const struct gsched_decision *d,
                          const struct topo_grant *g, uint32_t count,
                          int64_t now);

/* True when the job was ended, or rejected by a decision that is perhaps still
 * to be carried out.
 */
bool gsched_is_over(const struct gsched *s, uint32_t job);

/* Set the remaining run time of the job to `us`, as far as known: less than its
 * estimate after work was saved.  At least 0; the job may be pending or
 * running.
 */
int gsched_estimate(struct gsched *s, uint32_t job, int64_t us);

/* Time in us that the job waited, by cause (enum gsched_cause), from its
 * submission until `now` or its end: before its first start, and after each
 * eviction.  The sum is all time in which it did not run, by the scheduler's
 * decisions.  Valid until the next call of the scheduler; for a job that is
 * over (ended, rejected) until the next cycle, then NULL, as for a job that was
 * never submitted.
 */
const int64_t *gsched_waits(struct gsched *s, uint32_t job, int64_t now);

/* The modules that may refuse a job because of its queue or the load (those
 * with overused(), allocatable() or enqueue()), numbered from 0, and their
 * names, or those of the limits that they found so far; only the first
 * GSCHED_GATES of a profile are distinguished.
 */
#define GSCHED_GATES 16
uint32_t gsched_gates(const struct gsched *s);
const char *gsched_gate(const struct gsched *s, uint32_t gate);

/* The time of GSCHED_QUOTA in gsched_waits(), by refusing module
 * [gsched_gates], in us; the first module that refuses is counted.  Valid, and
 * NULL, as there.
 */
const int64_t *gsched_refused(struct gsched *s, uint32_t job, int64_t now);

/* GPU thousandths that the gangs of waiting jobs lack, by the cause for which
 * they wait [GSCHED_CAUSES].  Jobs of one kind are suited by nodes of the same
 * classes; kind 0, of which also further jobs are, by all.  NULL: no such kind.
 */
const int64_t *gsched_lacked(const struct gsched *s, uint32_t kind);
/* The first class of the topology, from `klass` on, of which nodes suit the
 * kind; UINT32_MAX: none.
 */
uint32_t gsched_lack_next(const struct gsched *s, uint32_t kind,
                          uint32_t klass);

#define GSCHED_FIRST UINT32_MAX

/* What the jobs of the queue and of the queues below it hold; and hold or ask
 * for; by dimension.  NULL: the queue did not exist at creation.
 */
const int64_t *gsched_queue_used(const struct gsched *s, uint32_t queue);
const int64_t *gsched_queue_asked(const struct gsched *s, uint32_t queue);

/* The queues of which these amounts changed since gsched_usage_changes() was
 * `since`, the last one first: the one after `after`; GSCHED_FIRST begins, and
 * ends.
 */
uint64_t gsched_usage_changes(const struct gsched *s);
uint32_t gsched_queue_changed(const struct gsched *s, uint64_t since,
                              uint32_t after);

/* The reserved start of a blocked job at the latest, if no estimate is
 * exceeded, no job is served before it and no rule about other jobs prevents
 * it; GSCHED_NEVER without a reservation.
 */
int64_t gsched_promised(const struct gsched *s, uint32_t job);

/* Why no cycle will ever place the submitted job: its gang does not fit an
 * empty cluster.  GSCHED_NO_CAUSE: it fits.
 */
enum gsched_cause gsched_never(struct gsched *s, uint32_t job);

/* The last wait reason of the job; GSCHED_NO_CAUSE for an unknown job. */
enum gsched_cause gsched_wait_cause(const struct gsched *s, uint32_t job);

/* --- decisions shown ------------------------------------------------------ */

/* The module, or limit, that refuses the job, as far as it waits because of
 * GSCHED_QUOTA; NULL: none does, or it is not known.
 */
const char *gsched_wait_refuser(const struct gsched *s, uint32_t job);

/* What a job lacked of a quota. */
struct gsched_lack {
    uint32_t queue, dim;
    uint32_t flavor; /* of the workload; UINT32_MAX: amounts without one */
    bool suits;      /* a flavor of the queue suits it; else none has quota */
    bool held; /* nothing: it waits until all jobs run that were admitted */
    int64_t asked, left; /* `left` to the queue, with what others lend */
    int64_t own;         /* of these its own */
};

/* With action admit: what the job lacks, or lacked when it waited for quota at
 * last; false: nothing, or it is not known.
 */
bool gsched_quota_lack(const struct gsched *s, uint32_t job,
                       struct gsched_lack *out);

/* The modules of the profile, in order. */
uint32_t gsched_module_count(const struct gsched *s);
const char *gsched_module_name(const struct gsched *s, uint32_t module);

/* A node for one more task of a job. */
struct gsched_judged {
    const char *refused; /* the module that refuses it; or "hardware", "room",
                            "closed", "reserved"; NULL: nothing does */
    int64_t score;       /* millionths of a point */
};

/* Ask all modules about all nodes, for one more task of the job's group, now,
 * between cycles: out[node], and points[node * gsched_module_count() + module],
 * the parts of its score.  A gang is placed by more than that: its scope, and
 * the points of domains, are left out.
 */
int gsched_judge(struct gsched *s, uint32_t job, uint32_t group,
                 struct gsched_judged *out, int64_t *points);

/* < 0: of two jobs that are not over, `a` is served before `b`, by *module;
 * *module NULL: by the order of submission.
 */
int gsched_order_of(const struct gsched *s, uint32_t a, uint32_t b,
                    const char **module);

/* When the running job ends by its estimate; GSCHED_NEVER: it does not run, or
 * has no end.
 */
int64_t gsched_expected_end(const struct gsched *s, uint32_t job);

/* The cluster that it was created from. */
const struct topo_cluster *gsched_cluster(const struct gsched *s);

/* Number of placed tasks of the job; 0 for an unknown job. */
uint32_t gsched_placed(const struct gsched *s, uint32_t job);

/* The allocations of the job, the latest first, as decisions of kind
 * GSCHED_PLACE.  Start with *at of GSCHED_FIRST.  False after the last, and for
 * an unknown job.  Start again when anything changed in between.
 */
bool gsched_next_allocation(const struct gsched *s, uint32_t job, uint32_t *at,
                            struct gsched_decision *out);

/* How many more nodes of the type (a string id) the pending jobs could fill, at
 * most `most`.  Not counted: jobs that need more than `most` such nodes and all
 * open nodes of other types, and jobs that wait for quota.
 */
uint32_t gsched_nodes_wanted(struct gsched *s, uint32_t type, uint32_t most);

/* The allocations on a node, in the same way, without those of other
 * schedulers; requires gsched_follow_nodes().
 */
bool gsched_next_on(const struct gsched *s, uint32_t node, uint32_t *at,
                    struct gsched_decision *out);

/* Number of jobs with no task placed, or fewer than the gang. */
uint32_t gsched_waiting(const struct gsched *s);

/* True when fragmentation blocks the first job of some queue, or the first job
 * of all when no module distinguishes queues.
 */
bool gsched_is_blocked(struct gsched *s);

/* True when one more task of the shape could be placed now. */
bool gsched_could_place(struct gsched *s, uint32_t shape);

/* --- other schedulers of the cluster -------------------------------------- */

/* Tasks of a job of the workload that another scheduler serves, and that was
 * not submitted to this one, took `g`, all of which must be free here: give
 * back decisions that hold it before.  The capacity is used until
 * gsched_released(), at a time that reservations do not know; rules about other
 * jobs see the tasks; they are in no queue, and no victims.
 */
int gsched_taken(struct gsched *s, uint32_t job, uint32_t group,
                 const struct topo_grant *g, int64_t now);
/* Tasks that gsched_taken() recorded with the same grant are gone. */
int gsched_released(struct gsched *s, uint32_t job, uint32_t group,
                    const struct topo_grant *g, int64_t now);

#pragma GCC visibility pop

#endif /* POLICIES_SCHEDULER_H */
