/* tests/sim/test_backfill.c - reservations, in small worlds worked out by
 * hand.
 */
#include "tests/lib/cases.h"

#define POOL(n)                    \
    "node_types: {g: {gpus: 1}}\n" \
    "nodes: [{name: 'g[1-" n "]', type: g}]\n"
#define JOB(name, submit, gpus, runs, estimate)              \
    "- {name: " name ", submit: " submit ", replicas: " gpus \
    ", gpus: 1, duration: " runs ", estimate: " estimate "s}\n"
#define SMALL(name, submit, runs)                                             \
    "- {name: " name ", submit: " submit ", gpus: 1, cpu: 1, duration: " runs \
    "}\n"
#define BY_PRIORITY                   \
    "actions: [allocate, backfill]\n" \
    "modules: [priority, gang, {backfill: {mode: easy}}]\n"
#define REPLAN                        \
    "actions: [allocate, backfill]\n" \
    "modules: [gang, {backfill: {mode: conservative, plan: replan}}]\n"

#define STARTS(name, at)                              \
    {                                                 \
        name, (at)*S, REPORT_DONE, ANY_CAUSE, NULL, 0 \
    }

static const struct case_world cases[] = {
    /* two nodes of 3, each with room for one task of 2: it never fits, though
     * it asks for no more than there is; no job waits for its sake
     */
    { "a head that fits by no end delays no job",
      "node_types: {g: {gpus: 3, cpu: 8}}\n"
      "nodes: [{name: 'n[1-2]', type: g}]\n",
      "jobs:\n" JOB(
          "a", "0", "1", "50",
          "50") "- {name: never, submit: 10, duration: 10, tasks: ["
                "{replicas: 2, gpus: 2}, {replicas: 1, gpus: 2, cpu: 1}]}\n" JOB(
                    "b", "15", "1", "100", "100")
                    JOB("c", "20", "1", "100", "100"),
      "easy",
      { STARTS("b", 15), STARTS("c", 20) } },
    /* the same with tasks that all ask for the same is seen at once */
    { "groups that ask for the same are counted as one",
      "node_types: {g: {gpus: 3}}\nnodes: [{name: 'n[1-2]', type: g}]\n",
      "jobs:\n- {name: never, submit: 0, duration: 10, tasks: ["
      "{replicas: 1, gpus: 2}, {replicas: 2, gpus: 2}]}\n",
      "easy",
      { { "never", NEVER, REPORT_REJECTED, REPORT_CAPACITY, "", 0 } } },
    /* head asks for 3: at 100; high takes one to 220 before it, so that b,
     * which ends at 180, delays no job any more
     */
    { "the reservation moves with jobs that go before the head",
      POOL("3"),
      "priority_classes: {high: {value: 5}}\n"
      "jobs:\n" JOB("a", "0", "1", "100", "100") JOB(
          "head", "10", "3", "10",
          "10") "- {name: high, submit: 20, gpus: 1, duration: 200, estimate: 200s, "
                "priority: high}\n" JOB("b", "30", "1", "150", "150"),
      BY_PRIORITY,
      { STARTS("high", 20), STARTS("b", 30), STARTS("head", 220) } },
    /* a is evicted at 50, halfway, and on again at 60: head begins when it
     * ends, at 110, which b, until 130, would delay
     */
    { "an evicted job is expected to end when the rest of its work is done",
      POOL("2"),
      "priority_classes: {high: {value: 5}}\n"
      "jobs:\n"
      "- {name: a, submit: 0, gpus: 1, duration: 100, checkpoint: 10s}\n"
      "- {name: h, submit: 50, replicas: 2, gpus: 1, duration: 10, "
      "priority: high}\n" JOB("head", "65", "2", "10", "10")
          JOB("b", "70", "1", "60", "60"),
      "actions: [allocate, preempt, backfill]\n"
      "modules: [priority, gang, {backfill: {mode: easy}}]\n",
      { { "a", 0, REPORT_DONE, ANY_CAUSE, NULL, 1 },
        STARTS("h", 50),
        STARTS("head", 110),
        STARTS("b", 120) } },
    /* two are free at 50: a1 ends in time, then a2; long would delay head.  b,
     * of another kind, goes before a3, not before a2.
     */
    { "jobs of a kind that start in the same cycle keep their places",
      "node_types: {g: {gpus: 1, cpu: 8}}\n"
      "nodes: [{name: 'g[1-4]', type: g}]\n",
      "jobs:\n" JOB("r", "0", "2", "50", "200") JOB("s", "0", "2", "200", "200")
          JOB("head", "1", "4", "10", "10") JOB("long", "2", "1", "500", "500")
              JOB("a1", "3", "1", "20", "20") JOB("a2", "4", "1", "20", "20")
                  SMALL("b", "5", "20") JOB("a3", "6", "1", "20", "20"),
      "easy",
      { STARTS("a1", 50), STARTS("a2", 50), STARTS("b", 70),
        STARTS("a3", 70) } },
    /* one is free at 50, and again at 70 and 90: b1, b2 and b3 are of three
     * kinds, all of which it would suit
     */
    { "of several kinds the first takes what was freed, then the next",
      "node_types: {g: {gpus: 1, cpu: 8}}\n"
      "nodes: [{name: 'g[1-2]', type: g}]\n",
      "jobs:\n" JOB("r", "0", "1", "50", "200") JOB(
          "s", "0", "1", "200", "200") JOB("head", "1", "2", "10", "10")
          JOB("b1", "2", "1", "20", "20") SMALL(
              "b2", "3",
              "20") "- {name: b3, submit: 4, gpus: 1, cpu: 2, duration: 20}\n",
      "easy",
      { STARTS("b1", 50), STARTS("b2", 70), STARTS("b3", 90),
        STARTS("head", 200) } },
    /* from 100 on it fits with the small task on m, and not with that on n,
     * where it is tried first
     */
    { "a job takes the place that was promised to it",
      "node_types: {x: {gpus: 3, cpu: 4}, y: {gpus: 2, cpu: 8}}\n"
      "nodes: [{name: n, type: x}, {name: m, type: y}]\n",
      "jobs:\n" JOB(
          "on-n", "0", "1", "1000",
          "1000") "- {name: on-m, submit: 0, duration: 100, gpus: 2, cpu: 8}\n"
                  "- {name: head, submit: 10, duration: 10, tasks: ["
                  "{replicas: 1, cpu: 4}, {replicas: 2, gpus: 2, cpu: 4}]}\n",
      "easy",
      { STARTS("on-n", 0),
        STARTS("on-m", 0),
        { "head", 100 * S, REPORT_DONE, ANY_CAUSE, "m*1/n*1 m*1", 0 } } },
    /* moment is planned for 100, in no time; b would take its room */
    { "a job of no length is planned all the same",
      POOL("2"),
      "jobs:\n" JOB("a", "0", "1", "100", "100")
          JOB("moment", "1", "2", "0", "0") JOB("b", "2", "1", "150", "150"),
      REPLAN,
      { STARTS("moment", 100), STARTS("b", 100) } },
    { "the same with reservations kept",
      POOL("2"),
      "jobs:\n" JOB("a", "0", "1", "100", "100")
          JOB("moment", "1", "2", "0", "0") JOB("b", "2", "1", "150", "150"),
      "conservative",
      { STARTS("moment", 100), STARTS("b", 100) } },
    /* b ends at 50, not 200.  wide moves up from 200 to 120, as small has 100
     * to 120; then small moves up to 50.  Nothing ends at 120.
     */
    { "a start is not missed though nothing ends then",
      POOL("2"),
      "jobs:\n" JOB("a", "0", "1", "100", "100") JOB("b", "0", "1", "50", "200")
          JOB("wide", "1", "2", "10", "10") JOB("small", "2", "1", "20", "20"),
      "conservative",
      { STARTS("small", 50), STARTS("wide", 120) } },
    /* c ends at 50, where b is to start; a may not grow into that */
    { "members above a gang come after what is planned",
      POOL("2"),
      "jobs:\n"
      "- {name: a, submit: 0, duration: 100, estimate: 100s, gpus: 1, "
      "replicas: {min: 1, max: 2}}\n" JOB("c", "0", "1", "50", "50")
          JOB("b", "10", "1", "100", "100"),
      "conservative",
      { STARTS("a", 0), STARTS("c", 0), STARTS("b", 50) } },
};

static void test_cases(void)
{
    cases_run(cases, N_ELEMENTS(cases));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "jobs start and wait as worked out by hand", test_cases },
    };

    return suite_run("sim/backfill", suite, N_ELEMENTS(suite));
}
