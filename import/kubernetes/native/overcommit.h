/* import/kubernetes/native/overcommit.h - nodes whose pods ask for more than
 * they have.
 *
 * What a node has may shrink below its pods, and pods that no scheduler placed
 * take what others have: kube-scheduler then waits until enough of them are
 * gone.  Here such a node has what its pods ask for, and those that Kueue has
 * assigned to it, so that all of them stand there.
 */
#ifndef KUBE_OVERCOMMIT_H
#define KUBE_OVERCOMMIT_H

struct kube;

/* Of CPU, memory and pods, once daemons are placed and owners are known. */
void kube_nodes_hold(struct kube *k);

#endif /* KUBE_OVERCOMMIT_H */
