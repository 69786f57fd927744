/* import/kubernetes/pod/claim.h - devices that are claimed, not counted (DRA).
 *
 * A device of class C becomes one of a resource: devices of a driver "gpu.V"
 * are GPUs, "V/gpu", as its device plugin calls them; those of another class
 * are counted under the name of the class.
 */
#ifndef KUBE_CLAIM_H
#define KUBE_CLAIM_H

#include <stdint.h>

#include "import/kubernetes/object/amounts.h"
#include "import/kubernetes/object/index.h"

struct kube;
struct kube_template;

struct kube_device_class {
    uint32_t name;
    uint32_t resource;     /* extendedResourceName; 0 */
    uint32_t driver, type; /* as its selectors say; 0 */
};

/* Devices of one kind that a driver announces for a node. */
struct kube_slice {
    uint32_t node; /* its name */
    uint32_t driver, type;
    uint32_t count;
    uint32_t product; /* name of the model; 0 */
    int64_t memory;   /* bytes of one; 0 */
};

struct kube_claims {
    struct kube_amounts *at; /* devices of each class that a claim asks for */
    uint32_t count, cap;
    struct kube_index by_claim, by_template;
    struct kube_device_class *klass;
    uint32_t classes, class_cap;
    struct kube_index by_class, by_type;
    struct kube_slice *slice;
    uint32_t slices, slice_cap;
};

void kube_claims_free(struct kube_claims *all);

/* Once all is read: add what the claims of pods `t` ask for to `sum`. */
void kube_claims_take(struct kube *k, const struct kube_template *t,
                      struct kube_amounts *sum);

/* Once all is read, before kube_nodes_finish: nodes have the devices that their
 * drivers announce, unless their device plugins do.
 */
void kube_slices_place(struct kube *k);

#endif /* KUBE_CLAIM_H */
