/* tests/sim/test_victim_order.c - victims of the whole cluster in one order
 * (module preemption), classes that list their victims, and the time in which
 * an evicted job stays away.
 */
#include "tests/lib/cases.h"

static const char three[] = "node_types: {g: {gpus: 8}}\n"
                            "nodes: [{name: 'n[1-3]', type: g}]\n";
static const char one[] = "node_types: {g: {gpus: 8}}\n"
                          "nodes: [{name: n1, type: g}]\n";

#define CLASSES                                                            \
    "priority_classes: {low: {value: 1}, mid: {value: 50}, high: {value: " \
    "100}, odd: {value: 0, preemption: [mid, high]}, never: {value: 100, " \
    "preemption: never}}\n"                                                \
    "jobs:\n"
#define RUNS(name, start, gpus, klass, more)                            \
    "- {name: " name ", submit: " start ", duration: 1000, gpus: " gpus \
    ", priority: " klass more "}\n"
#define COMES(gpus, klass, more)                           \
    "- {name: new, submit: 10, duration: 100, gpus: " gpus \
    ", priority: " klass more "}\n"
#define TASKS(n) ", replicas: " n

#define BY(params)                                                      \
    "actions: [allocate, preempt]\n"                                    \
    "modules: [priority, gang, fit, min-runtime, {preemption: {" params \
    "}}]\n"
#define IN_ORDER BY("search: order")
#define YOUNGEST BY("search: order, first: youngest")
#define AWAY BY("search: order, delay: 500s")

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

static const struct case_world order[] = {
    { "the lowest priority goes first",
      three,
      CLASSES RUNS("a", "0", "8", "mid", "") RUNS("b", "1", "8", "low", "")
          RUNS("c", "2", "8", "mid", "") COMES("8", "high", ""),
      IN_ORDER,
      { TAKES("n2*1"), STAYS("a", 0), GOES("b", 1), STAYS("c", 2) } },
    { "of equal priority the job on the fewest nodes",
      three,
      CLASSES RUNS("a", "0", "8", "low", TASKS("2"))
          RUNS("b", "1", "8", "low", "") COMES("8", "high", ""),
      IN_ORDER,
      { TAKES("n3*1"), STAYS("a", 0), GOES("b", 1) } },
    { "of equals the job that was submitted first",
      three,
      CLASSES RUNS("a", "0", "8", "low", "") RUNS("b", "1", "8", "low", "")
          RUNS("c", "2", "8", "low", "") COMES("8", "high", ""),
      IN_ORDER,
      { TAKES("n1*1"), GOES("a", 0), STAYS("b", 1), STAYS("c", 2) } },
    { "or the youngest, whatever its nodes and its priority",
      three,
      CLASSES RUNS("a", "0", "8", "low", "")
          RUNS("b", "1", "8", "mid", TASKS("2")) COMES("8", "high", ""),
      YOUNGEST,
      { TAKES("n2*1"), STAYS("a", 0), GOES("b", 1) } },
    { "the last victim alone is enough: sorted anew, it goes alone",
      three,
      CLASSES RUNS("a", "0", "8", "low", "")
          RUNS("b", "1", "8", "low", TASKS("2")) COMES("8", "high", TASKS("2")),
      IN_ORDER,
      { TAKES("n2*1 n3*1"), STAYS("a", 0), GOES("b", 1) } },
    { "the same where only the last victim moves to the front",
      three,
      CLASSES RUNS("a", "0", "8", "low", "")
          RUNS("b", "1", "8", "low", TASKS("2")) COMES("8", "high", TASKS("2")),
      BY("search: order, strict: yes"),
      { TAKES("n2*1 n3*1"), STAYS("a", 0), GOES("b", 1) } },
    { "never sorted anew, all up to the last one go",
      three,
      CLASSES RUNS("a", "0", "8", "low", "")
          RUNS("b", "1", "8", "low", TASKS("2")) COMES("8", "high", TASKS("2")),
      BY("search: order, reorder: 0"),
      { TAKES("n1*1 n2*1"), GOES("a", 0), GOES("b", 1) } },
    { "a victim without anything on the chosen node stays",
      three,
      CLASSES RUNS("f", "0", "4", "low", ", preemptible: false")
          RUNS("a", "1", "4", "low", "") RUNS("b", "2", "8", "low", "")
              RUNS("c", "3", "8", "high", "") COMES("8", "high", ""),
      BY("search: order, reorder: 0"),
      { TAKES("n2*1"), STAYS("a", 1), GOES("b", 2), STAYS("c", 3) } },
    { "tasks on nodes of their own",
      three,
      CLASSES RUNS("a", "0", "8", "low", "") RUNS("b", "1", "8", "mid", "")
          RUNS("c", "2", "8", "low", "")
              COMES("4", "high", TASKS("2") ", spread: {over: node}"),
      "actions: [allocate, preempt]\n"
      "modules: [priority, gang, fit, constraints, {preemption: {search: "
      "order}}]\n",
      { TAKES("n1*1 n3*1"), GOES("a", 0), STAYS("b", 1), GOES("c", 2) } },
    { "no job goes for one that would not fit then",
      three,
      CLASSES RUNS("a", "0", "8", "low", "") RUNS("b", "1", "8", "high", "")
          RUNS("c", "2", "8", "high", "") COMES("8", "high", TASKS("2")),
      IN_ORDER,
      { WAITS(1001), STAYS("a", 0), STAYS("b", 1), STAYS("c", 2) } },
    { "jobs that started recently stay",
      one,
      CLASSES RUNS("a", "0", "8", "low", "") COMES("8", "high", ""),
      "actions: [allocate, preempt]\n"
      "modules: [priority, gang, fit, {min-runtime: {time: 60s}}, "
      "{preemption: {search: order}}]\n",
      { WAITS(60), GOES("a", 0) } },
};

