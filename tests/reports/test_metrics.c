/* tests/reports/test_metrics.c - the run of rig.h, counted by hand. */
#include <math.h>

#include "tests/reports/rig.h"
#include "tests/suite.h"

#define ABSENT ((double)NAN)

struct expected {
    const char *name, *scope, *label;
    double value;
};

static const struct report_metric *find(const struct report_metric *row,
                                        uint32_t count,
                                        const struct expected *e)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(row[i].name, e->name) == 0
            && strcmp(row[i].scope, e->scope) == 0
            && strcmp(row[i].label, e->label) == 0)
            return &row[i];
    }
    return NULL;
}

/* Report each metric that is not as expected. */
static void check(struct rig *r, uint32_t large, const struct expected *e,
                  size_t n)
{
    uint32_t count;
    const struct report_metric *row = report_metrics_rows(
        r->metrics, r->log, large, r->arena, &count);

    for (size_t i = 0; i < n; i++) {
        const struct report_metric *m = find(row, count, &e[i]);
        const bool is_right = m ? fabs(m->value - e[i].value) < 1e-12
                                : isnan(e[i].value);

        if (!is_right)
            printf("\n%s [%s]: %.17g, not %.17g", e[i].name, e[i].label,
                   m ? m->value : ABSENT, e[i].value);
        CU_ASSERT(is_right);
    }
}

static void test_jobs(void)
{
    static const struct expected e[] = {
        { "jobs.total", "cluster", "", 5 },
        { "jobs.done", "cluster", "", 2 },
        { "jobs.failed", "cluster", "", 0 },
        { "jobs.rejected", "cluster", "", 1 },
        { "jobs.unfinished", "cluster", "", 1 },
        { "jobs.services", "cluster", "", 1 },
        { "preempt.count", "cluster", "", 2 },
        { "wait.mean", "cluster", "", 5.0 / 3 },
        { "wait.p50", "cluster", "", 0 },
        { "wait.p95", "cluster", "", 5 },
        { "wait.max", "cluster", "", 5 },
        { "wait.mean", "queue", "a", 0 },
        { "wait.p95", "queue", "b", 5 },
        { "wait.p99", "queue", "b", ABSENT },
        { "wait.mean", "queue", "default", ABSENT },
        { "wait.mean", "size", "8", 2.5 },
        { "wait.p50", "size", "8", 0 },
        { "wait.max", "size", "8", 5 },
        { "wait.mean", "size", "1", 0 },
        { "wait.mean", "size", "9-64", ABSENT },
        { "wait.unfinished.count", "cluster", "", 1 },
        { "wait.unfinished.mean", "cluster", "", 30 },
        { "jct.mean", "cluster", "", 17.5 },
        { "jct.p50", "cluster", "", 10 },
        { "jct.max", "cluster", "", 25 },
        { "slowdown.mean", "cluster", "", 1.125 },
        { "slowdown.max", "cluster", "", 1.25 },
        { "makespan", "cluster", "", 25 },
        { "throughput.jobs_per_hour", "cluster", "", 288 },
        { "bound.makespan", "cluster", "", 20 },
    };
    struct rig r;

    rig_run(&r);
    check(&r, 64, e, N_ELEMENTS(e));
    rig_fini(&r);
}

static void test_integrals(void)
{
    static const struct expected e[] = {
        { "gpu.allocated", "cluster", "", 260.0 / 1280 },
        { "gpu.busy", "cluster", "", 260.0 / 1280 },
        { "gpu.hoarded", "cluster", "", 20.0 / 1280 },
        { "frag.node_share", "cluster", "", 15.0 / 40 },
        { "frag.capacity_share", "cluster", "", 9.375 / 40 },
        { "frag.free_share", "cluster", "",
          (5 * 8.0 / 16 + 10 * 8.0 / 24 + 5 * 15.0 / 23 + 15 * 7.0 / 31) / 40 },
        { "deadlock.episodes", "cluster", "", 1 },
        { "deadlock.jobs", "cluster", "", 1 },
        { "deadlock.seconds", "cluster", "", 10 },
        { "deadlock.gpu_hours", "cluster", "", 20.0 / 3600 },
        { "deadlock.first_at", "cluster", "", 30 },
    };
    const struct report_samples *s;
    struct rig r;

    rig_run(&r);
    check(&r, 64, e, N_ELEMENTS(e));
    s = report_metrics_samples(r.metrics);
    CU_ASSERT_EQUAL(s->count, 40);
    CU_ASSERT_EQUAL(report_samples_value(s, 4, REPORT_ALLOCATED), 8);
    CU_ASSERT_EQUAL(report_samples_value(s, 5, REPORT_ALLOCATED), 16);
    CU_ASSERT_EQUAL(report_samples_value(s, 39, REPORT_HOARDED), 2);
    CU_ASSERT_EQUAL(report_samples_value(s, 22, REPORT_NODE_SHARE), 0.75);
    rig_fini(&r);
}

