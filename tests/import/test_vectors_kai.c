/* tests/import/test_vectors_kai.c - which jobs are preemptible, the order of
 * tasks, and the memory of GPUs in vectors of KAI Scheduler
 * (tests/data/vectors/kai.yaml): pods and nodes that say so, or not, are read.
 */
#include <stdlib.h>

#include "import/account.h"
#include "import/kubernetes/kubernetes.h"
#include "tests/lib/vectors.h"
#include "tests/lib/world.h"

#define TEXT 1024

/* Is the job of the pod never evicted? */
static bool is_fixed(const struct vector *v, const char *text)
{
    struct import_account *account = import_account_create();
    struct gs_input *in = gs_input_open_memory("pod", text, strlen(text));
    struct trace_workload *work;
    struct kube_import *x;
    int64_t epoch = 0;
    bool fixed = false;
    struct world w;

    world_init(&w);
    x = kube_import_create(w.names, &w.dims, account);
    work = trace_workload_create(w.arena, w.names, &w.dims);
    if (kube_import_read_part(x, NULL, in, KUBE_ALL, &w.err) < 0
        || kube_import_finish(x, &kube_options_default, &w.err) < 0
        || kube_import_trace(x, work, &epoch, &w.err) < 0
        || work->job_count != 1)
        vector_fails(v, "is no job:", text);
    else
        fixed = work->job[0].fixed;
    trace_workload_destroy(work);
    kube_import_destroy(x);
    gs_input_close(in);
    world_fini(&w);
    import_account_destroy(account);
    return fixed;
}

static void preemptible_run(const struct vector *v)
{
    const char *stated = vector_in(v, "preemptibility")->text;
    const char *want = gs_ynode_find(v->expected, "result")->text;
    char label[128] = "", text[TEXT];

    if (*stated)
        (void)snprintf(label, sizeof(label),
                       "labels: {kai.scheduler/preemptibility: %s}", stated);
    (void)snprintf(text, sizeof(text),
                   "apiVersion: v1\nkind: Pod\nmetadata: {name: p, %s}\n"
                   "spec: {schedulerName: kai-scheduler, priority: %s,\n"
                   "  containers: [{name: a}]}\n",
                   label, vector_in(v, "priority")->text);
    if (is_fixed(v, text) != (strcmp(want, "non-preemptible") == 0))
        vector_fails(v, "it is not", want);
}

/* --- tasks ---------------------------------------------------------------- */

/* The group of the job whose tasks are on the side. */
static int64_t cpu_of(const struct trace_workload *w, uint32_t group)
{
    return w->shape[trace_group_at(w, w->job[0].first_group + group)->shape]
        .amount[TOPO_CPU];
}

/* Two pods of one pod group, in that order, with a label each (NULL: none): do
 * they stay in it?
 */
static bool stays(const struct vector *v, const char *first, const char *second)
{
    const char *const label[] = { first, second };
    char text[TEXT] = "apiVersion: scheduling.run.ai/v2alpha2\nkind: PodGroup\n"
                      "metadata: {name: g}\nspec: {minMember: 2}\n";
    struct import_account *account = import_account_create();
    struct trace_workload *work;
    struct kube_import *x;
    struct gs_input *in;
    int64_t epoch = 0;
    bool stays = false;
    struct world w;

    for (int i = 0; i < 2; i++) {
        const size_t n = strlen(text);

        (void)snprintf(
            text + n, sizeof(text) - n,
            "---\napiVersion: v1\nkind: Pod\nmetadata:\n"
            "  name: p%d\n  annotations: {pod-group-name: g}\n"
            "  labels: {%s%s%s}\n"
            "spec: {schedulerName: kai-scheduler, containers: [{name: "
            "a, resources: {requests: {cpu: %d}}}]}\n",
            i, label[i] ? "kai.scheduler/task-priority: '" : "",
            label[i] ? label[i] : "", label[i] ? "'" : "", i + 1);
    }
    in = gs_input_open_memory("pods", text, strlen(text));
    world_init(&w);
    x = kube_import_create(w.names, &w.dims, account);
    work = trace_workload_create(w.arena, w.names, &w.dims);
    if (kube_import_read_part(x, NULL, in, KUBE_ALL, &w.err) < 0
        || kube_import_finish(x, &kube_options_default, &w.err) < 0
        || kube_import_trace(x, work, &epoch, &w.err) < 0
        || work->job_count != 1 || work->job[0].group_count != 2)
        vector_fails(v, "is no job of two groups:", text);
    else
        stays = cpu_of(work, 0) < cpu_of(work, 1);
    trace_workload_destroy(work);
    kube_import_destroy(x);
    gs_input_close(in);
    world_fini(&w);
    import_account_destroy(account);
    return stays;
}

