/* import/kubernetes/workload/pod.h - pods, with the state they are in. */
#ifndef KUBE_POD_H
#define KUBE_POD_H

#include <stdbool.h>
#include <stdint.h>

struct kube;
struct kube_template;

enum kube_phase { KUBE_PENDING, KUBE_RUNNING, KUBE_ENDED };

struct kube_pod {
    uint32_t name, uid; /* "namespace/name" */
    uint32_t owner;     /* uid of its controller; 0 */
    uint32_t workload;  /* index of that of the source, and 1; see owner.h */
    uint32_t owner_kind, owner_name;
    uint32_t group;        /* "namespace/name" of its pod group; 0 */
    uint32_t queue, local; /* LocalQueue of Kueue; 0 */
    enum kube_phase phase;
    bool is_named;              /* not only generateName */
    bool is_daemon;             /* of a DaemonSet, or static */
    int64_t submit, start, end; /* us since 1970; KUBE_UNKNOWN */
    int64_t leaves; /* it is being deleted, and gone by then; KUBE_UNKNOWN */
    const struct kube_template *pods;
    bool is_past; /* samples tell when it ran, from start to end; an end of
                     INT64_MAX: it runs on */
    bool is_left; /* it is no task: see series/past.h */
};

struct kube_pods {
    struct kube_pod *at;
    uint32_t count, cap;
};

/* What keeps pods together: their group, else their owner; 0: each alone. */
static inline uint32_t kube_pod_key(const struct kube_pod *p)
{
    return p->group ? p->group : p->owner;
}

/* Does its owner run until it is deleted? */
bool kube_pod_serves(const struct kube *k, const struct kube_pod *p);

#endif /* KUBE_POD_H */
