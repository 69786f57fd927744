/* import/kubernetes/workload/flow.h - JobFlows of Volcano and the templates
 * that they name.
 */
#ifndef KUBE_FLOW_H
#define KUBE_FLOW_H

#include <stdint.h>

#include "import/kubernetes/object/index.h"
#include "import/kubernetes/workload/kube_workload.h"

struct kube_flow_job {
    uint32_t template;  /* "namespace/name" of its JobTemplate */
    uint32_t name;      /* that the job gets */
    uint32_t flow, uid; /* "namespace/name" and uid of its JobFlow */
    uint32_t source;
    int line, column;
    int64_t submit;
    const struct kube_need *need; /* other jobs of the flow, by key */
    uint32_t needs;
};

struct kube_flows {
    struct kube_workload *template;
    struct kube_flow_job *job;
    uint32_t templates, template_cap, jobs, job_cap;
    struct kube_index by_name; /* template[] */
};

/* Once all is read: make workloads of the jobs of all flows. */
void kube_flows_finish(struct kube *k);

#endif /* KUBE_FLOW_H */
