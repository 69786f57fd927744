/* tests/sim/test_budgets.c - evictions within and beyond disruption budgets,
 * worked out by hand.
 */
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

/* Low jobs that fill three nodes of 2 CPUs: `early` and `late` with label
 * app=web, and `plain`, the most important, since it is the oldest; a fourth
 * with two tasks above its gang.  At 100 s `new` comes.
 */
static const char nodes[] = "node_types: {t: {cpu: 2}}\n"
                            "nodes:\n"
                            "- {name: n1, type: t, labels: {node: n1}}\n"
                            "- {name: n2, type: t, labels: {node: n2}}\n"
                            "- {name: n3, type: t, labels: {node: n3}}\n";

#define CLASSES "priority_classes: {low: {value: 1}, high: {value: 9}}\n"
#define WEB                                                                   \
    "jobs:\n"                                                                 \
    "- {name: plain, submit: 0, duration: 1h, cpu: 2, priority: low, "        \
    "nodes: {node: n3}}\n"                                                    \
    "- {name: early, submit: 1, duration: 1h, cpu: 2, priority: low, "        \
    "labels: {app: web, zone: a}, nodes: {node: n1}}\n"                       \
    "- {name: late, submit: 2, duration: 1h, cpu: 2, priority: low, labels: " \
    "{app: web}, nodes: {node: n2}}\n"
#define NEW(cpu, more)                                                        \
    "- {name: new, submit: 100, duration: 10, priority: high, cpu: " cpu more \
    "}\n"
/* One service: two roots on n1, the leaves on the others. */
#define SERVICE                                                                                 \
    "jobs:\n"                                                                                   \
    "- {name: web, submit: 0, duration: forever, labels: {app: web}, gang: "                    \
    "1, priority: low, tasks: [{name: root, labels: {part: root}, replicas: {min: 0, max: 2}, " \
    "cpu: 1}, {name: leaf, labels: {part: leaf}, replicas: {min: 0, max: 4}, cpu: 1}]}\n"

static const struct budget_case {
    const char *name, *budgets, *jobs, *mode;
    const char *evicted; /* names in order; "leaf" and "root" of a service */
    uint32_t broken;
} cases[] = {
    { "without a budget the latest start goes", "[]", WEB NEW("2", ""),
      "minimise", "late", 0 },
    { "a budget with room for one",
      "[{name: b, jobs: {app: web}, "
      "min_available: 1}]",
      WEB NEW("2", ""), "minimise", "late", 0 },
    { "a job outside the budget goes instead",
      "[{name: b, jobs: {app: web}, min_available: 2}]", WEB NEW("2", ""),
      "minimise", "plain", 0 },
    { "all of its labels choose a job",
      "[{name: b, jobs: {app: web, zone: a}, min_available: 1}]",
      WEB NEW("2", ""), "minimise", "late", 0 },
    { "where nothing else makes room it is exceeded",
      "[{name: b, jobs: {app: web}, max_unavailable: 0}]",
      WEB NEW("2", ", nodes: {node: n1}"), "minimise", "early", 1 },
    { "unless that is forbidden",
      "[{name: b, jobs: {app: web}, max_unavailable: 0}]",
      WEB NEW("2", ", nodes: {node: n1}"), "forbid", "", 0 },
    { "a forbidden job is passed over",
      "[{name: b, jobs: {app: web}, min_available: 2}]", WEB NEW("2", ""),
      "forbid", "plain", 0 },
    { "a part is rounded up",
      "[{name: b, jobs: {app: web}, min_available: 51%}]", WEB NEW("2", ""),
      "minimise", "plain", 0 },
    { "half of two may go", "[{name: b, jobs: {app: web}, min_available: 50%}]",
      WEB NEW("2", ""), "minimise", "late", 0 },
    { "a part that may be missing is rounded up",
      "[{name: b, jobs: {app: web}, max_unavailable: 1%}]", WEB NEW("2", ""),
      "minimise", "late", 0 },
    { "a gang spends a budget task by task",
      "[{name: b, jobs: {app: web}, max_unavailable: 1}]",
      WEB NEW("2", ", replicas: 2"), "minimise", "late plain", 0 },
    { "and exceeds it where it must",
      "[{name: b, jobs: {app: web}, max_unavailable: 1}]",
      WEB NEW("2", ", replicas: 3"), "minimise", "early late plain", 1 },
    { "two budgets: the tighter one counts",
      "[{name: a, jobs: {app: web}, min_available: 1}, {name: b, jobs: {app: "
      "web}, min_available: 2}]",
      WEB NEW("2", ""), "minimise", "plain", 0 },
    { "a budget of no job changes nothing",
      "[{name: b, jobs: {app: none}, min_available: 9}]", WEB NEW("2", ""),
      "minimise", "late", 0 },
    { "tasks of a service go one by one",
      "[{name: b, jobs: {app: web}, min_available: 5}]", SERVICE NEW("1", ""),
      "minimise", "root", 0 },
    { "the second one exceeds the budget",
      "[{name: b, jobs: {app: web}, min_available: 5}]", SERVICE NEW("2", ""),
      "minimise", "root root", 1 },
    { "a budget of one group spares its tasks",
      "[{name: b, jobs: {app: web, part: leaf}, min_available: 4}]",
      SERVICE NEW("1", ", nodes: {node: n1}"), "minimise", "root", 0 },
    { "tasks in a budget of a group are forbidden",
      "[{name: b, jobs: {app: web, part: leaf}, min_available: 4}]",
      SERVICE NEW("2", ""), "forbid", "root root", 0 },
};

