/* import/kubernetes/workload/assigned.h - the nodes that Kueue has assigned to
 * pods: topologyAssignment of a podSet of an admitted Workload.
 */
#ifndef KUBE_ASSIGNED_H
#define KUBE_ASSIGNED_H

struct gs_ynode;
struct kube;
struct kube_member;

/* What the assignment of its podSet (may be NULL) says goes to the member.  Its
 * lowest level must be the host: another one is told.
 */
void kube_assigned_read(struct kube *k, const struct gs_ynode *assigned,
                        struct kube_member *m);

#endif /* KUBE_ASSIGNED_H */
