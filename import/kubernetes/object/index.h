/* import/kubernetes/object/index.h - objects by the string id of their names.
 */
#ifndef KUBE_INDEX_H
#define KUBE_INDEX_H

#include <stdint.h>

#include "base/array.h"

/* [string id] number of the object and 1; 0: none.  Zeroed it is empty. */
struct kube_index {
    uint32_t *at, cap;
};

/* `number` is that of `id` from now on. */
static inline void kube_index_put(struct kube_index *x, uint32_t id,
                                  uint32_t number)
{
    x->at = gs_array_grow(x->at, &x->cap, id + 1, sizeof(*x->at));
    x->at[id] = number + 1;
}

/* The number and 1; 0. */
static inline uint32_t kube_index_get(const struct kube_index *x, uint32_t id)
{
    return id && id < x->cap ? x->at[id] : 0;
}

#endif /* KUBE_INDEX_H */
