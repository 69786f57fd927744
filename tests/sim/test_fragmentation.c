/* tests/sim/test_fragmentation.c - what metrics tell of fragmentation is what
 * all nodes together have at every instant of replays at random.
 */
#include "policies/profile/profile_file.h"
#include "reports/measure/metrics.h"
#include "tests/lib/random_world.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"
#include "topology/cluster.h"
#include "topology/task_mix.h"
#include "traces/workload/workload_mix.h"

#define WORLDS 60

/* Integrates what it works out anew at every instant. */
struct anew {
    struct report_observer observer; /* told to the metrics first */
    const struct report_observer *metrics;
    const struct topo *topo;
    struct topo_mix *mix;
    int64_t since;
    double share; /* that holds since then */
    double integral;
};

static double share_of(struct anew *a, const struct topo_cluster *c)
{
    const int64_t all = topo_cluster_totals(c)->gpu_free_milli;
    struct topo_free free;
    int64_t sum = 0;

    for (uint32_t n = 0; n < a->topo->node_count; n++) {
        topo_free_of(c, topo_cluster_group_of(c, n), &free);
        sum += topo_mix_fragment(a->mix, &free);
    }
    return all ? (double)sum / ((double)topo_mix_weight(a->mix) * (double)all)
               : 0;
}

static void advance(struct anew *a, int64_t now)
{
    if (now > a->since)
        a->integral += a->share * (double)(now - a->since);
    a->since = now;
}

static void on_instant(void *self, int64_t now, const struct report_instant *i)
{
    struct anew *a = self;

    a->metrics->instant(a->metrics->self, now, i);
    advance(a, now);
    a->share = share_of(a, i->cluster);
}

static void on_placed(void *self, int64_t now,
                      const struct report_allocation *s)
{
    const struct anew *a = self;

    a->metrics->placed(a->metrics->self, now, s);
}

static void on_released(void *self, int64_t now,
                        const struct report_allocation *s)
{
    const struct anew *a = self;

    a->metrics->released(a->metrics->self, now, s);
}

static void on_finished(void *self, int64_t now)
{
    struct anew *a = self;

    a->metrics->finished(a->metrics->self, now);
    advance(a, now);
}

static double metric(const struct report_metric *row, uint32_t count,
                     const char *name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(row[i].name, name) == 0)
            return row[i].value;
    }
    return -1;
}

/* What the metrics tell, -1 if the profile cannot run. */
static double replay(struct world *w, const struct gsched_profile *p, bool *ran)
{
    struct report_metrics *m = report_metrics_create(w->topo, w->work, NULL);
    struct anew a = { .metrics = report_metrics_observer(m),
                      .topo = w->topo,
                      .mix = trace_mix_create(w->work, w->topo,
                                              TRACE_MIX_FULL) };
    struct topo_cluster *empty = topo_cluster_create(w->topo);
    const struct report_metric *row;
    const int64_t first = w->work->job_count ? w->work->job[0].submit : 0;
    double told = -1;
    uint32_t count;

    a.observer = (struct report_observer){ .self = &a,
                                           .placed = on_placed,
                                           .released = on_released,
                                           .instant = on_instant,
                                           .finished = on_finished };
    a.since = first; /* the window begins */
    a.share = share_of(&a, empty);
    *ran = world_run_profile(w, p, &a.observer) == 0;
    if (*ran) {
        row = report_metrics_rows(m, w->log, 64, w->arena, &count);
        told = metric(row, count, "frag.demand");
        CU_ASSERT_EQUAL(
            told, a.since > first ? a.integral / (double)(a.since - first) : 0);
        CU_ASSERT(told >= 0 && told <= 1);
    }
    topo_cluster_destroy(empty);
    topo_mix_destroy(a.mix);
    report_metrics_destroy(m);
    return told;
}

static void test_random(void)
{
    const struct trace_options o = { 0 };
    static struct drawn_text topology, trace, profile;
    const uint64_t seeds = suite_rounds(WORLDS);
    uint64_t runs = 0, fragmented = 0;

    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct gsched_profile *p;
        struct gs_input *in;
        struct gs_rng r;
        struct world w;
        bool ran = false, again = false;

        topology.len = trace.len = profile.len = 0;
        gs_rng_init(&r, seed, "random profiles");
        topology_make(&r, &topology,
                      seed % 2 ? RANDOM_ALL | RANDOM_MIG : RANDOM_ALL);
        profile_make(&r, &profile, "gang ");
        trace_make(&r, &trace, seed % 2 ? RANDOM_ALL | RANDOM_MIG : RANDOM_ALL);
        world_init(&w);
        CU_ASSERT_EQUAL_FATAL(world_load(&w, topology.at, trace.at, &o), 0);
        in = gs_input_open_memory("drawn", profile.at, profile.len);
        p = gsched_profile_read(in, w.arena, &w.err);
        gs_input_close(in);
        if (p) {
            const double told = replay(&w, p, &ran);

            runs += ran;
            fragmented += told > 0;
            if (ran)
                CU_ASSERT_EQUAL(told, replay(&w, p, &again));
        }
        world_fini(&w);
    }
    CU_ASSERT(runs > seeds / 3); /* others have modules that contradict */
    CU_ASSERT(fragmented > seeds / 4);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "fragmentation equals that of all nodes, at random", test_random },
    };

    return suite_run("sim/fragments", suite, N_ELEMENTS(suite));
}
