/* import/kubernetes/pod/selector.h - selectors of pods as labels of jobs.
 *
 * Rules of jobs among each other know one label "key=value".  So each selector
 * that a pod's affinity states becomes a label of its own, "pods-N=selected", and
 * every job, or kind of tasks, whose pods it selects carries it.
 */
#ifndef KUBE_SELECTOR_H
#define KUBE_SELECTOR_H

#include <stdbool.h>
#include <stdint.h>

struct kube;
struct kube_near;
struct kube_selectors; /* opaque */
struct kube_template;

struct kube_selectors *kube_selectors_create(void);
void kube_selectors_destroy(struct kube_selectors *s); /* NULL is fine */

/* String id of the label of the selector that `near` of template `t` states. */
uint32_t kube_selector_put(struct kube *k, struct kube_selectors *s,
                           const struct kube_template *t,
                           const struct kube_near *near);

/* Once all were put: append the labels of the selectors that select pods of `t`
 * to label[*count], each once, at most `max` in all; false: there are more.
 */
bool kube_selectors_match(const struct kube *k, struct kube_selectors *s,
                          const struct kube_template *t, uint32_t *label,
                          uint32_t *count, uint32_t max);

#endif /* KUBE_SELECTOR_H */
