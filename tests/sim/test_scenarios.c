/* tests/sim/test_scenarios.c - the small cases that policies must get right,
 * as the samples have them.
 */
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

#define S INT64_C(1000000)
#define DAY (86400 * S)
#define NEVER INT64_C(-1)
#define JOBS 3

struct expected_job {
    const char *name;
    int64_t start; /* us; NEVER */
    enum report_state state;
    enum report_cause cause;
};

static const struct {
    const char *trace, *topology, *policy, *set;
    uint32_t episodes, deadlocked; /* episodes, jobs in the first */
    int64_t from, to;              /* of the first episode; to -1: never ends */
    struct expected_job job[JOBS];
} cases[] = {
    { "fragmentation",
      "fragmentation",
      "spread",
      NULL,
      0,
      0,
      0,
      0,
      { { "big", 7200 * S, REPORT_DONE, REPORT_FRAGMENTATION } } },
    { "fragmentation",
      "fragmentation",
      "kube-default",
      NULL,
      0,
      0,
      0,
      0,
      { { "big", 7200 * S, REPORT_DONE, REPORT_FRAGMENTATION } } },
    { "fragmentation",
      "fragmentation",
      "binpack",
      NULL,
      0,
      0,
      0,
      0,
      { { "big", 60 * S, REPORT_DONE, REPORT_NO_CAUSE } } },
    { "deadlock",
      "ten-gpus",
      "kube-default",
      NULL,
      1,
      2,
      4 * S,
      NEVER,
      { { "left", NEVER, REPORT_PARTLY, REPORT_HOARDING },
        { "right", NEVER, REPORT_PARTLY, REPORT_HOARDING } } },
    { "deadlock",
      "ten-gpus",
      "binpack",
      NULL,
      0,
      0,
      0,
      0,
      { { "left", 7 * S, REPORT_DONE, REPORT_LATENCY },
        { "right", 3607 * S, REPORT_DONE, REPORT_CAPACITY } } },
    { "deadlock",
      "ten-gpus",
      "kube-default",
      "gang.timeout=10m",
      1,
      2,
      4 * S,
      600 * S,
      { { "left", 600 * S, REPORT_DONE, REPORT_HOARDING },
        { "right", 4200 * S, REPORT_DONE, REPORT_CAPACITY } } },
    { "service",
      "ten-gpus",
      "kube-default",
      NULL,
      1,
      1,
      4500000,
      NEVER,
      { { "gang", NEVER, REPORT_PARTLY, REPORT_CAPACITY },
        { "service", 4500000, REPORT_RUNNING, REPORT_NO_CAUSE } } },
    { "service",
      "ten-gpus",
      "binpack",
      NULL,
      0,
      0,
      0,
      0,
      { { "gang", NEVER, REPORT_PENDING, REPORT_CAPACITY },
        { "service", 4500000, REPORT_RUNNING, REPORT_NO_CAUSE } } },
    { "hoarding",
      "ten-gpus",
      "kube-default",
      NULL,
      0,
      0,
      0,
      0,
      { { "gang", 3604500000, REPORT_DONE, REPORT_CAPACITY },
        { "other", 4500000, REPORT_DONE, REPORT_NO_CAUSE } } },
    { "topology",
      "two-by-two",
      "gang,consolidate,binpack",
      NULL,
      0,
      0,
      0,
      0,
      { { "first", 60 * S, REPORT_DONE, REPORT_NO_CAUSE },
        { "second", 4 * 3600 * S, REPORT_DONE, REPORT_TOPOLOGY } } },
};

static void check_jobs(const struct world *w, const struct expected_job *e)
{
    for (size_t k = 0; k < JOBS && e[k].name; k++) {
        const struct report_job *j = world_job(w, e[k].name);

        CU_ASSERT_PTR_NOT_NULL_FATAL(j);
        CU_ASSERT_EQUAL(j->start, e[k].start);
        CU_ASSERT_EQUAL(j->state, e[k].state);
        CU_ASSERT_EQUAL(j->cause, e[k].cause);
    }
}

