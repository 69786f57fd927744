/* import/kubernetes/workload/job_set.c - kind JobSet: jobs that start
 * together.
 */
#include "import/kubernetes/workload/job_set.h"

#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/source.h"
#include "traces/workload/dependencies.h"

static void ignored(struct kube *k, const struct gs_ynode *at, const char *text)
{
    if (at)
        import_account_tell(k->account, IMPORT_IGNORED, k->source, at, "%s",
                            text);
}

/* Pods of one job at a time. */
static uint32_t parallel_of(struct kube *k, const struct gs_ynode *spec)
{
    const uint32_t parallel = kube_count(k, spec, "parallelism", 1);
    const uint32_t completions = kube_count(k, spec, "completions", parallel);

    if (completions > parallel)
        ignored(
            k, kube_at(spec, "completions"),
            "completions beyond parallelism in a JobSet: one round of pods");
    return parallel < completions ? parallel : completions;
}

static int64_t deadline_of(struct kube *k, const struct gs_ynode *spec)
{
    const int64_t s = kube_number(k, spec, "activeDeadlineSeconds", 0, 0,
                                  GS_TIME_MAX / GS_SECOND);

    return s ? s * GS_SECOND : KUBE_UNKNOWN;
}

static uint32_t step_of(struct kube *k, const struct gs_ynode *job)
{
    const struct gs_ynode *v = kube_key(
        kube_at(job, "metadata.labels"),
        "trainer.kubeflow.org/trainjob-ancestor-step");

    return v && v->kind == GS_YSCALAR ? kube_put(k, v->text) : 0;
}

struct kube_set_job *kube_set_jobs_read(struct kube *k,
                                        const struct gs_ynode *spec,
                                        uint32_t space, uint32_t *count)
{
    /* v1alpha2 and v1alpha1 */
    const struct gs_ynode *list = kube_at(spec, "replicatedJobs")
                                      ? kube_at(spec, "replicatedJobs")
                                      : kube_at(spec, "jobs");
    const struct gs_ynode *r = kube_list(list, "");
    struct kube_set_job *jobs = gs_arena_alloc(k->arena, r ? list->len + 1 : 1,
                                               sizeof(*jobs));

    for (*count = 0; r; r = r->next) {
        const struct gs_ynode *job = kube_at(r, "template");
        const struct gs_ynode *inner = kube_at(job, "spec");

        struct kube_set_job *x = &jobs[(*count)++];

        *x = (struct kube_set_job){
            .name = kube_name(k, r, "name"),
            .step = step_of(k, job),
            .replicas = kube_count(k, r, "replicas", 1),
            .parallel = parallel_of(k, inner),
            .pods = kube_template_read(k, kube_at(inner, "template"), space),
            .deadline = deadline_of(k, inner),
        };
        x->need = kube_needs_read(k, kube_at(r, "dependsOn"), TRACE_COMPLETED,
                                  &x->needs);
    }
    return jobs;
}

/* With startupPolicyOrder InOrder each job starts after the one before. */
static void order_take(struct kube *k, const struct gs_ynode *spec,
                       struct kube_set_job *jobs, uint32_t count)
{
    const char *order = kube_text(spec, "startupPolicy.startupPolicyOrder");

    for (uint32_t i = 1; order && strcmp(order, "InOrder") == 0 && i < count;
         i++) {
        const struct kube_need before = { jobs[i - 1].name, TRACE_STARTED };

        if (jobs[i].needs)
            continue;
        jobs[i].need = gs_arena_memdup(k->arena, &before, sizeof(before));
        jobs[i].needs = 1;
    }
}

int kube_job_set_read(struct kube *k, const struct import_object *o)
{
    struct kube_workload w = kube_workload_begin(k, o, KUBE_BATCH);
    const struct gs_ynode *spec = kube_at(o->root, "spec");
    uint32_t count;
    struct kube_set_job *jobs = kube_set_jobs_read(k, spec, w.space, &count);

    order_take(k, spec, jobs, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t all = (uint64_t)jobs[i].replicas * jobs[i].parallel;
        struct kube_member m = { .name = jobs[i].name,
                                 .pods = jobs[i].pods,
                                 .need = jobs[i].need,
                                 .needs = jobs[i].needs };

        m.replicas = kube_clip(k, all);
        kube_member_add(k, &w, &m);
        if (w.deadline == KUBE_UNKNOWN)
            w.deadline = jobs[i].deadline;
    }
    ignored(k,
            kube_key(kube_at(o->root, "metadata.annotations"),
                     "alpha.jobset.sigs.k8s.io/exclusive-topology"),
            "exclusive-topology of a JobSet: a domain for each job alone");
    return kube_workload_add(k, &w);
}
