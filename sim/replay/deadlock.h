/* sim/replay/deadlock.h - can waiting ever help the jobs that are partly placed?
 *
 * Let every running job that has an end give back what it holds; then let any
 * partly placed job that could now complete its gang finish and give back,
 * until none can (the banker's reduction, on the actual placement
 * constraints).  What is left will never complete.  Such a job is deadlocked
 * from the moment when it is also stuck: not even its next task can be
 * placed.
 *
 * Nodes that come back, GPUs that are repaired, nodes that an autoscaler may
 * bring and withdrawals help, since a job can complete with what it holds.  A
 * gang timeout does not: it ends the episode because a job gives up.
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

struct deadlock *deadlock_create(const struct topo *t,
                                 const struct trace_workload *w,
                                 struct gsched *s,
                                 const struct topo_cluster *real);
void deadlock_destroy(struct deadlock *d); /* NULL is fine */

/* The job, not held yet, is partly placed or a service: what it holds now
 * does not come back by waiting alone.  Drop the jobs that released it first.
 */
void deadlock_hold(struct deadlock *d, uint32_t job, bool is_partly);
/* It completed, ended or gave back. */
void deadlock_drop(struct deadlock *d, uint32_t job);

/* A node of the real cluster was cordoned or uncordoned, a GPU of it failed or was
 * repaired, or it became known whether that will end.  To be called after the
 * jobs that lost allocations by it were dropped, and after jobs were held.  A
 * node that will come back counts as there, a GPU as repaired: `returns` answers
 * for a cordoned node (device SIM_WHOLE) and for a failed device.
 */
void deadlock_node(struct deadlock *d, uint32_t node);
typedef bool deadlock_returns_fn(const void *ctx, uint32_t node,
                                 uint32_t device);
void deadlock_follow(struct deadlock *d, deadlock_returns_fn *returns,
                     const void *ctx);

/* The deadlocked jobs now, rising.  Valid until the next call. */
const uint32_t *deadlock_find(struct deadlock *d, uint32_t *count);

#endif /* SIM_REPLAY_DEADLOCK_H */
