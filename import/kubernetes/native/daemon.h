/* import/kubernetes/native/daemon.h - pods that no scheduler places: of a
 * DaemonSet, and static ones.  They take what they ask for away from their
 * nodes.
 */
#ifndef KUBE_DAEMON_H
#define KUBE_DAEMON_H

#include "import/kubernetes/object/amounts.h"

struct kube;
struct kube_node;

/* Once all is read and kube_nodes_finish was called: mark what each node loses.
 * Daemons of which the source holds pods count where these stand, others on
 * each node that they suit.
 */
void kube_daemons_place(struct kube *k);

/* What the node has left for other pods. */
struct kube_amounts kube_daemons_left(struct kube *k,
                                      const struct kube_node *n);

#endif /* KUBE_DAEMON_H */
