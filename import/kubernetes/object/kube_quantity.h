/* import/kubernetes/object/kube_quantity.h - amounts as Kubernetes writes them.
 *
 * Source: the grammar of resource.Quantity in k8s.io/apimachinery: a decimal
 * number, then nothing, n u m k M G T P E, Ki Mi Gi Ti Pi Ei, or an exponent.
 */
#ifndef KUBE_QUANTITY_H
#define KUBE_QUANTITY_H

#include <stdint.h>

struct kube;
struct gs_ynode;

/* Thousandths, rounded up as Kubernetes does.  -1 for what is no amount, a
 * negative one and one beyond 2^63 - 1, leaving *milli alone.
 */
int kube_quantity_parse(const char *s, int64_t *milli);

/* The amount that the scalar `n` states; of more than 2^63 - 1 that many, which
 * the account tells.  -1 when it states none, which the account then tells with
 * its place.
 */
int kube_quantity_read(struct kube *k, const struct gs_ynode *n,
                       int64_t *milli);

/* Tell that an amount was clipped; `at` (may be NULL) is its place. */
void kube_quantity_tell_most(struct kube *k, const char *source,
                             const struct gs_ynode *at);

#endif /* KUBE_QUANTITY_H */
