/* tests/reports/test_metrics_ends.c - metrics of runs with only the ends of
 * jobs, computed by hand.
 */
#include "reports/measure/bound.h"
#include "reports/measure/window.h"
#include "tests/lib/metrics_check.h"

/* How a job of `seconds` (-1: for ever) went that was submitted at 0. */
struct went {
    int64_t seconds;
    uint32_t replicas, gpus;
    struct report_job as; /* in seconds */
};

static void check_ends(const struct went *w, size_t jobs, int64_t end,
                       uint32_t large, const struct expected_metric *e,
                       size_t n)
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
    metrics_check(&r, large, e, n);
    rig_fini(&r);
}

/* Short runs count as 10 s, and no slowdown is below 1. */
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
    static const struct expected_metric e[] = {
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
    static const struct expected_metric e[] = {
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

/* A job that never ran does not extend the makespan, however late; a job that
 * failed does.
 */
static void test_makespan_without_the_rejected(void)
{
    static const struct went w[] = {
        { 60, 1, 8, { .state = REPORT_DONE, .start = 0, .end = 60 } },
        { 90, 1, 8, { .state = REPORT_FAILED, .start = 0, .end = 90 } },
        { 9, 9, 8, { .state = REPORT_REJECTED, .start = -1, .end = 900 } },
    };
    static const struct expected_metric e[] = {
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
    static const struct expected_metric e[] = {
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
    static const struct expected_metric e[] = {
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
        const struct expected_metric e = { "wait.max", "size", cases[i].label,
                                           2 };

        check_ends(&w, 1, 11, 64, &e, 1);
    }
}

/* So many jobs that another thread finds the bounds: they are those that this
 * one finds.
 */
static void test_many_jobs(void)
{
    const uint32_t jobs = 100000;
    const struct report_window *whole = &(
        const struct report_window){ .to = REPORT_WINDOW_OPEN };
    struct report_bound_waits waits;
    struct rig r;

    rig_init(&r);
    for (uint32_t i = 0; i < jobs; i++)
        rig_job(&r, "a", i / 50, 10 + i % 7, 1 + i % 2, 1 + i % 4);
    rig_begin(&r, false);
    for (uint32_t i = 0; i < jobs; i++) {
        struct report_job j = { .job = i, .state = REPORT_DONE, .start = i };

        j.end = j.start + 10 + i % 7;
        j.ran = j.work = (10 + i % 7) * RIG_SECOND;
        rig_ended(&r, j.end, j);
    }
    rig_finished(&r, jobs + 20);
    report_bound_waits(r.topo, r.work, r.log, whole, 1000000, &waits);
    CU_ASSERT_EQUAL(waits.done, jobs);
    CU_ASSERT(waits.waited > 0);

    const struct expected_metric e[] = {
        { "bound.makespan", "cluster", "",
          report_bound_makespan(r.topo, r.work, r.log, whole, 1000000) / 1e6 },
        { "bound.wait.mean", "cluster", "", waits.waited / 1e6 / jobs },
        { "bound.jct.mean", "cluster", "",
          (waits.run + waits.waited) / 1e6 / jobs },
        { "jobs.done", "cluster", "", jobs },
    };
    metrics_check(&r, 64, e, N_ELEMENTS(e));
    rig_fini(&r);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "slowdown counts a short run as 10 s", test_slowdown_and_jct },
        { "without a start metrics of started jobs are absent",
          test_nobody_started },
        { "a rejected job makes the makespan no longer",
          test_makespan_without_the_rejected },
        { "the makespan is compared with its bound", test_over_bound },
        { "a large job succeeds that ends or serves unevicted",
          test_large_success },
        { "each size class has its edges", test_sizes },
        { "bounds of many jobs are found by another thread", test_many_jobs },
    };

    return suite_run("reports/metrics_ends", cases, N_ELEMENTS(cases));
}
