/* import/kubernetes/pod/zone.h - Volcano's revocable zones.
 *
 * Nodes of a zone take only tasks that may use zones: the label that names the
 * zone is a taint, too, which these tasks tolerate.
 */
#ifndef KUBE_ZONE_H
#define KUBE_ZONE_H

#include <stdbool.h>

struct kube;
struct kube_labels;
struct kube_template;

/* Do the annotations of a pod say that it may use zones? */
bool kube_zone_is_for(struct kube *k, const struct kube_labels *annotations);
/* The pods may use zones. */
void kube_zone_tolerate(struct kube *k, struct kube_template *t);

#endif /* KUBE_ZONE_H */
