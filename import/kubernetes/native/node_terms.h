/* import/kubernetes/native/node_terms.h - node selectors and required node
 * affinity.
 *
 * Native conditions all hold; of the terms of an affinity one does.  One term
 * is its conditions.  Several are looked up in the nodes: a few nodes are
 * named, many are given a label of their own, "affinity-N".
 */
#ifndef KUBE_NODE_TERMS_H
#define KUBE_NODE_TERMS_H

#include "import/kubernetes/object/condition.h"

struct kube;
struct kube_template;
struct kube_terms; /* opaque */

/* The conditions on nodes of pods `t`, in k->arena.  After kube_nodes_finish;
 * nodes are marked here (struct kube_node), so the cluster is made later.
 */
struct kube_conditions kube_node_terms(struct kube *k,
                                       const struct kube_template *t);

void kube_node_terms_free(struct kube_terms *t); /* NULL is fine */

#endif /* KUBE_NODE_TERMS_H */
