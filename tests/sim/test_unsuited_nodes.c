/* tests/sim/test_unsuited_nodes.c - victims on a node that does not suit the
 * task do not go, though they are the fewest: under each preset that evicts.
 *
 * Node n1 holds one victim and does not suit job `new`; n2 holds two.
 */
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

#define S INT64_C(1000000)

/* What n1 has that n2 has not, and what the job on it and `new` ask for. */
static const struct {
    const char *why, *node, *old, *comes;
} reasons[] = {
    { "a taint", "taints: ['only:NoSchedule']", "tolerations: [only]", "" },
    { "a label", "", "", ", nodes: {at: n2}" },
    { "a model", "model: A100", "", ", model: H100" },
    { "too few CPUs", "cpu: 4", "", ", cpu: 8" },
};

static const char *const presets[] = { "kai", "kueue", "priority-preempt",
                                       "kube-default", "yunikorn" };

static void check(const char *preset, size_t reason)
{
    const char *node = reasons[reason].node, *old = reasons[reason].old;
    char topology[1024], trace[2048];
    struct world w;
    bool is_right = false;

    (void)snprintf(topology, sizeof(topology),
                   "tiers: [{name: node}]\n"
                   "node_types:\n"
                   "  t: {gpus: 4, labels: {at: n1}%s%s%s}\n"
                   "  u: {gpus: 4, cpu: 32, model: H100,"
                   " labels: {at: n2}}\n"
                   "nodes: [{name: n1, type: t}, {name: n2, type: u}]\n",
                   strstr(node, "cpu:") ? "" : ", cpu: 32", *node ? ", " : "",
                   node);
    (void)snprintf(
        trace, sizeof(trace),
        "priority_classes: {low: {value: 1}, high: {value: 100}}\n"
        "queues:\n"
        "- {name: root.a, guarantee: {gpu: 4}, evicts_own: lower,"
        " evicts_others: any}\n"
        "- {name: root.b}\n"
        "jobs:\n"
        "- {name: old, submit: 0, duration: 2h, gpus: 4, queue: root.b,"
        " priority: low, nodes: {at: n1}%s%s}\n"
        "- {name: x, submit: 1, duration: 2h, gpus: 2, queue: root.b,"
        " priority: low, nodes: {at: n2}}\n"
        "- {name: y, submit: 2, duration: 2h, gpus: 2, queue: root.b,"
        " priority: low, nodes: {at: n2}}\n"
        "- {name: new, submit: 60, duration: 1h, gpus: 4, queue: root.a,"
        " priority: high%s}\n",
        *old ? ", " : "", old, reasons[reason].comes);
    world_init(&w);
    if (world_load(&w, topology, trace, &(struct trace_options){ 0 }) == 0
        && world_run(&w, preset, NULL, NULL) == 0) {
        is_right = world_job(&w, "new")->start <= 180 * S
                   && world_job(&w, "new")->start >= 60 * S
                   && world_job(&w, "old")->evictions == 0;
    }
    if (!is_right)
        printf("%s, %s: %s\n", preset, reasons[reason].why,
               w.err.problem[0].text);
    CU_ASSERT(is_right);
    world_fini(&w);
}

static void test_unsuited(void)
{
    for (size_t p = 0; p < N_ELEMENTS(presets); p++) {
        for (size_t i = 0; i < N_ELEMENTS(reasons); i++)
            check(presets[p], i);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "victims on a node that does not suit the task stay", test_unsuited },
    };

    return suite_run("sim/unsuited_nodes", suite, N_ELEMENTS(suite));
}
