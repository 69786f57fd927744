/* tests/sim/test_preemption.c - victims, their nodes, and what becomes of
 * them, worked out by hand.
 */
#include "tests/lib/cases.h"

/* Four nodes of 8 GPUs; jobs of 1000 s that begin one second after another,
 * and one that comes at 10 s for 100 s.
 */
static const char nodes[] = "node_types:\n"
                            "  g: {gpus: 8, model: A100}\n"
                            "  h: {gpus: 8, model: H100}\n"
                            "nodes:\n"
                            "- {name: n1, type: g, labels: {node: n1}}\n"
                            "- {name: n2, type: g, labels: {node: n2}}\n"
                            "- {name: n3, type: h, labels: {node: n3}}\n";
static const char one_node[] = "node_types: {g: {gpus: 8}}\n"
                               "nodes: [{name: n1, type: g}]\n";

#define CLASSES                                                            \
    "priority_classes: {low: {value: 1}, mid: {value: 50}, high: {value: " \
    "100}, modest: {value: 100, preemption: never}, shy: {value: 1, "      \
    "preemption: never}, free: {value: -5}}\n"                             \
    "jobs:\n"
#define RUNS(name, start, gpus, klass, more)                            \
    "- {name: " name ", submit: " start ", duration: 1000, gpus: " gpus \
    ", priority: " klass more "}\n"
#define COMES(gpus, klass, more)                           \
    "- {name: new, submit: 10, duration: 100, gpus: " gpus \
    ", priority: " klass more "}\n"
#define ON(node) ", nodes: {node: " node "}"
#define TASKS(n) ", replicas: " n

/* A job of a more and a less important kind, of which one is above its gang. */
#define OF_TWO(gpus)                                                           \
    "- {name: a, submit: 0, duration: 1000, priority: mid, gang: 1, tasks: [{" \
    "gpus: " gpus ", priority: low}, {gpus: " gpus ", priority: high}]}\n"

#define BY_PODS                                 \
    "actions: [allocate, preempt]\nunit: pod\n" \
    "modules: [priority, fit]\n"
#define BY_GANGS \
    "actions: [allocate, preempt]\nmodules: [priority, gang, fit]\n"

/* As it is in the end: it was, or was not, made to go. */
#define STAYS(name, start)                               \
    {                                                    \
        name, (start)*S, REPORT_DONE, ANY_CAUSE, NULL, 0 \
    }
