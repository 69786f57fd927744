/* import/kubernetes/native/kube_cluster.h - the nodes as a topology. */
#ifndef KUBE_CLUSTER_H
#define KUBE_CLUSTER_H

struct gs_err;
struct kube;
struct topo;

/* Add the nodes to the empty `t` (made with k->names and k->dims), with what
 * daemons and static pods take away from each.  Resources are those that pods
 * ask for: jobs are made first.  -1 when there are no nodes.
 */
int kube_cluster_make(struct kube *k, struct topo *t, struct gs_err *err);

#endif /* KUBE_CLUSTER_H */
