/* import/kubernetes/native/kai_class.h - KAI's own priority classes: what its
 * Helm chart makes (deployments/kai-scheduler/templates/priorityclasses), and
 * which of them its pod grouper gives a workload.
 */
#ifndef KUBE_KAI_CLASS_H
#define KUBE_KAI_CLASS_H

#include <stdbool.h>
#include <stdint.h>

struct kube;
struct kube_template;

/* Does KAI's chart make a class called `name`?  Sets its value if so. */
bool kube_kai_class_value(const char *name, int32_t *value);

/* The class (string id) that KAI gives a workload of `kind` (string id) with
 * pods `t` that its pod group does not state: `label` (string id; 0), what its
 * pods say, or that of the kind; 0: what the pods' own priority says.
 */
uint32_t kube_kai_class(struct kube *k, uint32_t label, uint32_t kind,
                        const struct kube_template *t);

#endif /* KUBE_KAI_CLASS_H */
