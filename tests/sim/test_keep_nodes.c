/* tests/sim/test_keep_nodes.c - nodes that are kept for tasks which fit nowhere
 * (module keep-nodes).
 */
#include "tests/lib/cases.h"

static const char two[] = "node_types: {t: {cpu: 8}}\n"
                          "nodes: [{name: 'n[1-2]', type: t}]\n";

#define POD(more)                      \
    "actions: [allocate]\nunit: pod\n" \
    "modules: [priority, gang, fit" more "]\n"
#define KEEPS POD(", keep-nodes")
#define JOB(name, submit, duration, more) \
    "- {name: " name ", submit: " submit ", duration: " duration ", " more "}\n"
#define ON(name, start, nodes)                                       \
    {                                                                \
        name, (int64_t)((start)*S), REPORT_DONE, ANY_CAUSE, nodes, 0 \
    }

#define QUEUE "queues: [{name: default}, {name: q, limit: {cpu: 8}}]\n"
#define LIMITS(keep) POD(", queue-limits, keep-nodes" keep)

/* Each node has 2 CPUs left; `a` ends at 100 s, `b` at 200 s. */
#define FULL \
    "jobs:\n" JOB("a", "0", "100", "cpu: 6") JOB("b", "0", "200", "cpu: 6")

/* `big` needs a whole node; small ones, of 2 CPUs, come later. */
#define SMALL                                                              \
    FULL JOB("big", "10", "50", "cpu: 8") JOB("s1", "20", "300", "cpu: 2") \
        JOB("s2", "30", "300", "cpu: 2")

static const struct case_world worlds[] = {
    /* n1 is full until `s1` ends at 320 s */
    { "without the module small jobs pass for as long as they fit",
      two,
      SMALL,
      POD(""),
      { ON("big", 320, "n1*1"), ON("s1", 20, "n1*1"), ON("s2", 30, "n2*1") } },
    /* n1 is kept at 12 s; `s1` takes what n2 has left; at 32 s n2 is kept for
     * `s2`, which finds n1 open when `big` is over
     */
    { "a node that is kept is not taken by others",
      two,
      SMALL,
      KEEPS,
      { ON("big", 100, "n1*1"), ON("s1", 20, "n2*1"), ON("s2", 150, "n1*1") } },
    { "before the delay is over it is open",
      two,
      SMALL,
      POD(", keep-nodes: {delay: 15s}"),
      { ON("big", 200, "n2*1"), ON("s1", 20, "n1*1"), ON("s2", 100, "n1*1") } },
    /* n1 lacks 6 of 8 CPUs, n2 only 4 */
    { "of nodes the one is kept that lacks least",
      two,
      "jobs:\n" JOB("a", "0", "100", "cpu: 6") JOB("b", "0", "200", "cpu: 4")
          JOB("big", "10", "50", "cpu: 8") JOB("s1", "20", "300", "cpu: 2")
              JOB("s2", "30", "50", "cpu: 4"),
      KEEPS,
      { ON("big", 200, "n2*1"), ON("s1", 20, "n1*1"), ON("s2", 100, "n1*1") } },
    /* n1 was kept, n2 is free first; then `s` takes what n1 has left */
    { "a node opens again when its task has its place elsewhere",
      two,
      "jobs:\n" JOB("a", "0", "200", "cpu: 6") JOB("b", "0", "100", "cpu: 6")
          JOB("big", "10", "500", "cpu: 8") JOB("s", "110", "300", "cpu: 2"),
      KEEPS,
      { ON("big", 100, "n2*1"), ON("s", 110, "n1*1") } },
    /* `q` may hold 8 CPUs: with `held` it may not hold those of `big`, too */
    { "no node is kept for a task that its queue may not hold",
      two,
      QUEUE FULL JOB("held", "5", "200", "cpu: 2, queue: q")
          JOB("big", "10", "50", "cpu: 8, queue: q")
              JOB("s", "20", "300", "cpu: 2"),
      LIMITS(""),
      { ON("held", 5, "n1*1"), ON("s", 20, "n2*1"), ON("big", 205, "n1*1") } },
    /* `held`, of its queue, takes what n2 has left, and keeps `big` out till
     * 320 s; n1, kept at 12 s, opens when something happens after 50 s
     */
    { "a node opens when its task may be placed nowhere for too long",
      two,
      QUEUE FULL JOB("big", "10", "50", "cpu: 8, queue: q")
          JOB("held", "20", "300", "cpu: 2, queue: q")
              JOB("early", "40", "300", "cpu: 2")
                  JOB("late", "50", "300", "cpu: 2"),
      LIMITS(": {most: 38s}"),
      { ON("held", 20, "n2*1"), ON("early", 50, "n1*1"),
        ON("late", 100, "n1*1"), ON("big", 320, "n2*1") } },
    { "each task of a job has a node of its own",
      two,
      FULL JOB("big", "10", "50", "cpu: 8, replicas: 2")
          JOB("s", "20", "10", "cpu: 2"),
      KEEPS,
      { { "s", 250 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "big", 200 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "the first in order gets the first node",
      two,
      "priority_classes: {low: {value: 1}, high: {value: 9}}\n" FULL JOB(
          "x", "10", "50", "cpu: 8, priority: low")
          JOB("y", "10", "50", "cpu: 8, priority: high"),
      KEEPS,
      { ON("y", 100, "n1*1"), ON("x", 150, "n1*1") } },
    { "the node of a job that is withdrawn opens",
      two,
      FULL JOB("big", "10", "50", "cpu: 8, withdraw: true")
          JOB("late", "70", "10", "cpu: 2"),
      KEEPS,
      { { "late", 70 * S, REPORT_DONE, ANY_CAUSE, "n1*1", 0 } } },
};

static void test_worlds(void)
{
    cases_run(worlds, N_ELEMENTS(worlds));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "nodes are kept for tasks that fit nowhere", test_worlds },
    };

    return suite_run("sim/keep_nodes", suite, N_ELEMENTS(suite));
}
