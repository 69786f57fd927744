/* tests/sim/test_admit_room.c - quota only where there is room on nodes, too
 * (with_room of module quota): scenarios with their numbers worked out by hand,
 * and random worlds, in which all jobs end, and builds with assertions look at
 * each step.
 */
#include "base/rng.h"
#include "base/text.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

#define POLICY(unit)                                                \
    "actions: [admit, allocate, preempt]\nunit: " unit              \
    "\nrequeue: submitted\nmodules:\n  - quota: {with_room: yes}\n" \
    "  - priority\n  - fit\n  - constraints\n  - gang\n"            \
    "  - topology: {smallest: no}\n  - node-choice: {by: domains}\n"

#define NODES                                                           \
    "tiers: [{name: rack}, {name: node}]\nnode_types:\n  n: {cpu: 5}\n" \
    "nodes:\n  - {name: x, type: n, rack: r}\n"                         \
    "  - {name: y, type: n, rack: r}\n"

#define ON_ONE "topology: {within: node, mode: required}"

struct case_of {
    const char *name, *set, *trace; /* set: a parameter; or a unit */
    const char *runs;    /* "job=first start-end@nodes ..." in seconds */
    const char *evicted; /* "job ..." */
};

#define QUEUE(more) "queues:\n  - {name: q, guarantee: {cpu: 50}" more "}\n"

/* Two CPUs are free, one on each node: hi (2 on one node) needs the node of one
 * of both, and takes that of low.
 */
#define SCATTERED                                                            \
    QUEUE(", evicts_own: lower")                                             \
    "jobs:\n"                                                                \
    "  - {name: mid, queue: q, submit: 0, duration: 100, priority: 2, cpu: " \
    "4}\n"                                                                   \
    "  - {name: low, queue: q, submit: 1, duration: 100, priority: 1, cpu: " \
    "4}\n"                                                                   \
    "  - {name: hi, queue: q, submit: 10, duration: 20, priority: 3, "       \
    "replicas: 2, cpu: 1, " ON_ONE "}\n"

/* Of 14 CPUs of quota 9 are used: c (5) has quota, and no node; it holds none,
 * so that d (1) starts at once.  a ends at 100.
 */
#define NO_QUOTA_HELD                                             \
    "  - {name: a, queue: q, submit: 0, duration: 100, cpu: 5}\n" \
    "  - {name: b, queue: q, submit: 1, duration: 200, cpu: 4}\n" \
    "  - {name: c, queue: q, submit: 2, duration: 10, cpu: 5}\n"  \
    "  - {name: d, queue: q, submit: 3, duration: 10, cpu: 1}\n"

/* The nodes are those of another tree, which frees them at 100. */
#define OTHERS                                                    \
    "queues:\n  - {name: q, guarantee: {cpu: 50}}\n"              \
    "  - {name: r, guarantee: {cpu: 50}}\njobs:\n"                \
    "  - {name: a, queue: r, submit: 0, duration: 100, cpu: 5}\n" \
    "  - {name: b, queue: r, submit: 0, duration: 200, cpu: 5}\n" \
    "  - {name: c, queue: q, submit: 2, duration: 10, cpu: 5}\n"

/* At 10 hi evicts low, of 4 on y, for 5 there; small, which comes at the same
 * time, does not take the CPU of y that is free.
 */
#define RESERVED                                                            \
    "queues:\n  - {name: o}\n"                                              \
    "  - {name: o/a, guarantee: {cpu: 25}, evicts_own: lower}\n"            \
    "  - {name: o/b, guarantee: {cpu: 25}}\njobs:\n"                        \
    "  - {name: mid, queue: o/a, submit: 0, duration: 100, priority: 9, "   \
    "cpu: 5}\n"                                                             \
    "  - {name: low, queue: o/a, submit: 1, duration: 100, cpu: 4}\n"       \
    "  - {name: hi, queue: o/a, submit: 10, duration: 20, priority: 3, "    \
    "cpu: 5}\n"                                                             \
    "  - {name: small, queue: o/b, submit: 10, duration: 20, priority: 1, " \
    "cpu: 1}\n"

/* b has none of 8 CPUs, a lends what it does not use: a1 (4) is entitled to
 * room where b's jobs run, of which the later one goes.
 */
