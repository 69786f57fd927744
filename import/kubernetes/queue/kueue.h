/* import/kubernetes/queue/kueue.h - the queues of Kueue: jobs name a
 * LocalQueue of their namespace, which stands for a ClusterQueue.
 */
#ifndef KUBE_KUEUE_H
#define KUBE_KUEUE_H

#include <stdint.h>

#include "import/kubernetes/object/index.h"

struct kube;

struct kube_locals {
    uint32_t *cluster; /* string id of the ClusterQueue */
    uint32_t count, cap;
    struct kube_index by_name; /* "namespace/name" */
};

/* Once all is read: workloads and pods name the ClusterQueue that their
 * LocalQueue stands for.
 */
void kube_locals_finish(struct kube *k);

#endif /* KUBE_KUEUE_H */
