/* tests/sim/test_sample.c - where jobs go if only a part of the nodes is
 * searched for each task, worked out by hand.
 */
#include "tests/lib/cases.h"

#define NODE(name, more) "- {name: " name ", type: g" more "}\n"
#define TYPE "node_types: {g: {gpus: 4, cpu: 16}}\n"

static const char flat[] = TYPE "nodes:\n" NODE("n1", "") NODE("n2", "")
    NODE("n3", "") NODE("n4", "");
/* n1 and n2 in one zone, n3 and n4 and n5 in the other. */
static const char zones[] = "tiers: [{name: zone}]\n" TYPE
                            "nodes:\n" NODE("n1", ", zone: a")
                                NODE("n2", ", zone: a") NODE("n3", ", zone: b")
                                    NODE("n4", ", zone: b")
                                        NODE("n5", ", zone: b");

#define JOB(name, second, more) \
    "- {name: " name ", submit: " second ", duration: 1000, " more "}\n"
#define ONE(name, second) JOB(name, second, "gpus: 1")
#define THREE "jobs:\n" ONE("a", "0") ONE("b", "1") ONE("c", "2")
#define PACK(sample)                                                         \
    "actions: [allocate]\nsample: {" sample "}\nmodules: [fifo, gang, fit, " \
    "{binpack: {resources: {gpu: 1}}}]\n"
#define PODS(sample)                                                  \
    "actions: [allocate]\nunit: pod\nsample: {" sample "}\nmodules: " \
    "[fifo, fit, constraints, {topology-spread: {weight: 2}}, "       \
    "{binpack: {resources: {gpu: 1}}}]\n"
#define RUN(name, second, nodes)                           \
    {                                                      \
        name, (second)*S, REPORT_DONE, ANY_CAUSE, nodes, 0 \
    }

static const struct case_world worlds[] = {
    { "all nodes: the fullest",
      flat,
      THREE,
      PACK("percentage: 100"),
      { RUN("a", 0, "n1*1"), RUN("b", 1, "n1*1"), RUN("c", 2, "n1*1") } },
    { "half of them, by turns",
      flat,
      THREE,
      PACK("percentage: 50, minimum: 1"),
      { RUN("a", 0, "n1*1"), RUN("b", 1, "n3*1"), RUN("c", 2, "n1*1") } },
    { "fewer than the minimum: all",
      flat,
      THREE,
      PACK("percentage: 50"),
      { RUN("a", 0, "n1*1"), RUN("b", 1, "n1*1"), RUN("c", 2, "n1*1") } },
    { "few nodes, adaptive: all",
      flat,
      THREE,
      PACK("percentage: adaptive"),
      { RUN("a", 0, "n1*1"), RUN("b", 1, "n1*1"), RUN("c", 2, "n1*1") } },
    { "the first that fits",
      flat,
      THREE,
      PACK("percentage: 0, minimum: 1"),
      { RUN("a", 0, "n1*1"), RUN("b", 1, "n2*1"), RUN("c", 2, "n3*1") } },
    { "a full node is passed",
      flat,
      "jobs:\n" JOB("a", "0", "gpus: 4") ONE("b", "1") JOB("c", "2", "gpus: 4")
          JOB("d", "3", "gpus: 3"),
      PACK("percentage: 0, minimum: 1"),
      { RUN("a", 0, "n1*1"), RUN("b", 1, "n2*1"), RUN("c", 2, "n3*1"),
        RUN("d", 3, "n4*1") } },
    { "task by task of a gang",
      flat,
      "jobs:\n" JOB("a", "0", "gpus: 1, replicas: 4"),
      PACK("percentage: 50, minimum: 1"),
      { RUN("a", 0, "n1*1 n3*1 n1*1 n3*1") } },
    { "zones by turns",
      zones,
      THREE,
      PACK("percentage: 40, minimum: 1"),
      { RUN("a", 0, "n1*1"), RUN("b", 1, "n2*1"), RUN("c", 2, "n1*1") } },
    { "what modules prefer among all that were found",
      zones,
      "jobs:\n" JOB("a", "0",
                    "gpus: 1, replicas: 3, spread: {over: zone, "
                    "max_skew: 1, mode: preferred}"),
      PODS("percentage: 40, minimum: 1"),
      { RUN("a", 0, "n1*1 n4*1 n1*1") } },
};

static void test_sample(void)
{
    cases_run(worlds, N_ELEMENTS(worlds));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "a part of the nodes", test_sample },
    };

    return suite_run("sim/sample", suite, N_ELEMENTS(suite));
}