#define SHARED                                                       \
    "queues:\n  - {name: o}\n"                                       \
    "  - {name: o/a, guarantee: {cpu: 8}, evicts_others: any}\n"     \
    "  - {name: o/b, guarantee: {cpu: 2}}\njobs:\n"                  \
    "  - {name: b1, queue: o/b, submit: 0, duration: 100, cpu: 3}\n" \
    "  - {name: b2, queue: o/b, submit: 1, duration: 100, cpu: 3}\n" \
    "  - {name: a1, queue: o/a, submit: 10, duration: 10, cpu: 4}\n"

static const struct case_of cases[] = {
    { "victims are those whose nodes are needed", NULL, SCATTERED,
      "mid=0-100@x low=1-130@y hi=10-30@y", "low" },
    { "what has no room holds no quota", NULL,
      "queues:\n  - {name: q, guarantee: {cpu: 14}}\njobs:\n" NO_QUOTA_HELD,
      "a=0-100@x b=1-201@y c=100-110@x d=3-13@y", "" },
    { "without it it does", "quota.with_room=no",
      "queues:\n  - {name: q, guarantee: {cpu: 14}}\njobs:\n" NO_QUOTA_HELD,
      "a=0-100@x b=1-201@y c=100-110@x d=100-110@y", "" },
    { "where the first job blocks it blocks for want of room", NULL,
      "queues:\n  - {name: q, guarantee: {cpu: 50}, head_blocks: "
      "true}\njobs:\n" NO_QUOTA_HELD,
      "a=0-100@x b=1-201@y c=100-110@x d=100-110@y", "" },
    { "room that another tree frees is looked at", NULL, OTHERS,
      "a=0-100@x b=0-200@y c=100-110@x", "" },
    { "none takes the room of one that evicts", NULL, RESERVED,
      "mid=0-100@x low=1-130@y hi=10-30@y small=30-50@y", "low" },
    { "victims by shares make room", "quota.shares=yes", SHARED,
      "b1=0-100@x b2=1-120@y a1=10-20@y", "b2" },
    { "tasks of two kinds wait for nothing once they have room", "pod",
      "queues:\n  - {name: q, guarantee: {cpu: 50}}\njobs:\n"
      "  - {name: a, queue: q, submit: 0, duration: 10, tasks: [{replicas: 2, "
      "cpu: 3}, {replicas: 2, cpu: 2}]}\n"
      "  - {name: b, queue: q, submit: 1, duration: 10, cpu: 1}\n",
      "a=0-10@x+y b=10-20@x", "" },
};

static void equal(const char *name, const char *got, const char *want)
{
    if (strcmp(got, want) != 0) {
        printf("  %s: '%s', not '%s'\n", name, got, want);
        CU_FAIL("a scenario");
    }
}

/* The nodes on which the job ever had tasks. */
static void nodes_add(char *to, size_t size, const struct world *w,
                      uint32_t job)
{
    const struct report_log *log = w->log;
    const char *sign = "@";

    for (uint32_t n = 0; n < w->topo->node_count; n++) {
        bool has = false;

        for (uint32_t i = 0; i < log->placement_count; i++)
            has |= log->placement[i].job == job && log->placement[i].node == n;
        if (!has)
            continue;
        gs_text_add(to, size, "%s%s", sign,
                    gs_strtab_str(w->names, w->topo->node_name[n]));
        sign = "+";
    }
}

static void case_check(const struct case_of *c, const struct world *w)
{
    char runs[400] = "", evicted[400] = "";

    for (uint32_t j = 0; j < w->work->job_count; j++) {
        gs_text_add(runs, sizeof(runs), "%s%s=%lld-%lld", j ? " " : "",
                    gs_strtab_str(w->names, w->work->job[j].name),
                    (long long)w->job[j].start / 1000000,
                    (long long)w->job[j].end / 1000000);
        nodes_add(runs, sizeof(runs), w, j);
    }
    for (uint32_t i = 0; i < w->log->eviction_count; i++)
        gs_text_add(
            evicted, sizeof(evicted), "%s%s", *evicted ? " " : "",
            gs_strtab_str(w->names,
                          w->work->job[w->log->eviction[i].what.job].name));
    equal(c->name, runs, c->runs);
    equal(c->name, evicted, c->evicted);
}

static int policy_run(struct world *w, const char *set)
{
    return set && strcmp(set, "pod") == 0
               ? world_run(w, POLICY("pod"), NULL, NULL)
               : world_run(w, POLICY("gang"), set, NULL);
}