static void test_cases(void)
{
    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        const struct trace_options o = { 0 };
        char trace[64], topology[64];
        struct world w;

        snprintf(trace, sizeof(trace), "traces/samples/%s.yaml",
                 cases[i].trace);
        snprintf(topology, sizeof(topology), "topology/samples/%s.yaml",
                 cases[i].topology);
        world_init(&w);
        CU_ASSERT_EQUAL_FATAL(world_load(&w, topology, trace, &o), 0);
        CU_ASSERT_EQUAL_FATAL(
            world_run(&w, cases[i].policy, cases[i].set, NULL), 0);
        CU_ASSERT_EQUAL(w.log->episode_count, cases[i].episodes);
        if (cases[i].episodes && w.log->episode_count) {
            CU_ASSERT_EQUAL(w.log->episode[0].start, cases[i].from);
            CU_ASSERT_EQUAL(w.log->episode[0].end, cases[i].to);
            CU_ASSERT_EQUAL(w.log->episode[0].job_count, cases[i].deadlocked);
        }
        check_jobs(&w, cases[i].job);
        world_fini(&w);
    }
}

/* Small worlds written out, for rules that no sample shows. */
static const char two_nodes[] = "node_types: {g: {gpus: 8, cpu: 16}}\n"
                                "nodes: [{name: 'n[1-2]', type: g}]\n";

