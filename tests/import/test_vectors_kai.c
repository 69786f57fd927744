/* tests/import/test_vectors_kai.c - which jobs are preemptible, in vectors of KAI
 * Scheduler (tests/data/vectors/kai.yaml): a pod that says so, or not, is read.
 */
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

int main(void)
{
    static const struct vector_group groups[] = { { "kai-preemptible-",
                                                    preemptible_run } };

    return vectors_main(&(struct vector_suite){
        .name = "vectors of KAI Scheduler: preemptible jobs",
        .file = "tests/data/vectors/kai.yaml",
        .group = groups,
        .groups = N_ELEMENTS(groups),
    });
}