#define GOES(name, start)                                \
    {                                                    \
        name, (start)*S, REPORT_DONE, ANY_CAUSE, NULL, 1 \
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
    { "the lower priority goes, and starts again",
      one_node,
      CLASSES RUNS("a", "0", "8", "low", "") COMES("8", "high", ""),
      BY_PODS,
      { TAKES("n1*1"), { "a", 0, REPORT_DONE, ANY_CAUSE, "n1*1 n1*1", 1 } } },
    { "no job is evicted for one of equal priority",
      one_node,
      CLASSES RUNS("a", "0", "8", "mid", "") COMES("8", "mid", ""),
      BY_PODS,
      { WAITS(1000), STAYS("a", 0) } },
    { "no job is evicted for one of lower priority",
      one_node,
      CLASSES RUNS("a", "0", "8", "high", "") COMES("8", "mid", ""),
      BY_PODS,
      { WAITS(1000), STAYS("a", 0) } },
    { "an earlier request of the same class failed",
      one_node,
      CLASSES RUNS("a", "0", "8", "mid", "") RUNS("b", "1", "8", "mid", "")
          RUNS("c", "2", "8", "modest", "") COMES("8", "high", ""),
      BY_PODS,
      { TAKES("n1*1"), GOES("a", 0), STAYS("c", 110), STAYS("b", 1110) } },
    { "a class that never preempts waits",
      one_node,
      CLASSES RUNS("a", "0", "8", "low", "") COMES("8", "modest", ""),
      BY_PODS,
      { WAITS(1000), STAYS("a", 0) } },
    { "gangs of a class that never preempts wait",
      one_node,
      CLASSES RUNS("a", "0", "8", "low", "") COMES("4", "modest", TASKS("2")),
      BY_GANGS,
      { WAITS(1000), STAYS("a", 0) } },
    { "a class that never preempts is preempted",
      one_node,
      CLASSES RUNS("a", "0", "8", "shy", "") COMES("8", "mid", ""),
      BY_PODS,
      { TAKES("n1*1"), GOES("a", 0) } },
    { "preemptible: false stays",
      one_node,
      CLASSES RUNS("a", "0", "8", "low", ", preemptible: false")
          COMES("8", "high", ""),
      BY_PODS,
      { WAITS(1000), STAYS("a", 0) } },
    { "preemptible: false, another job is evicted",
      one_node,
      CLASSES RUNS("a", "0", "4", "low", ", preemptible: false")
          RUNS("b", "1", "4", "mid", "") COMES("4", "high", ""),
      BY_PODS,
      { TAKES("n1*1"), STAYS("a", 0), GOES("b", 1) } },
    { "a priority below that of no class",
      one_node,
      CLASSES RUNS("a", "0", "8", "free",
                   "") "- {name: new, submit: 10, duration: 100, gpus: 8}\n",
      BY_PODS,
      { TAKES("n1*1"), GOES("a", 0) } },
    { "without the action preempt all jobs wait",
      one_node,
      CLASSES RUNS("a", "0", "8", "low", "") COMES("8", "high", ""),
      "actions: [allocate]\nmodules: [priority, gang, fit]\n",
      { WAITS(1000), STAYS("a", 0) } },
    { "without a module that allows victims no job is evicted",
      one_node,
      CLASSES RUNS("a", "0", "8", "low", "") COMES("8", "high", ""),
      "actions: [allocate, preempt]\nmodules: [fifo, gang, fit]\n",
      { WAITS(1000), STAYS("a", 0) } },
    { "kube-default preempts",
      one_node,
      CLASSES RUNS("a", "0", "8", "low", "") COMES("8", "high", ""),
      "kube-default",
      { TAKES("n1*1"), GOES("a", 0) } },
};

static const struct case_world how_many[] = {
    { "no job is evicted for what is free",
      one_node,
      CLASSES RUNS("a", "0", "4", "low", "") COMES("4", "high", ""),
      BY_PODS,
      { TAKES("n1*1"), STAYS("a", 0) } },
    { "no more than needed, the latest first",
      one_node,
      CLASSES RUNS("a", "0", "4", "low", "") RUNS("b", "1", "2", "low", "")
          RUNS("c", "2", "2", "low", "") COMES("3", "high", ""),
      BY_PODS,
      { TAKES("n1*1"), STAYS("a", 0), GOES("b", 1), GOES("c", 2) } },
    { "a victim that is not needed is reprieved",
      one_node,
      CLASSES RUNS("a", "0", "3", "low", "") RUNS("b", "1", "4", "low", "")
          RUNS("c", "2", "1", "low", "") COMES("4", "high", ""),
      BY_PODS,
      { TAKES("n1*1"), STAYS("a", 0), GOES("b", 1), STAYS("c", 2) } },
    { "the most important of them first",
      one_node,
      CLASSES RUNS("a", "0", "4", "mid", "") RUNS("b", "1", "2", "low", "")
          RUNS("c", "2", "2", "low", "") COMES("6", "high", ""),
      BY_PODS,
      { TAKES("n1*1"), GOES("a", 0), STAYS("b", 1), GOES("c", 2) } },
    { "many jobs of low priority are evicted before one of higher",
      one_node,
      CLASSES RUNS("a", "0", "4", "mid", "") RUNS("b", "1", "2", "low", "")
          RUNS("c", "2", "2", "low", "") COMES("4", "high", ""),
      BY_PODS,
      { TAKES("n1*1"), STAYS("a", 0), GOES("b", 1), GOES("c", 2) } },
    { "no job is evicted when all evictions would not suffice",
      one_node,
      CLASSES RUNS("a", "0", "4", "high", "") RUNS("b", "0", "4", "low", "")
          COMES("5", "high", ""),
      BY_PODS,
      { WAITS(1000), STAYS("a", 0), STAYS("b", 0) } },
};

