/* tests/sim/test_task_affinity.c - kinds of tasks of one job together, or
 * apart: key task_affinity, module task-affinity.
 */
#include "tests/lib/cases.h"

static const char nodes[] = "node_types: {c: {cpu: 4}}\n"
                            "nodes: [{name: 'n[1-4]', type: c}]\n";
static const char two[] = "node_types: {c: {cpu: 4}}\n"
                          "nodes: [{name: 'n[1-2]', type: c}]\n";
static const char mixed[] =
    "node_types: {c: {cpu: 2}, d: {cpu: 6}}\n"
    "nodes: [{name: small, type: c}, {name: 'n[1-2]', type: d}]\n";

#define PS "{name: ps, replicas: 2, cpu: 1}"
#define WORKERS "{name: worker, replicas: 4, cpu: 1}"
#define JOB(rules, tasks)                                              \
    "jobs: [{name: a, submit: 0, duration: 10, task_affinity: {" rules \
    "}, tasks: [" tasks "]}]\n"
#define WITH(module) "actions: [allocate]\nmodules: [gang, fit, " module "]\n"
#define STRONG "{task-affinity: {weight: 10}}"
#define SPREADS WITH(STRONG ", least-allocated")
#define STANDS(where)                            \
    {                                            \
        "a", 0, REPORT_DONE, ANY_CAUSE, where, 0 \
    }

static const struct case_world where[] = {
    { "without the module tasks spread",
      nodes,
      JOB("together: [[ps, worker]], apart: [[ps]]", PS ", " WORKERS),
      WITH("least-allocated"),
      { STANDS("n1*1 n2*1/n3*1 n4*1 n1*1 n2*1") } },
    { "each server with its workers",
      nodes,
      JOB("together: [[ps, worker]], apart: [[ps]]", PS ", " WORKERS),
      SPREADS,
      { STANDS("n1*1 n2*1/n1*1 n2*1 n1*1 n2*1") } },
    { "all on one node",
      "node_types: {c: {cpu: 6}}\nnodes: [{name: 'n[1-4]', type: c}]\n",
      JOB("together: [[ps, worker], [ps], [worker]]", PS ", " WORKERS),
      SPREADS,
      { STANDS("n1*2/n1*4") } },
    { "workers apart",
      nodes,
      JOB("apart: [[worker]]", WORKERS),
      WITH(STRONG ", most-allocated"),
      { STANDS("n1*1 n2*1 n3*1 n4*1") } },
    { "apart as far as there are nodes",
      two,
      JOB("apart: [[worker]]", WORKERS),
      WITH(STRONG ", most-allocated"),
      { STANDS("n1*1 n2*1 n1*1 n2*1") } },
    { "two kinds apart",
      two,
      JOB("apart: [[ps, worker]]", PS ", " WORKERS),
      WITH(STRONG ", most-allocated"),
      { STANDS("n2*2/n1*4") } },
    { "where more of the bucket fits",
      mixed,
      JOB("together: [[worker]]", WORKERS),
      WITH("task-affinity, fifo"),
      { STANDS("n1*4") } },
    { "tasks that no rule names are as others",
      nodes,
      JOB("together: [[ps]]", PS ", " WORKERS),
      SPREADS,
      { STANDS("n1*2/n2*1 n3*1 n4*1 n2*1") } },
    { "groups of one name are one kind",
      nodes,
      JOB("apart: [[w]]",
          "{name: w, replicas: 2, cpu: 1}, {name: w, replicas: 2, cpu: 2}"),
      WITH(STRONG ", most-allocated"),
      { STANDS("n1*1 n2*1/n3*1 n4*1") } },
    { "a weight of 0 scores nothing",
      nodes,
      JOB("together: [[worker]]", WORKERS),
      WITH("{task-affinity: {weight: 0}}, least-allocated"),
      { STANDS("n1*1 n2*1 n3*1 n4*1") } },
};

static void test_where(void)
{
    cases_run(where, N_ELEMENTS(where));
}

/* Tasks of 3 CPUs and of 1 on nodes of 4: the order decides which tasks are in
 * one bucket, and which still fit.
 */
#define BIG "{name: big, replicas: 2, cpu: 3}"
#define LITTLE "{name: little, replicas: 2, cpu: 1}"

static const struct case_world order[] = {
    { "those that are apart first",
      nodes,
      JOB("together: [[big, little]], apart: [[big]]", BIG ", " LITTLE),
      WITH("task-affinity"),
      { STANDS("n1*1 n2*1/n1*1 n2*1") } },
    { "the first ones share a bucket",
      nodes,
      JOB("together: [[big, little]], apart: [[big]], order: [little]",
          BIG ", " LITTLE),
      WITH("task-affinity"),
      { STANDS("n2*1 n3*1/n1*2") } },
    { "without rules as the job lists them",
      nodes,
      JOB("order: [little, big]", BIG ", " LITTLE),
      WITH("task-affinity"),
      { STANDS("n1*1 n2*1/n1*1 n2*1") } },
};

static void test_order(void)
{
    cases_run(order, N_ELEMENTS(order));
}

/* A task that comes back joins its kind. */
static const struct case_world again[] = {
    { "an evicted gang stands as before",
      nodes,
      "jobs:\n"
      "- {name: a, submit: 0, duration: 100, task_affinity: {together: [[ps, "
      "worker]], apart: [[ps]]}, tasks: [" PS ", " WORKERS "]}\n"
      "- {name: b, submit: 10, duration: 10, priority: 5, replicas: 4, cpu: 4}\n",
      "actions: [allocate, preempt]\nmodules: [priority, gang, fit, "
      "task-affinity, least-allocated]\n",
      { { "a", 0, REPORT_DONE, ANY_CAUSE,
          "n1*1 n2*1/n1*1 n2*1 n1*1 n2*1/n1*1 n2*1/n1*1 n2*1 n1*1 n2*1",
          1 } } },
    { "tasks above the gang join it",
      nodes,
      "jobs:\n"
      "- {name: b, submit: 0, duration: 5, replicas: 3, cpu: 4}\n"
      "- {name: a, submit: 1, duration: 100, gang: 3, task_affinity: {together: "
      "[[worker]]}, tasks: [{name: worker, replicas: 4, cpu: 1}]}\n",
      SPREADS,
      { { "a", 1 * S, REPORT_DONE, ANY_CAUSE, "n4*4", 0 } } },
};

static void test_again(void)
{
    cases_run(again, N_ELEMENTS(again));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "tasks stand by their kinds", test_where },
        { "a gang is placed bucket by bucket", test_order },
        { "what stands already counts", test_again },
    };

    return suite_run("sim/task_affinity", suite, N_ELEMENTS(suite));
}
