/* import/kubernetes/workload/flow.c - kinds JobFlow and JobTemplate of
 * Volcano: a flow makes a job of each template that it names.
 */
#include "import/kubernetes/workload/flow.h"

#include <stdio.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/workload/job_specs.h"
#include "import/source.h"
#include "traces/workload/dependencies.h"

int kube_job_template_read(struct kube *k, const struct import_object *o)
{
    struct kube_workload w = kube_workload_begin(k, o, KUBE_BATCH);
    struct kube_flows *all = k->flows;

    kube_volcano_job_fill(k, &w, kube_at(o->root, "spec"));
    kube_index_put(&all->by_name, w.name, all->templates);
    all->template = gs_array_grow(all->template, &all->template_cap,
                                  all->templates + 1, sizeof(*all->template));
    all->template[all->templates++] = w;
    return 0;
}

/* Jobs of one flow are known by the names that they get. */
static void needs_take(struct kube *k, const struct gs_ynode *flow,
                       struct kube_flow_job *f)
{
    struct kube_need *need = kube_needs_read(
        k, kube_at(flow, "dependsOn.targets"), TRACE_COMPLETED, &f->needs);

    for (uint32_t i = 0; i < f->needs; i++)
        need[i].key = kube_put(k, gs_arena_printf(k->arena, "%.300s-%.253s",
                                                  kube_str(k, f->flow),
                                                  kube_str(k, need[i].key)));
    f->need = need;
}

int kube_job_flow_read(struct kube *k, const struct import_object *o)
{
    const struct kube_workload meta = kube_workload_begin(k, o, KUBE_BATCH);
    struct kube_flows *all = k->flows;

    for (const struct gs_ynode *f = kube_list(o->root, "spec.flows"); f;
         f = f->next) {
        const char *name = kube_text(f, "name");

        if (!name)
            continue;
        if (kube_at(f, "dependsOn.probe"))
            import_account_tell(k->account, IMPORT_IGNORED, o->source,
                                kube_at(f, "dependsOn.probe"),
                                "probes of a JobFlow: jobs wait until others "
                                "have completed");
        all->job = gs_array_grow(all->job, &all->job_cap, all->jobs + 1,
                                 sizeof(*all->job));
        all->job[all->jobs++] = (struct kube_flow_job){
            .template = kube_put(k, gs_arena_printf(k->arena, "%.253s/%.253s",
                                                    kube_str(k, meta.space),
                                                    name)),
            .name = kube_put(k, gs_arena_printf(k->arena, "%.300s-%.253s",
                                                kube_str(k, meta.name), name)),
            .flow = meta.name,
            .uid = meta.uid,
            .source = meta.source,
            .line = f->line,
            .column = f->column,
            .submit = meta.submit,
        };
        needs_take(k, f, &all->job[all->jobs - 1]);
    }
    return 0;
}

void kube_flows_finish(struct kube *k)
{
    struct kube_flows *all = k->flows;

    for (uint32_t i = 0; i < all->jobs; i++) {
        const struct kube_flow_job *f = &all->job[i];
        const struct gs_ynode at = { .line = f->line, .column = f->column };
        const uint32_t t = kube_index_get(&all->by_name, f->template);
        struct kube_workload w;

        if (!t) {
            import_account_tell(
                k->account, IMPORT_LEFT, kube_str(k, f->source), &at,
                "jobs of a JobFlow whose JobTemplate the source "
                "lacks");
            continue;
        }
        w = all->template[t - 1];
        w.kind = kube_put(k, "Job");
        w.name = f->name;
        w.submit = f->submit;
        w.uid = 0;
        w.is_named = true;
        w.is_template = true;
        w.key = f->name;
        w.need = f->need;
        w.needs = f->needs;
        (void)kube_workload_add(k, &w);
    }
}