static const struct case_world gangs[] = {
    { "a gang goes as a whole",
      nodes,
      CLASSES RUNS("a", "0", "8", "low", TASKS("2") ", model: A100")
          COMES("8", "high", ", model: A100"),
      BY_GANGS,
      { TAKES("n1*1"),
        { "a", 0, REPORT_DONE, ANY_CAUSE, "n1*1 n2*1 n1*1 n2*1", 1 } } },
    { "an elastic one loses any task above its gang, runs on, and grows again",
      nodes,
      CLASSES RUNS("a", "0", "8", "low", TASKS("2") ", gang: 1, model: A100")
          COMES("8", "high", ", model: A100"),
      BY_GANGS,
      { TAKES("n1*1"),
        { "a", 0, REPORT_DONE, ANY_CAUSE, "n1*1 n2*1 n1*1", 0 } } },
    { "kinds of tasks of one job have priorities of their own, pod by pod",
      one_node,
      CLASSES OF_TWO("4") COMES("4", "mid", ""),
      BY_PODS,
      { TAKES("n1*1"),
        { "a", 0, REPORT_DONE, ANY_CAUSE, "n1*1/n1*1/n1*1", 0 } } },
    { "a more important kind stays",
      one_node,
      CLASSES OF_TWO("4") COMES("8", "mid", ""),
      BY_PODS,
      { WAITS(1000), STAYS("a", 0) } },
    { "gang by gang the job's priority counts, and which of its tasks goes",
      one_node,
      CLASSES OF_TWO("4") COMES("4", "high", ""),
      BY_GANGS,
      { TAKES("n1*1"),
        { "a", 0, REPORT_DONE, ANY_CAUSE, "n1*1/n1*1/n1*1", 0 } } },
    { "a kind whose class never preempts waits, the other takes its room",
      one_node,
      CLASSES RUNS(
          "b", "0", "8", "low",
          "") "- {name: new, submit: 10, duration: 100, gang: 1, tasks: [{gpus: 8, "
              "priority: modest}, {gpus: 8, priority: high}]}\n",
      BY_PODS,
      { TAKES("n1*1"), GOES("b", 0) } },
    { "a job that has not its gang loses one task, and keeps the others",
      one_node,
      CLASSES RUNS("b", "0", "4", "mid", "")
          RUNS("a", "0", "2", "low", TASKS("3")) COMES("2", "high", ""),
      BY_PODS,
      { TAKES("n1*1"),
        { "a", 1000 * S, REPORT_DONE, ANY_CAUSE, "n1*2 n1*1 n1*1", 0 } } },
    { "and all of them, one after the other",
      one_node,
      CLASSES RUNS("b", "0", "4", "mid", "")
          RUNS("a", "0", "2", "low", TASKS("3")) COMES("4", "high", ""),
      BY_PODS,
      { TAKES("n1*1"), { "a", 1000 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "and one after the other before a higher priority goes",
      one_node,
      CLASSES RUNS("a", "0", "1", "low", TASKS("4") ", gang: 1")
          RUNS("b", "1", "4", "mid", "") COMES("2", "high", ""),
      BY_GANGS,
      { TAKES("n1*1"),
        { "a", 0, REPORT_DONE, ANY_CAUSE, "n1*4 n1*2", 0 },
        STAYS("b", 1) } },
    { "the gang of an elastic job is evicted last",
      one_node,
      CLASSES RUNS("a", "0", "1", "low", TASKS("4") ", gang: 2")
          RUNS("b", "1", "4", "mid", "") COMES("3", "high", ""),
      BY_GANGS,
      { TAKES("n1*1"), GOES("a", 0), STAYS("b", 1) } },
    { "victims: surplus leaves gangs alone",
      one_node,
      CLASSES RUNS("a", "0", "1", "low", TASKS("4") ", gang: 2")
          RUNS("b", "1", "4", "mid", "") COMES("3", "high", ""),
      "actions: [allocate, preempt]\n"
      "modules: [priority, {gang: {victims: surplus}}, fit]\n",
      { WAITS(1000), STAYS("a", 0), STAYS("b", 1) } },
    { "a gang takes all that it needs",
      nodes,
      CLASSES RUNS("a", "0", "8", "low", ON("n1"))
          RUNS("b", "0", "8", "mid", ON("n2"))
              COMES("8", "high", TASKS("2") ", model: A100"),
      BY_GANGS,
      { TAKES("n1*1 n2*1"), GOES("a", 0), GOES("b", 0) } },
    { "or nothing",
      nodes,
      CLASSES RUNS("a", "0", "8", "low", ON("n1"))
          RUNS("b", "0", "8", "high", ON("n2"))
              COMES("8", "high", TASKS("2") ", model: A100"),
      BY_GANGS,
      { WAITS(1000), STAYS("a", 0), STAYS("b", 0) } },
    { "what was freed for one task may do for others",
      nodes,
      CLASSES RUNS("a", "0", "8", "low", ON("n1"))
          RUNS("b", "1", "8", "low", TASKS("2")) COMES("8", "high", TASKS("2")),
      BY_GANGS,
      { TAKES("n2*1 n3*1"), STAYS("a", 0), GOES("b", 1) } },
    { "what was freed for one task, on one node",
      one_node,
      CLASSES RUNS("a", "5", "1", "low", "") RUNS("b", "0", "7", "low", "")
          COMES("1", "high", TASKS("2")),
      BY_GANGS,
      { TAKES("n1*2"), STAYS("a", 5), GOES("b", 0) } },
    { "pod by pod it takes what there is",
      nodes,
      CLASSES RUNS("a", "0", "8", "low", ON("n1"))
          RUNS("b", "0", "8", "high", ON("n2"))
              COMES("8", "high", TASKS("2") ", model: A100"),
      BY_PODS,
      { { "new", 1000 * S, REPORT_DONE, ANY_CAUSE, "n1*1 n2*1", 0 },
        GOES("a", 0),
        STAYS("b", 0) } },
    { "pod by pod, single pods are evicted before pods of a group",
      one_node,
      CLASSES RUNS("a", "0", "4", "low", "")
          RUNS("b", "1", "1", "low", TASKS("4")) COMES("4", "high", ""),
      BY_PODS,
      { TAKES("n1*1"), GOES("a", 0), STAYS("b", 1) } },
    { "with gangs the latest goes",
      one_node,
      CLASSES RUNS("a", "0", "4", "low", "")
          RUNS("b", "1", "1", "low", TASKS("4")) COMES("4", "high", ""),
      BY_GANGS,
      { TAKES("n1*1"), STAYS("a", 0), GOES("b", 1) } },
    { "pod by pod, small groups go before large ones",
      one_node,
      CLASSES RUNS("a", "0", "2", "low", TASKS("2"))
          RUNS("b", "1", "1", "low", TASKS("4")) COMES("4", "high", ""),
      BY_PODS,
      { TAKES("n1*1"), GOES("a", 0), STAYS("b", 1) } },
};

#define EVERYWHERE(klass)                \
    RUNS("a", "0", "8", klass, ON("n1")) \
    RUNS("b", "0", "8", klass, ON("n2")) \
    RUNS("c", "0", "8", klass, ON("n3"))

static const struct case_world where[] = {
    { "all the same: the first",
      nodes,
      CLASSES EVERYWHERE("low") COMES("8", "high", ""),
      BY_PODS,
      { TAKES("n1*1"), GOES("a", 0), STAYS("b", 0), STAYS("c", 0) } },
    { "whatever the order of the trace",
      nodes,
      CLASSES RUNS("c", "0", "8", "low", ON("n3"))
          RUNS("a", "0", "8", "low", ON("n1"))
              RUNS("b", "0", "8", "low", ON("n2")) COMES("8", "high", ""),
      BY_PODS,
      { TAKES("n1*1"), GOES("a", 0), STAYS("b", 0), STAYS("c", 0) } },
    { "where the latest runs",
      nodes,
      CLASSES RUNS("a", "0", "8", "low", ON("n1"))
          RUNS("b", "2", "8", "low", ON("n2"))
              RUNS("c", "1", "8", "low", ON("n3")) COMES("8", "high", ""),
      BY_PODS,
      { TAKES("n2*1"), STAYS("a", 0), GOES("b", 2), STAYS("c", 1) } },
    { "the lowest priority, though it runs longest",
      nodes,
      CLASSES RUNS("a", "0", "8", "mid", ON("n1"))
          RUNS("b", "0", "8", "low", ON("n2"))
              RUNS("c", "1", "8", "mid", ON("n3")) COMES("8", "high", ""),
      BY_PODS,
      { TAKES("n2*1"), STAYS("a", 0), GOES("b", 0), STAYS("c", 1) } },
    { "the least important of all is of no use by itself",
      nodes,
      CLASSES RUNS("a", "5", "1", "low", ON("n1")) RUNS(
          "b", "0", "7", "mid", ON("n1")) RUNS("c", "0", "8", "low", ON("n2"))
          COMES("7", "high", ", model: A100"),
      BY_PODS,
      { TAKES("n2*1"), STAYS("a", 5), STAYS("b", 0), GOES("c", 0) } },
    { "the fewest, of one priority",
      nodes,
      CLASSES RUNS("a", "5", "4", "low", ON("n1")) RUNS(
          "b", "5", "4", "low", ON("n1")) RUNS("c", "0", "8", "low", ON("n2"))
          COMES("8", "high", ", model: A100"),
      BY_PODS,
      { TAKES("n2*1"), STAYS("a", 5), STAYS("b", 5), GOES("c", 0) } },
    { "the lower sum, of one highest priority",
      nodes,
      CLASSES RUNS("a", "0", "4", "mid", ON("n1")) RUNS(
          "b", "0", "4", "mid", ON("n1")) RUNS("c", "0", "4", "mid", ON("n2"))
          RUNS("d", "0", "4", "low", ON("n2"))
              COMES("8", "high", ", model: A100"),
      BY_PODS,
      { TAKES("n2*1"), STAYS("a", 0), STAYS("b", 0), GOES("c", 0) } },
    { "a node of the right model",
      nodes,
      CLASSES RUNS("a", "0", "8", "low", ON("n1")) RUNS(
          "b", "0", "8", "low", ON("n2")) RUNS("c", "0", "8", "mid", ON("n3"))
          COMES("8", "high", ", model: H100"),
      BY_PODS,
      { TAKES("n3*1"), STAYS("a", 0), STAYS("b", 0), GOES("c", 0) } },
    { "a job that started at this instant is not protected",
      one_node,
      CLASSES RUNS("a", "0", "4", "low", TASKS("2"))
          RUNS("b", "0", "4", "modest", "") COMES("8", "high", ""),
      BY_PODS,
      { WAITS(1000), GOES("a", 1000), STAYS("b", 0) } },
    { "nor is a gang",
      one_node,
      CLASSES RUNS("b", "0", "4", "modest", "") RUNS("c", "2", "4", "low", "")
          RUNS("a", "3", "4", "low", "") COMES("8", "high", ""),
      BY_GANGS,
      { WAITS(1000), GOES("a", 1000), STAYS("b", 0), GOES("c", 2) } },
    { "an evicted job may go on elsewhere at once",
      nodes,
      CLASSES RUNS("a", "0", "8", "low", ", model: A100")
          COMES("8", "high", ON("n1")),
      BY_PODS,
      { TAKES("n1*1"), { "a", 0, REPORT_DONE, ANY_CAUSE, "n1*1 n2*1", 1 } } },
    { "at the cost of others",
      nodes,
      CLASSES RUNS("a", "0", "8", "mid", ", model: A100") RUNS(
          "b", "1", "8", "low", ", model: A100") COMES("8", "high", ON("n1")),
      BY_PODS,
      { TAKES("n1*1"),
        { "a", 0, REPORT_DONE, ANY_CAUSE, "n1*1 n2*1", 1 },
        GOES("b", 1) } },
};

#define AGAIN \
    "- {name: again, submit: 120, duration: 50, gpus: 8, priority: mid}\n"

/* Job a, evicted on the one node by job new and, where it is told, by job
 * again: its state, and when it ended.
 */
static const struct {
    const char *what, *trace, *policy;
    enum report_state state;
    int64_t end;
} afterwards[] = {
    { "it begins anew",
      CLASSES RUNS("a", "0", "8", "low", "") COMES("8", "high", ""), BY_PODS,
      REPORT_DONE, 1110 * S },
    { "or from its last checkpoint",
      CLASSES RUNS("a", "0", "8", "low", ", checkpoint: 4")
          COMES("8", "high", ""),
      BY_PODS, REPORT_DONE, 1102 * S },
    { "or, with no checkpoint yet, anew",
      CLASSES RUNS("a", "0", "8", "low", ", checkpoint: 11")
          COMES("8", "high", ""),
      BY_PODS, REPORT_DONE, 1110 * S },
    { "or where it was",
      CLASSES RUNS("a", "0", "8", "low", ", restart: resume")
          COMES("8", "high", ""),
      BY_PODS, REPORT_DONE, 1100 * S },
    /* 8 saved at 10; at 120 it has done 8 + 10 and saved 16 */
    { "checkpoints add up",
      CLASSES RUNS("a", "0", "8", "low", ", checkpoint: 4")
          COMES("8", "high", "") AGAIN,
      BY_PODS, REPORT_DONE, (170 + 984) * S },
    { "retries: 0 fails at once",
      CLASSES RUNS("a", "0", "8", "low", ", retries: 0") COMES("8", "high", ""),
      BY_PODS, REPORT_FAILED, 10 * S },
    { "retries: 1 survives one",
      CLASSES RUNS("a", "0", "8", "low", ", retries: 1") COMES("8", "high", ""),
      BY_PODS, REPORT_DONE, 1110 * S },
    { "and fails at the second",
      CLASSES RUNS("a", "0", "8", "low", ", retries: 1") COMES("8", "high", "")
          AGAIN,
      BY_PODS, REPORT_FAILED, 120 * S },
    { "an elastic job that shrinks loses nothing",
      CLASSES RUNS("a", "0", "4", "low", TASKS("2") ", gang: 1, retries: 0")
          COMES("4", "high", ""),
      BY_GANGS, REPORT_DONE, 1000 * S },
};

#define MIN_RUNTIME(t)                          \
    "actions: [allocate, preempt]\nunit: pod\n" \
    "modules: [priority, {min-runtime: {time: " t "}}, fit]\n"

static const struct case_world times[] = {
    { "a job past its minimum run time is evicted",
      one_node,
      CLASSES RUNS("a", "0", "8", "low", "") COMES("8", "high", ""),
      MIN_RUNTIME("10s"),
      { TAKES("n1*1"), GOES("a", 0) } },
    { "a job is protected until its minimum run time is over",
      one_node,
      CLASSES RUNS("a", "0", "8", "low", "") COMES("8", "high", ""),
      MIN_RUNTIME("60s"),
      { WAITS(60), GOES("a", 0) } },
    { "another job is evicted instead of a protected one",
      nodes,
      CLASSES RUNS("a", "5", "8", "low", ON("n1")) RUNS(
          "b", "0", "8", "mid", ON("n2")) COMES("8", "high", ", model: A100"),
      MIN_RUNTIME("8s"),
      { TAKES("n2*1"), STAYS("a", 5), GOES("b", 0) } },
    { "it counts from its last start",
      one_node,
      CLASSES RUNS("a", "0", "8", "low", "") COMES("8", "high", "") AGAIN,
      MIN_RUNTIME("10s"),
      { TAKES("n1*1"),
        { "again", 120 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "a", 0, REPORT_DONE, ANY_CAUSE, NULL, 2 } } },
};

static void test_who(void)
{
    cases_run(who, N_ELEMENTS(who));
}

static void test_how_many(void)
{
    cases_run(how_many, N_ELEMENTS(how_many));
}

static void test_gangs(void)
{
    cases_run(gangs, N_ELEMENTS(gangs));
}

static void test_where(void)
{
    cases_run(where, N_ELEMENTS(where));
}

static void test_times(void)
{
    cases_run(times, N_ELEMENTS(times));
}

static void test_afterwards(void)
{
    for (size_t i = 0; i < N_ELEMENTS(afterwards); i++) {
        struct case_world c = { .what = afterwards[i].what,
                                .topology = one_node,
                                .trace = afterwards[i].trace,
                                .policy = afterwards[i].policy,
                                .job = { TAKES("n1*1") } };
        const struct report_job *j;
        struct world w;

        if (strstr(c.trace, AGAIN))
            c.job[1] = (struct case_job)STAYS("again", 120);
        CU_ASSERT_FATAL(case_run(&w, &c));
        j = world_job(&w, "a");
        if (j->state != afterwards[i].state || j->end != afterwards[i].end) {
            fprintf(stderr, "\n  %s: state %d, end %lld us", c.what,
                    (int)j->state, (long long)j->end);
            CU_FAIL("not as worked out by hand");
        }
        world_fini(&w);
    }
}

/* --- within a job --------------------------------------------------------- */

/* Room for a task of 3 CPUs that comes to be when workers have taken it. */
#define WITHIN(more, least, worker, server)                                  \
    "priority_classes: {low: {value: 1}, high: {value: 9}}\njobs:\n"         \
    "- {name: x, submit: 0, duration: 50, cpu: 1}\n"                         \
    "- {name: y, submit: 0, duration: 100, cpu: 2}\n"                        \
    "- {name: a, submit: 1, duration: 1000, " more                           \
    "tasks: [{replicas: {min: " least ", max: 3}, cpu: 1, priority: " worker \
    "}, {replicas: {min: 0, max: "                                           \
    "1}, cpu: 3, priority: " server "}]}\n"
#define A(nodes)                                     \
    {                                                \
        "a", 1 * S, REPORT_DONE, ANY_CAUSE, nodes, 0 \
    }

static const char four[] = "node_types: {c: {cpu: 4}}\n"
                           "nodes: [{name: n1, type: c}]\n";

static const struct case_world within[] = {
    { "a task takes the room of less important ones of its job",
      four,
      WITHIN("", "1", "low", "high"),
      BY_GANGS,
      { A("n1*1 n1*1 n1*1/n1*1") } },
    { "not of its equals",
      four,
      WITHIN("", "1", "high", "high"),
      BY_GANGS,
      { A("n1*1 n1*1 n1*1") } },
    { "not of tasks of its gang",
      four,
      WITHIN("", "3", "low", "high"),
      BY_GANGS,
      { { "a", 100 * S, REPORT_DONE, ANY_CAUSE, "n1*3", 0 } } },
    { "not of a job that is not preemptible",
      four,
      WITHIN("preemptible: false, ", "1", "low", "high"),
      BY_GANGS,
      { A("n1*1 n1*1 n1*1") } },
    { "not where fairness forbids it",
      four,
      WITHIN("", "1", "low", "high"),
      "actions: [allocate, preempt]\nmodules: [priority, gang, fit, drf]\n",
      { A("n1*1 n1*1 n1*1") } },
};

static void test_within(void)
{
    cases_run(within, N_ELEMENTS(within));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "victims are those of lower priority", test_who },
        { "no more victims are evicted than needed", test_how_many },
        { "gangs, groups and single pods are evicted as such", test_gangs },
        { "a task is a victim of its own job", test_within },
        { "room is made on the node with the best victims", test_where },
        { "evicted jobs run again", test_afterwards },
        { "jobs are protected for their minimum run time", test_times },
    };

    return suite_run("sim/preemption", suite, N_ELEMENTS(suite));
}
