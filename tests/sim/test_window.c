/* Metrics are of one window, and do not depend on where time 0 is. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "reports/measure/metrics.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

static const char topology[] = "node_types:\n"
                               "  a: {gpus: 4}\n"
                               "  b: {gpus: 4}\n"
                               "nodes:\n"
                               "  - {name: \"n[1-3]\", type: a}\n"
                               "  - {name: \"s[1-2]\", type: b}\n";

/* As two numbers, of seconds and microseconds. */
#define SECONDS(us) (long long)((us) / 1000000), (long long)((us) % 1000000)

#define DAY INT64_C(86400000000)

/* All times of jobs and the world are `shift` us later. */
static void texts_make(int64_t shift, char *jobs, char *world, size_t size)
{
    int n = snprintf(jobs, size,
                     "priority_classes: {high: {value: 9}, low: {value: 1}}\n"
                     "queues: [{name: q}, {name: r}]\n"
                     "jobs:\n");

    for (int i = 0; i < 40; i++)
        n += snprintf(
            jobs + n, size - (size_t)n,
            "  - {name: j%d, submit: %lld.%06lld, duration: %dm, gpus: %d,"
            " replicas: %d, queue: %c, priority: %s,"
            " task_interval: %ds}\n",
            i, SECONDS(shift + i * INT64_C(97000003)), 5 + i * 7 % 31,
            1 + i % 4, 1 + i % 3, i % 2 ? 'q' : 'r',
            i % 5 == 4 ? "high" : "low", i % 3);
    /* a service by the time of day, whose peak is as late */
    snprintf(jobs + n, size - (size_t)n,
             "  - {name: chat, submit: %lld.%06lld, duration: 50m, gpus: 1,"
             " queue: q, load: {low: 1, high: 5, peak: %lld.%06lld}}\n",
             SECONDS(shift + INT64_C(300000001)),
             SECONDS((shift + INT64_C(1500000000)) % DAY));
    snprintf(world, size,
             "events:\n"
             "  - {at: %lld.%06lld, node: n1, what: drain, for: 20m}\n"
             "  - {at: %lld.%06lld, node: n2, what: fail, for: 15m}\n"
             "failures: [{what: node, mtbf: 1h, repair: 5m}]\n"
             "autoscale: {type: b, min: 0, max: 2, delay: 1m, idle: 3m}\n",
             SECONDS(shift + INT64_C(120000007)),
             SECONDS(shift + INT64_C(1500000001)));
}

static const struct report_metric *measured(struct world *w, int64_t shift,
                                            const char *policy,
                                            const char *changes,
                                            struct report_window_request ask,
                                            uint32_t *count)
{
    const struct trace_options o = { 0 };
    static char jobs[16384], world[16384];
    struct report_metrics *m;
    const struct report_metric *row;

    texts_make(shift, jobs, world, sizeof(jobs));
    world_init(w);
    if (world_load(w, topology, jobs, &o) < 0 || world_outages(w, world) < 0) {
        printf("%s\n", w->err.problem[0].text);
        return NULL;
    }
    m = report_metrics_create(w->topo, w->work, NULL);
    if (ask.from >= 0)
        ask.from += shift;
    if (ask.to != REPORT_WINDOW_OPEN)
        ask.to += shift;
    report_metrics_measure(m, &ask);
    CU_ASSERT_EQUAL(world_run(w, policy, changes, report_metrics_observer(m)),
                    0);
    row = report_metrics_rows(m, w->log, 8, w->arena, count);
    report_metrics_destroy(m);
    return row;
}

