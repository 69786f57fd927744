/* tests/sim/test_properties.c - what holds for any workload under any preset:
 * no device is given twice, free + used = capacity after every instant, a
 * gang is never partly placed with unit gang, every job ends in a final state
 * or is counted as unfinished, and a second replay is the first.
 */
#include "tests/lib/random_world.h"
#include "tests/lib/suite.h"
#include "tests/lib/watch.h"

#define WORKLOADS 50

/* Faults under one preset; *rows becomes the hash of what happened. */
static int faults_under(struct world *w, const char *policy,
                        const char *setting, uint64_t *rows)
{
    struct gsched_profile *p = gsched_profile_named(policy, w->arena, NULL);
    struct watch v;

    watch_open(&v, w, p);
    v.faults += world_run(w, policy, setting, &v.observer) < 0;
    watch_close(&v);
    if (v.faults)
        printf("%s %s: %d faults, the first in line %d\n", policy,
               setting ? setting : "", v.faults, v.line);
    *rows = v.rows;
    return v.faults;
}

static const struct {
    const char *policy, *set;
} extra[] = {
    { "kube-default", "gang.timeout=10s" },
    { "gang,binpack,priority", "head=block" },
    { "random,priority", NULL },
    { "binpack", "trigger.period=7s" },
    { "spread", "decision_cost=200ms" },
    { "priority-preempt", "decision_cost=900ms" },
};

static int faults_of(uint64_t seed)
{
    const struct trace_options o = { 0 };
    const unsigned features = seed % 4 ? 0 : RANDOM_MIG;
    static struct drawn_text topology, trace;
    struct gs_rng r;
    struct world w;
    int faults = 0;

    topology.len = trace.len = 0;
    gs_rng_init(&r, seed, "properties");
    topology_make(&r, &topology, features);
    trace_make(&r, &trace, features);
    world_init(&w);
    if (world_load(&w, topology.at, trace.at, &o) < 0) {
        printf("seed %llu: %s\n", (unsigned long long)seed,
               w.err.problem[0].text);
        world_fini(&w);
        return 1;
    }
    for (size_t i = 0; gsched_preset_at(i); i++) {
        const char *policy = gsched_preset_at(i)->name;
        uint64_t rows, again;

        if (strcmp(policy, "conservative") == 0 && w.work->shape_count > 1)
            continue; /* it says that it cannot */
        if (strcmp(policy, "recorded") == 0)
            continue; /* nothing was recorded */
        faults += faults_under(&w, policy, NULL, &rows);
        faults += faults_under(&w, policy, NULL, &again);
        faults += rows != again;
    }
    for (size_t i = 0; i < N_ELEMENTS(extra); i++) {
        uint64_t rows;

        faults += faults_under(&w, extra[i].policy, extra[i].set, &rows);
    }
    if (faults)
        printf("seed %llu: %d faults\n%s\n%s\n", (unsigned long long)seed,
               faults, topology.at, trace.at);
    world_fini(&w);
    return faults;
}

static void test_workloads(void)
{
    const uint64_t seeds = suite_rounds(WORKLOADS);
    int faulty = 0;

    for (uint64_t seed = 1; seed <= seeds && faulty < 3; seed++)
        faulty += faults_of(seed) != 0;
    CU_ASSERT_EQUAL(faulty, 0);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "random workloads keep the rules under every preset",
          test_workloads },
    };

    return suite_run("sim/properties", suite, N_ELEMENTS(suite));
}
