/* tests/sim/test_refusals.c - what a queue refuses is asked about when it holds
 * less, and runs are the same as if it were asked about in every cycle.
 *
 * Profiles with module max-wait ask in every cycle; it changes nothing where no
 * job has a longest wait.
 */
#include "policies/profile/profile_file.h"
#include "tests/lib/cases.h"
#include "tests/lib/random_world.h"
#include "tests/lib/suite.h"
#include "tests/lib/watch.h"
#include "tests/lib/world.h"

#define WORLDS 165

static struct drawn_text topology, trace;

struct way_of {
    const char *actions, *unit, *modules;
};

static uint64_t rows_of(struct world *w, const struct way_of *by,
                        const char *more)
{
    struct gsched_profile *p;
    struct gs_input *in;
    struct watch v;
    char text[300];
    uint64_t rows;

    snprintf(text, sizeof(text), "actions: [%s]\nunit: %s\nmodules: [%s%s]\n",
             by->actions, by->unit, by->modules, more);
    in = gs_input_open_memory("p", text, strlen(text));
    p = gsched_profile_read(in, w->arena, &w->err);
    gs_input_close(in);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    watch_open(&v, w, p);
    CU_ASSERT_EQUAL_FATAL(world_run_profile(w, p, &v.observer), 0);
    rows = v.rows;
    CU_ASSERT_EQUAL(watch_close(&v), 0);
    return rows;
}

static void test_same(void)
{
    static const struct way_of ways[] = {
        { "enqueue, allocate", "gang", "gang, fit, queue" },
        { "enqueue, allocate", "gang",
          "gang, fit, queue: {enqueue_asks: own}" },
        { "enqueue, allocate", "gang",
          "overcommit, gang, fit, queue: {enqueue_asks: ancestors}, drf" },
        { "enqueue, allocate", "gang",
          "gang, fit, queue: {mode: capacity, enqueue_asks: cluster}, "
          "binpack" },
        { "enqueue, allocate", "gang",
          "[gang], [drf: {queues: no}, fit, overcommit, queue, binpack]" },
        { "allocate, reclaim", "gang", "gang, fit, queue" },
        { "enqueue, allocate, reclaim, preempt", "gang",
          "priority, gang, fit, queue: {mode: capacity, enqueue_asks: own}" },
        { "reclaim, allocate, preempt", "pod", "priority, gang, fit, queue" },
        { "allocate, reclaim, preempt", "pod",
          "priority, gang, fit, queue, retry: {first: 10s, most: 40s}" },
        { "allocate, reclaim, preempt", "gang",
          "priority, gang, fit, queue, preemption: {search: trials}" },
        { "allocate, gang-preempt, gang-reclaim", "gang",
          "priority, gang, fit, queue, drf" },
    };
    const struct trace_options o = { 0 };

    for (uint64_t seed = 1; seed <= suite_rounds(WORLDS); seed++) {
        const struct way_of *m = &ways[seed % N_ELEMENTS(ways)];
        uint64_t kept, asked;
        struct gs_rng r;
        struct world w;

        topology.len = trace.len = 0;
        gs_rng_init(&r, seed, "refusals");
        topology_make(&r, &topology, 0);
        trace_make(&r, &trace,
                   RANDOM_QUEUES | (seed % 2 ? RANDOM_EQUAL : 0)
                       | (seed % 3 ? 0 : RANDOM_ELASTIC)
                       | (seed % 4 ? 0 : RANDOM_RIGID));
        world_init(&w);
        CU_ASSERT_EQUAL_FATAL(world_load(&w, topology.at, trace.at, &o), 0);
        kept = rows_of(&w, m, "");
        asked = rows_of(&w, m, ", max-wait");
        if (kept != asked)
            printf("\nseed %llu: %s, %s\n", (unsigned long long)seed,
                   m->actions, m->modules);
        CU_ASSERT_EQUAL(kept, asked);
        world_fini(&w);
    }
}

/* b's share is 3 of 8 GPUs, too small for its job, until c is done: then 4,
 * while b itself holds what it held before.  a keeps its 4.
 */
#define A(name) \
    "  - {name: " name ", queue: a, gpus: 1, submit: 0, duration: 1000s}\n"
#define THIRDS                                                                   \
    "queues: [{name: a}, {name: b}, {name: c}]\njobs:\n" A("a-1") A("a-2") A(    \
        "a-3") A("a-4") A("a-5")                                                 \
        A("a-6") "  - {name: c, queue: c, gpus: 2, submit: 0, duration: 100s}\n" \
                 "  - {name: b, queue: b, gpus: 4, submit: 10s, duration: 100s}\n"
#define EIGHT                             \
    "cluster: c\ntiers: [{name: node}]\n" \
    "node_types: {t: {cpu: 64, gpus: 8}}\nnodes: [{name: n1, type: t}]\n"
#define RECLAIM(module) \
    "actions: [allocate, reclaim]\nmodules: [gang, fit, " module "]\n"

static const struct case_world worlds[] = {
    { "queue: reclaimed once the share has grown",
      EIGHT,
      THIRDS,
      RECLAIM("queue"),
      { { "b", 100 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "a-6", 0, REPORT_DONE, ANY_CAUSE, NULL, 1 } } },
    { "over-quota: reclaimed once the share has grown",
      EIGHT,
      THIRDS,
      RECLAIM("over-quota"),
      { { "b", 100 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "a-6", 0, REPORT_DONE, ANY_CAUSE, NULL, 1 } } },
};

static void test_grown(void)
{
    cases_run(worlds, N_ELEMENTS(worlds));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "what is refused is asked about when a share grows", test_grown },
        { "deferred by a queue, and asked in every cycle: the same",
          test_same },
    };

    return suite_run("sim/refusals", suite, N_ELEMENTS(suite));
}
