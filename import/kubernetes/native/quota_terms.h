/* import/kubernetes/native/quota_terms.h - quotas of namespaces in the trace.
 */
#ifndef KUBE_QUOTA_TERMS_H
#define KUBE_QUOTA_TERMS_H

#include <stdbool.h>
#include <stdint.h>

struct kube;
struct kube_template;
struct trace_workload;

/* Put all quotas into `w`, without what daemons use of them. */
void kube_quotas_make(struct kube *k, struct trace_workload *w);

/* The quotas of the namespace that count pods `t` of the class (index in `w`),
 * and with `is_job` the object that makes them, as trace_job.quotas.
 */
uint32_t kube_quotas_of(struct kube *k, struct trace_workload *w,
                        const struct kube_template *t, uint32_t klass,
                        bool is_job);

#endif /* KUBE_QUOTA_TERMS_H */
