/* tests/sim/test_deadlock.c - what is a deadlock, and what is none, since help
 * is known to come.
 */
#include "tests/sim/world.h"
#include "tests/suite.h"

#define TOPOLOGY                   \
    "node_types: {t: {gpus: 6}}\n" \
    "nodes: [{name: 'n[1-3]', type: t}]\n"
#define GANGS(more)                                                              \
    "jobs:\n"                                                                    \
    "  - {submit: 0, duration: 1h, replicas: 4, gpus: 2, task_interval: 1s"      \
    "}\n"                                                                        \
    "  - {submit: 0, duration: 1h, replicas: 4, gpus: 2, task_interval: 1s" more \
    "}\n"

static const struct {
    const char *what, *trace, *world;
    uint32_t episodes;
} cases[] = {
    { "two gangs that fit in no order", GANGS(""),
      "- {at: 0, node: n3, what: fail}", 1 },
    { "a node that is repaired", GANGS(""),
      "- {at: 0, node: n3, what: fail, for: 1000s}", 0 },
    { "a node that is repaired, as is said apart", GANGS(""),
      "- {at: 0, node: n3, what: fail}\n"
      "  - {at: 1000, node: n3, what: repair}",
      0 },
    { "a node that is drained for a while", GANGS(""),
      "- {at: 0, node: n3, what: drain, for: 1000s}", 0 },
    { "a node that comes", GANGS(""), "- {at: 1000, node: n3, what: add}", 0 },
    { "a node that goes and comes back", GANGS(""),
      "- {at: 0, node: n3, what: remove, for: 1000s}", 0 },
    { "a node that goes", GANGS(""), "- {at: 0, node: n3, what: remove}", 1 },
    { "an outage with an end within one without", GANGS(""),
      "- {at: 0, node: n3, what: fail, for: 1000s}\n"
      "  - {at: 2, node: n3, what: drain}",
      1 },
    { "a gang that is withdrawn", GANGS(", withdraw: true"),
      "- {at: 0, node: n3, what: fail}", 0 },
    { "a gang that any of its tasks completes",
      "jobs:\n"
      "  - {submit: 0, duration: forever, replicas: 2, gpus: 6}\n"
      "  - {submit: 1, duration: 1h, gpus: 3}\n"
      "  - {submit: 1, duration: 1h, gang: 2, tasks: [{gpus: 6},"
      " {replicas: 2, gpus: 3}]}\n",
      "[]", 0 },
};

static void test_cases(void)
{
    const struct trace_options o = { 0 };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        char outages[300];
        struct world w;
        bool is_right;

        snprintf(outages, sizeof(outages), "events:%s%s\n",
                 cases[i].world[0] == '[' ? " " : "\n  ", cases[i].world);
        world_init(&w);
        is_right = world_load(&w, TOPOLOGY, cases[i].trace, &o) == 0
                   && world_outages(&w, outages) == 0
                   && world_run(&w, "kube-default", NULL, NULL) == 0
                   && w.log->episode_count == cases[i].episodes;
        if (!is_right)
            printf("%s: %u episodes, %s\n", cases[i].what,
                   w.log ? w.log->episode_count : 0,
                   w.err.count ? w.err.problem[0].text : "");
        CU_ASSERT_TRUE(is_right);
        world_fini(&w);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "help that is known to come", test_cases },
    };

    return suite_run("sim/deadlock", suite, N_ELEMENTS(suite));
}
