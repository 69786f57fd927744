/* import/kubernetes/job.c - kind Job of group batch: parallelism pods at a time,
 * until completions of them have ended.
 */
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/kube.h"
#include "import/kubernetes/pod_template.h"
#include "import/kubernetes/readers.h"
#include "import/kubernetes/workload.h"
#include "import/source.h"
#include "traces/workload/workload.h"

int kube_job_read(struct kube *k, const struct import_object *o)
{
    struct kube_workload w = kube_workload_begin(k, o, KUBE_BATCH);
    const struct gs_ynode *spec = kube_at(o->root, "spec");
    const uint32_t parallel = (uint32_t)kube_number(k, spec, "parallelism", 1,
                                                    0, TRACE_REPLICAS_MAX);
    const uint32_t completions = (uint32_t)kube_number(
        k, spec, "completions", 0, 0, TRACE_REPLICAS_MAX);
    struct kube_member m = { .replicas = parallel };

    if (completions) {
        w.completions = completions;
        m.replicas = parallel < completions ? parallel : completions;
    }
    w.gang = 1;
    m.pods = kube_template_read(k, kube_at(spec, "template"), w.space);
    kube_member_add(k, &w, &m);
    return kube_workload_add(k, &w);
}
