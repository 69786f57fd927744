/* import/kubernetes/pod/name_space.h - kind Namespace: its labels. */
#ifndef KUBE_NAME_SPACE_H
#define KUBE_NAME_SPACE_H

#include "import/kubernetes/object/condition.h"
#include "import/kubernetes/object/index.h"

struct kube;

struct kube_spaces {
    struct kube_labels *at;
    uint32_t count, cap;
    struct kube_index by_name;
};

void kube_spaces_free(struct kube_spaces *all);

/* Do the labels of the namespace meet all conditions?  Each has its name as
 * label kubernetes.io/metadata.name; of one without an object nothing else is
 * known, which is told.
 */
bool kube_space_meets(struct kube *k, uint32_t space,
                      const struct kube_conditions *c);

#endif /* KUBE_NAME_SPACE_H */
