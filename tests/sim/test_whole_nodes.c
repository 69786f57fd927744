/* tests/sim/test_whole_nodes.c - conservative backfilling of gangs of whole
 * nodes: plans that are sets of nodes start the same tasks on the same nodes at
 * the same times as plans that are profiles of nodes.
 *
 * Worlds are drawn in pairs that differ in one job.  It waits for a node of its
 * own, which a service has to the end, and since it asks for something else
 * than the gangs, plans beside it are profiles.
 */
#include "tests/lib/pairs.h"
#include "tests/lib/suite.h"

#define PAIRS 60 /* times SEEDS */

static const char *const policies[] = {
    "conservative",
    "actions: [allocate, backfill]\n"
    "modules: [priority, gang, binpack, {backfill: {mode: conservative}}]\n",
    "actions: [allocate, backfill]\n"
    "modules: [gang, {backfill: {mode: conservative, plan: replan}}]\n",
};

static void nodes_draw(struct gs_rng *r, struct drawn_text *t, unsigned nodes)
{
    PUT(t, "node_types: {g: {gpus: 8, cpu: 64}, few: {gpus: 4, cpu: 32}}\n");
    PUT(t, "nodes:\n- {name: 'n[1-%u]', type: g}\n", nodes);
    if (below(r, 3) == 0)
        PUT(t, "- {name: 'm[1-3]', type: few}\n");
    PUT(t, "- {name: own, type: few, labels: {host: own}}\n");
}

/* One that ends early, or late, by its estimate. */
static void times_draw(struct gs_rng *r, struct drawn_text *t, unsigned longest)
{
    const unsigned runs = 1 + below(r, longest);
    const unsigned stated = below(r, 20) == 0 ? runs / 2
                                              : runs * (1 + below(r, 4));

    PUT(t, "duration: %u, estimate: %us, ", runs, 1 + stated);
}

static void jobs_draw(struct gs_rng *r, struct drawn_text *t, unsigned nodes,
                      bool has_other)
{
    const unsigned gangs = 10 + below(r, 50), running = below(r, 3 * nodes);
    const unsigned small = below(r, 3) ? 0 : below(r, 8);
    unsigned at = 1;

    PUT(t, "priority_classes: {low: {value: 1}, high: {value: 5}}\njobs:\n");
    PUT(t, "- {name: own, submit: 0, duration: 30d, gpus: 4, "
           "nodes: {host: own}}\n");
    if (has_other)
        PUT(t, "- {name: other, submit: 0, duration: 1, gpus: 3, "
               "nodes: {host: own}}\n");
    for (unsigned i = 0; i < running; i++) {
        PUT(t, "- {name: r%u, submit: 0, ", i);
        times_draw(r, t, 900);
        PUT(t, "gpus: %u}\n", 1U << below(r, 4));
    }
    for (unsigned i = 0; i < gangs; i++) {
        at += below(r, 2) * below(r, 40);
        PUT(t, "- {name: g%u, submit: %u, replicas: %u, gpus: 8, ", i, at,
            1 + below(r, nodes));
        times_draw(r, t, 90);
        PUT(t, "priority: %s}\n", below(r, 4) ? "low" : "high");
    }
    for (unsigned i = 0; i < small; i++) {
        PUT(t, "- {name: s%u, submit: %u, ", i, below(r, 900));
        times_draw(r, t, 90);
        PUT(t, "gpus: %u}\n", 1 + below(r, 3));
    }
}

/* Nodes leave and return; nothing happens to them in half of the worlds. */
static void drains_draw(struct gs_rng *r, struct drawn_text *t, unsigned nodes)
{
    const unsigned events = below(r, 2) * (1 + below(r, 4));

    for (unsigned i = 0; i < events; i++) {
        PUT(t, i ? "" : "events:\n");
        PUT(t, "- {at: %u, ", 1 + below(r, 900));
        PUT(t, "node: n%u, what: %s, ", 1 + below(r, nodes),
            below(r, 2) ? "drain" : "fail");
        PUT(t, "for: %u}\n", 1 + below(r, 300));
    }
}

static void world_draw(struct gs_rng *r, struct pair_texts *t, bool has_other)
{
    const unsigned nodes = 2 + below(r, 12);

    nodes_draw(r, &t->topology, nodes);
    drains_draw(r, &t->outages, nodes);
    jobs_draw(r, &t->trace, nodes, has_other);
}

static void test_pairs(void)
{
    static const struct pairs planned = {
        .stream = "whole nodes",
        .policy = policies,
        .policies = N_ELEMENTS(policies),
        .draw = world_draw,
        .beside = "other",
        .by_task = true,
        .least = 20,
    };

    pairs_check(&planned, suite_rounds(PAIRS));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "plans of sets start what plans of profiles start", test_pairs },
    };

    return suite_run("sim/whole_nodes", suite, N_ELEMENTS(suite));
}
