/* import/kubernetes/native/request.h - a pod's template as a request of this
 * scheduler.
 */
#ifndef KUBE_REQUEST_H
#define KUBE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

struct kube;
struct kube_node;
struct kube_template;
struct topo_request;

/* Label of nodes that tells their devices apart where the cluster has those of
 * several vendors.
 */
#define KUBE_DEVICE_LABEL "device"

/* What one pod asks of one node.  Lists live in k->arena.  Resources that no
 * pod has asked for yet become dimensions; beyond TOPO_DIMS_MAX they are left
 * out, which the account tells.
 */
void kube_request_make(struct kube *k, const struct kube_template *t,
                       struct topo_request *r);

/* Units of a dimension: the amount of resource `name`, rounded down for what a
 * node has and up for what a pod asks for.
 */
int64_t kube_units(const char *name, int64_t milli, bool is_request);

#endif /* KUBE_REQUEST_H */
