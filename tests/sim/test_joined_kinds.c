/* tests/sim/test_joined_kinds.c - kinds of tasks that share a domain by name
 * stand where one kind of all their tasks does.
 *
 * Worlds are drawn in pairs: in one the gangs have a kind of equal tasks with a
 * topology of its own, in the other that kind is cut into several of one name.
 * The same numbers of tasks start on the same nodes at the same times.
 */
#include "tests/lib/pairs.h"
#include "tests/lib/suite.h"

#define PAIRS 60 /* times SEEDS */
#define PARTS 4

static const char *const policies[] = {
    "kai",
    "hybrid",
    "actions: [allocate]\n"
    "modules: [fifo, gang, {topology: {smallest: no}}, binpack]\n",
    "actions: [allocate, preempt]\n"
    "modules: [priority, gang, topology, binpack]\n",
};

static void nodes_draw(struct gs_rng *r, struct drawn_text *t, unsigned *gpus,
                       unsigned *rack)
{
    const unsigned racks = 2 + below(r, 3);

    *rack = 1 + below(r, 3);
    *gpus = 2U << below(r, 3);
    PUT(t,
        "tiers: [{name: spine}, {name: rack}]\n"
        "node_types: {g: {gpus: %u, cpu: 64}}\nnodes:\n",
        *gpus);
    for (unsigned i = 0; i < racks * *rack; i++)
        PUT(t, "- {name: n%u, type: g, spine: s%u, rack: r%u}\n", i,
            i / *rack / 2, i / *rack);
}

static void common_draw(struct gs_rng *r, struct drawn_text *t, char name,
                        unsigned i, unsigned longest)
{
    const unsigned minutes = 5 + below(r, longest);

    PUT(t, "- {name: %c%u, submit: %u, duration: %um, ", name, i, below(r, 300),
        minutes);
    PUT(t, "queue: %s, ", below(r, 2) ? "p" : "q");
    PUT(t, "priority: %u, ", below(r, 4));
}

/* The kind, whole or in parts. */
static void kind_draw(struct gs_rng *r, struct drawn_text *t, unsigned most,
                      bool is_cut)
{
    static const char *const tiers[] = { "rack", "spine", "node" };
    const char *tier = tiers[below(r, 3)];
    const char *mode = below(r, 2) ? "required" : "preferred";
    const unsigned gpus = 1 + (below(r, 3) == 0);
    unsigned part[PARTS], parts = 2 + below(r, PARTS - 1), all = 0;

    for (unsigned i = 0; i < parts; i++) {
        part[i] = 1 + below(r, 1 + most / parts);
        all += part[i];
    }
    if (!is_cut) {
        part[0] = all;
        parts = 1;
    }
    for (unsigned i = 0; i < parts; i++)
        PUT(t,
            "{name: k%u, replicas: %u, gpus: %u, topology: {within: %s, mode: "
            "%s%s}}, ",
            i, part[i], gpus, tier, mode, is_cut ? ", together: x" : "");
}

static void jobs_draw(struct gs_rng *r, struct drawn_text *t, unsigned gpus,
                      unsigned rack, bool is_cut)
{
    const unsigned singles = 1 + below(r, 8), gangs = 1 + below(r, 5);

    PUT(t,
        "queues: [{name: q, deserved: {gpu: %u}}, {name: p, deserved: "
        "{gpu: %u}}]\njobs:\n",
        gpus * rack, gpus * rack);
    for (unsigned i = 0; i < singles; i++) {
        common_draw(r, t, 'b', i, 200);
        PUT(t, "gpus: %u}\n", 1 + below(r, gpus));
    }
    for (unsigned i = 0; i < gangs; i++) {
        common_draw(r, t, 'j', i, 90);
        if (below(r, 2))
            PUT(t, "topology: {within: spine, mode: %s}, ",
                below(r, 2) ? "required" : "preferred");
        PUT(t, "tasks: [");
        kind_draw(r, t, gpus * rack < 8 ? gpus * rack : 8, is_cut);
        PUT(t, "{name: l, replicas: 1, cpu: 1}]}\n");
    }
}

static void world_draw(struct gs_rng *r, struct pair_texts *t, bool is_cut)
{
    unsigned gpus, rack;

    nodes_draw(r, &t->topology, &gpus, &rack);
    jobs_draw(r, &t->trace, gpus, rack, is_cut);
}

static void test_pairs(void)
{
    static const struct pairs joined = {
        .stream = "joined kinds",
        .policy = policies,
        .policies = N_ELEMENTS(policies),
        .draw = world_draw,
        .least = 10,
    };

    pairs_check(&joined, suite_rounds(PAIRS));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "kinds of one name stand as one kind does", test_pairs },
    };

    return suite_run("sim/joined_kinds", suite, N_ELEMENTS(suite));
}
