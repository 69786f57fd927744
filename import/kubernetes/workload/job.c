/* import/kubernetes/workload/job.c - kind Job of group batch: parallelism pods
 * at a time, until completions of them have ended.
 */
#include <string.h>

#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/workload/job_specs.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/source.h"

static void ignored(struct kube *k, const struct gs_ynode *at, const char *text)
{
    if (at)
        import_account_tell(k->account, IMPORT_IGNORED, k->source, at, "%s",
                            text);
}

void kube_job_fill(struct kube *k, struct kube_workload *w,
                   const struct gs_ynode *spec)
{
    const uint32_t parallel = kube_count(k, spec, "parallelism", 1);
    const uint32_t completions = kube_count(k, spec, "completions", 0);
    struct kube_member m = { .replicas = parallel };

    if (completions) {
        w->completions = completions;
        m.replicas = parallel < completions ? parallel : completions;
    }
    w->gang = 1;
    w->is_batch_job = strcmp(kube_str(k, w->kind), "RunaiJob") != 0;
    m.pods = kube_template_read(k, kube_at(spec, "template"), w->space);
    kube_member_add(k, w, &m);
    ignored(k, kube_at(spec, "podFailurePolicy"),
            "podFailurePolicy of Jobs: pods that nodes lose are made again");
    ignored(k, kube_at(spec, "successPolicy"),
            "successPolicy of Jobs: all completions run");
}

int kube_job_read(struct kube *k, const struct import_object *o)
{
    struct kube_workload w = kube_workload_begin(k, o, KUBE_BATCH);
    const struct gs_ynode *annotations = kube_at(o->root,
                                                 "metadata.annotations");

    ignored(k, kube_key(annotations, "kueue.x-k8s.io/job-min-parallelism"),
            "partial admission of Kueue (job-min-parallelism)");
    kube_job_fill(k, &w, kube_at(o->root, "spec"));
    w.gang = kube_gang_of(o->root);
    return kube_workload_add(k, &w);
}
