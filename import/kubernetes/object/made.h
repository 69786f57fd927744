/* import/kubernetes/object/made.h - parts of objects that others imply, as
 * nodes.
 *
 * A reader that has to say more than its object does, such as the containers of
 * a Spark executor, makes nodes and hands them to kube_template_read.  They
 * live in k->arena, stand where `at` does, and what is put into them comes
 * before what is there: the first of a key counts.
 */
#ifndef KUBE_MADE_H
#define KUBE_MADE_H

struct gs_ynode;
struct kube;

/* An empty mapping; a list. */
struct gs_ynode *kube_made_map(struct kube *k, const struct gs_ynode *at);
struct gs_ynode *kube_made_list(struct kube *k, const struct gs_ynode *at);
/* A mapping with the entries of `n` (NULL, or none: an empty one). */
struct gs_ynode *kube_made_copy(struct kube *k, const struct gs_ynode *n,
                                const struct gs_ynode *at);
/* Put an element of its own, or a text (NULL: nothing), in front of the others.
 */
void kube_made_put(struct kube *k, struct gs_ynode *parent, const char *key,
                   struct gs_ynode *child);
void kube_made_text(struct kube *k, struct gs_ynode *parent, const char *key,
                    const char *text);

/* A pod {metadata, spec} with the entries of `metadata` and `spec` (may be
 * NULL), whose one container has these requests; in place of those of `spec`.
 */
const struct gs_ynode *kube_made_pod(struct kube *k,
                                     const struct gs_ynode *metadata,
                                     const struct gs_ynode *spec,
                                     struct gs_ynode *requests);

#endif /* KUBE_MADE_H */
