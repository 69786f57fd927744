/* import/kubernetes/object/amounts.h - amounts of resources by name. */
#ifndef KUBE_AMOUNTS_H
#define KUBE_AMOUNTS_H

#include <stdint.h>

struct gs_ynode;
struct kube;

#define KUBE_AMOUNTS_MAX 256 /* names; more are told, and left out */

/* Amounts of resources, each once; lives in k->arena. */
struct kube_amounts {
    struct kube_amount {
        uint32_t name; /* string id */
        int64_t milli; /* thousandths, 0 or more */
    } * at;
    uint32_t count;
};

/* The amounts at `n` (may be NULL), a mapping such as requests or allocatable.
 */
struct kube_amounts kube_amounts_read(struct kube *k, const struct gs_ynode *n);

/* The amount of `name`; 0. */
int64_t kube_amount_of(const struct kube_amounts *a, uint32_t name);
/* Add to the amount of `name`, or raise it to `milli`; sums stay below 2^62. */
void kube_amount_add(struct kube *k, struct kube_amounts *a, uint32_t name,
                     int64_t milli);
void kube_amount_raise(struct kube *k, struct kube_amounts *a, uint32_t name,
                       int64_t milli);

#endif /* KUBE_AMOUNTS_H */
