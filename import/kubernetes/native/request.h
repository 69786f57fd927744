/* import/kubernetes/native/request.h - a pod's template as a request of this
 * scheduler.
 */
#ifndef KUBE_REQUEST_H
#define KUBE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

struct gs_ynode;
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
 * node has and up for what a pod asks for; at most what files can state, which
 * is told with the place `at` (may be NULL) in string id `source`.
 */
int64_t kube_units(struct kube *k, const char *name, int64_t milli,
                   bool is_request, uint32_t source, const struct gs_ynode *at);

#endif /* KUBE_REQUEST_H */
