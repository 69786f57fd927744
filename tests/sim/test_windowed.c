/* tests/sim/test_windowed.c - passes and windowed backfill, in small worlds
 * worked out by hand.
 */
#include "tests/lib/cases.h"

#define POOL(n)                    \
    "node_types: {g: {gpus: 2}}\n" \
    "nodes: [{name: 'g[1-" n "]', type: g}]\n"
/* g1 and g2 are of partition a, g2 and g3 of partition b */
#define PARTITIONS                                                \
    "node_types:\n"                                               \
    "  a: {gpus: 2, labels: {partition.a: x}}\n"                  \
    "  ab: {gpus: 2, labels: {partition.a: x, partition.b: x}}\n" \
    "  b: {gpus: 2, labels: {partition.b: x}}\n"                  \
    "nodes: [{name: g1, type: a}, {name: g2, type: ab}, {name: g3, type: b}]\n"
#define JOB(name, submit, nodes, runs, estimate)              \
    "- {name: " name ", submit: " submit ", replicas: " nodes \
    ", gpus: 2, duration: " runs ", estimate: " estimate "s}\n"
#define IN(partition, name, submit, nodes)                    \
    "- {name: " name ", submit: " submit ", replicas: " nodes \
    ", gpus: 2, duration: 100, nodes: {partition." partition ": x}}\n"
#define PASSES(how) \
    "actions: [allocate]\nmodules: [gang, {passes: {" how "}}]\n"
#define WINDOWED(how)                 \
    "actions: [allocate, backfill]\n" \
    "modules: [gang, passes, {backfill: {mode: windowed, " how "}}]\n"

#define RANKED(name, priority, submit, nodes, runs)                       \
    "- {name: " name ", priority: " priority ", submit: " submit          \
    ", replicas: " nodes ", gpus: 2, duration: " runs ", estimate: " runs \
    "s}\n"
#define EVICTING(priority, runs)                                             \
    "priority_classes: {high: {value: 9}, low: {value: 1}}\njobs:\n" RANKED( \
        "h", "high", "0", "1", "1000") RANKED("l", "low", "0", "1", "1000")  \
        RANKED("big", "high", "5", "2", "10")                                \
            RANKED("e", priority, "6", "1", runs)
#define EVICTS(search)                                                 \
    "actions: [allocate, preempt, backfill]\n"                         \
    "modules: [priority, gang, {preemption: {search: " search "}}, \n" \
    "  passes, {backfill: {mode: windowed, interval: 30s}}]\n"

#define NUMBERED                             \
    "actions: [allocate, backfill]\n"        \
    "modules: [multifactor, gang, passes,\n" \
    "  {backfill: {mode: windowed, interval: 30s, min_priority: 100}}]\n"
/* g1 and g2, then g3 and g4, on which x and y run */
#define BUSY                                                      \
    "node_types: {a: {gpus: 2}, b: {gpus: 2, labels: {at: b}}}\n" \
    "nodes: [{name: 'g[1-2]', type: a}, {name: 'g[3-4]', type: b}]\n"
#define AT_B(name, runs)                                                     \
    "- {name: " name ", submit: 0, gpus: 2, nodes: {at: b}, duration: " runs \
    ", estimate: " runs "s}\n"
#define LIMITED                                                  \
    "qos: {low: {limits: {group: {gpu: 2}}}}\njobs:\n"           \
    "- {name: a, submit: 0, gpus: 2, duration: 100, qos: low}\n" \
    "- {name: b, submit: 1, gpus: 2, duration: 100, qos: low}\n" \
    "- {name: c, submit: 2, gpus: 2, duration: 100}\n"

#define STARTS(name, at)                              \
    {                                                 \
        name, (at)*S, REPORT_DONE, ANY_CAUSE, NULL, 0 \
    }