static void test_large_and_tiers(void)
{
    static const struct expected from_8[] = {
        { "large.count", "cluster", "", 3 },
        { "large.success", "cluster", "", 1.0 / 3 },
        { "large.start_delay.mean", "cluster", "", 2.5 },
        { "large.start_delay.max", "cluster", "", 5 },
        { "placement.tier_share.node", "cluster", "", 0.5 },
        { "placement.tier_share.rack", "cluster", "", 0 },
        { "placement.tier_share.cluster", "cluster", "", 0.5 },
    };
    static const struct expected from_65[] = {
        { "large.count", "cluster", "", 0 },
        { "large.success", "cluster", "", ABSENT },
        { "large.start_delay.mean", "cluster", "", ABSENT },
    };
    struct rig r;

    rig_run(&r);
    check(&r, 8, from_8, N_ELEMENTS(from_8));
    check(&r, 65, from_65, N_ELEMENTS(from_65));
    rig_fini(&r);
}

/* Nothing happens at all: no division by it. */
static void test_empty_run(void)
{
    static const struct expected e[] = {
        { "jobs.total", "cluster", "", 0 },
        { "wait.mean", "cluster", "", ABSENT },
        { "gpu.allocated", "cluster", "", 0 },
        { "frag.free_share", "cluster", "", 0 },
        { "deadlock.first_at", "cluster", "", ABSENT },
        { "makespan", "cluster", "", ABSENT },
        { "bound.makespan", "cluster", "", ABSENT },
    };
    struct rig r;

    rig_init(&r);
    rig_begin(&r, false);
    rig_finished(&r, 0);
    check(&r, 64, e, N_ELEMENTS(e));
    CU_ASSERT_EQUAL(report_metrics_samples(r.metrics)->count, 0);
    rig_fini(&r);
}

/* A bound must hold for what a job needs, which is its gang. */
static void test_bound_counts_the_gang(void)
{
    static const struct {
        uint32_t replicas, gpus, gang;
        double bound;
    } cases[] = {
        { 8, 8, 0, 20 },  /* 64 GPUs x 10 s on 32 */
        { 8, 8, 4, 10 },  /* half of them may be all */
        { 40, 8, 8, 20 }, /* as many as 64 GPUs */
        { 1, 1, 0, 10 },  /* its duration */
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        const struct expected e = { "bound.makespan", "cluster", "",
                                    cases[i].bound };
        struct rig r;

        rig_init(&r);
        rig_job(&r, "a", 3, 10, cases[i].replicas, cases[i].gpus);
        if (cases[i].gang)
            r.work->job[0].gang = cases[i].gang;
        rig_begin(&r, false);
        rig_finished(&r, 3);
        check(&r, 64, &e, 1);
        rig_fini(&r);
    }
}

/* A service has no end, so it has no part in what is about ends. */
static void test_services_alone(void)
{
    static const struct expected e[] = {
        { "jobs.services", "cluster", "", 1 },
        { "jobs.unfinished", "cluster", "", 0 },
        { "wait.mean", "cluster", "", 0 },
        { "jct.mean", "cluster", "", ABSENT },
        { "makespan", "cluster", "", ABSENT },
        { "bound.makespan", "cluster", "", ABSENT },
        { "gpu.busy", "cluster", "", 8.0 / 32 },
    };
    struct rig r;

    rig_init(&r);
    rig_job(&r, "a", 0, -1, 1, 8);
    rig_begin(&r, false);
    rig_place(&r, 0, 0, 0, 0);
    rig_instant(&r, 0);
    rig_ended(&r, 7, (struct report_job){ 0, REPORT_RUNNING, 0, 0, 2, 0, -1 });
    rig_finished(&r, 7);
    check(&r, 64, e, N_ELEMENTS(e));
    rig_fini(&r);
}

static void test_every_metric_is_in_the_glossary(void)
{
    const struct report_metric *row;
    uint32_t count;
    struct rig r;

    rig_run(&r);
    row = report_metrics_rows(r.metrics, r.log, 8, r.arena, &count);
    CU_ASSERT(count > 60);
    for (uint32_t i = 0; i < count; i++) {
        const struct report_metric_info *info = report_glossary_find(
            row[i].name);

        CU_ASSERT_PTR_NOT_NULL_FATAL(info);
        CU_ASSERT_EQUAL(info->unit, row[i].unit);
        CU_ASSERT(strlen(info->definition) > 10);
    }
    CU_ASSERT_PTR_NULL(report_glossary_find("nonsense"));
    rig_fini(&r);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "jobs", test_jobs },
        { "integrals", test_integrals },
        { "large jobs and tiers", test_large_and_tiers },
        { "empty run", test_empty_run },
        { "bound counts the gang", test_bound_counts_the_gang },
        { "services alone", test_services_alone },
        { "every metric is in the glossary",
          test_every_metric_is_in_the_glossary },
    };

    return suite_run("reports/metrics", cases, N_ELEMENTS(cases));
}
