/* import/kubernetes/workload/owner.h - which pods are of which workload. */
#ifndef KUBE_OWNER_H
#define KUBE_OWNER_H

#include <stdint.h>

struct gs_ynode;
struct kube;

/* [string id of an object's uid] that of its controller's, of the objects of
 * which nothing else is kept.
 */
struct kube_links {
    uint32_t *owner, cap;
};

/* Remember which object made this one. */
void kube_link_add(struct kube *k, const struct gs_ynode *object);

/* Once all is read: a workload that another one made is none of its own; of two
 * of one kind and name the later one counts, one that a wrapper holds as its
 * template before all others not; so of two pods of one name without uids of
 * their own; pods find the workload that stands at the root of their owners,
 * which learns from them when it ran.
 */
void kube_owners_find(struct kube *k);

#endif /* KUBE_OWNER_H */
