/* tests/sim/test_bounds.c - no result is better than its bound.
 *
 * The least sum of waits is worked out by hand for single machines; random
 * worlds are replayed under all presets, and each metric that has a bound is
 * compared with it.
 */
#include "reports/glossary/metric_names.h"
#include "reports/measure/flow_bound.h"
#include "reports/measure/metrics.h"
#include "sim/speed/speed.h"
#include "tests/lib/random_world.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

#define WORLDS 6

/* --- by hand -------------------------------------------------------------- */

struct by_hand {
    const char *what;
    uint64_t capacity;
    uint32_t jobs;
    struct {
        int64_t release, length;
        uint32_t amount;
    } job[6];
    double waited;
};

static const struct by_hand cases[] = {
    { "nothing waits where all fit", 4, 2, { { 0, 9, 2 }, { 0, 5, 2 } }, 0 },
    /* 2 at 0, 2 at 10, 2 at 20: 0 + 20 + 40 */
    { "equal jobs, two at a time: exact",
      2,
      6,
      { { 0, 10, 1 },
        { 0, 10, 1 },
        { 0, 10, 1 },
        { 0, 10, 1 },
        { 0, 10, 1 },
        { 0, 10, 1 } },
      60 },
    /* 4 and then 20; the long one gives way from 1 to 5: it waits 4 */
    { "jobs of the whole machine: the shortest rest first, exact",
      8,
      2,
      { { 0, 20, 8 }, { 1, 4, 8 } },
      4 },
    /* 3 left of the first at 1, when one of 4 comes */
    { "the rest counts, not the whole", 1, 2, { { 0, 4, 1 }, { 1, 4, 1 } }, 3 },
    /* as above, twice; the idle time between lends nothing */
    { "busy periods count apart",
      1,
      5,
      { { 0, 4, 1 }, { 1, 4, 1 }, { 99, 1, 1 }, { 200, 4, 1 }, { 201, 4, 1 } },
      6 },
    { "in any order",
      1,
      4,
      { { 201, 4, 1 }, { 1, 4, 1 }, { 200, 4, 1 }, { 0, 4, 1 } },
      6 },
};

static void flow_job(const void *of, uint32_t at, struct report_flow_job *out)
{
    *out = ((const struct report_flow_job *)of)[at];
}

static void test_by_hand(void)
{
    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        const struct by_hand *c = &cases[i];
        struct report_flow_job job[N_ELEMENTS(c->job)];
        uint32_t at[N_ELEMENTS(c->job)];
        double waited;

        for (uint32_t k = 0; k < c->jobs; k++)
            job[k] = (struct report_flow_job){
                c->job[k].release, c->job[k].length,
                (report_flow_wide)(uint64_t)c->job[k].length * c->job[k].amount
            };
        for (uint32_t k = 0; k < c->jobs; k++)
            at[k] = k;
        waited = report_flow_bound(flow_job, job, at, c->jobs, c->capacity,
                                   NULL);
        if (waited < c->waited - 1e-9 || waited > c->waited + 1e-9) {
            printf("%s: %g, not %g\n", c->what, waited, c->waited);
            CU_FAIL("not as worked out by hand");
        }
    }
}

/* --- random worlds -------------------------------------------------------- */

static struct drawn_text topology, trace, outages, speeds;

/* More than the cluster can run at once. */
static void crowd_make(struct gs_rng *r)
{
    for (unsigned n = 20 + below(r, 60), i = 0; i < n; i++) {
        PUT(&trace, "  - {name: h%u, submit: %u, ", i, below(r, 60));
        PUT(&trace, "duration: %u, ", 60 + below(r, 200));
        PUT(&trace, "gpus: %u, ", 1 + below(r, 2));
        PUT(&trace, "replicas: %u}\n", 1 + below(r, 3));
    }
}

static bool world_draw(struct world *w, struct gs_rng *r, unsigned features)
{
    const struct trace_options o = { 0 };
    struct gs_input *in;

    topology.len = trace.len = outages.len = speeds.len = 0;
    topology_make(r, &topology, features);
    trace_make(r, &trace, features);
    if (below(r, 2))
        crowd_make(r);
    outages_make(r, &outages);
    world_init(w);
    if (world_load(w, topology.at, trace.at, &o) < 0
        || (below(r, 3) == 0 && world_outages(w, outages.at) < 0))
        return false;
    if (below(r, 3))
        return true;
    speed_make(r, &speeds);
    in = gs_input_open_memory("drawn", speeds.at, speeds.len);
    w->speed = sim_speed_read(in, w->topo, w->arena, &w->err);
    gs_input_close(in);
    return w->speed;
}

