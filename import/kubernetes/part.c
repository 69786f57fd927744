/* import/kubernetes/part.c - see part.h. */
#include "import/kubernetes/part.h"

#include <assert.h>

#include "import/account.h"
#include "import/kubernetes/node/node.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/workload/flow.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/pod.h"
#include "import/kubernetes/workload/train.h"

struct kube_before kube_before(const struct kube *k)
{
    return (struct kube_before){ k->nodes->count, k->workloads->count,
                                 k->pods->count, k->flows->jobs,
                                 k->trains->jobs };
}

void kube_nodes_drop(struct kube *k, const struct kube_before *b)
{
    assert(b->nodes <= k->nodes->count);
    if (k->nodes->count > b->nodes)
        import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                            "nodes beside those of the topology");
    k->nodes->count = b->nodes;
}

static uint32_t workloads_drop(struct kube_workloads *all, uint32_t first)
{
    const uint32_t count = all->count;

    all->count = first;
    for (uint32_t i = first; i < count; i++) {
        if (all->at[i].life == KUBE_DAEMON)
            all->at[all->count++] = all->at[i];
    }
    return count - all->count;
}

static uint32_t pods_drop(struct kube_pods *all, uint32_t first)
{
    const uint32_t count = all->count;

    all->count = first;
    for (uint32_t i = first; i < count; i++) {
        if (all->at[i].is_daemon)
            all->at[all->count++] = all->at[i];
    }
    return count - all->count;
}

void kube_jobs_drop(struct kube *k, const struct kube_before *b)
{
    uint32_t dropped = k->flows->jobs - b->flow_jobs + k->trains->jobs
                       - b->train_jobs;

    dropped += workloads_drop(k->workloads, b->workloads);
    dropped += pods_drop(k->pods, b->pods);
    k->flows->jobs = b->flow_jobs;
    k->trains->jobs = b->train_jobs;
    if (dropped)
        import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                            "workloads and pods of the topology's source: jobs "
                            "are those of the trace");
}
