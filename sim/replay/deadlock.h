/* sim/replay/deadlock.h - detection of deadlocks among partially allocated
 * jobs.
 *
 * The banker's reduction, on the actual placement constraints: release what
 * running jobs with an end hold; then let any partially allocated job that can
 * complete its gang finish and release, until none can.  The remaining jobs can
 * never complete by waiting.  Such a job is deadlocked once it is also stuck:
 * not even its next task can be placed.
 *
 * Nodes that return, GPUs that are repaired, nodes that an autoscaler may add
 * and withdrawals help, since with them a job can complete with what it holds.
 * A gang timeout does not: it ends the deadlock by evicting a job.
 */
#ifndef SIM_REPLAY_DEADLOCK_H
#define SIM_REPLAY_DEADLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct deadlock; /* opaque */
struct gsched;
struct topo;
struct topo_cluster;
struct trace_workload;

/* `scheduler` answers, with `ctx`, which scheduler serves a job. */
typedef struct gsched *deadlock_scheduler_fn(const void *ctx, uint32_t job);
struct deadlock *deadlock_create(const struct topo *t,
                                 const struct trace_workload *w,
                                 deadlock_scheduler_fn *scheduler,
                                 const void *ctx,
                                 const struct topo_cluster *real);
void deadlock_destroy(struct deadlock *d); /* NULL is fine */

/* Add a job that is partially allocated or a service: what it holds is not
 * released by waiting alone.  The job must not be in the set; drop jobs that
 * released resources first.
 */
void deadlock_hold(struct deadlock *d, uint32_t job, bool is_partly);
/* Remove the job: it completed its gang, ended or was evicted. */
void deadlock_drop(struct deadlock *d, uint32_t job);

/* A node of the real cluster was cordoned or uncordoned, one of its GPUs failed
 * or was repaired, or it became known whether such a state will end.  Call it
 * after jobs that lost allocations were dropped, and after jobs were added.  A
 * node that will return counts as present, a GPU as repaired: `returns` answers
 * for a cordoned node (device SIM_WHOLE) and for a failed device.
 */
void deadlock_node(struct deadlock *d, uint32_t node);
typedef bool deadlock_returns_fn(const void *ctx, uint32_t node,
                                 uint32_t device);
void deadlock_follow(struct deadlock *d, deadlock_returns_fn *returns,
                     const void *ctx);

/* The deadlocked jobs, ascending.  Valid until the next call. */
const uint32_t *deadlock_find(struct deadlock *d, uint32_t *count);

#endif /* SIM_REPLAY_DEADLOCK_H */