/* Append the name of a job or task, sorted. */
static void name_put(char list[8][32], uint32_t *n, const char *name)
{
    uint32_t i = (*n)++;

    CU_ASSERT_FATAL(*n <= 8);
    for (; i > 0 && strcmp(list[i - 1], name) > 0; i--)
        snprintf(list[i], sizeof(list[i]), "%s", list[i - 1]);
    snprintf(list[i], sizeof(list[i]), "%s", name);
}

/* What ended at 100 s. */
static void evicted(const struct world *w, char *text, size_t size)
{
    char list[8][32];
    uint32_t n = 0;
    size_t len = 0;

    text[0] = '\0';
    for (uint32_t i = 0; i < w->log->placement_count; i++) {
        const struct report_placement *p = &w->log->placement[i];
        const struct trace_job *j = &w->work->job[p->job];
        const uint32_t task =
            trace_group_at(w->work, j->first_group + p->group)->name;

        if (p->end == 100 * INT64_C(1000000))
            name_put(list, &n, gs_strtab_str(w->names, task ? task : j->name));
    }
    for (uint32_t i = 0; i < n; i++)
        len += (size_t)snprintf(text + len, size - len, "%s%s", i ? " " : "",
                                list[i]);
}

static void case_run(const struct budget_case *c)
{
    const struct trace_options o = { 0 };
    char trace[4096], profile[256], text[300];
    uint32_t broken = 0;
    struct world w;

    snprintf(trace, sizeof(trace), CLASSES "budgets: %s\n%s", c->budgets,
             c->jobs);
    snprintf(profile, sizeof(profile),
             "actions: [allocate, preempt]\nunit: pod\n"
             "modules: [priority, fit, {budgets: {mode: %s}}]\n",
             c->mode);
    world_init(&w);
    w.until = 200 * INT64_C(1000000);
    if (world_load(&w, nodes, trace, &o) < 0
        || world_run(&w, profile, NULL, NULL) < 0) {
        printf("%s: %s\n", c->name, w.err.problem[0].text);
        CU_FAIL("a world");
        world_fini(&w);
        return;
    }
    evicted(&w, text, sizeof(text));
    for (uint32_t i = 0; i < w.log->eviction_count; i++)
        broken += w.log->eviction[i].what.breaks;
    if (strcmp(text, c->evicted) != 0 || broken != c->broken) {
        printf("%s: evicted '%s', %u beyond\n", c->name, text, broken);
        CU_FAIL("a case");
    }
    world_fini(&w);
}

static void test_cases(void)
{
    for (size_t i = 0; i < N_ELEMENTS(cases); i++)
        case_run(&cases[i]);
}

/* What a file may say wrongly: the begin of the message. */
static void test_bad(void)
{
    static const char *const bad[][2] = {
        { "{}", "must be a list of budgets" },
        { "[{jobs: {a: b}, min_available: 1}]", "budget needs 'name'" },
        { "[{name: b, min_available: 1}]", "budget needs 'jobs'" },
        { "[{name: b, jobs: {}, min_available: 1}]", "at least one label" },
        { "[{name: b, jobs: {a: b}}]", "either 'min_available'" },
        { "[{name: b, jobs: {a: b}, min_available: 1, max_unavailable: 1}]",
          "either 'min_available'" },
        { "[{name: b, jobs: {a: b}, min_available: -1}]", "whole number" },
        { "[{name: b, jobs: {a: b}, min_available: 101%}]", "whole number" },
        { "[{name: b, jobs: {a: b}, min_available: 1%%}]", "whole number" },
        { "[{name: b, jobs: {a: b}, min_available: 4294967296}]",
          "whole number" },
    };
    const struct trace_options o = { 0 };

    for (size_t i = 0; i < N_ELEMENTS(bad); i++) {
        char trace[512];
        struct world w;

        snprintf(trace, sizeof(trace), "budgets: %s\njobs: []\n", bad[i][0]);
        world_init(&w);
        CU_ASSERT(world_load(&w, nodes, trace, &o) < 0);
        if (!strstr(w.err.problem[0].text, bad[i][1])) {
            printf("%s: %s\n", bad[i][0], w.err.problem[0].text);
            CU_FAIL("a message");
        }
        world_fini(&w);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "who is evicted", test_cases },
        { "mistakes are told", test_bad },
    };

    return suite_run("sim/budgets", suite, N_ELEMENTS(suite));
}
