/* tests/sim/test_booked.c - reservations of nodes, worked out by hand. */
#include "tests/lib/cases.h"

static const char cluster[] = "node_types: {g: {gpus: 8, cpu: 64}}\n"
                              "nodes: [{name: 'n[1-4]', type: g}]\n";

#define PASSES                                                  \
    "actions: [allocate, backfill]\nunit: gang\n"               \
    "modules: [fifo, gang, fit, {passes: {interval: 60s}},\n"   \
    "  {backfill: {mode: windowed, interval: 10s, window: 1d, " \
    "resolution: 1s}}]\n"
#define MAIN                                                                \
    "actions: [allocate]\nunit: gang\nmodules: [fifo, gang, fit, {passes: " \
    "{interval: 60s}}]\n"
#define FIFO "actions: [allocate]\nmodules: [fifo, gang, fit]\n"
#define EASY                                   \
    "actions: [allocate, backfill]\nmodules: " \
    "[fifo, gang, fit, {backfill: {mode: easy}}]\n"
#define PLAN                                   \
    "actions: [allocate, backfill]\nmodules: " \
    "[fifo, gang, fit, {backfill: {mode: conservative}}]\n"
#define MAINTENANCE                                                      \
    "reservations: [{name: m, start: 100, end: 200, nodes: [n1, n2]}]\n" \
    "jobs:\n"
#define JOB(name, submit, duration, nodes, more)                             \
    "- {name: " name ", submit: " submit ", duration: " duration ", gpus: 8" \
    ", replicas: " nodes more "}\n"

/* h would run into it, s ends before, l would delay h. */
#define LATE                      \
    JOB("a", "0", "50", "4", "")  \
    JOB("h", "1", "150", "4", "") \
    JOB("s", "2", "40", "1", "") JOB("l", "3", "300", "2", "")
#define OWN                                      \
    JOB("a", "0", "10", "1", ", reservation: m") \
    JOB("b", "1", "20", "4", "") JOB("c", "2", "200", "4", "")

#define STARTS(name, start)                              \
    {                                                    \
        name, (start)*S, REPORT_DONE, ANY_CAUSE, NULL, 0 \
    }

static const struct case_world cases[] = {
    { "a job that would run into it waits, a shorter one starts",
      cluster,
      MAINTENANCE JOB("a", "0", "101", "4", "") JOB("b", "0", "100", "4", ""),
      PASSES,
      { STARTS("a", 200), STARTS("b", 0) } },
    { "nodes beside it are free to all",
      cluster,
      MAINTENANCE JOB("a", "50", "100", "2", "") JOB("b", "120", "10", "1", ""),
      FIFO,
      { STARTS("a", 50), STARTS("b", 150) } },
    { "its own jobs start on its nodes only, while it lasts",
      cluster,
      MAINTENANCE JOB("a", "0", "500", "1", ", reservation: m")
          JOB("b", "150", "10", "2", ", reservation: m")
              JOB("c", "150", "10", "1", ", reservation: m"),
      FIFO,
      { STARTS("a", 100),
        { "b", NEVER, REPORT_PENDING, ANY_CAUSE, NULL, 0 },
        STARTS("c", 150) } },
    { "a flexible one does not confine its jobs",
      cluster,
      "reservations: [{name: m, start: 100, end: 200, nodes: [n1], flexible: "
      "true}]\njobs:\n" JOB("a", "0", "150", "4", ", reservation: m")
          JOB("b", "0", "150", "1", ""),
      FIFO,
      { STARTS("a", 0), STARTS("b", 150) } },
    { "another time of the same name",
      cluster,
      "reservations:\n- {name: m, start: 10, end: 20, nodes: [n1]}\n"
      "- {name: m, start: 50, end: 60, nodes: [n2]}\njobs:\n" JOB(
          "a", "30", "5", "1", ", reservation: m"),
      PASSES,
      { STARTS("a", 50) } },
    { "a job that waits for its reservation closes no partition",
      cluster,
      MAINTENANCE OWN,
      MAIN,
      { STARTS("a", 100), STARTS("b", 3), STARTS("c", 200) } },
    { "one reservation: its time is behind that of the nodes",
      cluster,
      MAINTENANCE LATE,
      EASY,
      { STARTS("a", 0), STARTS("h", 200), STARTS("s", 50), STARTS("l", 350) } },
    { "a plan: so",
      cluster,
      MAINTENANCE LATE,
      PLAN,
      { STARTS("a", 0), STARTS("h", 200), STARTS("s", 50), STARTS("l", 350) } },
    { "one reservation: a head that waits for its nodes",
      cluster,
      MAINTENANCE OWN,
      EASY,
      { STARTS("a", 100), STARTS("b", 1), STARTS("c", 200) } },
    { "a plan: so",
      cluster,
      MAINTENANCE OWN,
      PLAN,
      { STARTS("a", 100), STARTS("b", 1), STARTS("c", 200) } },
    { "nodes that the topology has not are left out",
      cluster,
      "reservations: [{name: m, start: 0, end: 1000, nodes: [x, n1]}]\n"
      "jobs:\n" JOB("a", "0", "10", "3", "") JOB("b", "0", "10", "4", ""),
      PASSES,
      { STARTS("a", 0), STARTS("b", 1000) } },
};

static void test_booked(void)
{
    cases_run(cases, N_ELEMENTS(cases));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "reservations of nodes", test_booked },
    };

    return suite_run("sim/booked", suite, N_ELEMENTS(suite));
}
