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
#include "traces/workload/workload.h"

static void ignored(struct kube *k, const struct gs_ynode *at, const char *text)
{
    if (at)
        import_account_tell(k->account, IMPORT_IGNORED, k->source, at, "%s",
                            text);
}

#define BACKOFF_LIMIT 6 /* of a Job that states none */

/* Does a rule of the policy leave out evicted pods? */
static bool is_evictions_rule(const struct gs_ynode *policy)
{
    for (const struct gs_ynode *r = kube_list(policy, "rules"); r;
         r = r->next) {
        const char *action = kube_text(r, "action");

        for (const struct gs_ynode *c = kube_list(r, "onPodConditions"); c;
             c = c->next) {
            const char *type = kube_text(c, "type");

            if (type && strcmp(type, "DisruptionTarget") == 0)
                return action && strcmp(action, "Ignore") == 0;
        }
    }
    return false;
}

/* Pods that were deleted have failed; with more of them than backoffLimit the
 * Job has.
 */
static uint32_t retries_of(struct kube *k, const struct kube_workload *w,
                           const struct gs_ynode *spec)
{
    const struct gs_ynode *each = kube_at(spec, "backoffLimitPerIndex");

    ignored(k, each,
            "backoffLimitPerIndex of Jobs: no eviction fails an index");
    if (each || is_evictions_rule(kube_at(spec, "podFailurePolicy"))
        || (!w->is_batch_job && !kube_at(spec, "backoffLimit")))
        return TRACE_NONE;
    return (uint32_t)kube_number(k, spec, "backoffLimit", BACKOFF_LIMIT, 0,
                                 INT32_MAX);
}

void kube_job_fill(struct kube *k, struct kube_workload *w,
                   const struct gs_ynode *spec)
{
    const uint32_t parallel = kube_count(k, spec, "parallelism", 1);
    const uint32_t completions = kube_count(k, spec, "completions", 0);
    const char *mode = kube_text(spec, "completionMode");
    struct kube_member m = { .replicas = parallel };

    if (completions) {
        w->completions = completions;
        m.replicas = parallel < completions ? parallel : completions;
        w->is_indexed = mode && strcmp(mode, "Indexed") == 0;
    }
    w->gang = 1;
    w->is_batch_job = strcmp(kube_str(k, w->kind), "RunaiJob") != 0;
    m.pods = kube_template_read(k, kube_at(spec, "template"), w->space);
    kube_member_add(k, w, &m);
    w->retries = retries_of(k, w, spec);
    ignored(k, kube_at(spec, "successPolicy"),
            "successPolicy of Jobs: all completions run");
}

int kube_job_read(struct kube *k, const struct import_object *o)
{
    struct kube_workload w = kube_workload_begin(k, o, KUBE_BATCH);
    const struct gs_ynode *least = kube_key(
        kube_at(o->root, "metadata.annotations"),
        "kueue.x-k8s.io/job-min-parallelism");
    int64_t pods;
    uint32_t failed;

    if (least && least->kind == GS_YSCALAR
        && topo_label_number(least->text, &pods) && pods > 0
        && pods <= TRACE_REPLICAS_MAX)
        w.least_parallel = (uint32_t)pods;
    kube_job_fill(k, &w, kube_at(o->root, "spec"));
    w.gang = kube_gang_of(o->root, KUBE_VOLCANO_GANG);
    if (w.gang == 1)
        w.gang = kube_gang_of(o->root, "kai.scheduler/batch-min-member");
    failed = kube_count(k, o->root, "status.failed", 0);
    if (w.retries != TRACE_NONE)
        w.retries -= failed < w.retries ? failed : w.retries;
    return kube_workload_add(k, &w);
}
