/* tests/sim/test_topology_modules.c - gangs on the smallest subtree, worked out
 * by hand.
 */
#include "tests/lib/cases.h"

/* 10 nodes of 4 GPUs in NVLink domains of two: 8 GPUs a domain; rack r3 has 16,
 * the others 8; spine s1 has 16, s2 has 24.
 */
#define NODE(name, spine, rack, nvl)                                          \
    "- {name: " name ", type: g, spine: " spine ", rack: " rack ", nvl: " nvl \
    ", labels: {node: " name "}}\n"

static const char deep[] =
    "tiers:\n"
    "- {name: spine, fabric: rdma}\n"
    "- {name: rack, fabric: rdma}\n"
    "- {name: nvl, fabric: nvlink}\n"
    "node_types: {g: {gpus: 4, cpu: 16}}\n"
    "nodes:\n" NODE("n1", "s1", "r1", "v1") NODE("n2", "s1", "r1", "v1")
        NODE("n3", "s1", "r2", "v2") NODE("n4", "s1", "r2", "v2")
            NODE("n5", "s2", "r3", "v3") NODE("n6", "s2", "r3", "v3")
                NODE("n7", "s2", "r3", "v4") NODE("n8", "s2", "r3", "v4")
                    NODE("n9", "s2", "r4", "v5") NODE("n10", "s2", "r4", "v5");

static const char racks[] = "topology/samples/two-by-two.yaml";

/* GPUs in use on a node for 1000 s; a gang of `tasks` with `more` keys. */
#define USED(node, gpus)                                           \
    "- {name: on-" node ", submit: 0, duration: 1000, gpus: " gpus \
    ", nodes: {node: " node "}}\n"
#define GANG(tasks, more)                                        \
    "- {name: gang, submit: 10, duration: 100, replicas: " tasks \
    ", gpus: 1" more "}\n"
#define WITHIN(tier, mode) ", topology: {within: " tier ", mode: " mode "}"
#define JOBS "jobs:\n"

#define PLACED(nodes)                                        \
    {                                                        \
        {                                                    \
            "gang", 10 * S, REPORT_DONE, ANY_CAUSE, nodes, 0 \
        }                                                    \
    }
#define WAITED(cause, nodes)                               \
    {                                                      \
        {                                                  \
            "gang", 1000 * S, REPORT_DONE, cause, nodes, 0 \
        }                                                  \
    }
#define REJECTED(cause)                                  \
    {                                                    \
        {                                                \
            "gang", NEVER, REPORT_REJECTED, cause, "", 0 \
        }                                                \
    }

#define NOT_SMALLEST        \
    "actions: [allocate]\n" \
    "modules: [fifo, gang, {topology: {smallest: no}}, binpack]\n"
#define SPREADING "gang,topology,least-allocated"
#define PREEMPTING                   \
    "actions: [allocate, preempt]\n" \
    "modules: [priority, gang, topology, binpack]\n"
#define POD_BY_POD                              \
    "actions: [allocate, preempt]\nunit: pod\n" \
    "modules: [priority, topology, binpack]\n"

