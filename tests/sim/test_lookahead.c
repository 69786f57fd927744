/* tests/sim/test_lookahead.c - where lookahead puts tasks, by hand. */
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

#define JOBS "jobs:\n"
#define JOB(name, more) \
    "- {name: " name ", submit: 0, duration: 9h, " more "}\n"
#define LATER(name, more) \
    "- {name: " name ", submit: 1, duration: 9h, " more "}\n"

static const struct {
    const char *what, *topology, *trace, *node; /* of the job "it" */
    uint64_t devices;
    const char *set;
} cases[] = {
    { "a share beside a share",
      "node_types: {g: {gpus: 2, cpu: 8}}\n"
      "nodes: [{name: 'n[1-2]', type: g}]\n",
      JOBS JOB("a", "gpu_share: 0.5, cpu: 1")
          LATER("it", "gpu_share: 0.5, cpu: 1"),
      "n1", 1 },
    { "not beside one that would leave what no task asks for",
      "node_types: {g: {gpus: 2, cpu: 8}}\n"
      "nodes: [{name: n1, type: g}]\n",
      JOBS JOB("a", "gpu_share: 0.6, cpu: 1") LATER(
          "it", "gpu_share: 0.3, cpu: 1") LATER("x", "gpu_share: 0.4, cpu: 1"),
      "n1", 2 },
    { "one GPU leaves the other node whole",
      "node_types: {g: {gpus: 8, cpu: 64}}\n"
      "nodes: [{name: 'n[1-2]', type: g}]\n",
      JOBS JOB("a", "gpus: 1, cpu: 8") LATER("it", "gpus: 1, cpu: 8")
          LATER("x", "gpus: 8, cpu: 8"),
      "n1", 2 },
    { "GPUs that others must have are dear",
      "node_types: {v: {gpus: 4, model: V100}, t: {gpus: 4, model: T4}}\n"
      "nodes: [{name: v, type: v}, {name: t, type: t}]\n",
      JOBS JOB("it", "gpus: 1") LATER("x", "gpus: 1, model: V100, replicas: 4"),
      "t", 1 },
    { "and are not where no price is set on them",
      "node_types: {v: {gpus: 4, model: V100}, t: {gpus: 4, model: T4}}\n"
      "nodes: [{name: v, type: v}, {name: t, type: t}]\n",
      JOBS JOB("it", "gpus: 1") LATER("x", "gpus: 1, model: V100, replicas: 4"),
      "v", 1, "lookahead.price=0" },
    { "pods that ask for nothing fill no node for ever",
      "node_types: {p: {gpus: 4, cpu: 8, pods: 100}, u: {gpus: 4, cpu: 8}}\n"
      "nodes: [{name: u, type: u}, {name: p, type: p}]\n",
      JOBS JOB("it", "gpus: 1, cpu: 5") JOB("x", "gpus: 4, cpu: 1")
          JOB("y", "replicas: 9"),
      "u", 1 },
    { "a task without GPUs goes where its CPUs are not missed",
      "node_types: {c: {gpus: 8, cpu: 8}, d: {gpus: 1, cpu: 64}}\n"
      "nodes: [{name: c, type: c}, {name: d, type: d}]\n",
      JOBS JOB("it", "cpu: 8") LATER("x", "gpus: 1, cpu: 1, replicas: 9"), "d",
      0 },
    /* on a two of "it" waste no GPU, and one leaves nothing to nine of ten */
    { "what the mean task cannot use costs nothing",
      "node_types: {a: {gpus: 2, cpu: 4}, b: {gpus: 2, cpu: 16}}\n"
      "nodes: [{name: a, type: a}, {name: b, type: b}]\n",
      JOBS JOB("it", "gpus: 1, cpu: 2")
          LATER("x", "gpus: 1, cpu: 4, replicas: 9"),
      "a", 1 },
    { "unless its price is set",
      "node_types: {a: {gpus: 2, cpu: 4}, b: {gpus: 2, cpu: 16}}\n"
      "nodes: [{name: a, type: a}, {name: b, type: b}]\n",
      JOBS JOB("it", "gpus: 1, cpu: 2")
          LATER("x", "gpus: 1, cpu: 4, replicas: 9"),
      "b", 1, "lookahead.fragments=200" },
};

static void test_cases(void)
{
    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        const struct trace_options o = { 0 };
        const struct report_placement *p = NULL;
        struct world w;

        world_init(&w);
        CU_ASSERT_EQUAL_FATAL(
            world_load(&w, cases[i].topology, cases[i].trace, &o), 0);
        CU_ASSERT_EQUAL_FATAL(world_run(&w, "lookahead", cases[i].set, NULL),
                              0);
        for (uint32_t k = 0; k < w.log->placement_count; k++) {
            if (w.log->placement[k].job == world_job(&w, "it")->job)
                p = &w.log->placement[k];
        }
        CU_ASSERT_PTR_NOT_NULL_FATAL(p);
        if (strcmp(gs_strtab_str(w.names, w.topo->node_name[p->node]),
                   cases[i].node)
                != 0
            || p->devices != cases[i].devices) {
            printf("%s: on %s, devices %llu\n", cases[i].what,
                   gs_strtab_str(w.names, w.topo->node_name[p->node]),
                   (unsigned long long)p->devices);
            CU_FAIL("not as worked out by hand");
        }
        world_fini(&w);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "jobs to come decide whether a replay waits", test_cases },
    };

    return suite_run("sim/lookahead", suite, N_ELEMENTS(suite));
}
