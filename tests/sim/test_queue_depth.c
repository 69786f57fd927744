/* tests/sim/test_queue_depth.c - how many jobs of a queue an action tries in a
 * cycle.
 */
#include "tests/lib/cases.h"

/* Two nodes of 4 GPUs, on one of which 3 are in use for an hour. */
static const char two[] = "node_types: {g: {gpus: 4}}\n"
                          "nodes: [{name: 'n[1-2]', type: g}]\n";
#define QUEUES "queues: [{name: x}, {name: y}]\njobs:\n"
#define RUNS                                                   \
    "- {name: r, submit: 0, duration: 1h, gpus: 3, queue: x, " \
    "running_on: [n1]}\n"
#define JOB(name, at, gpus, queue)                                  \
    "- {name: " name ", submit: " at ", duration: 10m, gpus: " gpus \
    ", queue: " queue "}\n"
#define WHOLE \
    "- {name: whole, submit: 1m, duration: 10m, gpus: 4, replicas: 2, queue: x}\n"

#define MODULES                                \
    "modules: [priority, gang, fit, binpack, " \
    "{over-quota: {resources: {gpu: 1}}}, {preemption: {search: trials}}]\n"
#define ALLOCATES(depth) \
    "actions: [allocate]\nqueue_depth: {allocate: " depth "}\n" MODULES

#define MINUTE (60 * S)
#define STARTS(name, at)                            \
    {                                               \
        name, (at), REPORT_DONE, ANY_CAUSE, NULL, 0 \
    }

static const struct case_world depths[] = {
    { "a job that does not fit takes the place of the one behind it",
      two,
      QUEUES RUNS WHOLE JOB("small", "3m", "1", "x")
          JOB("other", "3m", "1", "y"),
      ALLOCATES("1"),
      { STARTS("whole", 60 * MINUTE), STARTS("small", 70 * MINUTE),
        STARTS("other", 3 * MINUTE) } },
    { "not at a depth of two, and not at none",
      two,
      QUEUES RUNS WHOLE JOB("small", "3m", "1", "x"),
      ALLOCATES("2"),
      { STARTS("whole", 60 * MINUTE), STARTS("small", 3 * MINUTE) } },
    { "a depth of 0 is none",
      two,
      QUEUES RUNS WHOLE JOB("small", "3m", "1", "x"),
      ALLOCATES("0"),
      { STARTS("whole", 60 * MINUTE), STARTS("small", 3 * MINUTE) } },
    { "the next cycle tries others: here at once",
      two,
      QUEUES JOB("a", "1m", "1", "x") JOB("b", "1m", "1", "x")
          JOB("c", "1m", "1", "x") JOB("d", "1m", "1", "y"),
      ALLOCATES("1"),
      { STARTS("a", MINUTE), STARTS("b", MINUTE), STARTS("c", MINUTE),
        STARTS("d", MINUTE) } },
    { "with a period then",
      two,
      QUEUES JOB("a", "1m", "1", "x") JOB("b", "1m", "1", "x")
          JOB("c", "1m", "1", "x") JOB("d", "1m", "1", "y"),
      "trigger: {period: 2s}\n" ALLOCATES("1"),
      { STARTS("a", MINUTE), STARTS("b", MINUTE + 2 * S),
        STARTS("c", MINUTE + 4 * S), STARTS("d", MINUTE) } },
    { "each action has its own: reclaim tries the first job only",
      two,
      QUEUES "- {name: v, submit: 0, duration: 1h, gpus: 1, queue: x, "
             "replicas: {min: 1, max: 8}, running_on: ['n1*4', 'n2*4']}\n" JOB(
                 "a", "1m", "1", "y") JOB("b", "1m", "1", "y"),
      "trigger: {period: 2s}\nactions: [allocate, reclaim]\n"
      "queue_depth: {reclaim: 1}\n" MODULES,
      { STARTS("a", MINUTE), STARTS("b", MINUTE + 2 * S) } },
    { "without a depth all",
      two,
      QUEUES "- {name: v, submit: 0, duration: 1h, gpus: 1, queue: x, "
             "replicas: {min: 1, max: 8}, running_on: ['n1*4', 'n2*4']}\n" JOB(
                 "a", "1m", "1", "y") JOB("b", "1m", "1", "y"),
      "trigger: {period: 2s}\nactions: [allocate, reclaim]\n" MODULES,
      { STARTS("a", MINUTE), STARTS("b", MINUTE) } },
};

static void test_depths(void)
{
    cases_run(depths, N_ELEMENTS(depths));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "the first jobs of a queue are tried", test_depths },
    };

    return suite_run("sim/queue_depth", suite, N_ELEMENTS(suite));
}