static const struct case_world smallest[] = {
    { "a node holds it", deep, JOBS GANG("4", ""), "topology", PLACED("n1*4") },
    { "the node with the least free that holds it", deep,
      JOBS USED("n7", "1") USED("n5", "2") USED("n3", "3") GANG("2", ""),
      "topology", PLACED("n5*2") },
    { "no node: an NVLink domain", deep, JOBS GANG("8", ""), "topology",
      PLACED("n1*4 n2*4") },
    { "an NVLink domain that is whole", deep,
      JOBS USED("n2", "1") GANG("8", ""), "topology", PLACED("n3*4 n4*4") },
    { "the NVLink domain with the least free that holds it", deep,
      JOBS USED("n3", "1") GANG("5", ""), "topology", PLACED("n3*3 n4*2") },
    { "the least free does not hold it: 3 + 3 GPUs are no 3 pairs", deep,
      "jobs:\n" USED("n1", "1") USED(
          "n2",
          "1") "- {name: gang, submit: 10, duration: 100, replicas: 3, gpus: 2}\n",
      "topology", PLACED("n3*2 n4*1") },
    { "no NVLink domain: a rack", deep, JOBS GANG("12", ""), "topology",
      PLACED("n5*4 n6*4 n7*4") },
    { "a rack before a spine that is as tight", deep, JOBS GANG("16", ""),
      "topology", PLACED("n5*4 n6*4 n7*4 n8*4") },
    { "no rack: the spine that is tighter", deep,
      JOBS USED("n8", "1") GANG("16", ""), "topology",
      PLACED("n1*4 n2*4 n3*4 n4*4") },
    { "a spine", deep, JOBS GANG("20", ""), "topology",
      PLACED("n5*4 n6*4 n7*4 n8*4 n9*4") },
    { "no spine: the cluster, on the fullest nodes", deep,
      JOBS USED("n9", "4") USED("n10", "1") GANG("20", ""), "topology",
      PLACED("n1*4 n2*4 n3*4 n4*4 n5*1 n10*3") },
    { "in the domain the fullest node first, ranks by node", deep,
      JOBS USED("n1", "1") USED("n2", "2") USED("n4", "4") USED("n6", "4")
          USED("n8", "4") USED("n10", "4") GANG("5", ""),
      "topology", PLACED("n1*3 n2*2") },
    { "ranks by node, though tasks were placed in turns", deep,
      JOBS GANG("6", ""), SPREADING, PLACED("n1*3 n2*3") },
    { "jobs of one task go where they are scored best", deep,
      JOBS USED("n1", "2") GANG("1", ""), SPREADING, PLACED("n2*1") },
    { "two groups on one node", deep,
      "jobs:\n" USED(
          "n1",
          "1") "- {name: gang, submit: 10, duration: 100, tasks: ["
               "{name: a, replicas: 2, gpus: 1}, {name: b, replicas: 1, gpus: 2}]}\n",
      "topology", PLACED("n2*2/n2*1") },
    { "two groups on the tightest node that holds both", deep,
      "jobs:\n" USED("n4", "1") USED(
          "n8",
          "2") "- {name: gang, submit: 10, duration: 100, tasks: ["
               "{name: a, replicas: 1, gpus: 1}, {name: b, replicas: 1, gpus: 2}]}\n",
      "topology", PLACED("n4*1/n4*1") },
    { "two groups in an NVLink domain", deep,
      "jobs:\n" USED(
          "n1",
          "1") "- {name: gang, submit: 10, duration: 100, tasks: ["
               "{name: a, replicas: 2, gpus: 2}, {name: b, replicas: 2, gpus: 2}]}\n",
      "topology", PLACED("n3*2/n4*2") },
    { "smallest: no leaves jobs without topology alone", deep,
      JOBS USED("n10", "1") GANG("8", ""), NOT_SMALLEST,
      PLACED("n1*4 n2*1 n10*3") },
    { "smallest: no begins at the tier asked for", deep,
      JOBS USED("n4", "2") USED("n7", "3")
          GANG("3", WITHIN("rack", "preferred")),
      NOT_SMALLEST, PLACED("n3*1 n4*2") },
};

