/* tests/reports/test_metrics.c - the run of rig.h, counted by hand. */
#include "tests/lib/metrics_check.h"

static void test_jobs(void)
{
    static const struct expected_metric e[] = {
        { "jobs.total", "cluster", "", 5 },
        { "jobs.done", "cluster", "", 2 },
        { "jobs.failed", "cluster", "", 0 },
        { "jobs.rejected", "cluster", "", 1 },
        { "jobs.unfinished", "cluster", "", 1 },
        { "jobs.services", "cluster", "", 1 },
        { "preempt.count", "cluster", "", 1 },
        { "preempt.jobs", "cluster", "", 1 },
        { "preempt.lost_gpu_hours", "cluster", "", 24 / 3600.0 },
        { "gang.timeouts", "cluster", "", 1 },
        { "wait.by_cause.capacity", "cluster", "", 2 },
        { "wait.by_cause.order", "cluster", "", 3 },
        { "wait.by_cause.quota", "cluster", "", 10 },
        { "wait.by_cause.hoarding", "cluster", "", 20 },
        { "wait.by_cause.latency", "cluster", "", 0 },
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
        { "slowdown.mean", "cluster", "", 1.235294 },
        { "slowdown.max", "cluster", "", 1.470588 }, /* of 17 s of work */
        { "makespan", "cluster", "", 25 },
        { "throughput.jobs_per_hour", "cluster", "", 288 },
        { "bound.makespan", "cluster", "", 20 },
        { "bound.wait.mean", "cluster", "", 0 },
        { "bound.jct.mean", "cluster", "", 15 },          /* 10 and 20 s */
        { "makespan.over_bound", "cluster", "", ABSENT }, /* one goes on */
    };
    struct rig r;

    rig_run(&r);
    metrics_check(&r, 64, e, N_ELEMENTS(e));
    rig_fini(&r);
}

static void test_integrals(void)
{
    static const struct expected_metric e[] = {
        { "gpu.allocated", "cluster", "", 260.0 / 1280 },
        { "gpu.busy", "cluster", "", 250.0 / 1280 },
        { "gpu.hoarded", "cluster", "", 10.0 / 1280 },
        { "goodput", "cluster", "", (250.0 - 24) / 260 },
        { "gpu_time.useful", "cluster", "", 250.0 / 1280 },
        { "gpu_time.hoarded", "cluster", "", 10.0 / 1280 },
        { "gpu_time.idle", "cluster", "", 1020.0 / 1280 },
        { "frag.node_share", "cluster", "", 15.0 / 40 },
        { "frag.capacity_share", "cluster", "", 9.375 / 40 },
        { "frag.free_share", "cluster", "",
          (5 * 8.0 / 16 + 10 * 8.0 / 24 + 5 * 15.0 / 23 + 15 * 7.0 / 31) / 40 },
        /* of 13 tasks 9 ask for 8 GPUs, and cannot use what is less */
        { "frag.demand", "cluster", "",
          (5 * 8.0 / 16 + 10 * 8.0 / 24 + 5 * 15.0 / 23 + 15 * 7.0 / 31) / 40
              * 9 / 13 },
        { "frag.largest_gang", "cluster", "",
          (5 + 5 * 8.0 / 16 + 10 * 16.0 / 24 + 5 * 8.0 / 23 + 15 * 24.0 / 31)
              / 40 },
        { "deadlock.episodes", "cluster", "", 1 },
        { "deadlock.jobs", "cluster", "", 1 },
        { "deadlock.seconds", "cluster", "", 10 },
        { "deadlock.gpu_hours", "cluster", "", 10.0 / 3600 },
        { "deadlock.first_at", "cluster", "", 30 },
    };
    const struct report_samples *s;
    struct rig r;

    rig_run(&r);
    metrics_check(&r, 64, e, N_ELEMENTS(e));
    s = report_metrics_samples(r.metrics);
    CU_ASSERT_EQUAL(s->count, 40);
    CU_ASSERT_EQUAL(report_samples_value(s, 4, REPORT_ALLOCATED), 8);
    CU_ASSERT_EQUAL(report_samples_value(s, 5, REPORT_ALLOCATED), 16);
    CU_ASSERT_EQUAL(report_samples_value(s, 39, REPORT_HOARDED), 1);
    CU_ASSERT_EQUAL(report_samples_value(s, 22, REPORT_NODE_SHARE), 0.75);
    CU_ASSERT_EQUAL(report_samples_value(s, 4, REPORT_DEMAND), 0);
    CU_ASSERT_EQUAL(report_samples_value(s, 5, REPORT_DEMAND), 9.0 / 26);
    rig_fini(&r);
}

