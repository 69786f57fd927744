/* import/kubernetes/kinds.h - which reader takes which kind of object. */
#ifndef KUBE_KINDS_H
#define KUBE_KINDS_H

struct gs_err;
struct import_object;
struct kube;

/* Read an object and count it in the account.  0, whatever it holds: an object
 * that is no use is told by the account.
 */
void kube_object_take(struct kube *k, const struct import_object *o);

#endif /* KUBE_KINDS_H */
