/* import/kubernetes/conf/kai_pool.h - the node pools of KAI Scheduler.
 *
 * A SchedulingShard is a scheduler of its own: it has the nodes, queues and
 * jobs whose label kai.scheduler/node-pool is its partitionLabelValue, or,
 * without one, those without the label.  Where there are several, each is a
 * scheduler called kai-scheduler-VALUE, its queues share its nodes, and its
 * jobs stay on these.
 */
#ifndef KUBE_KAI_POOL_H
#define KUBE_KAI_POOL_H

#include <stdbool.h>
#include <stdint.h>

struct gs_ynode;
struct import_object;
struct kube;
struct kube_conditions;
struct kube_template;

/* Is the object, which is read now, of another pool than k->pool?  Tells it,
 * and sets k->object_pool.
 */
bool kube_pool_is_other(struct kube *k, const struct import_object *o);
/* Note the shard of the pool that `at` states. */
void kube_pool_note(struct kube *k, const struct gs_ynode *at,
                    const char *pool);

/* Once all is read: the shards of several pools have names and nodes of their
 * own; the pool of one alone is told.
 */
void kube_pools_finish(struct kube *k);
/* After that: the scheduler of pods that name `kai`, a new one where no shard
 * is of their pool; and what they require of nodes.  With one pool `kai`,
 * nothing.
 */
uint32_t kube_pool_scheduler(struct kube *k, const struct kube_template *t,
                             uint32_t kai);
void kube_pool_require(struct kube *k, const struct kube_template *t,
                       struct kube_conditions *c);

#endif /* KUBE_KAI_POOL_H */
