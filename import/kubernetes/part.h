/* import/kubernetes/part.h - what is dropped of a source that was read for its
 * nodes, or for its jobs.
 */
#ifndef KUBE_PART_H
#define KUBE_PART_H

#include <stdint.h>

struct kube;

/* Numbers of what there was before the source was read. */
struct kube_before {
    uint32_t nodes, workloads, pods, flow_jobs, train_jobs;
};

struct kube_before kube_before(const struct kube *k);
/* Drop the nodes of the source; or what becomes jobs, but for daemons, which
 * hold their nodes.  The account tells it.
 */
void kube_nodes_drop(struct kube *k, const struct kube_before *b);
void kube_jobs_drop(struct kube *k, const struct kube_before *b);

#endif /* KUBE_PART_H */
