/* tests/sim/test_ending.c - a replay goes on while anything that is known to
 * come can help a job, and no longer: chosen cases, and random worlds against
 * replays that never end by themselves.
 */
#include <stdlib.h>

#include "tests/lib/placements.h"
#include "tests/lib/random_world.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

#define WORLDS 15
#define HORIZON 3000 /* s that a patient replay goes on after the other */

#define ONE "{submit: 0, duration: 30m, gpus: 1}, "
#define EIGHT ONE ONE ONE ONE ONE ONE ONE ONE

static const struct {
    const char *what, *topology, *trace, *world;
    const char *policy, *set;
    enum sim_ended ended;
    uint32_t done;
    int64_t end; /* s */
} cases[] = {
    { "two outages, of which one begins later",
      "node_types: {t: {gpus: 6}}\nnodes: [{name: 'n[1-2]', type: t}]\n",
      "jobs: [{submit: 15, duration: 1h, replicas: 2, gpus: 6}]\n",
      "events:\n"
      "  - {at: 10, node: n1, what: fail, for: 1000s}\n"
      "  - {at: 20, node: n2, what: fail, for: 2000s}\n",
      "binpack", NULL, SIM_ENDED_DONE, 1, 5620 },
    { "a chain of outages, each of which begins in the one before",
      "node_types: {t: {gpus: 6}}\nnodes: [{name: 'n[1-2]', type: t}]\n",
      "jobs: [{submit: 15, duration: 1h, replicas: 2, gpus: 6}]\n",
      "events:\n"
      "  - {at: 10, node: n1, what: fail, for: 1000s}\n"
      "  - {at: 1000, node: n2, what: drain, for: 1000s}\n"
      "  - {at: 1500, node: n1, what: fail, for: 1000s}\n"
      "  - {at: 2400, node: n2, gpu: 1, what: fail, for: 1000s}\n"
      "  - {at: 3399, node: n1, what: remove, for: 1h}\n",
      "binpack", NULL, SIM_ENDED_DONE, 1, 3399 + 3600 + 3600 },
    { "a node that is added late",
      "node_types: {t: {gpus: 6}}\nnodes: [{name: 'n[1-2]', type: t}]\n",
      "jobs: [{submit: 15, duration: 1h, replicas: 2, gpus: 6}]\n",
      "events:\n"
      "  - {at: 10, node: n1, what: fail}\n"
      "  - {at: 20d, node: n2, what: add}\n"
      "  - {at: 30d, node: n1, what: repair}\n",
      "binpack", NULL, SIM_ENDED_DONE, 1, 30 * 86400 + 3600 },
    { "a failure that is no help ends nothing early, nor late",
      "node_types: {t: {gpus: 6}}\nnodes: [{name: 'n[1-2]', type: t}]\n",
      "jobs: [{submit: 15, duration: 1h, replicas: 2, gpus: 6}]\n",
      "events:\n"
      "  - {at: 10, node: n1, what: fail}\n"
      "  - {at: 20d, node: n2, what: fail}\n",
      "binpack", NULL, SIM_ENDED_DONE, 0, 20 * 86400 },
    { "a failure that ends a deadlock",
      "node_types: {t: {gpus: 1}}\nnodes: [{name: 'n[1-2]', type: t}]\n",
      "jobs:\n"
      "  - {submit: 0, duration: 1h, replicas: 2, gpus: 1, task_interval: 1s}\n"
      "  - {submit: 0, duration: 1h, replicas: 2, gpus: 1, task_interval: "
      "1s}\n",
      "events: [{at: 5d, node: n2, what: fail, for: 10s}]\n", "kube-default",
      NULL, SIM_ENDED_DONE, 2, 5 * 86400 + 10 + 7200 },
    { "a gang timeout while another gang has begun to run",
      "node_types: {t: {gpus: 5}}\nnodes: [{name: 'n[1-2]', type: t}]\n",
      "jobs:\n"
      "  - {submit: 0, duration: 1h, replicas: 8, gpus: 1, task_interval: 1s}\n"
      "  - {submit: 0, duration: 1h, replicas: 8, gpus: 1, task_interval: "
      "1s}\n",
      NULL, "kube-default", "gang.timeout=10s", SIM_ENDED_DONE, 2, 7210 },
    { "a gang that begins anew after each timeout, for ever",
      "node_types: {t: {gpus: 1}}\nnodes: [{name: 'n[1-2]', type: t}]\n",
      "jobs:\n"
      "  - {submit: 0, duration: forever, gpus: 1}\n"
      "  - {submit: 5, duration: 1h, replicas: 2, gpus: 1}\n",
      NULL, "kube-default", "gang.timeout=10s", SIM_ENDED_LIVELOCK, 0, -1 },
    { "a service goes on serving only in a run with a stated end",
      "node_types: {t: {gpus: 1}}\nnodes: [{name: n1, type: t}]\n",
      "jobs: [{submit: 5, duration: forever, gpus: 1}]\n",
      "events: [{at: 5d, node: n1, what: fail, for: 10s}]\n", "binpack", NULL,
      SIM_ENDED_DONE, 0, 5 },
    { "a job waits for a service, whose node will fail",
      "node_types: {t: {gpus: 1}}\nnodes: [{name: n1, type: t}]\n",
      "priority_classes: {high: {value: 5}}\n"
      "jobs:\n"
      "  - {submit: 0, duration: forever, gpus: 1}\n"
      "  - {submit: 5, duration: 1h, gpus: 1, priority: high}\n",
      "events: [{at: 5d, node: n1, what: fail, for: 10s}]\n",
      "priority+binpack", NULL, SIM_ENDED_DONE, 1, 5 * 86400 + 10 + 3600 },
    { "a job that nothing can help is there until it is withdrawn",
      "node_types: {t: {gpus: 1}}\nnodes: [{name: n1, type: t}]\n",
      "jobs: [{submit: 5, duration: 1h, gpus: 1, withdraw: true}]\n",
      "events: [{at: 1, node: n1, what: fail}]\n", "binpack", NULL,
      SIM_ENDED_DONE, 0, 5 + 3600 },
    { "a job that begins anew again and again beside one that runs",
      "node_types: {t: {gpus: 1}, u: {gpus: 2}}\n"
      "nodes: [{name: n1, type: t}, {name: n2, type: u}]\n",
      "jobs:\n"
      "  - {submit: 5, duration: 40d, gpus: 1}\n"
      "  - {submit: 5, duration: 10d, gpus: 2}\n",
      "failures: [{what: node, of: u, mtbf: 10m, repair: 1m}]\n", "binpack",
      NULL, SIM_ENDED_LIVELOCK, 1, -1 },
    { "jobs that each begin anew now and then, one after another",
      "node_types: {t: {gpus: 1}}\nnodes: [{name: n1, type: t}]\n",
      "jobs: [" EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT "]\n",
      "failures: [{what: node, mtbf: 10m, repair: 1m}]\n", "binpack", NULL,
      SIM_ENDED_DONE, 64, -1 },
};

