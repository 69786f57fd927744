/* import/kubernetes/workload/segments.h - KAI Scheduler's segments: so many
 * workers of a PyTorchJob or of a group of a LeaderWorkerSet at a time, each in
 * a domain of its own.
 */
#ifndef KUBE_SEGMENTS_H
#define KUBE_SEGMENTS_H

#include <stdint.h>

#include "import/kubernetes/workload/kube_workload.h"

struct gs_ynode;
struct kube;

struct kube_segments {
    uint32_t size; /* pods; 0: none */
    struct kube_within within;
};

/* What annotations of the template of workers, else of the object say. */
struct kube_segments kube_segments_read(struct kube *k,
                                        const struct gs_ynode *template,
                                        const struct gs_ynode *object);

/* Add the member's pods to the workload, in segments of `s`, the first of which
 * has `first` pods (0: as the others); each is a part of the gang as a whole.
 */
void kube_segments_add(struct kube *k, struct kube_workload *w,
                       const struct kube_member *m,
                       const struct kube_segments *s, uint32_t first);

/* A member of the segment of that number beside its workers. */
void kube_segments_join(struct kube *k, struct kube_member *m,
                        const struct kube_segments *s, uint32_t segment);

#endif /* KUBE_SEGMENTS_H */
