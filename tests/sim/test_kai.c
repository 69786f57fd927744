/* tests/sim/test_kai.c - scenarios of KAI Scheduler that are worked out by
 * hand: usage of the past, minimum run times, gangs that lack a task, parts of
 * GPUs.  docs/kai.md has the same ones with their numbers.
 */
#include "tests/lib/cases.h"

#define MINUTE (60 * S)
#define RUN(name, at, nodes, evictions)                      \
    {                                                        \
        name, (at), REPORT_DONE, ANY_CAUSE, nodes, evictions \
    }

/* --- usage of the past ---------------------------------------------------- */

/* `a` had all 16 GPUs for 2 of 4 hours, `b` none; then both ask for 16.
 * Weights are 0.5 + k (0.5 - usage).
 */
static const char sixteen[] = "node_types: {g: {gpus: 16}}\n"
                              "nodes: [{name: n1, type: g}]\n";
#define BEFORE                                                       \
    "queues: [{name: a}, {name: b}]\njobs:\n"                        \
    "- {name: early, submit: 0, duration: 2h, gpus: 16, queue: a}\n" \
    "- {name: late-a, submit: 4h, duration: 1s, gpus: 1, replicas: " \
    "{min: 1, max: 16}, queue: a}\n"                                 \
    "- {name: late-b, submit: 4h, duration: 1s, gpus: 1, replicas: " \
    "{min: 1, max: 16}, queue: b}\n"
#define LATE(a, b)                                  \
    {                                               \
        RUN("late-a", 240 * MINUTE, "n1*" a, 0),    \
            RUN("late-b", 240 * MINUTE, "n1*" b, 0) \
    }

static const struct case_world usage[] = {
    { "without a window it does not count", sixteen, BEFORE, "kai",
      LATE("8", "8") },
    /* usage 0.5: weights 0.5 and 1, shares 5.33 and 10.67 */
    { "a queue that used more gets less", sixteen, BEFORE,
      "kai; over-quota.window=8h", LATE("5", "11") },
    /* (0.5 - 0.25) / (1 - 0.25) = 1/3: weights 2/3 and 1, shares 6.4 and 9.6 */
    { "with a half-life less of it counts", sixteen, BEFORE,
      "kai; over-quota.window=8h; over-quota.half_life=2h", LATE("6", "10") },
    /* weights 0.5 and 0.75: the same */
    { "and with half of k", sixteen, BEFORE,
      "kai; over-quota.window=8h; over-quota.k=0.5", LATE("6", "10") },
};

/* --- two nodes of 4 GPUs -------------------------------------------------- */

static const char fours[] = "node_types: {g: {gpus: 4}}\n"
                            "nodes: [{name: 'n[1-2]', type: g}]\n";
#define PROTECTED(x)                                                  \
    "queues: [{name: x" x "}, {name: y}]\njobs:\n"                    \
    "- {name: first, submit: 0, duration: 2h, gpus: 4, queue: x}\n"   \
    "- {name: second, submit: 5m, duration: 2h, gpus: 4, queue: x}\n" \
    "- {name: urgent, submit: 6m, duration: 1h, gpus: 4, queue: x, "  \
    "priority: 9}\n"                                                  \
    "- {name: other, submit: 10m, duration: 1h, gpus: 4, queue: y}\n"

static const struct case_world runtimes[] = {
    /* first may go at 0 + 15, second at 5 + 30, when urgent has run for 20 */
    { "minimum run times of a queue",
      fours,
      PROTECTED(", preempt_min_runtime: 15m, reclaim_min_runtime: 30m"),
      "kai",
      { RUN("first", 0, NULL, 1), RUN("second", 5 * MINUTE, NULL, 1),
        RUN("urgent", 15 * MINUTE, NULL, 0),
        RUN("other", 35 * MINUTE, NULL, 0) } },
    { "those of the shard hold where it states none",
      fours,
      PROTECTED(""),
      "kai; min-runtime.preempt=15m; min-runtime.reclaim=30m",
      { RUN("first", 0, NULL, 1), RUN("second", 5 * MINUTE, NULL, 1),
        RUN("urgent", 15 * MINUTE, NULL, 0),
        RUN("other", 35 * MINUTE, NULL, 0) } },
    { "without them both begin at once",
      fours,
      PROTECTED(""),
      "kai",
      { RUN("urgent", 6 * MINUTE, NULL, 0),
        RUN("other", 10 * MINUTE, NULL, 0) } },
};

