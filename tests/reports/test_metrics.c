/* tests/reports/test_metrics.c - the run of rig.h, counted by hand. */
#include <math.h>

#include "tests/lib/rig.h"
#include "tests/lib/suite.h"

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
        { "makespan.over_bound", "cluster", "", ABSENT }, /* one goes on */
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
        { "goodput", "cluster", "", (260.0 - 24) / 260 },
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
    CU_ASSERT_EQUAL(report_samples_value(s, 4, REPORT_DEMAND), 0);
    CU_ASSERT_EQUAL(report_samples_value(s, 5, REPORT_DEMAND), 9.0 / 26);
    rig_fini(&r);
}

static void test_large_and_tiers(void)
{
    static const struct expected from_8[] = {
        { "large.count", "cluster", "", 3 },
        { "large.success", "cluster", "", 2.0 / 3 },
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
        { "makespan.over_bound", "cluster", "", ABSENT },
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
    rig_ended(
        &r, 7,
        (struct report_job){ .state = REPORT_RUNNING, .level = 2, .end = -1 });
    rig_finished(&r, 7);
    check(&r, 64, e, N_ELEMENTS(e));
    rig_fini(&r);
}

/* --- runs of which only the ends are told --------------------------------- */

/* How a job of `seconds` (-1: for ever) went that was submitted at 0. */
struct went {
    int64_t seconds;
    uint32_t replicas, gpus;
    struct report_job as; /* in seconds */
};

static void check_ends(const struct went *w, size_t jobs, int64_t end,
                       uint32_t large, const struct expected *e, size_t n)
{
    struct rig r;

    rig_init(&r);
    for (size_t i = 0; i < jobs; i++)
        rig_job(&r, "a", 0, w[i].seconds, w[i].replicas, w[i].gpus);
    rig_begin(&r, false);
    for (size_t i = 0; i < jobs; i++) {
        struct report_job j = w[i].as;

        j.job = (uint32_t)i;
        if (j.start >= 0)
            j.ran = j.work = ((j.end < 0 ? end : j.end) - j.start) * RIG_SECOND;
        rig_ended(&r, j.end < 0 ? end : j.end, j);
    }
    rig_finished(&r, end);
    check(&r, large, e, n);
    rig_fini(&r);
}

/* Short runs count as 10 s, and nothing is done faster than at once. */
static void test_slowdown_and_jct(void)
{
    static const struct went w[] = {
        { 1, 1, 1, { .state = REPORT_DONE, .start = 4, .end = 5 } },
        { 5, 1, 1, { .state = REPORT_DONE, .start = 15, .end = 20 } },
        { 100, 1, 1, { .state = REPORT_DONE, .start = 100, .end = 200 } },
        { 20, 1, 1, { .state = REPORT_DONE, .start = 60, .end = 80 } },
        { 9, 1, 1, { .state = REPORT_FAILED, .start = 300, .end = 301 } },
        { 999, 1, 1, { .state = REPORT_RUNNING, .start = 1, .end = -1 } },
        { 9, 1, 1, { .state = REPORT_PENDING, .start = -1, .end = -1 } },
    };
    static const struct expected e[] = {
        { "slowdown.mean", "cluster", "", 2.25 }, /* 1, 2, 2, 4 */
        { "slowdown.p50", "cluster", "", 2 },
        { "slowdown.p90", "cluster", "", 4 },
        { "slowdown.p95", "cluster", "", 4 },
        { "slowdown.p99", "cluster", "", 4 },
        { "slowdown.max", "cluster", "", 4 },
        { "jct.mean", "cluster", "", 76.25 }, /* 5, 20, 80, 200 */
        { "jct.p50", "cluster", "", 20 },
        { "jct.p90", "cluster", "", 200 },
        { "jct.p99", "cluster", "", 200 },
        { "wait.mean", "cluster", "", 80 }, /* 1, 4, 15, 60, 100, 300 */
        { "wait.p50", "cluster", "", 15 },
        { "wait.p90", "cluster", "", 300 },
        { "wait.unfinished.count", "cluster", "", 1 },
        { "wait.unfinished.mean", "cluster", "", 400 },
        { "jobs.done", "cluster", "", 4 },
        { "jobs.failed", "cluster", "", 1 },
        { "jobs.unfinished", "cluster", "", 2 },
    };

    check_ends(w, N_ELEMENTS(w), 400, 64, e, N_ELEMENTS(e));
}

/* No job started: metrics of started jobs are absent. */
static void test_nobody_started(void)
{
    static const struct went w[] = {
        { 9, 1, 1, { .state = REPORT_PENDING, .start = -1, .end = -1 } },
        { 9, 9, 8, { .state = REPORT_REJECTED, .start = -1, .end = 0 } },
    };
    static const struct expected e[] = {
        { "wait.mean", "cluster", "", ABSENT },
        { "wait.mean", "queue", "a", ABSENT },
        { "wait.mean", "size", "1", ABSENT },
        { "wait.unfinished.count", "cluster", "", 1 },
        { "wait.unfinished.mean", "cluster", "", 7 },
        { "jct.mean", "cluster", "", ABSENT },
        { "slowdown.mean", "cluster", "", ABSENT },
        { "jobs.rejected", "cluster", "", 1 },
        { "jobs.unfinished", "cluster", "", 1 },
        { "large.success", "cluster", "", 0 },
        { "large.start_delay.mean", "cluster", "", ABSENT },
        { "placement.tier_share.node", "cluster", "", ABSENT },
        { "makespan", "cluster", "", ABSENT },
        { "throughput.jobs_per_hour", "cluster", "", ABSENT },
        { "bound.makespan", "cluster", "", 9 },
    };

    check_ends(w, N_ELEMENTS(w), 7, 64, e, N_ELEMENTS(e));
}

/* A job that never ran makes the makespan no longer, however late it came;
 * one that failed did run.
 */
static void test_makespan_without_the_rejected(void)
{
    static const struct went w[] = {
        { 60, 1, 8, { .state = REPORT_DONE, .start = 0, .end = 60 } },
        { 90, 1, 8, { .state = REPORT_FAILED, .start = 0, .end = 90 } },
        { 9, 9, 8, { .state = REPORT_REJECTED, .start = -1, .end = 900 } },
    };
    static const struct expected e[] = {
        { "makespan", "cluster", "", 90 },
        { "throughput.jobs_per_hour", "cluster", "", 40 },
        { "bound.makespan", "cluster", "", 90 },
        /* a failed job need not do all its work */
        { "makespan.over_bound", "cluster", "", ABSENT },
    };

    check_ends(w, N_ELEMENTS(w), 900, 64, e, N_ELEMENTS(e));
}

/* It took half as long again as it had to. */
static void test_over_bound(void)
{
    static const struct went w[] = {
        { 60, 1, 8, { .state = REPORT_DONE, .start = 30, .end = 90 } },
        { 9, 9, 8, { .state = REPORT_REJECTED, .start = -1, .end = 900 } },
    };
    static const struct expected e[] = {
        { "bound.makespan", "cluster", "", 60 },
        { "makespan.over_bound", "cluster", "", 1.5 },
    };

    check_ends(w, N_ELEMENTS(w), 900, 64, e, N_ELEMENTS(e));
}

/* A large job does well when it ends well, or serves, and was never evicted.
 */
static void test_large_success(void)
{
    static const struct went w[] = {
        { 9, 8, 8, { .state = REPORT_DONE, .start = 1, .end = 10 } },
        { -1, 8, 8, { .state = REPORT_RUNNING, .start = 3, .end = -1 } },
        { 9,
          8,
          8,
          { .state = REPORT_DONE, .evictions = 1, .start = 5, .end = 19 } },
        { -1,
          8,
          8,
          { .state = REPORT_RUNNING, .evictions = 1, .start = 7, .end = -1 } },
        { 99, 8, 8, { .state = REPORT_RUNNING, .start = 9, .end = -1 } },
        { 9, 8, 8, { .state = REPORT_FAILED, .start = 11, .end = 12 } },
        { 9, 8, 8, { .state = REPORT_REJECTED, .start = -1, .end = 0 } },
        { 9, 8, 8, { .state = REPORT_PARTLY, .start = -1, .end = -1 } },
        { 9, 7, 9, { .state = REPORT_DONE, .start = 0, .end = 9 } }, /* 63 */
    };
    static const struct expected e[] = {
        { "large.count", "cluster", "", 8 },
        { "large.success", "cluster", "", 0.5 },
        { "large.start_delay.mean", "cluster", "", 6 }, /* 1, 3 ... 11 */
        { "large.start_delay.p50", "cluster", "", 5 },
        { "large.start_delay.p95", "cluster", "", 11 },
        { "large.start_delay.max", "cluster", "", 11 },
        { "jobs.services", "cluster", "", 2 },
        { "jobs.unfinished", "cluster", "", 2 },
    };

    check_ends(w, N_ELEMENTS(w), 20, 64, e, N_ELEMENTS(e));
}

/* The edges of the size classes. */
static void test_sizes(void)
{
    static const struct {
        uint32_t replicas, gpus;
        const char *label;
    } cases[] = {
        { 3, 0, "CPU only" }, { 1, 1, "1" },       { 2, 1, "2-7" },
        { 1, 7, "2-7" },      { 8, 1, "8" },       { 9, 1, "9-64" },
        { 8, 8, "9-64" },     { 65, 1, "65-511" }, { 73, 7, "65-511" },
        { 64, 8, "512+" },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        const struct went w = {
            9,
            cases[i].replicas,
            cases[i].gpus,
            { .state = REPORT_DONE, .start = 2, .end = 11 }
        };
        const struct expected e = { "wait.max", "size", cases[i].label, 2 };

        check_ends(&w, 1, 11, 64, &e, 1);
    }
}

/* --- shares, episodes, no GPUs -------------------------------------------- */

/* Parts of devices: sizes by thousandths, and what is free beside them. */
static void test_shares(void)
{
    static const struct expected e[] = {
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
    r.work->group[0].shape = trace_workload_shape(r.work, &request);
    rig_begin(&r, false);
    rig_place(&r, 0, 0, 0, 0);
    rig_instant(&r, 0);
    rig_ended(
        &r, 10,
        (struct report_job){ .state = REPORT_RUNNING, .level = 2, .end = -1 });
    rig_finished(&r, 10);
    check(&r, 64, e, N_ELEMENTS(e));
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
    static const struct expected e[] = {
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
    check(&r, 64, e, N_ELEMENTS(e));
    rig_fini(&r);
}

/* A cluster without GPUs tells nothing of them; its work is that of CPUs. */
static void test_no_gpus(void)
{
    static const struct expected e[] = {
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
    r.work->group[0].shape = trace_workload_shape(r.work, &request);
    rig_begin(&r, false);
    rig_instant(&r, 0);
    rig_ended(
        &r, 13,
        (struct report_job){ .state = REPORT_DONE, .start = 3, .end = 13 });
    rig_finished(&r, 13);
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
        { "slowdown and completion", test_slowdown_and_jct },
        { "nobody started", test_nobody_started },
        { "makespan without the rejected", test_makespan_without_the_rejected },
        { "over the bound", test_over_bound },
        { "large success", test_large_success },
        { "sizes", test_sizes },
        { "shares", test_shares },
        { "episodes", test_episodes },
        { "no GPUs", test_no_gpus },
        { "every metric is in the glossary",
          test_every_metric_is_in_the_glossary },
    };

    return suite_run("reports/metrics", cases, N_ELEMENTS(cases));
}
