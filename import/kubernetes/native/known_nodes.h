/* import/kubernetes/native/known_nodes.h - the nodes of a native topology, for
 * objects that are read beside it.
 */
#ifndef KUBE_KNOWN_NODES_H
#define KUBE_KNOWN_NODES_H

struct kube;
struct topo;

/* Take the nodes of `t` as those of the source, in the place of these: with
 * their names, labels, taints and tiers, but no resources.  A tier is the label
 * that the user or a convention calls by its name.  Before kube_nodes_finish,
 * and in the place of kube_tiers_find.
 */
void kube_nodes_know(struct kube *k, const struct topo *t);

#endif /* KUBE_KNOWN_NODES_H */
