/* import/kubernetes/pod/name_space.h - kind Namespace: its labels, and what
 * YuniKorn reads of its annotations.
 */
#ifndef KUBE_NAME_SPACE_H
#define KUBE_NAME_SPACE_H

#include "import/kubernetes/object/amounts.h"
#include "import/kubernetes/object/condition.h"
#include "import/kubernetes/object/index.h"

struct kube;

/* Terms of the queue that a placement rule of YuniKorn makes for it. */
struct kube_space_terms {
    struct kube_amounts guaranteed, quota; /* without any: not stated */
    uint64_t jobs;                         /* 0: not stated */
    uint32_t parent; /* string id of the queue above; 0: not stated */
};

struct kube_spaces {
    struct kube_space {
        struct kube_labels labels;
        struct kube_space_terms terms;
    } * at;
    uint32_t count, cap;
    struct kube_index by_name;
};

void kube_spaces_free(struct kube_spaces *all);

/* What the namespace states for its queue; NULL: it has no object. */
const struct kube_space_terms *kube_space_terms_of(const struct kube *k,
                                                   uint32_t space);

/* Do the labels of the namespace meet all conditions?  Each has its name as
 * label kubernetes.io/metadata.name; of one without an object nothing else is
 * known, which is told.
 */
bool kube_space_meets(struct kube *k, uint32_t space,
                      const struct kube_conditions *c);

#endif /* KUBE_NAME_SPACE_H */