static const char *label_of(const struct vector *v, const char *key)
{
    const struct gs_ynode *n = gs_ynode_find(v->in, key);

    return n && n->kind == GS_YSCALAR && strcmp(n->text, "null") != 0
                   && *n->text
               ? n->text
               : NULL;
}

static void task_order_run(const struct vector *v)
{
    const char *left = label_of(v, "left_label");
    const char *right = label_of(v, "right_label");
    const bool stays_left = stays(v, left, right);
    const bool stays_right = stays(v, right, left);
    const char *want = gs_ynode_find(v->expected, "first")->text;

    if (strcmp(want, stays_left && stays_right ? "equal"
                     : stays_left              ? "left"
                                               : "right")
        != 0)
        vector_fails(v, "not first:", want);
}

/* --- devices -------------------------------------------------------------- */

/* The memory of a GPU in MiB, of a node whose label says `label`. */
static int64_t memory_of(const struct vector *v, const char *label)
{
    struct import_account *account = import_account_create();
    struct trace_workload *work;
    struct kube_import *x;
    struct gs_input *in;
    struct topo *topo;
    int64_t epoch = 0, memory = -1;
    char text[TEXT];
    struct world w;

    (void)snprintf(
        text, sizeof(text),
        "apiVersion: v1\nkind: Node\n"
        "metadata: {name: n, labels: {nvidia.com/gpu.memory: '%s'}}\n"
        "status: {allocatable: {nvidia.com/gpu: 1, pods: 9}}\n---\n"
        "apiVersion: v1\nkind: Pod\n"
        "metadata: {name: p, annotations: {gpu-memory: '10'}}\n"
        "spec: {schedulerName: kai-scheduler,\n"
        "  containers: [{name: a}]}\n",
        label);
    in = gs_input_open_memory("node", text, strlen(text));
    world_init(&w);
    x = kube_import_create(w.names, &w.dims, account);
    work = trace_workload_create(w.arena, w.names, &w.dims);
    topo = topo_create(w.arena, w.names, &w.dims);
    if (kube_import_read_part(x, NULL, in, KUBE_ALL, &w.err) < 0
        || kube_import_finish(x, &kube_options_default, &w.err) < 0
        || kube_import_trace(x, work, &epoch, &w.err) < 0
        || kube_import_topology(x, topo, &w.err) < 0 || topo->class_count != 1)
        vector_fails(v, "is no node:", text);
    else
        memory = topo->klass[0].gpu_memory >> 20;
    trace_workload_destroy(work);
    kube_import_destroy(x);
    gs_input_close(in);
    world_fini(&w);
    import_account_destroy(account);
    return memory;
}

/* Hundreds of MiB count: of less there is nothing to share. */
static void device_run(const struct vector *v)
{
    const char *label = vector_in(v, "gpu_memory")->text;
    const int64_t memory = memory_of(v, label);
    const bool is_none = gs_ynode_find(v->expected, "error") != NULL;

    if (memory != strtol(label, NULL, 10) / 100 * 100
        || is_none != (memory == 0))
        vector_fails(v, "not the memory of a device:", label);
}

int main(void)
{
    static const struct vector_group groups[] = {
        { "kai-preemptible-", preemptible_run },
        { "kai-taskorder-", task_order_run },
        { "kai-gpupack-", device_run },
    };

    return vectors_main(&(struct vector_suite){
        .name = "vectors of KAI Scheduler: jobs and tasks",
        .file = "tests/data/vectors/kai.yaml",
        .group = groups,
        .groups = N_ELEMENTS(groups),
    });
}