#define TORN                                                                \
    "jobs:\n- {name: torn, submit: 0, duration: 1h, gpus: 2, replicas: 3, " \
    "running_on: [n1, n2]}\n"                                               \
    "- {name: left, submit: 0, duration: 1h, gpus: 2, running_on: [n1]}\n"  \
    "- {name: right, submit: 0, duration: 1h, gpus: 2, running_on: [n2]}\n" \
    "- {name: next, submit: 30s, duration: 1h, gpus: 2, replicas: 2}\n"

static const struct case_world torn[] = {
    { "a gang that lacks a task is evicted after the grace period",
      fours,
      TORN,
      "kai",
      { RUN("next", MINUTE, NULL, 0), RUN("torn", 61 * MINUTE, NULL, 1) } },
    { "a longer one",
      fours,
      TORN,
      "kai; gang.timeout=2m",
      { RUN("next", 2 * MINUTE, NULL, 0), RUN("torn", 62 * MINUTE, NULL, 1) } },
    { "without one it gets the task when there is room, before others",
      fours,
      TORN,
      "kai; gang.timeout=0s",
      { RUN("torn", 60 * MINUTE, NULL, 0),
        RUN("next", 120 * MINUTE, NULL, 0) } },
};

/* --- parts of GPUs -------------------------------------------------------- */

static const char parts[] = "node_types: {g: {gpus: 2}}\n"
                            "nodes: [{name: n1, type: g}]\n";

static const struct case_world shared[] = {
    { "parts share the GPU in use, and one stays whole",
      parts,
      "jobs:\n- {name: half, submit: 0, duration: 1h, gpu_share: 0.5}\n"
      "- {name: third, submit: 1m, duration: 1h, gpu_share: 0.3}\n"
      "- {name: whole, submit: 2m, duration: 1h, gpus: 1}\n"
      "- {name: quarter, submit: 3m, duration: 1h, gpu_share: 0.25}\n"
      "- {name: fifth, submit: 4m, duration: 1h, gpu_share: 0.2}\n",
      "kai",
      { RUN("third", MINUTE, NULL, 0), RUN("whole", 2 * MINUTE, NULL, 0),
        RUN("quarter", 60 * MINUTE, NULL, 0),
        RUN("fifth", 4 * MINUTE, NULL, 0) } },
};

/* --- growth --------------------------------------------------------------- */

static const char four[] = "node_types: {g: {gpus: 4}}\n"
                           "nodes: [{name: n1, type: g}]\n";
#define GROWS(x, y)                                                 \
    "queues: [{name: x, priority: 2}, {name: y}]\njobs:\n"          \
    "- {name: more, submit: 0, duration: 1h, gpus: 1, replicas: "   \
    "{min: 2, max: 3}, queue: " x ", priority: 9}\n"                \
    "- {name: pair, submit: 0, duration: 1h, gpus: 1, replicas: 2," \
    " queue: " y "}\n"

/* 4 GPUs: 3 for the one, or 2 for each. */
static const struct case_world growth[] = {
    { "a job grows before one of lower priority starts",
      four,
      GROWS("x", "x"),
      "kai",
      { RUN("more", 0, "n1*3", 0), RUN("pair", 60 * MINUTE, "n1*2", 0) } },
    { "and before one of a queue that is behind",
      four,
      GROWS("x", "y"),
      "kai",
      { RUN("more", 0, "n1*3", 0), RUN("pair", 60 * MINUTE, "n1*2", 0) } },
    /* what was given to the gang is taken back at once */
    { "last: after all gangs",
      four,
      GROWS("x", "x"),
      "kai; elastic.growth=last",
      { RUN("more", 0, "n1*3", 0), RUN("pair", 0, "n1*2 n1*2", 1) } },
};

/* --- moves ---------------------------------------------------------------- */

static const char unequal[] = "node_types: {s: {gpus: 1}, l: {gpus: 3}}\n"
                              "nodes: [{name: n1, type: s}, "
                              "{name: n2, type: l}]\n";