static const struct case_world cases[] = {
    /* a2 needs both nodes of a: b may not use g2, but g3 */
    { "a job that cannot start closes its partition with its nodes",
      PARTITIONS,
      "jobs:\n" IN("a", "a1", "0", "1") IN("a", "a2", "10", "2")
          IN("b", "b2", "20", "2") IN("b", "b1", "21", "1"),
      PASSES("submit_delay: 0s"),
      { STARTS("a1", 0), STARTS("a2", 100), STARTS("b2", 200),
        STARTS("b1", 300) } },
    { "a job of a partition of its own is not held up",
      PARTITIONS,
      "jobs:\n" IN("a", "a1", "0", "1") IN("a", "a2", "10", "2")
          IN("b", "b1", "20", "1"),
      PASSES("submit_delay: 0s"),
      { STARTS("a1", 0), STARTS("a2", 100), STARTS("b1", 20) } },
    { "a submission waits for the delay since the last pass",
      POOL("3"),
      "jobs:\n" JOB("a", "10", "1", "50", "50") JOB("b", "11", "1", "50", "50")
          JOB("c", "12", "1", "50", "50"),
      PASSES("submit_delay: 5s"),
      { STARTS("a", 10), STARTS("b", 15), STARTS("c", 15) } },
    /* of four partitions' worth of jobs only the first two are looked at */
    { "a pass after an event looks at the first jobs",
      PARTITIONS,
      "jobs:\n" IN("a", "a1", "0", "2") IN("a", "a2", "1", "1")
          IN("a", "a3", "2", "1") IN("b", "b1", "3", "1"),
      PASSES("submit_delay: 0s, depth: 1, interval: 40s"),
      { STARTS("a1", 0), STARTS("a2", 100), STARTS("a3", 100),
        STARTS("b1", 40) } },
    { "so many starts in a pass",
      POOL("3"),
      "jobs:\n" JOB("a", "0", "1", "50", "50") JOB("b", "0", "1", "50", "50")
          JOB("c", "0", "1", "50", "50"),
      PASSES("starts: 1, interval: 10s"),
      { STARTS("a", 0), STARTS("b", 10), STARTS("c", 20) } },
    /* big is blocked from 5 on; c ends before it could start, at the pass */
    { "backfill starts jobs at its interval",
      POOL("2"),
      "jobs:\n" JOB("a", "0", "1", "200", "200")
          JOB("big", "5", "2", "10", "10") JOB("c", "6", "1", "50", "50"),
      WINDOWED("interval: 30s"),
      { STARTS("big", 200), STARTS("c", 30) } },
    /* big has both nodes from 180 on, on the grid; c would end then */
    { "a job that would end when a reservation begins does not start",
      POOL("2"),
      "jobs:\n" JOB("a", "0", "1", "200", "200")
          JOB("big", "5", "2", "10", "10") JOB("c", "6", "1", "150", "150")
              JOB("d", "7", "1", "149", "149"),
      WINDOWED("interval: 30s"),
      { STARTS("big", 200), STARTS("d", 30), STARTS("c", 210) } },
    /* a small job that would fit beside the reserved one is kept from its node
     */
    { "reservations are of whole nodes",
      "node_types: {g: {gpus: 2}}\nnodes: [{name: g1, type: g}]\n",
      "jobs:\n- {name: a, submit: 0, gpus: 1, duration: 200, estimate: 200s}\n"
      "- {name: two, submit: 5, gpus: 2, duration: 10, estimate: 10s}\n"
      "- {name: one, submit: 6, gpus: 1, duration: 300, estimate: 300s}\n",
      WINDOWED("interval: 30s"),
      { STARTS("two", 200), STARTS("one", 210) } },
    /* 100 s beyond the window nothing is reserved: c may delay big */
    { "no reservation beyond the window",
      POOL("2"),
      "jobs:\n" JOB("a", "0", "1", "200", "200")
          JOB("big", "5", "2", "10", "10") JOB("c", "6", "1", "300", "300"),
      WINDOWED("interval: 30s, window: 1m"),
      { STARTS("big", 330), STARTS("c", 30) } },
    { "a young job has no reservation",
      POOL("2"),
      "jobs:\n" JOB("a", "0", "1", "200", "200")
          JOB("big", "5", "2", "10", "10") JOB("c", "6", "1", "300", "300"),
      WINDOWED("interval: 30s, min_wait: 60s"),
      { STARTS("big", 330), STARTS("c", 30) } },
    /* big waits for h, of its priority; behind it e may evict low, as it ends
     * before big can start, and l may not */
    { "a job behind a blocked one evicts where it delays nothing reserved",
      POOL("2"),
      EVICTING("high", "30"),
      EVICTS("order"),
      { STARTS("h", 0), STARTS("e", 30), STARTS("big", 1000) } },
    { "... on the node that costs least",
      POOL("2"),
      EVICTING("high", "30"),
      EVICTS("node"),
      { STARTS("h", 0), STARTS("e", 30), STARTS("big", 1000) } },
    { "... not where it does",
      POOL("2"),
      EVICTING("high", "3000"),
      EVICTS("order"),
      { STARTS("h", 0), STARTS("big", 1000), STARTS("e", 1010) } },
    { "... nor jobs of its own priority",
      POOL("2"),
      EVICTING("low", "30"),
      EVICTS("order"),
      { STARTS("h", 0), STARTS("big", 1000) } },
    /* big is numbered 1, or by its nice 200 */
    { "a job of a low number has no reservation",
      POOL("2"),
      "jobs:\n" JOB("a", "0", "1", "200", "200")
          JOB("big", "5", "2", "10", "10") JOB("c", "6", "1", "300", "300"),
      NUMBERED,
      { STARTS("big", 330), STARTS("c", 30) } },
    { "... of a high one it has",
      POOL("2"),
      "jobs:\n" JOB(
          "a", "0",
          "1", "200",
          "200") "- {name: big, submit: 5, replicas: 2, gpus: 2, duration: 10, "
                 "estimate: 10s, nice: -200}\n" JOB("c", "6", "1", "300",
                                                    "300"),
      NUMBERED,
      { STARTS("big", 200), STARTS("c", 210) } },
    { "a pass ends when its map is full",
      POOL("2"),
      "jobs:\n" JOB("a", "0", "1", "200", "200")
          JOB("big", "5", "2", "10", "10") JOB("c", "6", "1", "50", "50"),
      WINDOWED("interval: 30s, records: 2"),
      { STARTS("big", 200), STARTS("c", 210) } },
    /* the node of a is in the map until 240, so that big begins then */
    { "running jobs that fill nodes have reservations",
      POOL("2"),
      "jobs:\n" JOB("a", "0", "1", "200", "200")
          JOB("big", "5", "2", "10", "10") JOB("c", "6", "1", "200", "200"),
      WINDOWED("interval: 30s, running: yes"),
      { STARTS("big", 230), STARTS("c", 30) } },
    { "without that",
      POOL("2"),
      "jobs:\n" JOB("a", "0", "1", "200", "200")
          JOB("big", "5", "2", "10", "10") JOB("c", "6", "1", "200", "200"),
      WINDOWED("interval: 30s"),
      { STARTS("big", 200), STARTS("c", 210) } },
    /* big is to have g3, g4 and g1: g2 is left to c */
    { "reservations on nodes where jobs run",
      BUSY,
      "jobs:\n" AT_B("x", "100") AT_B("y", "100")
          JOB("big", "5", "3", "10", "10") JOB("c", "6", "1", "500", "500"),
      WINDOWED("interval: 30s, busy_nodes: yes"),
      { STARTS("big", 100), STARTS("c", 30) } },
    { "... are else on the first run",
      BUSY,
      "jobs:\n" AT_B("x", "100") AT_B("y", "100")
          JOB("big", "5", "3", "10", "10") JOB("c", "6", "1", "500", "500"),
      WINDOWED("interval: 30s"),
      { STARTS("big", 100), STARTS("c", 100) } },
    { "so many jobs of a partition in a pass",
      POOL("3"),
      "jobs:\n" JOB("a", "0", "1", "50", "50") JOB("b", "0", "1", "50", "50")
          JOB("c", "0", "1", "50", "50"),
      PASSES("per_partition: 1, interval: 10s"),
      { STARTS("a", 0), STARTS("b", 10), STARTS("c", 20) } },
    { "a job that a limit refuses is skipped",
      POOL("3"),
      LIMITED,
      "actions: [allocate]\nmodules: [fifo, gang, limits, "
      "{passes: {submit_delay: 0s}}]\n",
      { STARTS("a", 0), STARTS("b", 100), STARTS("c", 2) } },
    { "... or closes its partition",
      POOL("3"),
      LIMITED,
      "actions: [allocate]\n"
      "modules: [fifo, gang, limits,\n"
      "  {passes: {submit_delay: 0s, limits: close}}]\n",
      { STARTS("a", 0), STARTS("b", 100), STARTS("c", 100) } },
    { "so many jobs for which a place is searched",
      POOL("2"),
      "jobs:\n" JOB("a", "0", "1", "200", "200")
          JOB("big", "5", "2", "10", "10") JOB("c", "6", "1", "50", "50"),
      WINDOWED("interval: 30s, jobs: 1"),
      { STARTS("big", 200), STARTS("c", 210) } },
    /* of partition "all nodes" one job is looked at */
    { "so many jobs of a partition",
      POOL("2"),
      "jobs:\n" JOB("a", "0", "1", "200", "200")
          JOB("big", "5", "2", "10", "10") JOB("c", "6", "1", "50", "50"),
      WINDOWED("interval: 30s, per_partition: 1"),
      { STARTS("big", 200), STARTS("c", 210) } },
    { "so many jobs of a user",
      POOL("3"),
      "jobs:\n" JOB("a", "0", "2", "200", "200") JOB(
          "big", "5", "3", "10",
          "10") "- {name: c, submit: 6, gpus: 2, duration: 150, estimate: 50s, user: u}\n"
                "- {name: d, submit: 7, gpus: 2, duration: 10, estimate: 10s, user: u}\n",
      WINDOWED("interval: 30s, per_user: 1"),
      { STARTS("c", 30), STARTS("big", 200), STARTS("d", 210) } },
    /* big has g1 and g2 reserved; c, which needs all, has no reservation then:
     * d may run on g3 for long
     */
    { "so many reservations of a partition",
      POOL("3"),
      "jobs:\n" JOB("a", "0", "2", "200", "200")
          JOB("big", "5", "2", "10", "10") JOB("c", "6", "3", "10", "10")
              JOB("d", "7", "1", "300", "300"),
      WINDOWED("interval: 30s, reserved_per_partition: 1"),
      { STARTS("big", 200), STARTS("c", 330), STARTS("d", 30) } },
    { "without that limit",
      POOL("3"),
      "jobs:\n" JOB("a", "0", "2", "200", "200")
          JOB("big", "5", "2", "10", "10") JOB("c", "6", "3", "10", "10")
              JOB("d", "7", "1", "300", "300"),
      WINDOWED("interval: 30s"),
      { STARTS("big", 200), STARTS("c", 210), STARTS("d", 220) } },
};

static void all(void)
{
    cases_run(cases, N_ELEMENTS(cases));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "when jobs start", all },
    };

    return suite_run("sim/windowed backfill", suite, N_ELEMENTS(suite));
}
