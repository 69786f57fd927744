/* tests/sim/test_gang_preempt.c - room for a whole gang at once: actions
 * gang-preempt and gang-reclaim.
 */
#include "tests/lib/cases.h"

/* Two racks of two nodes of 8 GPUs under one spine. */
static const char racks[] = "tiers: [{name: spine}, {name: rack}]\n"
                            "node_types: {g: {gpus: 8}}\n"
                            "nodes:\n"
                            "- {name: 'a[1-2]', type: g, spine: s, rack: a}\n"
                            "- {name: 'b[1-2]', type: g, spine: s, rack: b}\n";
static const char two[] = "node_types: {g: {gpus: 8}}\n"
                          "nodes: [{name: 'n[1-2]', type: g}]\n";
static const char three[] = "node_types: {g: {gpus: 8}}\n"
                            "nodes: [{name: 'n[1-3]', type: g}]\n";
static const char one[] = "node_types: {g: {gpus: 8}}\n"
                          "nodes: [{name: n1, type: g}]\n";

#define RUNS(name, gpus, priority, more)                        \
    "- {name: " name ", submit: 0, duration: 1000, gpus: " gpus \
    ", priority: " priority more "}\n"
#define COMES(gpus, priority, more)                        \
    "- {name: new, submit: 10, duration: 100, gpus: " gpus \
    ", priority: " priority more "}\n"
#define TASKS(n) ", replicas: " n
#define OF(queue) ", queue: " queue

#define PREEMPT(more)                          \
    "actions: [allocate, gang-preempt]\n" more \
    "modules: [priority, gang, fit, topology]\n"
#define RECLAIM                                                                \
    "actions: [allocate, gang-reclaim]\nmodules:\n- queue: {mode: capacity}\n" \
    "- gang\n- fit\n"
#define QUEUES(a, b)                                                           \
    "queues: [{name: a, deserved: {gpu: " a "}}, {name: b, deserved: {gpu: " b \
    "}}, {name: c, deserved: {gpu: 8}}]\njobs:\n"

/* As it is in the end: it was made to go so many times. */
#define LOSES(name, evictions)                           \
    {                                                    \
        name, 0, REPORT_DONE, ANY_CAUSE, NULL, evictions \
    }
#define TAKES(where)                                    \
    {                                                   \
        "new", 10 * S, REPORT_DONE, ANY_CAUSE, where, 0 \
    }
#define WAITS(until)                                      \
    {                                                     \
        "new", (until)*S, REPORT_DONE, ANY_CAUSE, NULL, 0 \
    }

