/* import/kubernetes/owner.h - which pods are of which workload. */
#ifndef KUBE_OWNER_H
#define KUBE_OWNER_H

struct kube;

/* Once all is read: a workload that another one made is none of its own; of two
 * of one kind and name the later one counts; pods find the workload that stands
 * at the root of their owners, which learns from them when it ran.
 */
void kube_owners_find(struct kube *k);

#endif /* KUBE_OWNER_H */
