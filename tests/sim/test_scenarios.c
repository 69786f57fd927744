/* tests/sim/test_scenarios.c - small cases that policies must get right: the
 * samples, and worlds written out.
 */
#include "tests/lib/cases.h"

#define DAY (86400 * S)
#define SAMPLE(trace, topology)                                      \
    trace " under its policy", "topology/samples/" topology ".yaml", \
        "traces/samples/" trace ".yaml"
#define BECOMES(name, start, state, cause) \
    {                                      \
        name, start, state, cause, NULL, 0 \
    }

#define NO_DEADLOCK 0, 0, 0
#define DEADLOCK(jobs, from, to) jobs, from, to

/* A sample, and its only episode of deadlock. */
static const struct {
    uint32_t deadlocked; /* jobs; 0: there is no episode */
    int64_t from, to;    /* us; to NEVER: it never ends */
    struct case_world world;
} samples[] = {
    { NO_DEADLOCK,
      { SAMPLE("fragmentation", "fragmentation"),
        "spread",
        { BECOMES("big", 7200 * S, REPORT_DONE, REPORT_FRAGMENTATION) } } },
    { NO_DEADLOCK,
      { SAMPLE("fragmentation", "fragmentation"),
        "kube-default",
        { BECOMES("big", 7200 * S, REPORT_DONE, REPORT_FRAGMENTATION) } } },
    { NO_DEADLOCK,
      { SAMPLE("fragmentation", "fragmentation"),
        "binpack",
        { BECOMES("big", 60 * S, REPORT_DONE, REPORT_NO_CAUSE) } } },
    { DEADLOCK(2, 4 * S, NEVER),
      { SAMPLE("deadlock", "ten-gpus"),
        "kube-default",
        { BECOMES("left", NEVER, REPORT_PARTLY, REPORT_HOARDING),
          BECOMES("right", NEVER, REPORT_PARTLY, REPORT_HOARDING) } } },
    { NO_DEADLOCK,
      { SAMPLE("deadlock", "ten-gpus"),
        "binpack",
        { BECOMES("left", 7 * S, REPORT_DONE, REPORT_LATENCY),
          BECOMES("right", 3607 * S, REPORT_DONE, REPORT_CAPACITY) } } },
    { DEADLOCK(2, 4 * S, 600 * S),
      { SAMPLE("deadlock", "ten-gpus"),
        "kube-default; gang.timeout=10m",
        { { "left", 600 * S, REPORT_DONE, REPORT_HOARDING, NULL, 1 },
          { "right", 4200 * S, REPORT_DONE, REPORT_CAPACITY, NULL, 7 } } } },
    { DEADLOCK(1, 4500000, NEVER),
      { SAMPLE("service", "ten-gpus"),
        "kube-default",
        { BECOMES("gang", NEVER, REPORT_PARTLY, REPORT_CAPACITY),
          BECOMES("service", 4500000, REPORT_RUNNING, REPORT_NO_CAUSE) } } },
    { NO_DEADLOCK,
      { SAMPLE("service", "ten-gpus"),
        "binpack",
        { BECOMES("gang", NEVER, REPORT_PENDING, REPORT_CAPACITY),
          BECOMES("service", 4500000, REPORT_RUNNING, REPORT_NO_CAUSE) } } },
    { NO_DEADLOCK,
      { SAMPLE("hoarding", "ten-gpus"),
        "kube-default",
        { BECOMES("gang", 3604500000, REPORT_DONE, REPORT_CAPACITY),
          BECOMES("other", 4500000, REPORT_DONE, REPORT_NO_CAUSE) } } },
    { NO_DEADLOCK,
      { SAMPLE("topology", "two-by-two"),
        "gang,consolidate,binpack",
        { BECOMES("first", 60 * S, REPORT_DONE, REPORT_NO_CAUSE),
          BECOMES("second", 4 * 3600 * S, REPORT_DONE, REPORT_TOPOLOGY) } } },
};

static void test_samples(void)
{
    for (size_t i = 0; i < N_ELEMENTS(samples); i++) {
        const bool is_deadlocked = samples[i].deadlocked > 0;
        struct world w;

        CU_ASSERT_FATAL(case_run(&w, &samples[i].world));
        CU_ASSERT_EQUAL_FATAL(w.log->episode_count, is_deadlocked);
        if (is_deadlocked) {
            CU_ASSERT_EQUAL(w.log->episode[0].start, samples[i].from);
            CU_ASSERT_EQUAL(w.log->episode[0].end, samples[i].to);
            CU_ASSERT_EQUAL(w.log->episode[0].job_count, samples[i].deadlocked);
        }
        world_fini(&w);
    }
}

/* Rules that no sample shows. */
#define TWO_NODES                           \
    "node_types: {g: {gpus: 8, cpu: 16}}\n" \
    "nodes: [{name: 'n[1-2]', type: g}]\n"