static void test_shifted(void)
{
    static const int64_t shift[] = { 1, 999999, INT64_C(86400000000),
                                     INT64_C(1000000000000007),
                                     INT64_C(1763769600123457) };
    static const struct {
        const char *policy, *changes;
    } runs[] = {
        { "binpack", NULL },
        { "priority-preempt", NULL },
        { "kube-default", "gang.timeout=45s" },
        { "volcano", "trigger.period=7s" },
        { "conservative", NULL },
    };
    static const struct report_window_request ask[] = {
        { -1, REPORT_WINDOW_OPEN, 0 },
        { 600000001, REPORT_WINDOW_OPEN, 300000000 },
        { 60000000, 2400000000, 0 },
    };

    for (size_t i = 0; i < N_ELEMENTS(runs) * N_ELEMENTS(ask); i++) {
        const size_t k = i % N_ELEMENTS(ask), r = i / N_ELEMENTS(ask);
        uint32_t n;
        struct world base;
        const struct report_metric *was = measured(&base, 0, runs[r].policy,
                                                   runs[r].changes, ask[k], &n);

        CU_ASSERT_PTR_NOT_NULL_FATAL(was);
        for (size_t s = 0; s < N_ELEMENTS(shift); s++) {
            uint32_t count;
            struct world w;
            const struct report_metric *is = measured(
                &w, shift[s], runs[r].policy, runs[r].changes, ask[k], &count);

            CU_ASSERT_PTR_NOT_NULL_FATAL(is);
            CU_ASSERT_EQUAL(count, n);
            for (uint32_t q = 0; q < n && q < count; q++) {
                const bool same = strcmp(is[q].name, was[q].name) == 0
                                  && is[q].value == was[q].value;

                if (!same)
                    printf("%s window %zu shift %lld: %s is %.17g, not %.17g\n",
                           runs[r].policy, k, (long long)shift[s], was[q].name,
                           is[q].value, was[q].value);
                CU_ASSERT(same);
            }
            world_fini(&w);
        }
        world_fini(&base);
    }
}

/* Windows side by side have all jobs and all GPU time. */
static double value_of(const struct report_metric *row, uint32_t n,
                       const char *name)
{
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(row[i].name, name) == 0
            && strcmp(row[i].scope, "cluster") == 0)
            return row[i].value;
    }
    return 0;
}

static void test_parts_add_up(void)
{
    static const char *const sum[] = { "jobs.total",
                                       "jobs.done",
                                       "preempt.count",
                                       "preempt.lost_gpu_hours",
                                       "gang.timeouts",
                                       "failure.restarts",
                                       "failure.lost_gpu_hours",
                                       "node.hours_paid",
                                       "node.down_hours",
                                       "node.drained_hours",
                                       "gpu.down_hours",
                                       "autoscale.ups",
                                       "autoscale.downs",
                                       "service.wanted_hours" };
    const int64_t at[] = { -1, 700000000, 1500000000, REPORT_WINDOW_OPEN };
    double part[N_ELEMENTS(sum)] = { 0 };
    const struct report_metric *row;
    struct world w;
    uint32_t n;

    for (int i = 0; i < 3; i++) {
        const struct report_window_request ask = { at[i], at[i + 1], 0 };

        row = measured(&w, 0, "priority-preempt", NULL, ask, &n);
        CU_ASSERT_PTR_NOT_NULL_FATAL(row);
        for (size_t k = 0; k < N_ELEMENTS(sum); k++)
            part[k] += value_of(row, n, sum[k]);
        world_fini(&w);
    }
    row = measured(&w, 0, "priority-preempt", NULL, REPORT_WINDOW_WHOLE, &n);
    CU_ASSERT_PTR_NOT_NULL_FATAL(row);
    CU_ASSERT_TRUE(value_of(row, n, "jobs.total") > 41);
    CU_ASSERT_TRUE(value_of(row, n, "service.wanted_hours") > 1);
    CU_ASSERT_TRUE(value_of(row, n, "autoscale.ups") > 0);
    for (size_t k = 0; k < N_ELEMENTS(sum); k++)
        CU_ASSERT_DOUBLE_EQUAL(part[k], value_of(row, n, sum[k]), 1e-9);
    world_fini(&w);
}

int main(void)
{
    static const struct suite_case tests[] = {
        { "a shift of time 0 changes no metric", test_shifted },
        { "metrics of adjacent windows add up", test_parts_add_up },
    };

    return suite_run("sim/window", tests, N_ELEMENTS(tests));
}
