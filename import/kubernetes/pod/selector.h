/* import/kubernetes/pod/selector.h - selectors of pods as labels of jobs.
 *
 * Rules of jobs among each other know one label "key=value".  So each selector
 * that a pod's affinity states becomes a label of its own, "pods-N=selected",
 * and every job, or kind of tasks, whose pods it selects carries it.
 */
#ifndef KUBE_SELECTOR_H
#define KUBE_SELECTOR_H

#include <stdbool.h>
#include <stdint.h>

struct kube;
struct kube_selection;
struct kube_selectors; /* opaque */
struct kube_template;

struct kube_selectors *kube_selectors_create(void);
void kube_selectors_destroy(struct kube_selectors *s); /* NULL is fine */

/* String id of the label of the selector `of` of template `t`. */
uint32_t kube_selector_put(struct kube *k, struct kube_selectors *s,
                           const struct kube_template *t,
                           const struct kube_selection *of);

/* Number a selector that counts pods for a spread: it needs a label only if it
 * selects those of others than `t`, too.
 */
void kube_selector_add(struct kube_selectors *s, const struct kube_template *t,
                       const struct kube_selection *of);
bool kube_selectors_has_added(const struct kube_selectors *s);
/* Once all were put and added: pods of `t` are of the group of tasks `group`,
 * any number but 0.
 */
void kube_selectors_note(struct kube *k, struct kube_selectors *s,
                         const struct kube_template *t, uint32_t group);
/* The label of an added selector; 0: it selects the pods of one group alone,
 * which has template `t`.
 */
uint32_t kube_selector_label(struct kube *k, struct kube_selectors *s,
                             const struct kube_template *t,
                             const struct kube_selection *of);

/* Once all have labels: append the labels of the selectors that select pods of
 * `t` to label[*count], each once, at most `max` in all; false: there are more.
 */
bool kube_selectors_match(struct kube *k, struct kube_selectors *s,
                          const struct kube_template *t, uint32_t *label,
                          uint32_t *count, uint32_t max);

#endif /* KUBE_SELECTOR_H */