static uint32_t done_count(const struct world *w)
{
    uint32_t done = 0;

    for (uint32_t j = 0; j < w->work->job_count; j++)
        done += report_log_job(w->log, j).state == REPORT_DONE;
    return done;
}

static void test_cases(void)
{
    const struct trace_options o = { 0 };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct world w;
        bool is_right;

        world_init(&w);
        is_right = world_load(&w, cases[i].topology, cases[i].trace, &o) == 0
                   && (!cases[i].world
                       || world_outages(&w, cases[i].world) == 0)
                   && world_run(&w, cases[i].policy, cases[i].set, NULL) == 0;
        if (!is_right)
            printf("%s: %s\n", cases[i].what, w.err.problem[0].text);
        else if (w.stats.ended != cases[i].ended
                 || done_count(&w) != cases[i].done
                 || (cases[i].end >= 0
                     && w.stats.end != cases[i].end * INT64_C(1000000))) {
            printf("%s: ended %d, %u done, at %lld s\n", cases[i].what,
                   (int)w.stats.ended, done_count(&w),
                   (long long)(w.stats.end / 1000000));
            is_right = false;
        }
        CU_ASSERT_TRUE(is_right);
        world_fini(&w);
    }
}

/* --- random worlds -------------------------------------------------------- */

static struct drawn_text topology, trace, outages;
static uint32_t livelocks, chances, runs;