static void test_large_and_tiers(void)
{
    static const struct expected_metric from_8[] = {
        { "large.count", "cluster", "", 3 },
        { "large.success", "cluster", "", 2.0 / 3 },
        { "large.start_delay.mean", "cluster", "", 2.5 },
        { "large.start_delay.max", "cluster", "", 5 },
        { "placement.tier_share.node", "cluster", "", 0.5 },
        { "placement.tier_share.rack", "cluster", "", 0 },
        { "placement.tier_share.cluster", "cluster", "", 0.5 },
        { "frag.tier_share.node", "cluster", "", 70.0 / 160 },
        { "frag.tier_share.rack", "cluster", "", 0.75 },
        { "frag.tier_share.cluster", "cluster", "", 1 },
    };
    static const struct expected_metric from_65[] = {
        { "large.count", "cluster", "", 0 },
        { "large.success", "cluster", "", ABSENT },
        { "large.start_delay.mean", "cluster", "", ABSENT },
    };
    struct rig r;

    rig_run(&r);
    metrics_check(&r, 8, from_8, N_ELEMENTS(from_8));
    metrics_check(&r, 65, from_65, N_ELEMENTS(from_65));
    rig_fini(&r);
}

/* An empty run: no division by zero. */
static void test_empty_run(void)
{
    static const struct expected_metric e[] = {
        { "jobs.total", "cluster", "", 0 },
        { "wait.mean", "cluster", "", ABSENT },
        { "gpu.allocated", "cluster", "", 0 },
        { "frag.free_share", "cluster", "", 0 },
        { "deadlock.first_at", "cluster", "", ABSENT },
        { "makespan", "cluster", "", ABSENT },
        { "bound.makespan", "cluster", "", ABSENT },
        { "makespan.over_bound", "cluster", "", ABSENT },
    };
    struct rig r;

    rig_init(&r);
    rig_begin(&r, false);
    rig_finished(&r, 0);
    metrics_check(&r, 64, e, N_ELEMENTS(e));
    CU_ASSERT_EQUAL(report_metrics_samples(r.metrics)->count, 0);
    rig_fini(&r);
}

/* The bound must count what a job needs, which is its gang. */
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
        const struct expected_metric e = { "bound.makespan", "cluster", "",
                                           cases[i].bound };
        struct rig r;

        rig_init(&r);
        rig_job(&r, "a", 3, 10, cases[i].replicas, cases[i].gpus);
        if (cases[i].gang)
            r.work->job[0].gang = cases[i].gang;
        rig_begin(&r, false);
        rig_finished(&r, 3);
        metrics_check(&r, 64, &e, 1);
        rig_fini(&r);
    }
}

