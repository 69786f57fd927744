/* tests/sim/test_whole_nodes.c - conservative backfilling of gangs of whole
 * nodes: plans that are sets of nodes start the same tasks on the same nodes at
 * the same times as plans that are profiles of nodes.
 *
 * Worlds are drawn in pairs that differ in one job.  It waits for a node of its
 * own, which a service has to the end, and since it asks for something else
 * than the gangs, plans beside it are profiles.
 */
#include "base/rng.h"
#include "tests/lib/random_world.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

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

/* Which tasks came where, and when. */
struct starts {
    struct report_observer observer;
    const struct world *w;
    uint64_t sum, count;
};

static void start_note(void *self, int64_t now,
                       const struct report_allocation *a)
{
    struct starts *t = self;
    const char *name = gs_strtab_str(t->w->names, t->w->work->job[a->job].name);
    uint64_t sum = (uint64_t)now;

    if (strcmp(name, "other") == 0)
        return;
    for (; *name; name++)
        sum = sum * 31 + (unsigned char)*name;
    t->sum += (sum * 31 + a->first_task) * (a->node + 1) + a->tasks;
    t->count++;
}

/* False: the world cannot be read or run. */
static bool world_starts(uint64_t seed, const char *policy, bool has_other,
                         struct starts *t)
{
    const struct trace_options o = { .format = TRACE_AUTO };
    struct drawn_text topology = { .len = 0 }, trace = { .len = 0 },
                      drains = { .len = 0 };
    struct world w;
    struct gs_rng r;
    unsigned nodes;
    bool runs;

    gs_rng_init(&r, seed, "whole nodes");
    nodes = 2 + below(&r, 12);
    nodes_draw(&r, &topology, nodes);
    drains_draw(&r, &drains, nodes);
    jobs_draw(&r, &trace, nodes, has_other);
    *t = (struct starts){ .w = &w };
    t->observer = (struct report_observer){ .self = t, .placed = start_note };
    world_init(&w);
    runs = world_load(&w, topology.at, trace.at, &o) == 0
           && (drains.len == 0 || world_outages(&w, drains.at) == 0)
           && world_run(&w, policy, NULL, &t->observer) == 0;
    if (!runs)
        fprintf(stderr, "\n  seed %llu: %s", (unsigned long long)seed,
                w.err.problem[0].text);
    world_fini(&w);
    return runs;
}

static void test_pairs(void)
{
    const uint64_t seeds = suite_rounds(PAIRS);
    uint64_t same = 0, started = 0;

    for (uint64_t seed = 1; seed <= seeds; seed++) {
        const char *policy = policies[seed % N_ELEMENTS(policies)];
        struct starts sets, profiles;

        if (!world_starts(seed, policy, false, &sets)
            || !world_starts(seed, policy, true, &profiles))
            break;
        same += sets.sum == profiles.sum && sets.count == profiles.count;
        started += sets.count;
        if (same < seed) {
            fprintf(stderr, "\n  seed %llu: they part",
                    (unsigned long long)seed);
            break;
        }
    }
    CU_ASSERT_EQUAL(same, seeds);
    CU_ASSERT(started > 20 * seeds); /* it is not idle */
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "plans of sets start what plans of profiles start", test_pairs },
    };

    return suite_run("sim/whole_nodes", suite, N_ELEMENTS(suite));
}