static const struct case_world who[] = {
    { "a whole gang goes for a gang",
      two,
      "jobs:\n" RUNS("a", "8", "1", TASKS("2")) COMES("8", "9", TASKS("2")),
      PREEMPT(""),
      { TAKES("n1*1 n2*1"), LOSES("a", 1) } },
    { "not for one of equal priority",
      two,
      "jobs:\n" RUNS("a", "8", "1", TASKS("2")) COMES("8", "1", TASKS("2")),
      PREEMPT(""),
      { WAITS(1000), LOSES("a", 0) } },
    { "tasks above a gang go before whole gangs",
      two,
      "jobs:\n" RUNS("a", "8", "1", "")
          RUNS("b", "4", "2", ", gang: 1, replicas: 2") COMES("4", "9", ""),
      PREEMPT(""),
      { TAKES("n1*1"),
        LOSES("a", 0),
        { "b", 0, REPORT_DONE, ANY_CAUSE, "n1*2 n1*1", 0 } } },
    { "of whole gangs the job that is served last goes first",
      two,
      "jobs:\n" RUNS("a", "8", "2", "") RUNS("b", "8", "1", "")
          COMES("8", "9", ""),
      PREEMPT(""),
      { TAKES("n2*1"), LOSES("a", 0), LOSES("b", 1) } },
    { "whole gangs stay where they are to",
      two,
      "jobs:\n" RUNS("a", "8", "1", TASKS("2")) COMES("8", "9", TASKS("2")),
      PREEMPT("bundles: {whole: no}\n"),
      { WAITS(1000), LOSES("a", 0) } },
    { "but tasks above their gangs may go",
      two,
      "jobs:\n" RUNS("a", "8", "1", ", gang: 1, replicas: 2")
          COMES("8", "9", ""),
      PREEMPT("bundles: {whole: no}\n"),
      { TAKES("n2*1"),
        { "a", 0, REPORT_DONE, ANY_CAUSE, "n1*1 n2*1 n2*1", 0 } } },
    { "the gang stays in one domain",
      racks,
      "jobs:\n" RUNS("a", "8", "1", "") RUNS("b", "8", "1", "")
          RUNS("c", "8", "1", "") RUNS("d", "8", "1", "")
              COMES("8", "9", TASKS("2") ", topology: {within: rack}"),
      PREEMPT(""),
      { TAKES("a1*1 a2*1"), LOSES("a", 1), LOSES("b", 1), LOSES("c", 0) } },
    { "of too many domains the last are examined",
      racks,
      "jobs:\n" RUNS("a", "8", "1", "") RUNS("b", "8", "1", "")
          RUNS("c", "8", "1", "") RUNS("d", "8", "1", "")
              COMES("8", "9", TASKS("2") ", topology: {within: rack}"),
      PREEMPT("bundles: {domains: 1}\n"),
      { TAKES("b1*1 b2*1"), LOSES("a", 0), LOSES("b", 0), LOSES("c", 1) } },
    { "task by task not, where the module forbids it",
      racks,
      "jobs:\n" RUNS("a", "8", "1", TASKS("4"))
          COMES("8", "9", TASKS("2") ", topology: {within: rack}"),
      "actions: [allocate, preempt]\nmodules: [priority, gang, fit, {topology: "
      "{preempts: no}}]\n",
      { WAITS(1000), LOSES("a", 0) } },
    { "then as a gang only",
      racks,
      "jobs:\n" RUNS("a", "8", "1", TASKS("4"))
          COMES("8", "9", TASKS("2") ", topology: {within: rack}"),
      "actions: [allocate, gang-preempt]\nmodules: [priority, gang, fit, "
      "{topology: {preempts: no}}]\n",
      { TAKES("a1*1 a2*1"), LOSES("a", 1) } },
    { "on one node, too",
      two,
      "jobs:\n" RUNS("a", "8", "1", TASKS("2"))
          COMES("4", "9", TASKS("2") ", topology: {within: node}"),
      PREEMPT(""),
      { TAKES("n1*2"), LOSES("a", 1) } },
    { "a job that is not preemptible stays",
      two,
      "jobs:\n" RUNS("a", "8", "1", TASKS("2") ", preemptible: false")
          COMES("8", "9", ""),
      PREEMPT(""),
      { WAITS(1000), LOSES("a", 0) } },
    { "a job that does not preempt waits",
      one,
      "priority_classes: {shy: {value: 9, preemption: never}}\njobs:\n" RUNS(
          "a", "8", "1", "") COMES("8", "shy", ""),
      PREEMPT(""),
      { WAITS(1000), LOSES("a", 0) } },
    { "drf does not judge gangs",
      two,
      "jobs:\n" RUNS("a", "8", "1", TASKS("2")) COMES("8", "9", TASKS("2")),
      "actions: [allocate, gang-preempt]\nmodules: [drf, priority, gang, fit]\n",
      { TAKES("n1*1 n2*1"), LOSES("a", 1) } },
    { "nor a module whose point is off",
      two,
      "jobs:\n" RUNS("a", "8", "1", TASKS("2")) COMES("8", "9", TASKS("2")),
      "actions: [allocate, gang-preempt]\nmodules: [fit, {gang: {only: "
      "[gang_ready]}}, {priority: {only: [job_order, preempt]}}]\n",
      { WAITS(1000), LOSES("a", 0) } },
    { "priority holds without its module, too",
      two,
      "jobs:\n" RUNS("a", "8", "9", TASKS("2")) COMES("8", "1", TASKS("2")),
      "actions: [allocate, gang-preempt]\nmodules: [gang, fit]\n",
      { WAITS(1000), LOSES("a", 0) } },
    { "a job that is exempt stays",
      one,
      "jobs:\n" RUNS("a", "8", "1", ", user: kube-system") COMES("8", "9", ""),
      "actions: [allocate, gang-preempt]\nmodules: [priority, gang, fit, exempt]\n",
      { WAITS(1000), LOSES("a", 0) } },
    { "what is above the share of a queue is reclaimed",
      two,
      QUEUES("8", "8") RUNS("a", "8", "1", OF("a")) RUNS("b", "8", "1", OF("a"))
          COMES("8", "1", OF("b")),
      RECLAIM,
      { TAKES("n1*1"), LOSES("a", 1), LOSES("b", 0) } },
    { "of whole gangs that of which most is of use",
      three,
      QUEUES("8", "8") RUNS("a", "8", "1", TASKS("2") OF("a"))
          RUNS("b", "8", "1", OF("a")) COMES("8", "1", OF("b")),
      RECLAIM,
      { TAKES("n3*1"), LOSES("a", 0), LOSES("b", 1) } },
    { "a queue at its share gives nothing",
      two,
      QUEUES("16", "8") RUNS("a", "8", "1", OF("a"))
          RUNS("b", "8", "1", OF("a")) COMES("8", "1", OF("b")),
      RECLAIM,
      { WAITS(1000), LOSES("a", 0), LOSES("b", 0) } },
};

static void test_who(void)
{
    cases_run(who, N_ELEMENTS(who));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "who goes", test_who },
    };

    return suite_run("sim/gang_preempt", suite, N_ELEMENTS(suite));
}
