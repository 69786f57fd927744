/* tests/sim/test_joined_kinds.c - kinds of tasks that share a domain by name
 * stand where one kind of all their tasks does.
 *
 * Worlds are drawn in pairs: in one the gangs have a kind of equal tasks with a
 * topology of its own, in the other that kind is cut into several of one name.
 * The same numbers of tasks start on the same nodes at the same times.
 */
#include "base/rng.h"
#include "tests/lib/random_world.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

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

/* How many tasks of which job came where, and when. */
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

    for (; *name; name++)
        sum = sum * 31 + (unsigned char)*name;
    t->sum += (sum * 31 + a->node) * a->tasks;
    t->count += a->tasks;
}

/* False: the world cannot be read or run. */
static bool world_starts(uint64_t seed, const char *policy, bool is_cut,
                         struct starts *t)
{
    const struct trace_options o = { .format = TRACE_AUTO };
    struct drawn_text topology = { .len = 0 }, trace = { .len = 0 };
    unsigned gpus, rack;
    struct world w;
    struct gs_rng r;
    bool runs;

    gs_rng_init(&r, seed, "joined kinds");
    nodes_draw(&r, &topology, &gpus, &rack);
    jobs_draw(&r, &trace, gpus, rack, is_cut);
    *t = (struct starts){ .w = &w };
    t->observer = (struct report_observer){ .self = t, .placed = start_note };
    world_init(&w);
    runs = world_load(&w, topology.at, trace.at, &o) == 0
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
        struct starts whole, cut;

        if (!world_starts(seed, policy, false, &whole)
            || !world_starts(seed, policy, true, &cut))
            break;
        same += whole.sum == cut.sum && whole.count == cut.count;
        started += whole.count;
        if (same < seed) {
            fprintf(stderr, "\n  seed %llu: they part",
                    (unsigned long long)seed);
            break;
        }
    }
    CU_ASSERT_EQUAL(same, seeds);
    CU_ASSERT(started > 10 * seeds); /* it is not idle */
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "kinds of one name stand as one kind does", test_pairs },
    };

    return suite_run("sim/joined_kinds", suite, N_ELEMENTS(suite));
}
