/* import/kubernetes/workload/pod_group.h - pod groups: how many pods start
 * together.
 */
#ifndef KUBE_POD_GROUP_H
#define KUBE_POD_GROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "import/kubernetes/object/amounts.h"
#include "import/kubernetes/object/index.h"
#include "import/kubernetes/workload/kube_workload.h"

struct gs_ynode;
struct kube;
struct kube_sub_group;
struct kube_template;

struct kube_pod_group {
    uint32_t name;  /* "namespace/name" */
    uint32_t least; /* minMember; 0: not stated */
    uint32_t queue, priority_class;
    int64_t submit;       /* us since 1970; KUBE_UNKNOWN */
    int64_t max_wait;     /* as of struct kube_workload */
    int64_t gang_timeout; /* us, of scheduler-plugins and KAI; 0: not stated */
    struct kube_within within;
    struct kube_task_rules task_rules;
    enum kube_yield yield;
    struct kube_sub_group *sub;
    uint32_t subs;
    struct kube_amounts minimum; /* minResources */
    bool has_minimum;            /* Volcano reads it */
    bool is_admitted;            /* its phase says so */
};

struct kube_pod_groups {
    struct kube_pod_group *at;
    uint32_t count, cap;
    struct kube_index by_name;
};

#define KUBE_STALE_NEVER (INT64_C(36500) * 86400 * 1000000) /* us */

/* KAI's grace period of a gang that lost tasks, in us: 1 for one of 0, and
 * KUBE_STALE_NEVER for a negative one; 0 for what is no time, which is told.
 */
int64_t kube_staleness_read(struct kube *k, const struct gs_ynode *n);

/* The group called `name`; NULL. */
const struct kube_pod_group *kube_pod_group_find(const struct kube *k,
                                                 uint32_t name);

/* What pods of `t` say themselves, as Volcano reads it: an annotation, else a
 * label; a value that is none is false.
 */
enum kube_yield kube_pods_yield(struct kube *k, const struct kube_template *t);

/* Is a job of pods `t`, with this priority, one that is never evicted?
 * `stated`: what its workload says.  KAI's rule: stated, else from priority 100
 * on.
 */
bool kube_is_fixed(struct kube *k, enum kube_yield stated,
                   const struct kube_template *t, int32_t priority);

/* The name of the group that pods of `t` name in one of the ways there are; 0.
 */
uint32_t kube_pod_group_of(struct kube *k, const struct kube_template *t);

#endif /* KUBE_POD_GROUP_H */
