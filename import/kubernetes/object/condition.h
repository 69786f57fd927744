/* import/kubernetes/object/condition.h - selectors: conditions on labels. */
#ifndef KUBE_CONDITION_H
#define KUBE_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include "topology/resources.h"

struct gs_ynode;
struct kube;

/* Conditions that all hold. */
struct kube_conditions {
    struct topo_condition *at;
    uint32_t count;
};

/* Append {key: value, ...} at `map`, and the expressions of the list `list`;
 * either may be NULL.  The account tells an expression that is none, which is
 * left out.
 */
void kube_conditions_add(struct kube *k, struct kube_conditions *c,
                         const struct gs_ynode *map,
                         const struct gs_ynode *list);
/* Append `count` conditions. */
void kube_conditions_append(struct kube *k, struct kube_conditions *c,
                            const struct topo_condition *more, uint32_t count);
/* Append one that the value must be `value`. */
void kube_conditions_require(struct kube *k, struct kube_conditions *c,
                             uint32_t key, uint32_t value);

bool kube_conditions_equal(const struct kube_conditions *a,
                           const struct kube_conditions *b);

/* Labels as a sorted list. */
struct kube_labels {
    struct topo_label *at; /* by key */
    uint32_t count;
};

/* The labels in the mapping `map` (may be NULL). */
struct kube_labels kube_labels_read(struct kube *k, const struct gs_ynode *map);
/* The value of `key`; 0 when it is not there (a value "" is 0, too: see
 * kube_label_has).
 */
uint32_t kube_label_value(const struct kube_labels *l, uint32_t key);
bool kube_label_has(const struct kube_labels *l, uint32_t key);
/* Add a label, unless there is one with its key. */
void kube_label_add(struct kube *k, struct kube_labels *to,
                    struct topo_label label);
/* Do the labels meet all conditions?  As in Kubernetes. */
bool kube_conditions_hold(const struct kube *k, const struct kube_conditions *c,
                          const struct kube_labels *l);

#endif /* KUBE_CONDITION_H */
