/* tests/sim/test_retry.c - pauses between attempts (module retry), and gangs of
 * which a part must fit at once (the same).
 */
#include "tests/lib/cases.h"

static const char one[] = "node_types: {t: {cpu: 16}}\n"
                          "nodes: [{name: n1, type: t}]\n";

#define POD(more)                               \
    "actions: [allocate, preempt]\nunit: pod\n" \
    "modules: [priority, gang, fit, " more "]\n"
#define PAUSES POD("retry: {first: 1s, most: 10s}")
#define JOB(name, submit, duration, more) \
    "- {name: " name ", submit: " submit ", duration: " duration ", " more "}\n"
#define STARTS(name, start)                                         \
    {                                                               \
        name, (int64_t)((start)*S), REPORT_DONE, ANY_CAUSE, NULL, 0 \
    }

/* `big` needs the whole node.  Its attempts: at 10 s (pause 1 s), 20 s (2 s),
 * 24 s (4 s), and, because of the ends at 25 s and 26 s, at 28 s.
 */
#define BIG                                                                \
    "jobs:\n" JOB("f", "0", "26", "cpu: 10") JOB("a", "0", "20", "cpu: 2") \
        JOB("b", "0", "24", "cpu: 2") JOB("c", "0", "25", "cpu: 2")        \
            JOB("big", "10", "10", "cpu: 16")

static const struct case_world pauses[] = {
    { "without pauses it starts when it fits",
      one,
      BIG,
      POD("least-allocated"),
      { STARTS("big", 26) } },
    { "each attempt doubles the pause",
      one,
      BIG,
      PAUSES,
      { STARTS("big", 28) } },
    { "others take what was freed in its pause",
      one,
      BIG JOB("late", "27", "100", "cpu: 1"),
      PAUSES,
      { STARTS("late", 27), STARTS("big", 127) } },
    { "a gang is one request",
      one,
      "jobs:\n" JOB("f", "0", "10.5", "cpu: 1")
          JOB("g", "10", "10", "cpu: 1, replicas: 16"),
      "actions: [allocate]\n"
      "modules: [priority, gang, fit, retry: {first: 1s, gang: 5s}]\n",
      { STARTS("g", 15) } },
    { "a new job with the same request is tried at once, the older one first",
      one,
      "jobs:\n" JOB("f", "0", "10.5", "cpu: 16") JOB("x", "10", "9", "cpu: 16")
          JOB("y", "10.7", "9", "cpu: 16"),
      PAUSES,
      { STARTS("x", 10.7), STARTS("y", 19.7) } },
    { "what does not fit may evict at its first attempt",
      one,
      "priority_classes: {low: {value: 1}, high: {value: 9}}\n"
      "jobs:\n" JOB("x", "0", "100", "cpu: 16, priority: low")
          JOB("y", "10", "9", "cpu: 16, priority: high"),
      PAUSES,
      { STARTS("y", 10), { "x", 0, REPORT_DONE, ANY_CAUSE, "n1*1 n1*1", 1 } } },
    { "a more important one, too",
      one,
      "priority_classes: {low: {value: 1}, mid: {value: 5}, high: {value: 9}}\n"
      "jobs:\n" JOB("f", "0", "100", "cpu: 16, priority: high")
          JOB("x", "10", "9", "cpu: 16, priority: low")
              JOB("y", "10", "9", "cpu: 16, priority: mid"),
      PAUSES,
      { STARTS("y", 100), STARTS("x", 109) } },
};

static void test_pauses(void)
{
    cases_run(pauses, N_ELEMENTS(pauses));
}

/* Room for 15 of 16: less than 95 % is given back at once, which lets the
 * smaller gang start; more is held until the timeout.
 */
#define GANGS                                       \
    "jobs:\n" JOB("f", "0", "50", "cpu: 1")         \
        JOB("g", "1", "10", "cpu: 1, replicas: 16") \
            JOB("small", "2", "5", "cpu: 1, replicas: 15")
#define PART(part)                                                         \
    "actions: [allocate]\nunit: pod\nmodules: [priority, gang: {timeout: " \
    "20s}, fit, retry: {first: 0s, part: " part "}]\n"

