/* import/kubernetes/workload/train.c - kinds of group trainer.kubeflow.org: a
 * TrainJob runs the jobs of the runtime that it names, with so many nodes.
 *
 * The job of the step "trainer", or the one called "node", has the nodes; those
 * of other steps (initializers) run before and are left out.
 */
#include "import/kubernetes/workload/train.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/made.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/workload/job_set.h"
#include "import/source.h"

/* --- reading -------------------------------------------------------------- */

static uint32_t runtime_name(struct kube *k, const char *kind,
                             const char *space, const char *name)
{
    const bool is_own = kind && strcmp(kind, "TrainingRuntime") == 0;

    return kube_put(k, gs_arena_printf(k->arena, "%.253s/%.253s",
                                       is_own ? space : "", name ? name : ""));
}

int kube_train_runtime_read(struct kube *k, const struct import_object *o)
{
    const struct kube_workload meta = kube_workload_begin(k, o, KUBE_BATCH);
    const struct gs_ynode *spec = kube_at(o->root, "spec");
    struct kube_trains *all = k->trains;
    struct kube_runtime x = {
        .nodes = kube_count(k, spec, "mlPolicy.numNodes", 0),
        .has_launcher_as_node = kube_flag(
            spec, "mlPolicy.mpi.runLauncherAsNode", false),
    };

    x.job = kube_set_jobs_read(k, kube_at(spec, "template.spec"), meta.space,
                               &x.jobs);
    kube_index_put(&all->by_name,
                   runtime_name(k, o->kind, kube_str(k, meta.space),
                                kube_text(o->root, "metadata.name")),
                   all->runtimes);
    all->runtime = gs_array_grow(all->runtime, &all->runtime_cap,
                                 all->runtimes + 1, sizeof(*all->runtime));
    all->runtime[all->runtimes++] = x;
    return 0;
}

int kube_train_job_read(struct kube *k, const struct import_object *o)
{
    const struct gs_ynode *spec = kube_at(o->root, "spec");
    const struct gs_ynode *trainer = kube_at(spec, "trainer");
    const struct gs_ynode *node = kube_at(trainer, "resourcesPerNode");
    static const char *const patches[] = { "podSpecOverrides",
                                           "podTemplateOverrides",
                                           "runtimePatches" };
    struct kube_trains *all = k->trains;
    struct kube_train_job x = {
        .work = kube_workload_begin(k, o, KUBE_BATCH),
        .nodes = kube_count(k, trainer, "numNodes", 0),
        .request = kube_amounts_read(k, kube_at(node, "requests")),
        .limit = kube_amounts_read(k, kube_at(node, "limits")),
        .has_resources = node != NULL,
    };

    x.runtime = runtime_name(k, kube_text(spec, "runtimeRef.kind"),
                             kube_str(k, x.work.space),
                             kube_text(spec, "runtimeRef.name"));
    for (size_t i = 0; i < sizeof(patches) / sizeof(patches[0]); i++) {
        if (kube_at(spec, patches[i]))
            import_account_tell(k->account, IMPORT_IGNORED, o->source,
                                kube_at(spec, patches[i]),
                                "%s of TrainJobs: pods are as the runtime says",
                                patches[i]);
    }
    all->job = gs_array_grow(all->job, &all->job_cap, all->jobs + 1,
                             sizeof(*all->job));
    all->job[all->jobs++] = x;
    return 0;
}

/* --- workloads ------------------------------------------------------------ */

static void tell(struct kube *k, enum import_note note,
                 const struct kube_train_job *x, const char *text)
{
    const struct gs_ynode at = { .line = x->work.line,
                                 .column = x->work.column };

    import_account_tell(k->account, note, kube_str(k, x->work.source), &at,
                        "%s", text);
}

static bool is_named(const struct kube *k, uint32_t id, const char *name)
{
    return strcmp(kube_str(k, id), name) == 0;
}

/* Which of the runtime's jobs has the nodes: called "node", else that of the
 * step "trainer", else the last.
 */
static uint32_t trainer_of(const struct kube *k, const struct kube_runtime *r)
{
    uint32_t at = r->jobs - 1;

    for (uint32_t i = r->jobs; i-- > 0;) {
        if (is_named(k, r->job[i].step, "trainer"))
            at = i;
    }
    for (uint32_t i = r->jobs; i-- > 0;) {
        if (is_named(k, r->job[i].name, "node"))
            at = i;
    }
    return at;
}

/* The runtime's template as the job's: in its namespace and, with `is_node`,
 * its first container with the resources that the job states.
 */
static const struct kube_template *pods_of(struct kube *k,
                                           const struct kube_train_job *x,
                                           const struct kube_template *t,
                                           bool is_node)
{
    struct kube_template *copy;
    uint32_t c = 0;

    if (!t)
        return NULL;
    copy = gs_arena_memdup(k->arena, t, sizeof(*t));
    copy->space = x->work.space;
    if (!is_node || !x->has_resources)
        return copy;
    copy->container = gs_arena_memdup(k->arena, t->container,
                                      t->containers * sizeof(*t->container));
    while (c + 1 < t->containers && t->container[c].is_init)
        c++;
    copy->container[c].request = x->request;
    copy->container[c].limit = x->limit;
    return copy;
}

static void jobs_add(struct kube *k, struct kube_train_job *x,
                     const struct kube_runtime *r)
{
    const uint32_t trainer = trainer_of(k, r);
    uint32_t nodes = x->nodes ? x->nodes : r->nodes ? r->nodes : 1;

    for (uint32_t i = 0; i < r->jobs; i++) {
        const struct kube_set_job *j = &r->job[i];
        const bool is_launcher = i != trainer
                                 && is_named(k, j->step, "trainer");
        const bool runs = i == trainer || is_launcher || !j->step;
        struct kube_member m = { .name = j->name };

        if (!runs) {
            tell(k, IMPORT_LEFT, x,
                 "steps of TrainJobs before the trainer, such as initializers");
            continue;
        }
        m.pods = pods_of(k, x, j->pods,
                         i == trainer
                             || (r->has_launcher_as_node && is_launcher));
        m.replicas = i != trainer
                         ? kube_clip(k, (uint64_t)j->replicas * j->parallel)
                     : r->has_launcher_as_node ? nodes - 1
                                               : nodes;
        kube_member_add(k, &x->work, &m);
    }
}

/* Nodes of which nothing but the resources is known. */
static void nodes_add(struct kube *k, struct kube_train_job *x)
{
    const struct gs_ynode at = { .kind = GS_YMAP,
                                 .line = x->work.line,
                                 .column = x->work.column };
    struct kube_member m = { .name = kube_put(k, "node"),
                             .replicas = x->nodes ? x->nodes : 1 };

    k->source = kube_str(k, x->work.source);
    m.pods = pods_of(k, x,
                     kube_template_read(
                         k, kube_made_pod(k, NULL, NULL, kube_made_map(k, &at)),
                         x->work.space),
                     true);
    kube_member_add(k, &x->work, &m);
    tell(k, IMPORT_ASSUMED, x,
         "TrainJobs whose runtime the source lacks: their nodes alone, with "
         "resourcesPerNode");
}

void kube_trains_finish(struct kube *k)
{
    struct kube_trains *all = k->trains;

    for (uint32_t i = 0; i < all->jobs; i++) {
        struct kube_train_job *x = &all->job[i];
        const uint32_t at = kube_index_get(&all->by_name, x->runtime);

        if (at && all->runtime[at - 1].jobs)
            jobs_add(k, x, &all->runtime[at - 1]);
        else
            nodes_add(k, x);
        (void)kube_workload_add(k, &x->work);
    }
}