static const struct {
    const char *what, *trace, *policy, *set;
    struct expected_job job[JOBS];
} small[] = {
    { "the head of the queue blocks, and the rest waits in order",
      "jobs:\n"
      "- {name: a, submit: 0, duration: 100, gpus: 8}\n"
      "- {name: b, submit: 1, duration: 100, gpus: 8, replicas: 2}\n"
      "- {name: c, submit: 2, duration: 10, gpus: 1}\n",
      "fifo",
      NULL,
      { { "a", 0, REPORT_DONE, REPORT_NO_CAUSE },
        { "b", 100 * S, REPORT_DONE, REPORT_CAPACITY },
        { "c", 200 * S, REPORT_DONE, REPORT_CAPACITY } } },
    { "two that start together after a third: the second by order",
      "jobs:\n"
      "- {name: a, submit: 0, duration: 100, gpus: 8, replicas: 2}\n"
      "- {name: b, submit: 1, duration: 100, gpus: 8}\n"
      "- {name: c, submit: 2, duration: 10, gpus: 8}\n",
      "fifo",
      NULL,
      { { "b", 100 * S, REPORT_DONE, REPORT_CAPACITY },
        { "c", 100 * S, REPORT_DONE, REPORT_ORDER } } },
    { "without a blocking head a small job overtakes",
      "jobs:\n"
      "- {name: a, submit: 0, duration: 100, gpus: 8}\n"
      "- {name: b, submit: 1, duration: 100, gpus: 8, replicas: 2}\n"
      "- {name: c, submit: 2, duration: 10, gpus: 1}\n",
      "binpack",
      NULL,
      { { "b", 100 * S, REPORT_DONE, REPORT_CAPACITY },
        { "c", 2 * S, REPORT_DONE, REPORT_NO_CAUSE } } },
    { "a higher priority class goes first",
      "priority_classes: {high: {value: 10}}\n"
      "jobs:\n"
      "- {name: a, submit: 0, duration: 100, gpus: 8, replicas: 2}\n"
      "- {name: b, submit: 1, duration: 100, gpus: 8, replicas: 2}\n"
      "- {name: c, submit: 2, duration: 10, gpus: 8, replicas: 2, "
      "priority: high}\n",
      "priority,gang,fit",
      NULL,
      { { "c", 100 * S, REPORT_DONE, REPORT_CAPACITY },
        { "b", 110 * S, REPORT_DONE, REPORT_CAPACITY } } },
    { "what no node can hold is rejected",
      "jobs:\n"
      "- {name: a, submit: 0, duration: 100, gpus: 9}\n"
      "- {name: b, submit: 0, duration: 100, gpus: 8, replicas: 3}\n"
      "- {name: c, submit: 5, duration: 100, gpus: 1, model: H100}\n",
      "kube-default",
      NULL,
      { { "a", NEVER, REPORT_REJECTED, REPORT_CONSTRAINT },
        { "b", NEVER, REPORT_REJECTED, REPORT_CAPACITY },
        { "c", NEVER, REPORT_REJECTED, REPORT_CONSTRAINT } } },
    { "an elastic gang starts with its minimum and grows later",
      "jobs:\n"
      "- {name: a, submit: 0, duration: 50, gpus: 8}\n"
      "- {name: b, submit: 1, duration: 100, gpus: 4, replicas: 4, gang: 2}\n"
      "- {name: c, submit: 2, duration: 10, gpus: 8}\n",
      "binpack",
      NULL,
      { { "b", 1 * S, REPORT_DONE, REPORT_NO_CAUSE },
        { "c", 50 * S, REPORT_DONE, REPORT_CAPACITY } } },
    { "with a period cycles run on the clock only, from the first submission",
      "jobs:\n- {name: first, submit: 0.5, duration: 5, gpus: 1}\n"
      "- {name: a, submit: 1.7, duration: 5, gpus: 1}\n",
      "binpack",
      "trigger.period=1s",
      { { "first", 500000, REPORT_DONE, REPORT_NO_CAUSE },
        { "a", 2500000, REPORT_DONE, REPORT_LATENCY } } },
    { "each placed task costs the scheduler time",
      "jobs:\n"
      "- {name: a, submit: 0, duration: 5, gpus: 1, replicas: 2}\n"
      "- {name: b, submit: 0, duration: 5, gpus: 1}\n",
      "binpack",
      "decision_cost=100ms",
      { { "a", 200000, REPORT_DONE, REPORT_LATENCY },
        { "b", 300000, REPORT_DONE, REPORT_LATENCY } } },
    { "time has an end, where all the rest happens",
      "jobs:\n"
      "- {name: a, submit: 0, duration: 13000000d, gpus: 8, replicas: 2}\n"
      "- {name: b, submit: 0, duration: 13000000d, gpus: 8, replicas: 2}\n"
      "- {name: c, submit: 0, duration: 13000000d, gpus: 8, replicas: 2}\n"
      "- {name: d, submit: 0, duration: 13000000d, gpus: 8, replicas: 2}\n"
      "- {name: e, submit: 0, duration: 13000000d, gpus: 8, replicas: 2}\n"
      "- {name: f, submit: 0, duration: 9, gpus: 8, replicas: 2, "
      "task_interval: 13000000d}\n",
      "binpack",
      NULL,
      { { "b", 13000000 * DAY, REPORT_DONE, REPORT_CAPACITY },
        { "e", 52000000 * DAY, REPORT_DONE, REPORT_CAPACITY },
        { "f", INT64_C(1) << 62, REPORT_DONE, REPORT_CAPACITY } } },
    { "a job of no duration ends when it starts",
      "jobs:\n"
      "- {name: a, submit: 3, duration: 0, gpus: 8, replicas: 2}\n"
      "- {name: b, submit: 3, duration: 7, gpus: 8, replicas: 2}\n",
      "binpack",
      NULL,
      { { "a", 3 * S, REPORT_DONE, REPORT_NO_CAUSE },
        { "b", 3 * S, REPORT_DONE, REPORT_NO_CAUSE } } },
};

static void test_small(void)
{
    for (size_t i = 0; i < N_ELEMENTS(small); i++) {
        const struct trace_options o = { 0 };
        struct world w;

        world_init(&w);
        CU_ASSERT_EQUAL_FATAL(world_load(&w, two_nodes, small[i].trace, &o), 0);
        CU_ASSERT_EQUAL_FATAL(
            world_run(&w, small[i].policy, small[i].set, NULL), 0);
        check_jobs(&w, small[i].job);
        world_fini(&w);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "the samples come out as written", test_cases },
        { "small cases come out as worked out by hand", test_small },
    };

    return suite_run("sim/scenarios", suite, N_ELEMENTS(suite));
}