static bool world_draw(struct world *w, uint64_t seed)
{
    static const unsigned features[] = { 0, RANDOM_ONE_KIND | RANDOM_WHOLE,
                                         RANDOM_SAVES, RANDOM_ALL,
                                         RANDOM_ALL | RANDOM_LEAVES };
    const struct trace_options o = { 0 };
    struct gs_rng r;

    topology.len = trace.len = outages.len = 0;
    gs_rng_init(&r, seed, "ending");
    topology_make(&r, &topology, 0);
    trace_make(&r, &trace, features[seed % N_ELEMENTS(features)]);
    outages_make(&r, &outages);
    world_init(w);
    return world_load(w, topology.at, trace.at, &o) == 0
           && world_outages(w, outages.at) == 0;
}

/* Replay; the jobs' states go to `state`.  -1 if the profile cannot. */
static int states_of(struct world *w, const struct gsched_profile *p,
                     int64_t until, uint8_t *state)
{
    const struct sim_options o = { .seed = 42,
                                   .until = until,
                                   .scenario = w->outages,
                                   .is_patient = until != SIM_FOREVER };
    const struct report_observer *observer[1];
    int rc;

    report_log_destroy(w->log);
    w->log = report_log_create(w->work, false);
    observer[0] = &w->log->observer;
    rc = sim_replay(w->topo, w->work, p, &o, observer, 1, &w->stats, &w->err);
    for (uint32_t j = 0; rc == 0 && j < w->work->job_count; j++)
        state[j] = report_log_job(w->log, j).state;
    return rc;
}

/* Jobs that a patient replay brings to an end, and the other did not. */
static int faults_of(struct world *w, const char *policy, const char *set)
{
    const uint32_t n = w->work->job_count;
    uint8_t *ours = gs_arena_alloc(w->arena, n + 1, 1);
    uint8_t *patient = gs_arena_alloc(w->arena, n + 1, 1);
    struct gsched_profile *p = world_profile(w, policy);
    int faults = 0;

    if (!p || (set && gsched_profile_set(p, set, w->arena, &w->err) < 0))
        return 1;
    if (states_of(w, p, SIM_FOREVER, ours) < 0)
        return 0; /* it says that it cannot */
    runs++;
    faults += placements_faults(w);
    livelocks += w->stats.ended == SIM_ENDED_LIVELOCK;
    chances += w->stats.ended == SIM_ENDED_CHANCE;
    if (w->stats.ended != SIM_ENDED_DONE)
        return 0;
    if (states_of(w, p, w->stats.end + HORIZON * INT64_C(1000000), patient) < 0)
        return 1;
    for (uint32_t j = 0; j < n; j++)
        faults += w->work->job[j].duration != TRACE_FOREVER
                  && (ours[j] >= REPORT_DONE) != (patient[j] >= REPORT_DONE);
    if (faults)
        printf("%s, %s: %d jobs\n", policy, set ? set : "as it is", faults);
    return faults;
}

static void test_random(void)
{
    static const struct {
        const char *policy, *set;
    } runs_of[] = {
        { "binpack", NULL },
        { "kube-default", NULL },
        { "kube-default", "gang.timeout=10s" },
        { "kube-default", "gang.timeout=70s" },
        { "easy", NULL },
        { "conservative", NULL },
        { "volcano", NULL },
        { "hybrid", NULL },
        { "priority-preempt", NULL },
    };
    const uint64_t seeds = suite_rounds(WORLDS);
    int faulty = 0;

    livelocks = chances = runs = 0;
    for (uint64_t seed = 1; seed <= seeds && faulty < 3; seed++) {
        struct world w;
        int faults = !world_draw(&w, seed);

        for (size_t i = 0; !faults && i < N_ELEMENTS(runs_of); i++)
            faults = faults_of(&w, runs_of[i].policy, runs_of[i].set);
        if (faults)
            printf("seed %llu\n%s\n%s\n%s\n", (unsigned long long)seed,
                   topology.at, trace.at, outages.at);
        faulty += faults > 0;
        world_fini(&w);
    }
    CU_ASSERT_EQUAL(faulty, 0);
    CU_ASSERT_TRUE((livelocks + chances) * 2 < runs);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "a replay waits for help that may come, no longer", test_cases },
        { "random replays end neither early nor late", test_random },
    };

    return suite_run("sim/ending", suite, N_ELEMENTS(suite));
}
