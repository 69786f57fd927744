/* tests/sim/test_placements.c - rows of placements are as things were
 * (placements.h): an elastic job that loses tasks, and every sample.
 */
#include "tests/lib/placements.h"
#include "tests/lib/suite.h"

/* A task that others are lost before is numbered anew, in a row of its own. */
static void test_elastic(void)
{
    static const struct {
        uint32_t task, node;
        int64_t start, end; /* s */
    } rows[] = {
        { 0, 0, 0, 100 },    { 1, 1, 0, 100 },    { 2, 2, 0, 100 },
        { 0, 1, 100, 300 },  { 1, 2, 100, 300 },  { 2, 0, 150, 300 },
        { 0, 2, 300, 1000 }, { 1, 0, 300, 1000 }, { 2, 1, 350, 1000 },
    };
    const struct trace_options o = { 0 };
    struct world w;

    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(
        world_load(&w,
                   "node_types: {t: {gpus: 1}}\n"
                   "nodes: [{name: 'n[1-3]', type: t}]\n",
                   "jobs: [{submit: 0, duration: 1000s, gpus: 1,"
                   " replicas: {min: 1, max: 3}}]\n",
                   &o),
        0);
    CU_ASSERT_EQUAL_FATAL(
        world_outages(&w, "events:\n"
                          "  - {at: 100, node: n1, what: fail, for: 50s}\n"
                          "  - {at: 300, node: n2, what: fail, for: 50s}\n"),
        0);
    CU_ASSERT_EQUAL_FATAL(world_run(&w, "binpack", NULL, NULL), 0);
    CU_ASSERT_EQUAL(placements_faults(&w), 0);
    CU_ASSERT_EQUAL(w.log->placement_count, N_ELEMENTS(rows));
    for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
        int found = 0;

        for (uint32_t k = 0; k < w.log->placement_count; k++) {
            const struct report_placement *p = &w.log->placement[k];

            found += p->first_task == rows[i].task && p->tasks == 1
                     && p->node == rows[i].node
                     && p->start == rows[i].start * INT64_C(1000000)
                     && p->end == rows[i].end * INT64_C(1000000);
        }
        CU_ASSERT_EQUAL(found, 1);
    }
    world_fini(&w);
}

static void test_samples(void)
{
    static const struct {
        const char *topology, *trace, *world; /* world: NULL: none */
    } samples[] = {
        { "ten-gpus", "deadlock", NULL },
        { "drf-paper", "drf", NULL },
        { "fragmentation", "fragmentation", NULL },
        { "ten-gpus", "hoarding", NULL },
        { "spot", "inference", "outages" },
        { "mig-one", "mig-order", NULL },
        { "mig", "mig", NULL },
        { "spot", "outages", "outages" },
        { "one-node", "preemption", NULL },
        { "two-nodes", "reclaim", NULL },
        { "ten-gpus", "service", NULL },
        { "two-racks", "speed", NULL },
        { "two-by-two", "topology", NULL },
    };
    static const char *const policies[] = {
        "binpack",  "kube-default", "volcano",          "easy",
        "topology", "conservative", "priority-preempt", "hybrid",
    };

    for (size_t i = 0; i < N_ELEMENTS(samples); i++) {
        const struct trace_options o = { 0 };
        char topology[200], trace[200], world[200];
        struct world w;

        snprintf(topology, sizeof(topology), "topology/samples/%s.yaml",
                 samples[i].topology);
        snprintf(trace, sizeof(trace), "traces/samples/%s.yaml",
                 samples[i].trace);
        snprintf(world, sizeof(world), "sim/samples/%s.yaml", samples[i].world);
        world_init(&w);
        CU_ASSERT_EQUAL_FATAL(world_load(&w, topology, trace, &o), 0);
        if (samples[i].world)
            CU_ASSERT_EQUAL_FATAL(world_outages(&w, world), 0);
        for (size_t k = 0; k < N_ELEMENTS(policies); k++) {
            if (world_run(&w, policies[k], NULL, NULL) < 0)
                continue; /* the topology has no such tier */
            if (placements_faults(&w)) {
                printf("%s under %s\n", samples[i].trace, policies[k]);
                CU_FAIL("a sample's placements are amiss");
            }
        }
        world_fini(&w);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "placements of an elastic job that loses tasks hold", test_elastic },
        { "placements of every sample hold", test_samples },
    };

    return suite_run("sim/placements", suite, N_ELEMENTS(suite));
}
