/* import/kubernetes/workload/sub_group.h - groups of pods within a pod group,
 * each with a minimum of its own.
 */
#ifndef KUBE_SUB_GROUP_H
#define KUBE_SUB_GROUP_H

#include <stdint.h>

#include "import/kubernetes/object/condition.h"
#include "import/kubernetes/workload/kube_workload.h"

struct gs_ynode;
struct kube;
struct kube_pod_group;
struct kube_template;

struct kube_sub_group {
    uint32_t name, least;
    uint32_t key;                /* of a label or annotation that names it */
    struct kube_conditions pods; /* on their labels; without key */
    struct kube_within within;   /* where they stand together */
};

/* The sub-groups that the spec of a pod group states: Volcano's minTaskMember
 * and subGroupPolicy, KAI's subGroups, podgroups of Grove's PodGang.  Raises
 * g->least to the sum of their minima where those hold beside it.
 */
void kube_sub_groups_read(struct kube *k, struct kube_pod_group *g,
                          const struct gs_ynode *spec);

/* The sub-group of pods of `t`, the member of that name (0: none) of a
 * workload; UINT32_MAX.  `g` may be NULL.
 */
uint32_t kube_sub_group_of(const struct kube *k, const struct kube_pod_group *g,
                           const struct kube_template *t, uint32_t member);

#endif /* KUBE_SUB_GROUP_H */
