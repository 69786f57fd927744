/* tests/sim/test_choice_levels.c - module node-choice, by: domains: slices in
 * layers, a leader and its workers, groups with domains of their own, tiers
 * that are only preferred.
 */
#include "base/rng.h"
#include "base/text.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

#define PROFILE                            \
    "actions: [allocate]\nunit: gang\n"    \
    "modules: [fifo, gang, constraints,\n" \
    "  {topology: {smallest: no}}, {node-choice: {by: %s}}]\n"

/* Blocks b1 (racks r1: a 3, b 2 CPUs; r2: c 4) and b2 (rack r3: d 8, e 8). */
static const char topology[] =
    "tiers: [{name: block}, {name: rack}, {name: node}]\n"
    "node_types:\n  t2: {cpu: 2}\n  t3: {cpu: 3}\n  t4: {cpu: 4}\n"
    "  t8: {cpu: 8}\n"
    "nodes:\n"
    "- {name: a, type: t3, block: b1, rack: r1}\n"
    "- {name: b, type: t2, block: b1, rack: r1}\n"
    "- {name: c, type: t4, block: b1, rack: r2}\n"
    "- {name: d, type: t8, block: b2, rack: r3}\n"
    "- {name: e, type: t8, block: b2, rack: r3}\n";

/* Tasks that share their rack with those of the same name. */
#define LED(kind, replicas, name)                                  \
    "{name: " kind ", replicas: " #replicas ", cpu: 1, topology: " \
    "{within: rack, together: " name "}}"

struct levels_case {
    const char *name, *job;
    const char *want; /* tasks by group and node: "0@a*2 1@b*4" */
};

static const struct levels_case cases[] = {
    { "the smallest rack that is enough",
      "replicas: 4, cpu: 1, topology: {within: rack}", "0@c*4" },
    { "a leader costs its rack a place: r2 has room for three beside it",
      "topology: {within: rack}, tasks: [{name: lead, cpu: 1}, "
      "{name: work, replicas: 4, cpu: 1}]",
      "0@a*1 1@a*2 1@b*2" },
    { "a leader after its workers is the same",
      "topology: {within: rack}, tasks: [{name: work, replicas: 4, cpu: 1}, "
      "{name: lead, cpu: 1}]",
      "0@a*2 0@b*2 1@a*1" },
    { "no rack holds 17 with a leader",
      "topology: {within: rack}, tasks: [{name: lead, cpu: 1}, "
      "{name: work, replicas: 16, cpu: 1}]",
      "" },
    { "preferred: one block holds what no rack of it does",
      "topology: {within: rack, mode: preferred}, replicas: 17, cpu: 1",
      "0@c*1 0@d*8 0@e*8" },
    { "preferred: the last domain is the smallest that is enough",
      "topology: {within: rack, mode: preferred}, replicas: 20, cpu: 1",
      "0@c*4 0@d*8 0@e*8" },
    { "a rack is preferred inside a block: r3 alone holds six",
      "topology: {within: block, prefers: rack}, replicas: 6, cpu: 1",
      "0@d*6" },
    { "no node holds nine, but one rack does",
      "topology: {within: block, prefers: node}, replicas: 9, cpu: 1",
      "0@d*8 0@e*1" },
    { "what is preferred is not left for more than is required",
      "topology: {within: rack, prefers: node}, replicas: 17, cpu: 1", "" },
    { "a leader and its workers prefer one node",
      "topology: {within: block, prefers: node}, tasks: [{name: lead, cpu: 1}, "
      "{name: work, replicas: 4, cpu: 1}]",
      "0@d*1 1@d*4" },
    { "slices of four within a node leave the small nodes",
      "topology: {slices: {size: 4, within: node}}, replicas: 8, cpu: 1",
      "0@d*8" },
    { "two layers: fours within a rack, twos within a node",
      "topology: {within: block, slices: [{size: 4, within: rack}, "
      "{size: 2, within: node}]}, replicas: 8, cpu: 1",
      "0@a*2 0@b*2 0@c*4" },
    { "unconstrained: little room first",
      "topology: {mode: unconstrained}, replicas: 7, cpu: 1", "0@d*7" },
    { "three groups in one rack are tried in each",
      "topology: {within: rack}, tasks: [{name: x, replicas: 2, cpu: 1}, "
      "{name: y, replicas: 2, cpu: 2}, {name: z, replicas: 3, cpu: 1}]",
      "0@d*2 1@d*2 2@e*3" },
    { "two leaders with their workers, each pair in a rack",
      "tasks: [" LED("lead", 1, "x") ", " LED("work", 4, "x") ", " LED(
          "lead2", 1, "y") ", " LED("work2", 3, "y") "]",
      "0@a*1 1@a*2 1@b*2 2@c*1 3@c*3" },
    { "in any order",
      "tasks: [" LED("work", 4, "x") ", " LED("work2", 3, "y") ", " LED(
          "lead", 1, "x") ", " LED("lead2", 1, "y") "]",
      "0@a*2 0@b*2 1@c*3 2@a*1 3@c*1" },
    { "a pair beside one that has the topology of the job",
      "topology: {within: rack}, tasks: [{name: lead, cpu: 1}, "
      "{name: work, replicas: 4, cpu: 1}, " LED("lead2", 1, "y") ", " LED(
          "work2", 3, "y") "]",
      "0@a*1 1@a*2 1@b*2 2@c*1 3@c*3" },
    { "two single tasks in one rack",
      "tasks: [" LED("one", 1, "x") ", " LED("two", 1, "x") "]",
      "0@c*1 1@c*1" },
};