/* A service has no end and is not part of metrics of ends. */
static void test_services_alone(void)
{
    static const struct expected_metric e[] = {
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
    rig_ended(
        &r, 7,
        (struct report_job){ .state = REPORT_RUNNING, .level = 2, .end = -1 });
    rig_finished(&r, 7);
    metrics_check(&r, 64, e, N_ELEMENTS(e));
    rig_fini(&r);
}

/* --- shares, episodes, no GPUs -------------------------------------------- */

/* The first job asks for that. */
static void shape_set(struct rig *r, const struct topo_request *request)
{
    struct trace_group g = *trace_group_at(r->work, 0);

    g.shape = trace_workload_shape(r->work, request);
    trace_group_set(r->work, 0, &g);
}

/* Parts of devices: sizes by thousandths, and what is free beside them. */
static void test_shares(void)
{
    static const struct expected_metric e[] = {
        { "wait.mean", "size", "share", 0 },
        { "wait.mean", "size", "1", ABSENT },
        { "gpu.allocated", "cluster", "", 0.25 / 32 },
        { "frag.node_share", "cluster", "", 0.25 },
        { "frag.free_share", "cluster", "", 7.75 / 31.75 },
        { "frag.capacity_share", "cluster", "", 7.75 / 32 },
        { "placement.tier_share.node", "cluster", "", ABSENT },
        { "bound.makespan", "cluster", "", 10 },
    };
    const struct topo_request request = { .share = 250 };
    struct rig r;

    rig_init(&r);
    rig_job(&r, "a", 0, 10, 1, 0);
    shape_set(&r, &request);
    rig_begin(&r, false);
    rig_place(&r, 0, 0, 0, 0);
    rig_instant(&r, 0);
    rig_ended(
        &r, 10,
        (struct report_job){ .state = REPORT_RUNNING, .level = 2, .end = -1 });
    rig_finished(&r, 10);
    metrics_check(&r, 64, e, N_ELEMENTS(e));
    rig_fini(&r);
}

/* The second episode takes over from the first, the last has no end. */
static void test_episodes(void)
{
    static const struct {
        int64_t at;
        uint32_t job[2], count; /* 0: over */
        int64_t gpus;
    } told[] = { { 5, { 0, 1 }, 2, 2 },
                 { 10, { 1, 2 }, 2, 3 },
                 { 12, { 0 }, 0, 0 },
                 { 20, { 0 }, 1, 1 } };
    static const struct expected_metric e[] = {
        { "deadlock.episodes", "cluster", "", 3 },
        { "deadlock.jobs", "cluster", "", 3 },
        { "deadlock.seconds", "cluster", "", 5 + 2 + 10 },
        { "deadlock.gpu_hours", "cluster", "", (10 + 6 + 10) / 3600.0 },
        { "deadlock.first_at", "cluster", "", 5 },
        { "gpu.hoarded", "cluster", "", 26.0 / 32 / 30 },
        { "gpu.busy", "cluster", "", 0 },
    };
    struct rig r;

    rig_init(&r);
    for (int i = 0; i < 4; i++)
        rig_job(&r, "a", 0, 10, 2, 1);
    rig_begin(&r, false);
    for (uint32_t i = 0; i < 3; i++)
        rig_place(&r, 0, i, 0, 0);
    r.now.busy_milli = 0; /* none of them runs */
    rig_instant(&r, 0);
    for (size_t i = 0; i < N_ELEMENTS(told); i++) {
        const int64_t now = told[i].at * RIG_SECOND;

        if (told[i].count)
            r.log->observer.deadlocked(r.log, now, told[i].job, told[i].count);
        else
            r.log->observer.deadlock_over(r.log, now);
        r.now.hoarded_milli = r.now.deadlocked_milli = told[i].gpus * 1000;
        rig_instant(&r, told[i].at);
    }
    rig_finished(&r, 30);
    metrics_check(&r, 64, e, N_ELEMENTS(e));
    rig_fini(&r);
}

/* A cluster without GPUs has no GPU metrics; work is that of CPUs. */
static void test_no_gpus(void)
{
    static const struct expected_metric e[] = {
        { "gpu.allocated", "cluster", "", ABSENT },
        { "gpu.busy", "cluster", "", ABSENT },
        { "frag.free_share", "cluster", "", ABSENT },
        { "frag.demand", "cluster", "", ABSENT },
        { "frag.largest_gang", "cluster", "", ABSENT },
        { "wait.mean", "size", "CPU only", 3 },
        { "makespan", "cluster", "", 13 },
        { "throughput.jobs_per_hour", "cluster", "", 3600.0 / 13 },
        { "bound.makespan", "cluster", "", 25 }, /* 10 CPUs x 10 s on 4 */
    };
    struct topo_request request = { .amount = { [TOPO_CPU] = 2000 } };
    struct topo_class k = { .capacity = { [TOPO_CPU] = 4000 } };
    struct rig r;

    rig_init(&r);
    r.topo = topo_create(r.arena, r.names, &r.dims);
    k.type = rig_name(&r, "cpu");
    topo_add_node(r.topo, rig_name(&r, "n"), topo_add_class(r.topo, &k), NULL,
                  NULL);
    topo_finish(r.topo, NULL);
    rig_job(&r, "a", 0, 10, 5, 0);
    shape_set(&r, &request);
    rig_begin(&r, false);
    rig_instant(&r, 0);
    rig_ended(
        &r, 13,
        (struct report_job){ .state = REPORT_DONE, .start = 3, .end = 13 });
    rig_finished(&r, 13);
    metrics_check(&r, 64, e, N_ELEMENTS(e));
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
        { "jobs, waits and evictions are counted", test_jobs },
        { "shares of GPU time are integrals over the run", test_integrals },
        { "large jobs and tiers are counted apart", test_large_and_tiers },
        { "an empty run has no means", test_empty_run },
        { "the bound counts the gang, not all tasks",
          test_bound_counts_the_gang },
        { "services alone have no makespan", test_services_alone },
        { "shares of a GPU count by thousandths", test_shares },
        { "episodes of deadlock add up", test_episodes },
        { "a cluster without GPUs has no shares of them", test_no_gpus },
        { "every metric is in the glossary",
          test_every_metric_is_in_the_glossary },
    };

    return suite_run("reports/metrics", cases, N_ELEMENTS(cases));
}
