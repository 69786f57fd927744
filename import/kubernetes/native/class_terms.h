/* import/kubernetes/native/class_terms.h - priority classes of the trace. */
#ifndef KUBE_CLASS_TERMS_H
#define KUBE_CLASS_TERMS_H

#include <stdbool.h>
#include <stdint.h>

struct kube;
struct kube_template;
struct trace_workload;

/* Put all priority classes into `w`. */
void kube_classes_make(const struct kube *k, struct trace_workload *w);

/* The name (string id) of the class that is the default; 0: there is none. */
uint32_t kube_class_default(const struct kube *k);

/* The class of a job: `name` (string id; 0), else that of its pods, else their
 * priority, else the class that is the default.  Index in `w`.
 */
uint32_t kube_class_of(struct kube *k, struct trace_workload *w, uint32_t name,
                       const struct kube_template *t);

/* Does YuniKorn serve the pods, and does their class say that none is evicted?
 */
bool kube_class_keeps(const struct kube *k, const struct kube_template *t);
/* The class whose value is by `boost` greater, at most that of an int32_t. */
uint32_t kube_class_boost(struct trace_workload *w, uint32_t klass,
                          int32_t boost);

#endif /* KUBE_CLASS_TERMS_H */