static void placements_print(const struct world *w, char *to, size_t size)
{
    *to = '\0';
    for (uint32_t n = 0; n < 4 * w->topo->node_count; n++) {
        const uint32_t group = n / w->topo->node_count;
        const uint32_t node = n % w->topo->node_count;
        uint32_t tasks = 0;

        for (uint32_t i = 0; i < w->log->placement_count; i++) {
            const struct report_placement *p = &w->log->placement[i];

            tasks += p->group == group && p->node == node ? p->tasks : 0;
        }
        if (tasks)
            gs_text_add(to, size, "%s%u@%s*%u", *to ? " " : "", group,
                        gs_strtab_str(w->names, w->topo->node_name[node]),
                        tasks);
    }
}

static void case_run(const struct levels_case *x, const char *by)
{
    char trace[900], profile[300], got[300];
    struct world w;

    world_init(&w);
    w.until = INT64_C(100) * 1000000;
    (void)snprintf(trace, sizeof(trace),
                   "jobs:\n- {name: job, submit: 0, duration: 10s, %s}\n",
                   x->job);
    (void)snprintf(profile, sizeof(profile), PROFILE, by);
    CU_ASSERT_EQUAL_FATAL(
        world_load(&w, topology, trace, &(struct trace_options){ 0 }), 0);
    CU_ASSERT_EQUAL_FATAL(world_run(&w, profile, NULL, NULL), 0);
    placements_print(&w, got, sizeof(got));
    if (strcmp(got, x->want) != 0)
        printf("\n  %s: got '%s', want '%s'\n", x->name, got, x->want);
    CU_ASSERT_STRING_EQUAL(got, x->want);
    world_fini(&w);
}

static void test_cases(void)
{
    for (size_t i = 0; i < N_ELEMENTS(cases); i++)
        case_run(&cases[i], "stated-domains");
}

/* Jobs that state no topology have the nodes with the least room under
 * `domains`, and go where scores say under `stated-domains`.
 */
static void test_all(void)
{
    static const struct levels_case plain = { "unstated", "replicas: 4, cpu: 1",
                                              "0@c*4" };
    static const struct levels_case spread = { "scores", "replicas: 4, cpu: 1",
                                               "0@a*3 0@b*1" };

    case_run(&plain, "domains");
    case_run(&spread, "stated-domains");
}

/* --- whatever the cluster ------------------------------------------------- */

#define RACKS 4u
#define EACH 5u /* nodes of a rack */

struct drawn_cluster {
    uint32_t cpus[RACKS * EACH]; /* [node] */
    char text[4000];
};

static void cluster_draw(struct gs_rng *r, struct drawn_cluster *c)
{
    c->text[0] = '\0';
    gs_text_add(c->text, sizeof(c->text),
                "tiers: [{name: block}, {name: rack}, {name: node}]\n"
                "node_types:\n");
    for (uint32_t t = 1; t <= 8; t++)
        gs_text_add(c->text, sizeof(c->text), "  t%u: {cpu: %u}\n", t, t);
    gs_text_add(c->text, sizeof(c->text), "nodes:\n");
    for (uint32_t n = 0; n < RACKS * EACH; n++) {
        c->cpus[n] = 1 + (uint32_t)gs_rng_below(r, 8);
        gs_text_add(c->text, sizeof(c->text),
                    "- {name: n%u, type: t%u, block: b%u, rack: r%u}\n", n,
                    c->cpus[n], n / EACH / 2, n / EACH);
    }
}