static const struct case_world asked_for[] = {
    { "required, and smaller where it fits", deep,
      JOBS GANG("8", WITHIN("rack", "required")), "topology",
      PLACED("n1*4 n2*4") },
    { "required waits rather than go wider", deep,
      JOBS USED("n1", "1") USED("n3", "1") USED("n5", "1") USED("n7", "1")
          USED("n9", "1") GANG("8", WITHIN("nvl", "required")),
      "topology", WAITED(REPORT_TOPOLOGY, "n1*4 n2*4") },
    { "required on a node waits for one", deep,
      JOBS USED("n1", "1") USED("n2", "1") USED("n3", "1") USED("n4", "1")
          USED("n5", "1") USED("n6", "1") USED("n7", "1") USED("n8", "1") USED(
              "n9", "1") USED("n10", "1") GANG("4", WITHIN("node", "required")),
      "topology", WAITED(REPORT_TOPOLOGY, "n1*4") },
    { "less free than it asks for is capacity, not topology", deep,
      JOBS USED("n1", "4") USED("n3", "4") USED("n5", "4") USED("n7", "4")
          USED("n9", "4") USED("n2", "4") USED("n4", "4") USED("n6", "4")
              USED("n8", "1") GANG("8", WITHIN("nvl", "required")),
      "topology", WAITED(REPORT_CAPACITY, "n1*4 n2*4") },
    { "required that no domain could hold is rejected", deep,
      JOBS GANG("17", WITHIN("rack", "required")), "topology",
      REJECTED(REPORT_TOPOLOGY) },
    { "so are groups of which each could be held alone", deep,
      "jobs:\n"
      "- {name: gang, submit: 10, duration: 100, tasks: ["
      "{name: a, replicas: 9, gpus: 1}, {name: b, replicas: 4, gpus: 2}]" WITHIN(
          "rack", "required") "}\n",
      "topology", REJECTED(REPORT_TOPOLOGY) },
    { "and in the whole cluster", deep,
      "jobs:\n"
      "- {name: gang, submit: 10, duration: 100, tasks: ["
      "{name: a, replicas: 30, gpus: 1}, {name: b, replicas: 11, gpus: 1}]}\n",
      "binpack", REJECTED(REPORT_CAPACITY) },
    { "preferred falls back wider", deep,
      JOBS GANG("20", WITHIN("rack", "preferred")), "topology",
      PLACED("n5*4 n6*4 n7*4 n8*4 n9*4") },
    { "preferred falls back to anywhere", deep,
      JOBS GANG("40", WITHIN("nvl", "preferred")), NOT_SMALLEST,
      PLACED("n1*4 n2*4 n3*4 n4*4 n5*4 n6*4 n7*4 n8*4 n9*4 n10*4") },
    { "without the module the key has no effect", deep,
      JOBS USED("n10", "1") GANG("4", WITHIN("node", "required")), "binpack",
      PLACED("n10*3 n1*1") },
    { "tasks above the gang stay in the domain",
      deep,
      JOBS GANG("20", ", gang: 12" WITHIN("rack", "required")),
      "topology",
      { { "gang", 10 * S, REPORT_DONE, ANY_CAUSE, "n5*4 n6*4 n7*4 n8*4",
          0 } } },
    { "also when the gang is one task",
      deep,
      JOBS GANG("12", ", gang: 1" WITHIN("nvl", "required")),
      "topology",
      { { "gang", 10 * S, REPORT_DONE, ANY_CAUSE, "n1*4 n2*4", 0 } } },
    { "two groups required on a node", deep,
      "jobs:\n" USED(
          "n1",
          "2") "- {name: gang, submit: 10, duration: 100, tasks: ["
               "{name: a, replicas: 1, gpus: 1}, {name: b, replicas: 1, gpus: 3}]" WITHIN(
                   "node", "required") "}\n",
      "topology", PLACED("n2*1/n2*1") },
    { "consolidate: the first rack, for every job", racks,
      JOBS USED("n1", "4") USED("n2", "4") GANG("16", ""),
      "gang,consolidate,binpack", PLACED("n3*8 n4*8") },
    { "consolidate waits for one", racks,
      JOBS USED("n1", "4") USED("n2", "4") USED("n3", "1") GANG("16", ""),
      "gang,consolidate,binpack", WAITED(REPORT_TOPOLOGY, "n1*8 n2*8") },
    { "two racks: the free one", racks,
      JOBS USED("n1", "4") USED("n2", "4")
          GANG("16", WITHIN("rack", "required")),
      "topology", PLACED("n3*8 n4*8") },
    { "two racks, 23 GPUs free, none of them whole", racks,
      JOBS USED("n1", "4") USED("n2", "4") USED("n3", "1")
          GANG("16", WITHIN("rack", "required")),
      "topology", WAITED(REPORT_TOPOLOGY, "n1*8 n2*8") },
};

#define CLASSES                                                            \
    "priority_classes: {low: {value: 1}, mid: {value: 50}, high: {value: " \
    "100}}\n"
#define FULL(node, klass)                                               \
    "- {name: on-" node ", submit: 0, duration: 1000, gpus: 8, nodes: " \
    "{node: " node "}, priority: " klass "}\n"
