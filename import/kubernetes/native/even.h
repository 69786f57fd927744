/* import/kubernetes/native/even.h - nodes that are nearly alike are made alike.
 *
 * Machines of one type differ by some KiB in what they have left to allocate,
 * so that each would be a type of its own, and every decision cost as much.
 */
#ifndef KUBE_EVEN_H
#define KUBE_EVEN_H

struct kube;

/* After kube_daemons_place: nodes of one instance type, with as much CPU and as
 * many devices, whose memory (or disk) differs by less than 1 in 128 have the
 * least of it, unless what runs there needs more.  The account tells.
 */
void kube_nodes_even(struct kube *k);

#endif /* KUBE_EVEN_H */