static void test_scenarios(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct case_of *c = &cases[i];
        struct world w;

        world_init(&w);
        if (world_load(&w, NODES, c->trace, &(struct trace_options){ 0 }) == 0
            && policy_run(&w, c->set) == 0)
            case_check(c, &w);
        else
            equal(c->name, w.err.problem[0].text, "");
        world_fini(&w);
    }
}

/* --- random worlds -------------------------------------------------------- */

static const char *const within[] = { "node", "rack" };
static const char *const evicts[] = { "never", "lower", "any" };

static uint32_t any(struct gs_rng *r, uint32_t n)
{
    return (uint32_t)gs_rng_below(r, n);
}

/* Tasks of one kind, or of two. */
static void tasks_text(struct gs_rng *r, bool two, char *to, size_t size)
{
    if (!two) {
        gs_text_add(to, size, "replicas: %u, cpu: %u", 1 + any(r, 2),
                    1 + any(r, 2));
        return;
    }
    gs_text_add(to, size,
                "tasks: [{replicas: %u, cpu: 1}, {replicas: 1, cpu: %u}]",
                1 + any(r, 2), 1 + any(r, 2));
}

static void world_text(struct gs_rng *r, bool two, char *nodes, size_t size,
                       char *trace, size_t room)
{
    const uint32_t queues = 1 + any(r, 3), racks = 1 + any(r, 3);

    gs_text_add(nodes, size,
                "tiers: [{name: rack}, {name: node}]\nnode_types:\n  n: {cpu: "
                "4}\n  m: {cpu: 2}\nnodes:\n");
    for (uint32_t n = 0; n < racks * 2; n++)
        gs_text_add(nodes, size, "  - {name: n%u, type: %s, rack: r%u}\n", n,
                    any(r, 3) ? "n" : "m", n / 2);
    gs_text_add(trace, room, "queues:\n  - {name: o}\n");
    for (uint32_t q = 0; q < queues; q++)
        gs_text_add(trace, room,
                    "  - {name: o/%u, guarantee: {cpu: %u}, evicts_own: %s, "
                    "evicts_others: %s, head_blocks: %s}\n",
                    q, 4 + any(r, 6), evicts[any(r, 2)], evicts[any(r, 3)],
                    any(r, 2) ? "true" : "false");
    gs_text_add(trace, room, "jobs:\n");
    for (uint32_t j = 0; j < 30; j++) {
        gs_text_add(trace, room,
                    "  - {name: j%u, queue: o/%u, submit: %u, duration: %u, "
                    "priority: %u, topology: {within: %s, mode: %s}, ",
                    j, any(r, queues), any(r, 60), 1 + any(r, 20), any(r, 3),
                    within[any(r, 2)], any(r, 2) ? "required" : "preferred");
        tasks_text(r, two, trace, room);
        gs_text_add(trace, room, "}\n");
    }
}

static void test_worlds(void)
{
    uint32_t ended = 0, evicted = 0;

    for (unsigned seed = 1; seed <= suite_rounds(60); seed++) {
        char nodes[2000] = "", trace[20000] = "", again[40] = "";
        struct gs_rng r;
        struct world w;

        gs_rng_init(&r, seed, "admit-room");
        world_text(&r, seed % 3 == 0, nodes, sizeof(nodes), trace,
                   sizeof(trace));
        gs_text_add(again, sizeof(again), "quota.shares=%s",
                    seed % 2 ? "yes" : "no");
        world_init(&w);
        if (world_load(&w, nodes, trace, &(struct trace_options){ 0 }) < 0
            || policy_run(&w, seed % 3 == 0 ? "pod" : again) < 0) {
            printf("  seed %u: %s\n", seed, w.err.problem[0].text);
            CU_FAIL("a random world");
        }
        for (uint32_t j = 0; w.job && j < w.work->job_count; j++)
            ended += w.job[j].end >= 0;
        evicted += w.log ? w.log->eviction_count : 0;
        world_fini(&w);
    }
    CU_ASSERT_EQUAL(ended, 30 * suite_rounds(60));
    CU_ASSERT(evicted > 0);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "quota with room on nodes", test_scenarios },
        { "in random worlds", test_worlds },
    };

    return suite_run("sim/admit_room", suite, sizeof(suite) / sizeof(suite[0]));
}
