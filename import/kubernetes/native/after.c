/* import/kubernetes/native/after.c - jobs that depend on others. */
#include "import/kubernetes/native/after.h"

#include <assert.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "traces/workload/dependencies.h"
#include "traces/workload/workload.h"

void kube_after_add(struct kube_after *a, const struct kube *k,
                    const struct kube_workload *w, uint32_t job)
{
    if (w->key)
        kube_index_put(&a->by_key, w->key, job);
    if (w->needs == 0)
        return;
    a->job = gs_array_grow(a->job, &a->cap, a->jobs + 1, sizeof(*a->job));
    a->job[a->jobs++] =
        (struct kube_after_job){ job, (uint32_t)(w - k->workloads->at) };
}

static void tell(struct kube *k, const struct kube_workload *w,
                 const char *text)
{
    const struct gs_ynode at = { .line = w->line, .column = w->column };

    import_account_tell(k->account, IMPORT_LEFT, kube_str(k, w->source), &at,
                        "%s", text);
}

static void needs_put(struct kube_after *a, struct kube *k,
                      struct trace_workload *to, const struct kube_after_job *x)
{
    const struct kube_workload *w = &k->workloads->at[x->workload];
    struct trace_job_aside aside = *to->job[x->job].aside;

    aside.needs_any = w->needs_any;
    for (uint32_t i = 0; i < w->needs; i++) {
        const uint32_t on = kube_index_get(&a->by_key, w->need[i].key);
        struct trace_dependency d = { .when = w->need[i].when };
        uint32_t at;

        if (!on) {
            tell(k, w,
                 "dependencies on what is over, or the source lacks: met");
            continue;
        }
        d.job = to->job[on - 1].name;
        at = trace_workload_dependencies(to, &d, 1);
        if (aside.dependency_count++ == 0)
            aside.first_dependency = at;
    }
    trace_job_aside_set(to, x->job, &aside);
}

void kube_after_finish(struct kube_after *a, struct kube *k,
                       struct trace_workload *to)
{
    uint32_t *named;

    for (uint32_t i = 0; i < a->jobs; i++)
        needs_put(a, k, to, &a->job[i]);
    named = trace_jobs_by_name(to);
    if (trace_dependency_cycle(to, named) != TRACE_NONE) {
        tell(k, &k->workloads->at[a->job[0].workload],
             "all dependencies: some jobs need themselves");
        for (uint32_t i = 0; i < a->jobs; i++) {
            struct trace_job_aside aside = *to->job[a->job[i].job].aside;

            aside.dependency_count = 0;
            trace_job_aside_set(to, a->job[i].job, &aside);
        }
    }
    gs_array_free(named);
    gs_array_free(a->job);
    gs_array_free(a->by_key.at);
}