#define HIGH(more)                                                     \
    "- {name: gang, submit: 10, duration: 100, replicas: 2, gpus: 8, " \
    "priority: high" more "}\n"
#define KEPT(name)                               \
    {                                            \
        name, 0, REPORT_DONE, ANY_CAUSE, NULL, 0 \
    }

static const struct case_world evicting[] = {
    { "room is made in one domain only",
      racks,
      CLASSES JOBS FULL("n1", "low") FULL("n2", "low") FULL("n3", "low")
          FULL("n4", "low") HIGH(WITHIN("rack", "required")),
      PREEMPTING,
      { { "gang", 10 * S, REPORT_DONE, ANY_CAUSE, "n1*1 n2*1", 0 },
        { "on-n1", 0, REPORT_DONE, ANY_CAUSE, NULL, 1 },
        KEPT("on-n3"),
        KEPT("on-n4") } },
    { "where it can be made",
      racks,
      CLASSES JOBS FULL("n1", "low") FULL("n2", "high") FULL("n3", "mid")
          FULL("n4", "low") HIGH(WITHIN("rack", "required")),
      PREEMPTING,
      { { "gang", 10 * S, REPORT_DONE, ANY_CAUSE, "n3*1 n4*1", 0 },
        KEPT("on-n1"),
        { "on-n3", 0, REPORT_DONE, ANY_CAUSE, NULL, 1 } } },
    { "nothing is evicted when no domain would do",
      racks,
      CLASSES JOBS FULL("n1", "low") FULL("n2", "high") FULL("n3", "high")
          FULL("n4", "low") HIGH(WITHIN("rack", "required")),
      PREEMPTING,
      { { "gang", 1000 * S, REPORT_DONE, ANY_CAUSE, "n1*1 n2*1", 0 },
        KEPT("on-n1"),
        KEPT("on-n4") } },
    { "preferred takes from anywhere",
      racks,
      CLASSES JOBS FULL("n1", "low") FULL("n2", "high") FULL("n3", "high")
          FULL("n4", "low") HIGH(WITHIN("rack", "preferred")),
      PREEMPTING,
      { { "gang", 10 * S, REPORT_DONE, ANY_CAUSE, "n1*1 n4*1", 0 } } },
    { "ranks by node on what was freed",
      racks,
      CLASSES JOBS FULL("n1", "mid") FULL("n4", "low") FULL("n2", "high")
          FULL("n3", "high") HIGH(""),
      PREEMPTING,
      { { "gang", 10 * S, REPORT_DONE, ANY_CAUSE, "n1*1 n4*1", 0 } } },
    { "pod by pod the first says where the others must be",
      racks,
      CLASSES JOBS FULL("n2", "high") FULL("n3", "low") FULL("n4", "low")
          HIGH(WITHIN("rack", "required")),
      POD_BY_POD,
      { { "gang", 1000 * S, REPORT_DONE, REPORT_CAPACITY, "n1*1 n2*1", 0 },
        KEPT("on-n3"),
        KEPT("on-n4") } },
};

static void test_smallest(void)
{
    cases_run(smallest, N_ELEMENTS(smallest));
}

static void test_asked_for(void)
{
    cases_run(asked_for, N_ELEMENTS(asked_for));
}

static void test_evicting(void)
{
    cases_run(evicting, N_ELEMENTS(evicting));
}

/* --- kinds of tasks that share a domain ----------------------------------- */

#define SHARED(name, tier, mode) \
    "topology: {within: " tier ", mode: " mode ", together: " name "}"
#define GROUPS(kinds) \
    "- {name: gang, submit: 10, duration: 100, tasks: [" kinds "]}\n"
#define GROUP(replicas, gpus, more) \
    "{replicas: " replicas ", gpus: " gpus ", " more "}"
#define EASY                          \
    "actions: [allocate, backfill]\n" \
    "modules: [fifo, gang, topology, binpack, {backfill: {mode: easy}}]\n"
#define PLAN                          \
    "actions: [allocate, backfill]\n" \
    "modules: [fifo, gang, topology, binpack, {backfill: {mode: conservative}}]\n"