static const struct case_world parts[] = {
    { "one by one: they wait for the last until the timeout",
      one,
      GANGS,
      PART("0"),
      { { "g", 50 * S, REPORT_DONE, ANY_CAUSE, NULL, 2 },
        { "small", 21 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "nothing of a gang of which too little fits",
      one,
      GANGS,
      PART("95"),
      { STARTS("small", 2), STARTS("g", 50) } },
};

/* Ten GPUs; the tasks of both gangs of 8 are created in turn, and each gets 5.
 */
static const char ten[] = "node_types: {t: {gpus: 5}}\n"
                          "nodes: [{name: 'n[1-2]', type: t}]\n";

#define TURNS(left, right)                                        \
    "jobs:\n" JOB("left", "0", "3600",                            \
                  "gpus: 1, replicas: 8, task_interval: 1s" left) \
        JOB("right", "0", "3600",                                 \
            "gpus: 1, replicas: 8, task_interval: 1s" right)
#define FAILS(name)                                    \
    {                                                  \
        name, NEVER, REPORT_FAILED, ANY_CAUSE, NULL, 1 \
    }

static const struct case_world styles[] = {
    { "both go on without a time limit: one after the other",
      ten,
      TURNS("", ""),
      "yunikorn",
      { { "left", 900 * S, REPORT_DONE, ANY_CAUSE, NULL, 1 },
        { "right", 4500 * S, REPORT_DONE, ANY_CAUSE, NULL, 1 } } },
    { "both fail",
      ten,
      TURNS(", gang_style: hard", ", gang_style: hard"),
      "yunikorn",
      { FAILS("left"), FAILS("right") } },
    { "one fails, the other goes on",
      ten,
      TURNS(", gang_style: hard", ""),
      "yunikorn",
      { FAILS("left"),
        { "right", 900 * S, REPORT_DONE, ANY_CAUSE, NULL, 1 } } },
    /* after 10 minutes left is over, and right has its other three */
    { "one has a time limit of its own",
      ten,
      TURNS(", gang_style: hard, gang_timeout: 10m", ", gang_style: hard"),
      "yunikorn",
      { FAILS("left"),
        { "right", 600 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "the longer limit does not hold up the shorter one",
      ten,
      TURNS(", gang_style: hard, gang_timeout: 20m",
            ", gang_style: hard, gang_timeout: 10m"),
      "yunikorn",
      { { "left", 600 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        FAILS("right") } },
    { "where a gang has its place as a whole no time runs out",
      ten,
      TURNS(", gang_style: hard", ", gang_style: hard"),
      "gang,fit",
      { { "left", 7 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "right", 3607 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
};

/* Guaranteed are 4 CPUs: wide asks for 6 and can never take them, small for 2;
 * both have waited 30 s at 630.
 */
static const struct case_world attempts[] = {
    { "an attempt that fails does not keep another task of the queue waiting",
      "node_types: {t: {cpu: 8}}\nnodes: [{name: 'n[1-2]', type: t}]\n",
      "queues: [{name: a, guarantee: {cpu: 4}}, {name: b}]\n"
      "jobs:\n"
      "- {name: fill, queue: b, submit: 0, duration: 2h, cpu: 1, gang: 1,\n"
      "   replicas: 16, completions: 16}\n"
      "- {name: wide, queue: a, submit: 10m, duration: 1h, cpu: 6}\n"
      "- {name: small, queue: a, submit: 10m, duration: 1h, cpu: 2}\n",
      "yunikorn",
      { { "small", 630 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "wide", 7200 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
};

static void test_attempts(void)
{
    cases_run(attempts, N_ELEMENTS(attempts));
}

static void test_styles(void)
{
    cases_run(styles, N_ELEMENTS(styles));
}

static void test_parts(void)
{
    cases_run(parts, N_ELEMENTS(parts));
}

/* Time in the pause after something was freed is no lack of room. */
static void test_cause(void)
{
    int64_t latency = 0;
    struct world w;

    CU_ASSERT_FATAL(case_run(&w, &pauses[1]));
    for (uint32_t i = 0; i < w.log->wait_count; i++) {
        const struct report_wait *wait = &w.log->wait[i];

        if (wait->job == 4 && wait->cause == REPORT_LATENCY)
            latency += wait->us;
    }
    CU_ASSERT_EQUAL(latency, 2 * S);
    world_fini(&w);
}

static void test_refused(void)
{
    static const char *const modes[] = { "backfill: {mode: easy}",
                                         "backfill: {mode: conservative}",
                                         "passes" };
    char policy[200];

    for (size_t i = 0; i < N_ELEMENTS(modes); i++) {
        const struct trace_options o = { 0 };
        struct world w;

        snprintf(policy, sizeof(policy),
                 "actions: [allocate, backfill]\n"
                 "modules: [fifo, gang, fit, retry, %s]\n",
                 modes[i]);
        world_init(&w);
        CU_ASSERT_EQUAL(world_load(&w, one, BIG, &o), 0);
        CU_ASSERT(world_run(&w, policy, NULL, NULL) < 0);
        CU_ASSERT_PTR_NOT_NULL(
            strstr(w.err.problem[0].text, "module 'retry' goes neither"));
        world_fini(&w);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "what did not fit is tried after a pause", test_pauses },
        { "a part of a gang must fit at once", test_parts },
        { "gangs that are not complete in time", test_styles },
        { "attempts of a queue that fail", test_attempts },
        { "the cause of the wait in a pause", test_cause },
        { "no pauses with reservations", test_refused },
    };

    return suite_run("sim/retry", suite, N_ELEMENTS(suite));
}
