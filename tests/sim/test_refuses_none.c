/* tests/sim/test_refuses_none.c - a module that might refuse jobs, and refuses
 * none, changes neither where jobs with rules about other jobs start nor why
 * they wait: what need not be tried again without it is tried in vain with it.
 *
 * That is queue-limits, as no queue has a limit here.
 */
#include "base/rng.h"
#include "tests/lib/random_world.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

#define PAIRS 60 /* times SEEDS */

#define PREEMPT(unit, modules) \
    "actions: [allocate, preempt]\nunit: " unit "\nmodules: [" modules "]\n"
#define ALLOCATE(unit, modules) \
    "actions: [allocate]\nunit: " unit "\nmodules: [" modules "]\n"
static const struct {
    const char *sparing, *plain;
} policies[] = {
    { ALLOCATE("pod", "fit, constraints, least-allocated"),
      ALLOCATE("pod", "fit, constraints, least-allocated, queue-limits") },
    { ALLOCATE("gang", "priority, gang, fit, constraints, binpack"),
      ALLOCATE("gang",
               "priority, gang, fit, constraints, binpack, queue-limits") },
    { PREEMPT("gang", "priority, gang, fit, constraints, binpack"),
      PREEMPT("gang",
              "priority, gang, fit, constraints, binpack, queue-limits") },
    { ALLOCATE("pod", "priority, fit, constraints, most-allocated"),
      ALLOCATE("pod",
               "priority, fit, constraints, most-allocated, queue-limits") },
    { PREEMPT("pod", "priority, fit, constraints, least-allocated"),
      PREEMPT("pod",
              "priority, fit, constraints, least-allocated, queue-limits") },
};

/* What a run decided. */
struct decided {
    struct report_observer observer;
    uint64_t placed, waited, tasks;
    bool has_waited;
};

static uint64_t mixed(uint64_t sum, uint64_t with)
{
    return (sum ^ with) * UINT64_C(0x9e3779b97f4a7c15) + (sum >> 29);
}

static void on_placed(void *self, int64_t now,
                      const struct report_allocation *a)
{
    struct decided *d = self;

    d->placed = mixed(mixed(mixed(d->placed, (uint64_t)now), a->job),
                      ((uint64_t)a->first_task << 32) + a->node);
    d->tasks += a->tasks;
}

static void on_ended(void *self, int64_t now, const struct report_job *j)
{
    struct decided *d = self;

    (void)now;
    for (int c = 0; j->waits && c < REPORT_CAUSES; c++) {
        d->waited = mixed(mixed(d->waited, j->job), (uint64_t)j->waits[c]);
        d->has_waited |= c == REPORT_CONSTRAINT && j->waits[c] > 0;
    }
}

/* False: the world cannot be read or run. */
static bool world_decides(uint64_t seed, const char *policy, struct decided *d)
{
    const unsigned features = RANDOM_RULES | RANDOM_LEAVES | RANDOM_WHOLE
                              | (seed % 2 ? RANDOM_RIGID : 0)
                              | (seed % 3 ? RANDOM_ONE_KIND : 0);
    const struct trace_options o = { .format = TRACE_AUTO };
    struct drawn_text topology = { .len = 0 }, trace = { .len = 0 };
    struct drawn_text outages = { .len = 0 };
    struct world w;
    struct gs_rng r;
    bool runs;

    gs_rng_init(&r, seed, "refuses none");
    topology_make(&r, &topology, features);
    trace_make(&r, &trace, features);
    outages_make(&r, &outages);
    *d = (struct decided){
        .observer = { .self = d, .placed = on_placed, .ended = on_ended }
    };
    world_init(&w);
    runs = world_load(&w, topology.at, trace.at, &o) == 0
           && (seed % 4 || world_outages(&w, outages.at) == 0)
           && world_run(&w, policy, NULL, &d->observer) == 0;
    if (!runs)
        fprintf(stderr, "\n  seed %llu: %s", (unsigned long long)seed,
                w.err.count ? w.err.problem[0].text : "");
    world_fini(&w);
    return runs;
}

static void test_pairs(void)
{
    const uint64_t seeds = suite_rounds(PAIRS);
    uint64_t same = 0, tasks = 0, waited = 0;

    for (uint64_t seed = 1; seed <= seeds; seed++) {
        const size_t i = seed % N_ELEMENTS(policies);
        struct decided a, b;

        if (!world_decides(seed, policies[i].sparing, &a)
            || !world_decides(seed, policies[i].plain, &b))
            break;
        same += a.placed == b.placed && a.waited == b.waited;
        tasks += a.tasks;
        waited += a.has_waited;
        if (same < seed) {
            fprintf(stderr, "\n  seed %llu, policy %zu: they part (%s)",
                    (unsigned long long)seed, i,
                    a.placed == b.placed ? "waits" : "placements");
            break;
        }
    }
    CU_ASSERT_EQUAL(same, seeds);
    CU_ASSERT(tasks > 20 * seeds); /* it is not idle */
    CU_ASSERT(waited > seeds / 4); /* because of rules */
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "jobs with rules start and wait the same", test_pairs },
    };

    return suite_run("sim/refuses_none", suite, N_ELEMENTS(suite));
}