#define FULL_DOMAINS        \
    "actions: [allocate]\n" \
    "modules: [fifo, gang, {topology: {smallest: no}}, full-domains, binpack]\n"
#define BY_DOMAINS          \
    "actions: [allocate]\n" \
    "modules: [fifo, gang, {topology: {smallest: no}}, {node-choice: {by: domains}}]\n"

/* Racks n1 n2 and n3 n4 of 8 GPUs a node: with these 10 are free in the first,
 * 12 in the second.
 */
#define TEN_TWELVE USED("n1", "6") USED("n3", "4")
#define EIGHT(with) GROUP("1", "8", with)
#define FOUR_ONES(with) GROUP("4", "1", with)

static const struct case_world joined[] = {
    { "kinds by themselves take the tightest rack each", racks,
      JOBS TEN_TWELVE GROUPS(EIGHT("topology: {within: rack}") "," FOUR_ONES(
          "topology: {within: rack}")),
      NOT_SMALLEST, PLACED("n2*1/n3*4") },
    { "those of one name take one that holds all of them", racks,
      JOBS TEN_TWELVE GROUPS(
          EIGHT(SHARED("x", "rack", "required")) "," FOUR_ONES(
              SHARED("x", "rack", "required"))),
      NOT_SMALLEST, PLACED("n4*1/n3*4") },
    { "and wait where none does", racks,
      JOBS TEN_TWELVE USED("n4", "1")
          GROUPS(EIGHT(SHARED("x", "rack", "required")) "," FOUR_ONES(
              SHARED("x", "rack", "required"))),
      NOT_SMALLEST, WAITED(REPORT_TOPOLOGY, "n1*1/n2*4") },
    { "but if they only prefer it", racks,
      JOBS TEN_TWELVE USED("n4", "1")
          GROUPS(EIGHT(SHARED("x", "rack", "preferred")) "," FOUR_ONES(
              SHARED("x", "rack", "preferred"))),
      NOT_SMALLEST, PLACED("n2*1/n1*2 n3*2") },
    { "a job is rejected of which no rack could hold them", racks,
      JOBS GROUPS(GROUP("9", "1", SHARED("x", "rack", "required")) "," GROUP(
          "8", "1", SHARED("x", "rack", "required"))),
      NOT_SMALLEST, REJECTED(REPORT_TOPOLOGY) },
    { "an earlier start beside a reservation keeps to it", racks,
      JOBS USED("n1", "4") USED("n2", "4") USED("n3", "4") USED("n4", "4")
          GROUPS(GROUP("1", "4", SHARED("x", "node", "required")) "," GROUP(
              "1", "2", SHARED("x", "node", "required"))),
      EASY, WAITED(REPORT_TOPOLOGY, "n1*1/n1*1") },
    { "nor does a planned one leave it", racks,
      JOBS USED("n1", "4") USED("n2", "4") USED("n3", "4") USED("n4", "4")
          GROUPS(GROUP("1", "4", SHARED("x", "node", "required")) "," GROUP(
              "1", "2", SHARED("x", "node", "required"))),
      PLAN, WAITED(ANY_CAUSE, "n1*1/n1*1") },
    { "room is made where the first of them stands",
      racks,
      JOBS USED("n1", "4") USED("n2", "4") USED("n3", "4")
          USED("n4", "4") "- {name: gang, submit: 10, duration: 100, priority: 9, tasks: [" GROUP(
              "1", "4",
              SHARED("x", "node",
                     "required")) "," GROUP("1", "2",
                                            SHARED("x", "node",
                                                   "required")) "]}\n",
      PREEMPTING,
      { { "gang", 10 * S, REPORT_DONE, ANY_CAUSE, "n1*1/n1*1", 0 },
        { "on-n1", 0, REPORT_DONE, ANY_CAUSE, NULL, 1 },
        { "on-n2", 0, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "then the emptiest rack first, as for one kind", racks,
      JOBS USED("n1", "2") GANG("20", WITHIN("rack", "preferred")),
      FULL_DOMAINS, PLACED("n1*4 n3*8 n4*8") },
    { "... for all of them together", racks,
      JOBS USED("n1", "2")
          GROUPS(GROUP("9", "1", SHARED("x", "rack", "preferred")) "," GROUP(
              "11", "1", SHARED("x", "rack", "preferred"))),
      FULL_DOMAINS, PLACED("n3*8 n4*1/n1*4 n4*7") },
    { "one node", racks,
      JOBS USED("n1", "4") USED("n2", "3")
          GROUPS(GROUP("1", "2", SHARED("x", "node", "required")) "," GROUP(
              "3", "1", SHARED("x", "node", "required"))),
      NOT_SMALLEST, PLACED("n2*1/n2*3") },
    { "two names, two racks, in turns", racks,
      JOBS GROUPS(EIGHT(SHARED("x", "rack", "required")) "," EIGHT(SHARED(
          "y", "rack",
          "required")) "," GROUP("8", "1",
                                 SHARED(
                                     "x", "rack",
                                     "required")) "," GROUP("8", "1",
                                                            SHARED(
                                                                "y", "rack",
                                                                "required"))),
      NOT_SMALLEST, PLACED("n1*1/n3*1/n2*8/n4*8") },
    { "tasks above the gang stay there", racks,
      JOBS USED("n1", "8") USED("n4", "5")
          GROUPS(EIGHT(SHARED("x", "rack", "required")) "," GROUP(
              "{min: 1, max: 8}", "1", SHARED("x", "rack", "required"))),
      NOT_SMALLEST, PLACED("n3*1/n4*3") },
    { "three kinds, where nodes are chosen by domains", racks,
      JOBS TEN_TWELVE GROUPS(
          GROUP("1", "4", SHARED("x", "rack", "required")) "," GROUP(
              "2", "2",
              SHARED("x", "rack",
                     "required")) "," FOUR_ONES(SHARED("x", "rack",
                                                       "required"))),
      BY_DOMAINS, PLACED("n3*1/n4*2/n4*4") },
};

static void test_joined(void)
{
    cases_run(joined, N_ELEMENTS(joined));
}

/* --- without GPUs --------------------------------------------------------- */

/* Nodes of 8 CPUs and 64 GB; b is the fuller rack. */
#define CPUS                                                       \
    "tiers: [{name: rack}, {name: node}]\n"                        \
    "node_types: {c: {cpu: 8, memory: 64GB}, g: {cpu: 8, memory: " \
    "64GB, gpus: 8}}\n"                                            \
    "nodes:\n"
#define A_AND_B(type)                                    \
    CPUS "- {name: 'a[1-2]', type: " type ", rack: a}\n" \
         "- {name: 'b[1-2]', type: " type ", rack: b}\n"
#define ON(node, amount)                                       \
    "- {name: on-" node ", submit: 0, duration: 1000, " amount \
    ", nodes: {node: " node "}}\n"
#define OF(tasks, amount)                                                    \
    "- {name: gang, submit: 10, duration: 100, replicas: " tasks ", " amount \
    "}\n"

static const struct case_world without_gpus[] = {
    { "the rack with the fewest CPUs free", A_AND_B("c"),
      JOBS ON("b1", "cpu: 2") OF("2", "cpu: 6"), "topology",
      PLACED("b1*1 b2*1") },
    { "of memory, where that is most of what it asks", A_AND_B("c"),
      JOBS ON("a1", "cpu: 2") ON("b1", "memory: 16GB")
          OF("2", "cpu: 1, memory: 40GB"),
      "topology", PLACED("b1*1 b2*1") },
    { "the node with the fewest CPUs free", A_AND_B("c"),
      JOBS ON("b2", "cpu: 2") OF("2", "cpu: 2"), "topology", PLACED("b2*2") },
    { "on nodes with GPUs, which it does not ask for", A_AND_B("g"),
      JOBS ON("a1", "gpus: 8") ON("b1", "cpu: 2") OF("2", "cpu: 6"), "topology",
      PLACED("b1*1 b2*1") },
    { "with GPUs, the rack with the fewest of these free", A_AND_B("g"),
      JOBS ON("a1", "gpus: 1") ON("b1", "cpu: 2") OF("2", "gpus: 7, cpu: 1"),
      "topology", PLACED("a1*1 a2*1") },
    { "groups together", A_AND_B("c"),
      JOBS ON("b2",
              "cpu: 2") "- {name: gang, submit: 10, duration: 100, tasks: "
                        "[{replicas: 1, cpu: 4}, {replicas: 1, cpu: 1}]}\n",
      "topology", PLACED("b2*1/b2*1") },
    { "however nodes score", A_AND_B("c"),
      JOBS ON("b1", "cpu: 1") OF("2", "cpu: 5"),
      "gang,topology,least-allocated", PLACED("b1*1 b2*1") },
};

static void test_without_gpus(void)
{
    cases_run(without_gpus, N_ELEMENTS(without_gpus));
}

/* Kinds of tasks with a topology of their own, inside that of the job. */
#define KINDS(more, tasks) \
    "- {name: gang, submit: 10, duration: 100" more ", tasks: [" tasks "]}\n"
#define KIND(name, replicas, topology)                                       \
    "{name: " name ", replicas: " replicas ", gpus: 1, topology: {" topology \
    "}}"

static const struct case_world kinds[] = {
    { "two kinds, each in a rack, on one spine", deep,
      JOBS KINDS(
          ", topology: {within: spine}",
          KIND("a", "8", "within: rack") ", " KIND("b", "8", "within: rack")),
      NOT_SMALLEST, PLACED("n1*4 n2*4/n3*4 n4*4") },
    { "the spine of the first rack has no second one: the other spine", deep,
      JOBS USED("n4", "1") KINDS(
          ", topology: {within: spine}",
          KIND("a", "8", "within: rack") ", " KIND("b", "8", "within: rack")),
      NOT_SMALLEST, PLACED("n9*4 n10*4/n5*4 n6*4") },
    { "each on a spine of its own, where the job asks for nothing", deep,
      JOBS USED("n4", "1") KINDS("", KIND("a", "15", "within: spine") ", " KIND(
                                         "b", "24", "within: spine")),
      NOT_SMALLEST,
      PLACED("n1*4 n2*4 n3*4 n4*3/n5*4 n6*4 n7*4 n8*4 n9*4 n10*4") },
    { "a preferred tier is left for the next one", deep,
      JOBS KINDS("", KIND("a", "12", "within: nvl, mode: preferred")),
      NOT_SMALLEST, PLACED("n5*4 n6*4 n7*4") },
    { "a tier is preferred inside another", deep,
      JOBS KINDS("", KIND("a", "6", "within: spine, prefers: nvl")),
      NOT_SMALLEST, PLACED("n1*4 n2*2") },
    { "no tier that is required holds a kind", deep,
      JOBS KINDS("", KIND("a", "9", "within: nvl")), NOT_SMALLEST,
      REJECTED(REPORT_TOPOLOGY) },
    { "a kind waits for its rack", deep,
      JOBS USED("n1", "1") USED("n3", "1") USED("n5", "4") USED("n7", "4")
          USED("n9", "1") KINDS("", KIND("a", "8", "within: nvl")),
      NOT_SMALLEST, WAITED(REPORT_TOPOLOGY, "n1*4 n2*4") },
    { "a task above the gang stays in its domain, full until 1000 s", deep,
      JOBS USED("n2", "4") "- {name: gang, submit: 10, duration: 100, tasks: ["
                           "{name: a, replicas: {min: 1, max: 2}, gpus: 4, "
                           "topology: {within: nvl}}]}\n",
      NOT_SMALLEST, PLACED("n1*1") },
};

static void test_kinds(void)
{
    cases_run(kinds, N_ELEMENTS(kinds));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "a gang gets the smallest subtree that holds it", test_smallest },
        { "a job gets the tier that it asks for", test_asked_for },
        { "kinds of tasks get the tiers that they ask for", test_kinds },
        { "kinds of one name stand in one domain", test_joined },
        { "room is made where the gang may stand", test_evicting },
        { "gangs without GPUs keep to the tier", test_without_gpus },
    };

    return suite_run("sim/topology", suite, N_ELEMENTS(suite));
}
