/* import/kubernetes/native/lent_queues.h - queues of a policy for a trace that
 * is not made of objects.
 */
#ifndef KUBE_LENT_QUEUES_H
#define KUBE_LENT_QUEUES_H

struct kube;
struct trace_workload;

/* Put the queues into `w`, whose file defines none, and give each job the one
 * that the name of its queue leads to: by the placement rules of YuniKorn, else
 * the LocalQueue or the queue of that name.  A job called "a/b" is of namespace
 * a.  What has no effect is told.
 */
void kube_lent_queues_make(struct kube *k, struct trace_workload *w);

#endif /* KUBE_LENT_QUEUES_H */