static const struct case_world lists[] = {
    { "a class evicts those that it lists, also above its own value",
      one,
      CLASSES RUNS("a", "0", "8", "mid", "") COMES("8", "odd", ""),
      BY("search: node"),
      { TAKES("n1*1"), GOES("a", 0) } },
    { "and no others, also below",
      one,
      "priority_classes: {low: {value: 1}, mid: {value: 50}, odd: {value: 100, "
      "preemption: [mid]}}\n"
      "jobs:\n" RUNS("a", "0", "8", "low", "") COMES("8", "odd", ""),
      IN_ORDER,
      { WAITS(1000), STAYS("a", 0) } },
    { "other classes evict those of lower value still",
      one,
      CLASSES RUNS("a", "0", "8", "low", "") COMES("8", "mid", ""),
      IN_ORDER,
      { TAKES("n1*1"), GOES("a", 0) } },
    { "equal requests of classes with other lists are tried too",
      one,
      "priority_classes: {low: {value: 1}, x: {value: 9, preemption: [none]}, "
      "none: {value: 0}, y: {value: 8, preemption: [low]}}\n"
      "jobs:\n" RUNS("a", "0", "8", "low", "") RUNS("b", "1", "8", "x", "")
          COMES("8", "y", ""),
      IN_ORDER,
      { TAKES("n1*1"), GOES("a", 0), STAYS("b", 110) } },
};

static const struct case_world away[] = {
    { "an evicted job stays away",
      one,
      CLASSES RUNS("a", "0", "8", "low", "") COMES("8", "high", ""),
      AWAY,
      { TAKES("n1*1"), { "a", 0, REPORT_DONE, ANY_CAUSE, "n1*1 n1*1", 1 } } },
    { "others start in the meantime",
      one,
      CLASSES RUNS("a", "0", "8", "low", "") COMES("8", "high", "")
          RUNS("b", "20", "8", "low", ""),
      AWAY,
      { TAKES("n1*1"), STAYS("b", 110) } },
    /* c ages since 30, a since 60 */
    { "it ages from when it comes back",
      one,
      CLASSES RUNS("a", "0", "8", "low", "") COMES("8", "high", "")
          RUNS("c", "30", "8", "low", ""),
      "requeue: last\nactions: [allocate, preempt]\nmodules: [{multifactor: "
      "{age: 1000, max_age: 1000s, period: 1s}}, priority: {only: "
      "[preempt]}, gang, fit, {preemption: {search: order, delay: 50s}}]\n",
      { TAKES("n1*1"), STAYS("c", 110) } },
};

static void test_order(void)
{
    cases_run(order, N_ELEMENTS(order));
}

static void test_lists(void)
{
    cases_run(lists, N_ELEMENTS(lists));
}

/* When the victim is done: 500 s after its eviction at 10 s it starts again. */
static void test_away(void)
{
    struct world w;

    cases_run(away, N_ELEMENTS(away));
    CU_ASSERT_FATAL(case_run(&w, &away[0]));
    CU_ASSERT_EQUAL(world_job(&w, "a")->end, 1510 * S);
    world_fini(&w);
}

/* The first job of a plan may evict, too. */
static void test_plans(void)
{
    static const char *const modes[] = { "easy", "conservative",
                                         "conservative, plan: replan" };
    char policy[300];

    for (size_t i = 0; i < N_ELEMENTS(modes); i++) {
        const struct case_world c = {
            modes[i],
            three,
            CLASSES RUNS("a", "0", "8", "low", TASKS("3"))
                RUNS("b", "1", "8", "low", "") COMES("8", "high", TASKS("2")),
            policy,
            { TAKES("n1*1 n2*1"), GOES("a", 0), STAYS("b", 1110) }
        };

        snprintf(policy, sizeof(policy),
                 "actions: [allocate, preempt, backfill]\n"
                 "modules: [priority, gang, fit, {preemption: {search: order}},"
                 " {backfill: {mode: %s}}]\n",
                 modes[i]);
        cases_run(&c, 1);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "victims go in the order of the cluster", test_order },
        { "classes list whom they evict", test_lists },
        { "evicted jobs stay away for a while", test_away },
        { "jobs evict where reservations are kept", test_plans },
    };

    return suite_run("sim/victim_order", suite, N_ELEMENTS(suite));
}
