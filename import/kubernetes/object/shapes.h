/* import/kubernetes/object/shapes.h - keys of kinds whose reader honours, or
 * tells, all of them: what is not among them changes decisions, maybe.
 */
#ifndef KUBE_SHAPES_H
#define KUBE_SHAPES_H

struct import_object;
struct kube;

/* Tell the keys of the object that its kind is not known to have. */
void kube_shape_check(struct kube *k, const struct import_object *o);

#endif /* KUBE_SHAPES_H */