static const char mixed[] = "node_types: {g: {gpus: 1, cpu: 2}, c: {cpu: 2}}\n"
                            "nodes: [{name: n1, type: g}, "
                            "{name: n2, type: c}]\n";
#define PLAIN                                                              \
    "jobs:\n- {name: plain, submit: 0, duration: 1h, cpu: 2, running_on: " \
    "[n1]}\n"                                                              \
    "- {name: gpu, submit: 1m, duration: 1h, gpus: 1, cpu: 1}\n"
#define GROWN                                                               \
    "jobs:\n- {name: grown, submit: 0, duration: 1h, gpus: 1, replicas: "   \
    "{min: 1, max: 3}, running_on: [n1*3]}\n"                               \
    "- {name: other, submit: 0, duration: 1h, gpus: 2, running_on: [n2]}\n" \
    "- {name: three, submit: 1m, duration: 1h, gpus: 3}\n"

static const char apart[] = "node_types: {s: {gpus: 1}, l: {gpus: 2}}\n"
                            "nodes: [{name: n1, type: l}, "
                            "{name: 'n[2-3]', type: s}]\n";
#define APART                                                               \
    "jobs:\n- {name: pair, submit: 0, duration: 1h, gpus: 1, replicas: 2, " \
    "running_on: [n1, n3]}\n"                                               \
    "- {name: two, submit: 1m, duration: 1h, gpus: 2}\n"

static const struct case_world moves[] = {
    { "to a node that the waiting job does not fit on",
      unequal,
      "jobs:\n"
      "- {name: one, submit: 0, duration: 1h, gpus: 1, running_on: [n2]}\n"
      "- {name: three, submit: 1m, duration: 1h, gpus: 3}\n",
      "kai",
      { RUN("one", 0, "n2*1 n1*1", 1), RUN("three", 1 * MINUTE, "n2*1", 0) } },
    { "not of a job without GPUs to a node without, for one of GPUs",
      mixed,
      PLAIN,
      "kai",
      { RUN("plain", 0, "n1*1", 0), RUN("gpu", 60 * MINUTE, "n1*1", 0) } },
    { "unless it may go to all nodes",
      mixed,
      PLAIN,
      "kai; preemption.onto=all",
      { RUN("plain", 0, "n1*1 n2*1", 1), RUN("gpu", 1 * MINUTE, "n1*1", 0) } },
    /* a gang of two keeps to nodes with idle GPUs, one of them n1 */
    { "first to nodes with idle GPUs, so that no room is made",
      apart,
      APART,
      "kai",
      { RUN("pair", 0, "n1*1 n3*1", 0), RUN("two", 60 * MINUTE, NULL, 0) } },
    { "with others it is",
      apart,
      APART,
      "kai; preemption.idle_first=no",
      { RUN("pair", 0, NULL, 1), RUN("two", 1 * MINUTE, "n1*1", 0) } },
    { "not of two tasks above one gang",
      fours,
      GROWN,
      "kai",
      { RUN("grown", 0, "n1*3", 0), RUN("three", 60 * MINUTE, NULL, 0) } },
    { "unless all tasks of a job may move for one other",
      fours,
      GROWN,
      "kai; moves.tasks=all",
      { RUN("grown", 0, "n1*3 n2*2", 0),
        RUN("three", 1 * MINUTE, "n1*1", 0) } },
};

static void test_usage(void)
{
    cases_run(usage, N_ELEMENTS(usage));
}

static void test_runtimes(void)
{
    cases_run(runtimes, N_ELEMENTS(runtimes));
}

static void test_torn(void)
{
    cases_run(torn, N_ELEMENTS(torn));
}

static void test_shared(void)
{
    cases_run(shared, N_ELEMENTS(shared));
}

static void test_growth(void)
{
    cases_run(growth, N_ELEMENTS(growth));
}

static void test_moves(void)
{
    cases_run(moves, N_ELEMENTS(moves));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "usage of the past", test_usage },
        { "minimum run times", test_runtimes },
        { "gangs that lack a task", test_torn },
        { "parts of GPUs", test_shared },
        { "growth", test_growth },
        { "moves", test_moves },
    };

    return suite_run("sim/kai", suite, N_ELEMENTS(suite));
}
