/* tests/sim/test_exceptions.c - jobs that the rules of others do not hold:
 * those whose longest wait is over, those that are never evicted; and queues
 * that run no jobs.
 */
#include "tests/lib/cases.h"

static const char one_node[] = "node_types: {t: {cpu: 4}}\n"
                               "nodes: [{name: n1, type: t}]\n";

#define CLASSES                                              \
    "priority_classes: {low: {value: 1}, high: {value: 9}, " \
    "system-node-critical: {value: 2}, batch: {value: 3}}\n"
/* `a` fills the node; `b` would evict it, if it were admitted. */
#define FULL(more)                                                    \
    CLASSES                                                           \
    "jobs:\n"                                                         \
    "- {name: a, submit: 0, duration: 1000, cpu: 4, priority: low}\n" \
    "- {name: b, submit: 10, duration: 100, cpu: 4, priority: high" more "}\n"
#define BY(first, second)                                                    \
    "actions: [enqueue, allocate, preempt]\nmodules: [[" first "], [" second \
    "]]\n"
#define AT(name, second)                                  \
    {                                                     \
        name, (second)*S, REPORT_DONE, ANY_CAUSE, NULL, 0 \
    }

static const struct case_world waits[] = {
    { "a full cluster admits nobody",
      one_node,
      FULL(""),
      BY("priority, gang", "overcommit: {factor: 1}, fit"),
      { AT("b", 1000) } },
    { "whose longest wait is over is admitted",
      one_node,
      FULL(", max_wait: 60"),
      BY("priority, gang, max-wait", "overcommit: {factor: 1}, fit"),
      { AT("b", 70) } },
    { "so is one that waits as long as the module says",
      one_node,
      FULL(""),
      BY("priority, gang, max-wait: {time: 30s}",
         "overcommit: {factor: 1}, fit"),
      { AT("b", 40) } },
    { "what the job states counts more",
      one_node,
      FULL(", max_wait: 2m"),
      BY("priority, gang, max-wait: {time: 30s}",
         "overcommit: {factor: 1}, fit"),
      { AT("b", 130) } },
    { "one that states nothing to be admitted by is admitted at once",
      one_node,
      FULL(", min_resources: {}"),
      BY("priority, gang", "overcommit: {factor: 1}, fit"),
      { AT("b", 10) } },
    { "one that states less than its gang by that",
      one_node,
      FULL(", min_resources: {cpu: 2}"),
      BY("priority, gang", "overcommit: {factor: 1.5}, fit"),
      { AT("b", 10) } },
    { "or not",
      one_node,
      FULL(", min_resources: {cpu: 3}"),
      BY("priority, gang", "overcommit: {factor: 1.5}, fit"),
      { AT("b", 1000) } },
    { "one that is admitted already is not asked about",
      one_node,
      FULL(", admitted: true"),
      BY("priority, gang", "overcommit: {factor: 1}, fit"),
      { AT("b", 10) } },
    { "a module of the same tier refuses it all the same",
      one_node,
      FULL(", max_wait: 60"),
      BY("priority, gang", "max-wait, overcommit: {factor: 1}, fit"),
      { AT("b", 1000) } },
    { "whose wait ends first is first",
      one_node,
      "jobs:\n"
      "- {name: a, submit: 0, duration: 50, cpu: 4}\n"
      "- {name: none, submit: 1, duration: 50, cpu: 4}\n"
      "- {name: long, submit: 2, duration: 50, cpu: 4, max_wait: 1h}\n"
      "- {name: short, submit: 3, duration: 50, cpu: 4, max_wait: 1m}\n",
      "actions: [allocate]\nmodules: [max-wait, gang, fit]\n",
      { AT("short", 50), AT("long", 100), AT("none", 150) } },
};

#define EXEMPT(text) \
    "actions: [allocate, preempt]\nmodules: [priority, gang, fit, " text "]\n"
#define TWO(klass, more)                                                   \
    CLASSES                                                                \
    "jobs:\n"                                                              \
    "- {name: a, submit: 0, duration: 1000, cpu: 4, priority: " klass more \
    "}\n"                                                                  \
    "- {name: b, submit: 10, duration: 100, cpu: 4, priority: "            \
    "high}\n"

static const struct case_world exempt[] = {
    { "a job of another class goes",
      one_node,
      TWO("batch", ""),
      EXEMPT("exempt"),
      { AT("b", 10) } },
    { "a job of the system's class stays",
      one_node,
      TWO("system-node-critical", ""),
      EXEMPT("exempt"),
      { AT("b", 1000) } },
    { "a job of the system's user stays",
      one_node,
      TWO("low", ", user: kube-system"),
      EXEMPT("exempt"),
      { AT("b", 1000) } },
    { "a part of a name is another name",
      one_node,
      TWO("low", ", user: kube"),
      EXEMPT("exempt"),
      { AT("b", 10) } },
    { "other classes and users",
      one_node,
      TWO("batch", ""),
      EXEMPT("exempt: {classes: \"low,batch\", users: \"x\"}"),
      { AT("b", 1000) } },
    { "a user in a list",
      one_node,
      TWO("batch", ", user: y"),
      EXEMPT("exempt: {classes: \"none\", users: \"x,y\"}"),
      { AT("b", 1000) } },
};

#define TREE(queue)                                                     \
    "queues: [{name: q}, {name: q/r}]\njobs:\n"                         \
    "- {name: a, submit: 0, duration: 100, cpu: 1, queue: " queue "}\n" \
    "- {name: b, submit: 50, duration: 100, cpu: 1, queue: q/r}\n"
#define LEAVES(where)                                                   \
    "actions: [enqueue, allocate]\nmodules: [gang, fit, queue: {mode: " \
    "capacity, jobs_in: " where "}]\n"

static const struct case_world inner[] = {
    { "a queue with others below runs jobs",
      one_node,
      TREE("q"),
      LEAVES("any"),
      { AT("a", 0), AT("b", 50) } },
    { "unless only leaves do",
      one_node,
      TREE("q"),
      LEAVES("leaves"),
      { { "a", NEVER, REPORT_PENDING, REPORT_QUOTA, NULL, 0 }, AT("b", 50) } },
    { "a leaf does", one_node, TREE("q/r"), LEAVES("leaves"), { AT("a", 0) } },
};

static void test_waits(void)
{
    cases_run(waits, N_ELEMENTS(waits));
}

static void test_exempt(void)
{
    cases_run(exempt, N_ELEMENTS(exempt));
}

static void test_inner(void)
{
    cases_run(inner, N_ELEMENTS(inner));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "the longest wait", test_waits },
        { "who is never evicted", test_exempt },
        { "inner queues", test_inner },
    };

    return suite_run("sim/exceptions", suite, N_ELEMENTS(suite));
}