/* Slices of `size` within nodes, or within racks, that the nodes [from, end)
 * hold.
 */
static uint32_t slices_in(const struct drawn_cluster *c, uint32_t size,
                          bool by_node, uint32_t from, uint32_t end)
{
    uint32_t slices = 0, all = 0;

    for (uint32_t n = from; n < end; n++) {
        all += c->cpus[n];
        slices += by_node ? c->cpus[n] / size : 0;
        if (!by_node && n % EACH == EACH - 1) {
            slices += all / size;
            all = 0;
        }
    }
    return slices;
}

/* A job of whole slices runs exactly if a domain of its tier holds it, or
 * several do and it allows that; each node, or rack, then has whole slices, and
 * a tier that is required one domain.
 */
static bool job_holds(const struct world *w, const struct drawn_cluster *c,
                      uint32_t tasks, uint32_t size, bool by_node,
                      uint32_t width)
{
    uint32_t on[RACKS * EACH] = { 0 }, placed = 0, domains = 0;
    bool fits = false, whole = true;

    for (uint32_t i = 0; i < w->log->placement_count; i++) {
        on[w->log->placement[i].node] += w->log->placement[i].tasks;
        placed += w->log->placement[i].tasks;
    }
    for (uint32_t n = 0; n < RACKS * EACH; n += width) {
        uint32_t here = 0;

        fits |= slices_in(c, size, by_node, n, n + width) * size >= tasks;
        for (uint32_t k = n; k < n + width; k++)
            here += on[k];
        domains += here > 0;
    }
    for (uint32_t n = 0; n < RACKS * EACH; n += by_node ? 1 : EACH) {
        uint32_t here = 0;

        for (uint32_t k = n; k < n + (by_node ? 1 : EACH); k++)
            here += on[k];
        whole &= here % size == 0;
    }
    return placed == (fits ? tasks : 0) && domains == (fits ? 1 : 0) && whole;
}

static void test_random(void)
{
    static const char *const modes[] = { "within: rack", "within: block",
                                         "within: block, mode: preferred",
                                         "within: rack, mode: preferred" };
    static const uint32_t widths[] = { EACH, 2 * EACH, RACKS * EACH,
                                       RACKS * EACH };
    const uint64_t rounds = suite_rounds(300);

    for (uint64_t seed = 0; seed < rounds; seed++) {
        struct gs_rng r = { 0 };
        struct drawn_cluster c;
        uint32_t mode, size, tasks;
        char trace[300], profile[200];
        struct world w;
        bool by_node;

        gs_rng_init(&r, seed, "levels");
        mode = (uint32_t)gs_rng_below(&r, 4);
        size = 1 + (uint32_t)gs_rng_below(&r, 4);
        tasks = size * (2 + (uint32_t)gs_rng_below(&r, 12));
        by_node = gs_rng_below(&r, 2) || mode == 3;
        cluster_draw(&r, &c);
        (void)snprintf(trace, sizeof(trace),
                       "jobs:\n- {name: job, submit: 0, duration: 10s, "
                       "replicas: %u, cpu: 1, topology: {%s, slices: {size: "
                       "%u, within: %s}}}\n",
                       tasks, modes[mode], size, by_node ? "node" : "rack");
        (void)snprintf(profile, sizeof(profile),
                       "actions: [allocate]\nunit: gang\nmodules: [fifo, gang, "
                       "{topology: {smallest: no}}, {node-choice: {by: "
                       "domains, balanced: %s}}]\n",
                       seed % 3 ? "no" : "yes");
        world_init(&w);
        w.until = INT64_C(100) * 1000000;
        CU_ASSERT_EQUAL_FATAL(
            world_load(&w, c.text, trace, &(struct trace_options){ 0 }), 0);
        CU_ASSERT_EQUAL_FATAL(world_run(&w, profile, NULL, NULL), 0);
        if (!job_holds(&w, &c, tasks, size, by_node, widths[mode])) {
            printf("seed %llu:\n%s%s", (unsigned long long)seed, c.text, trace);
            CU_FAIL_FATAL("it should not stand so");
        }
        world_fini(&w);
    }
}

int main(void)
{
    static const struct suite_case all[] = {
        { "domains hold what a job states", test_cases },
        { "jobs without a topology", test_all },
        { "whole slices in one domain, if any holds them", test_random },
    };

    return suite_run("sim/node-choice by domains", all, N_ELEMENTS(all));
}
