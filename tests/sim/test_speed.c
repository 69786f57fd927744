/* tests/sim/test_speed.c - GPUs of different speeds, and generations. */
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

#define S INT64_C(1000000)

static const char nodes[] =
    "node_types:\n"
    "  old: {gpus: 4, model: V100, generation: 7, speed: 0.5}\n"
    "  mid: {gpus: 4, model: A100, generation: 8}\n"
    "  new: {gpus: 4, model: H100, generation: 9, "
    "speed: {default: 2, nlp: 4, io: 1}}\n"
    "nodes:\n"
    "  - {name: old, type: old}\n"
    "  - {name: mid, type: mid}\n"
    "  - {name: new, type: new}\n";

#define JOB(more) "jobs: [{name: j, submit: 0, duration: 100s, " more "}]\n"
#define ON(model) ", model: " model
#define LOW                                                                           \
    "priority_classes: {high: {value: 9}, low: {value: 1}}\n"                         \
    "jobs:\n"                                                                         \
    "- {name: j, submit: 0, duration: 100s, gpus: 4, priority: low" ON(               \
        "V100") ", checkpoint: 20s}\n"                                                \
                "- {name: h, submit: 90s, duration: 10s, gpus: 4, priority: high" ON( \
                    "V100") "}\n"

static const struct {
    const char *what, *trace;
    int64_t end;
} cases[] = {
    { "as measured", JOB("gpus: 1" ON("A100")), 100 * S },
    { "half as fast", JOB("gpus: 1" ON("V100")), 200 * S },
    { "faster by default", JOB("gpus: 1" ON("H100")), 50 * S },
    { "by class", JOB("gpus: 1, labels: {class: nlp}" ON("H100")), 25 * S },
    { "one that gains nothing", JOB("gpus: 1, labels: {class: io}" ON("H100")),
      100 * S },
    { "other classes as by default",
      JOB("gpus: 1, labels: {class: cv}" ON("H100")), 50 * S },
    { "a class that a plain number does not tell apart",
      JOB("gpus: 1, labels: {class: nlp}" ON("V100")), 200 * S },
    { "the slowest decides", JOB("replicas: 3, gpus: 4"), 200 * S },
    { "newer than 8",
      JOB("gpus: 1, nodes: [{key: generation, op: Gt, value: 8}]"), 50 * S },
    { "any of two models", JOB("gpus: 1, model: H100|B200"), 50 * S },
    /* 90 s are 45 s of work, of which 40 are saved; h takes 20 s, the rest 120
     */
    { "checkpoints are of work", LOW, 230 * S },
};

static void test_cases(void)
{
    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        const struct trace_options o = { 0 };
        const struct report_job *j;
        struct world w;

        world_init(&w);
        CU_ASSERT_EQUAL(world_load(&w, nodes, cases[i].trace, &o), 0);
        CU_ASSERT_EQUAL_FATAL(world_run(&w, "priority-preempt", NULL, NULL), 0);
        j = world_job(&w, "j");
        if (j->end != cases[i].end) {
            printf("%s: ends at %lld us, %s\n", cases[i].what,
                   (long long)j->end, j->reason ? j->reason : "");
            CU_FAIL("not as worked out by hand");
        }
        world_fini(&w);
    }
}

/* A service on slow nodes is not planned to end either. */
static void test_services(void)
{
    const struct trace_options o = { 0 };
    struct world w;

    world_init(&w);
    CU_ASSERT_EQUAL(
        world_load(
            &w, nodes,
            "jobs:\n"
            "- {name: s, submit: 0, duration: forever, gpus: 2" ON(
                "V100") "}\n"
                        "- {name: j, submit: 5s, duration: 1s, gpus: 4" ON(
                            "V100") "}\n",
            &o),
        0);
    CU_ASSERT_EQUAL(world_run(&w, "conservative", NULL, NULL), 0);
    CU_ASSERT_EQUAL(w.stats.end, 5 * S);
    world_fini(&w);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "work takes longer on slower GPUs", test_cases },
        { "services on slower GPUs end when they should", test_services },
    };

    return suite_run("sim/speed", suite, N_ELEMENTS(suite));
}
