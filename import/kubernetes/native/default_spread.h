/* import/kubernetes/native/default_spread.h - how pods of services spread that
 * state nothing.
 *
 * kube-scheduler spreads pods that a ReplicaSet, a StatefulSet or a
 * ReplicationController owns, or a Service selects, over nodes and zones as far
 * as possible, or as the defaultConstraints of its configuration say.
 */
#ifndef KUBE_DEFAULT_SPREAD_H
#define KUBE_DEFAULT_SPREAD_H

struct kube;

/* Once all objects are read: give them those of their schedulers. */
void kube_default_spreads_finish(struct kube *k);

#endif /* KUBE_DEFAULT_SPREAD_H */
