/* import/kubernetes/native/kube_terms.h - queues of the trace.
 */
#ifndef KUBE_TERMS_H
#define KUBE_TERMS_H

#include <stdint.h>

struct kube;
struct kube_amounts;
struct kube_pod_group;
struct kube_template;
struct trace_job;
struct trace_workload;

/* Put all queues, with their terms, into `w`. */
void kube_terms_make(struct kube *k, struct trace_workload *w);

/* Put the queues from number `from` on, those that were added last. */
void kube_terms_queues(struct kube *k, struct trace_workload *w, uint32_t from);

/* The path (string id) of the queue called `name` below its parents; 0 when
 * that is none.
 */
uint32_t kube_terms_path(const struct kube *k, uint32_t name);

/* What names the queue of a job beside its pods; string ids, 0: none. */
struct kube_queue_named {
    uint32_t queue, project; /* by labels of the object that makes the pods */
    uint32_t pod_group;
};

/* The queue of a job with pods `t`, as its object is called: the one that is
 * named, else that of its pod group, else the one that the pods name; of KAI's
 * without a pod group that of its project, else the one that KAI takes then; 0.
 */
uint32_t kube_terms_queue_name(struct kube *k, const struct kube_queue_named *n,
                               const struct kube_template *t);
/* The same as an index in `w`, made when it is new; else the queue of the
 * ElasticQuota of the pods' namespace, else "default".
 */
uint32_t kube_terms_queue(struct kube *k, struct trace_workload *w,
                          const struct kube_queue_named *n,
                          const struct kube_template *t);

/* What the pod group (may be NULL) says of the admission of its job. */
void kube_terms_admission(struct kube *k, struct trace_workload *w,
                          const struct kube_pod_group *g, struct trace_job *j);

/* Amounts by dimension, in to[]; resources are dimensions where there is room,
 * see request.h.
 */
void kube_terms_amounts(struct kube *k, const struct kube_amounts *a,
                        int64_t *to);

#endif /* KUBE_TERMS_H */