static const struct case_world small[] = {
    { "the head of the queue blocks, and the rest waits in order",
      TWO_NODES,
      "jobs:\n"
      "- {name: a, submit: 0, duration: 100, gpus: 8}\n"
      "- {name: b, submit: 1, duration: 100, gpus: 8, replicas: 2}\n"
      "- {name: c, submit: 2, duration: 10, gpus: 1}\n",
      "fifo",
      { BECOMES("a", 0, REPORT_DONE, REPORT_NO_CAUSE),
        BECOMES("b", 100 * S, REPORT_DONE, REPORT_CAPACITY),
        BECOMES("c", 200 * S, REPORT_DONE, REPORT_CAPACITY) } },
    { "two that start together after a third: the second by order",
      TWO_NODES,
      "jobs:\n"
      "- {name: a, submit: 0, duration: 100, gpus: 8, replicas: 2}\n"
      "- {name: b, submit: 1, duration: 100, gpus: 8}\n"
      "- {name: c, submit: 2, duration: 10, gpus: 8}\n",
      "fifo",
      { BECOMES("b", 100 * S, REPORT_DONE, REPORT_CAPACITY),
        BECOMES("c", 100 * S, REPORT_DONE, REPORT_ORDER) } },
    { "without a blocking head a small job overtakes",
      TWO_NODES,
      "jobs:\n"
      "- {name: a, submit: 0, duration: 100, gpus: 8}\n"
      "- {name: b, submit: 1, duration: 100, gpus: 8, replicas: 2}\n"
      "- {name: c, submit: 2, duration: 10, gpus: 1}\n",
      "binpack",
      { BECOMES("b", 100 * S, REPORT_DONE, REPORT_CAPACITY),
        BECOMES("c", 2 * S, REPORT_DONE, REPORT_NO_CAUSE) } },
    { "a higher priority class goes first",
      TWO_NODES,
      "priority_classes: {high: {value: 10}}\n"
      "jobs:\n"
      "- {name: a, submit: 0, duration: 100, gpus: 8, replicas: 2}\n"
      "- {name: b, submit: 1, duration: 100, gpus: 8, replicas: 2}\n"
      "- {name: c, submit: 2, duration: 10, gpus: 8, replicas: 2, "
      "priority: high}\n",
      "priority,gang,fit",
      { BECOMES("c", 100 * S, REPORT_DONE, REPORT_CAPACITY),
        BECOMES("b", 110 * S, REPORT_DONE, REPORT_CAPACITY) } },
    { "what no node can hold is rejected",
      TWO_NODES,
      "jobs:\n"
      "- {name: a, submit: 0, duration: 100, gpus: 9}\n"
      "- {name: b, submit: 0, duration: 100, gpus: 8, replicas: 3}\n"
      "- {name: c, submit: 5, duration: 100, gpus: 1, model: H100}\n",
      "kube-default",
      { BECOMES("a", NEVER, REPORT_REJECTED, REPORT_CONSTRAINT),
        BECOMES("b", NEVER, REPORT_REJECTED, REPORT_CAPACITY),
        BECOMES("c", NEVER, REPORT_REJECTED, REPORT_CONSTRAINT) } },
    { "an elastic gang starts with its minimum and grows later",
      TWO_NODES,
      "jobs:\n"
      "- {name: a, submit: 0, duration: 50, gpus: 8}\n"
      "- {name: b, submit: 1, duration: 100, gpus: 4, replicas: 4, gang: 2}\n"
      "- {name: c, submit: 2, duration: 10, gpus: 8}\n",
      "binpack",
      { BECOMES("b", 1 * S, REPORT_DONE, REPORT_NO_CAUSE),
        BECOMES("c", 50 * S, REPORT_DONE, REPORT_CAPACITY) } },
    { "with a period cycles run on the clock only, from the first submission",
      TWO_NODES,
      "jobs:\n- {name: first, submit: 0.5, duration: 5, gpus: 1}\n"
      "- {name: a, submit: 1.7, duration: 5, gpus: 1}\n",
      "binpack; trigger.period=1s",
      { BECOMES("first", 500000, REPORT_DONE, REPORT_NO_CAUSE),
        BECOMES("a", 2500000, REPORT_DONE, REPORT_LATENCY) } },
    { "each placed task costs the scheduler time",
      TWO_NODES,
      "jobs:\n"
      "- {name: a, submit: 0, duration: 5, gpus: 1, replicas: 2}\n"
      "- {name: b, submit: 0, duration: 5, gpus: 1}\n",
      "binpack; decision_cost=100ms",
      { BECOMES("a", 200000, REPORT_DONE, REPORT_LATENCY),
        BECOMES("b", 300000, REPORT_DONE, REPORT_LATENCY) } },
    { "time has an end, where all the rest happens",
      TWO_NODES,
      "jobs:\n"
      "- {name: a, submit: 0, duration: 13000000d, gpus: 8, replicas: 2}\n"
      "- {name: b, submit: 0, duration: 13000000d, gpus: 8, replicas: 2}\n"
      "- {name: c, submit: 0, duration: 13000000d, gpus: 8, replicas: 2}\n"
      "- {name: d, submit: 0, duration: 13000000d, gpus: 8, replicas: 2}\n"
      "- {name: e, submit: 0, duration: 13000000d, gpus: 8, replicas: 2}\n"
      "- {name: f, submit: 0, duration: 9, gpus: 8, replicas: 2, "
      "task_interval: 13000000d}\n",
      "binpack",
      { BECOMES("b", 13000000 * DAY, REPORT_DONE, REPORT_CAPACITY),
        BECOMES("e", 52000000 * DAY, REPORT_DONE, REPORT_CAPACITY),
        BECOMES("f", INT64_C(1) << 62, REPORT_DONE, REPORT_CAPACITY) } },
    { "a job of no duration ends when it starts",
      TWO_NODES,
      "jobs:\n"
      "- {name: a, submit: 3, duration: 0, gpus: 8, replicas: 2}\n"
      "- {name: b, submit: 3, duration: 7, gpus: 8, replicas: 2}\n",
      "binpack",
      { BECOMES("a", 3 * S, REPORT_DONE, REPORT_NO_CAUSE),
        BECOMES("b", 3 * S, REPORT_DONE, REPORT_NO_CAUSE) } },
};

static void test_small(void)
{
    cases_run(small, N_ELEMENTS(small));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "the samples come out as written", test_samples },
        { "small cases come out as worked out by hand", test_small },
    };

    return suite_run("sim/scenarios", suite, N_ELEMENTS(suite));
}
