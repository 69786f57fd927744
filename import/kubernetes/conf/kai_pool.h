/* import/kubernetes/conf/kai_pool.h - the node pools of KAI Scheduler.
 *
 * A SchedulingShard is a scheduler of its own: it has the nodes, queues and jobs
 * whose label kai.scheduler/node-pool is its partitionLabelValue, or, without one,
 * those without the label.
 */
#ifndef KUBE_KAI_POOL_H
#define KUBE_KAI_POOL_H

#include <stdbool.h>

struct gs_err;
struct gs_ynode;
struct import_object;
struct kube;

/* Is the object of another pool than k->pool?  Tells it. */
bool kube_pool_is_other(struct kube *k, const struct import_object *o);
/* Note the shard that `at` states, with its partitionLabelValue (NULL: none). */
void kube_pool_note(struct kube *k, const struct gs_ynode *at,
                    const char *value);
/* -1 (GS_INPUT): there are shards of several pools. */
int kube_pools_check(const struct kube *k, struct gs_err *err);

#endif /* KUBE_KAI_POOL_H */