static const struct report_metric *metric_find(const struct report_metric *row,
                                               uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(row[i].name, name) == 0
            && strcmp(row[i].scope, "cluster") == 0)
            return &row[i];
    }
    return NULL;
}

/* What was looked at: a test that compares nothing holds for nothing. */
struct seen {
    uint32_t compared, waits, faults; /* waits: bounds above 0 */
};

static void bounds_check(const struct report_metric *row, uint32_t count,
                         const char *policy, struct seen *seen)
{
    const size_t prefix = strlen(METRIC_BOUND);
    const struct report_metric *over = metric_find(row, count,
                                                   METRIC_MAKESPAN_OVER_BOUND);

    if (over && over->value < 1 - 1e-9) {
        printf("%s: makespan is %.17g of its bound\n", policy, over->value);
        seen->faults++;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct report_metric *of;

        if (strncmp(row[i].name, METRIC_BOUND, prefix) != 0
            || strcmp(row[i].name, METRIC_BOUND METRIC_MAKESPAN) == 0)
            continue;
        of = metric_find(row, count, row[i].name + prefix);
        CU_ASSERT_PTR_NOT_NULL_FATAL(of);
        seen->compared++;
        seen->waits += row[i].value > 0
                       && strcmp(of->name, METRIC_WAIT "mean") == 0;
        if (of->value >= row[i].value * (1 - 1e-9))
            continue;
        printf("%s: %s %.17g, bound %.17g\n", policy, of->name, of->value,
               row[i].value);
        seen->faults++;
    }
}

static void world_check(uint64_t seed, struct seen *seen)
{
    static const unsigned kinds[] = { 0,
                                      RANDOM_QUEUES | RANDOM_CLASSES,
                                      RANDOM_SAVES | RANDOM_ELASTIC,
                                      RANDOM_ALL,
                                      RANDOM_ALL | RANDOM_LEAVES,
                                      RANDOM_ALL | RANDOM_MIG };
    const uint32_t before = seen->faults;
    struct gs_rng r;
    struct world w;

    gs_rng_init(&r, seed, "bounds");
    CU_ASSERT_TRUE_FATAL(world_draw(&w, &r, kinds[seed % N_ELEMENTS(kinds)]));
    for (size_t i = 0; gsched_preset_at(i); i++) {
        const char *policy = gsched_preset_at(i)->name;
        struct report_metrics *m = report_metrics_create(w.topo, w.work, NULL);
        uint32_t count;

        if (w.speed)
            report_metrics_speed_most(m,
                                      sim_speed_most(w.speed, w.topo, w.work));
        w.until = below(&r, 4) ? 0 : (50 + below(&r, 300)) * INT64_C(1000000);
        /* some presets refuse what they cannot do */
        if (world_run(&w, policy, NULL, report_metrics_observer(m)) == 0) {
            const struct report_metric *row = report_metrics_rows(
                m, w.log, 6, w.arena, &count);

            bounds_check(row, count, policy, seen);
        }
        report_metrics_destroy(m);
    }
    if (seen->faults > before)
        printf("seed %llu\n%s\n%s\n", (unsigned long long)seed, topology.at,
               trace.at);
    world_fini(&w);
}

static void test_worlds(void)
{
    struct seen seen = { 0 };

    for (uint64_t seed = 1; seed <= suite_rounds(WORLDS) && seen.faults < 3;
         seed++)
        world_check(seed, &seen);
    CU_ASSERT_EQUAL(seen.faults, 0);
    CU_ASSERT_TRUE(seen.compared > 50);
    CU_ASSERT_TRUE(seen.waits > seen.compared / 10);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "the least sum of waits, by hand", test_by_hand },
        { "no preset is better than a bound", test_worlds },
    };

    return suite_run("sim/bounds", suite, N_ELEMENTS(suite));
}
