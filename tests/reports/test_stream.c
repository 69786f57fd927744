/* tests/reports/test_stream.c - rows that are stored while a run goes on are
 * those that are stored after it.
 */
#include "reports/store/stream.h"

#include "base/rng.h"
#include "tests/lib/database.h"
#include "tests/lib/suite.h"

/* Enough that rows leave the window of the stream several times. */
#define JOBS 80000u

struct pair {
    struct rig rig;
    struct report_store *store;
    struct report_stream *stream;
    struct gs_rng rng;
    int64_t now;
};

static const struct report_run run = {
    .name = "stream",
    .status = "done",
    .version = "0",
    .policy = "binpack",
    .profile = "",
    .topology = "topology.yaml",
    .trace = "trace.yaml",
    .options = "{}",
};

/* By this clock the run goes on for long: rows wait until it is over. */
static int64_t slow_clock(void)
{
    static int64_t now;

    return now += INT64_C(3600) * 1000000;
}

static void pair_init(struct pair *p, const struct database *d, uint64_t seed)
{
    struct gs_err err = { 0 };

    gs_rng_init(&p->rng, seed, "stream");
    rig_init(&p->rig);
    for (uint32_t i = 0; i < JOBS; i++)
        rig_job(&p->rig, i % 3 ? "a" : "b", i / 8, 10, 1 + i % 2, 1);
    rig_begin(&p->rig, false);
    p->store = report_store_open(d->path, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->store);
    p->stream = report_stream_open(p->store, &run, p->rig.topo, p->rig.work,
                                   p->rig.log, seed % 2 ? NULL : slow_clock);
    p->now = 0;
}

static void pair_fini(struct pair *p)
{
    report_stream_close(p->stream);
    report_store_close(p->store);
    rig_fini(&p->rig);
}

/* Some tasks of the job stood somewhere for a while. */
static void tell_placements(struct pair *p, uint32_t job, bool is_held)
{
    const struct report_observer *o[] = { &p->rig.log->observer,
                                          report_stream_observer(p->stream) };
    const uint64_t n = gs_rng_below(&p->rng, 4);

    for (uint64_t k = 0; k < n; k++) {
        const struct report_allocation s = {
            .job = job,
            .node = (uint32_t)gs_rng_below(&p->rng, 4),
            .first_task = (uint32_t)gs_rng_below(&p->rng, 2),
            .tasks = 1,
            .devices = 1,
            .placed_at = p->now - (int64_t)gs_rng_below(&p->rng, 3),
        };
        const uint64_t how = gs_rng_below(&p->rng, 8);

        for (size_t i = 0; i < N_ELEMENTS(o); i++) {
            if (is_held)
                o[i]->held(o[i]->self, p->now, &s);
            else if (how == 0)
                o[i]->renumbered(o[i]->self, p->now, &s);
            else
                o[i]->released(o[i]->self, p->now, &s);
        }
    }
}

static void tell_ended(struct pair *p, uint32_t job, bool is_over)
{
    const struct report_observer *o[] = { &p->rig.log->observer,
                                          report_stream_observer(p->stream) };
    const uint64_t how = gs_rng_below(&p->rng, 100);
    const int64_t start = p->now - (int64_t)gs_rng_below(&p->rng, 50);
    const bool is_rejected = how == 0;
    struct report_job j = {
        .job = job,
        .state = is_rejected ? REPORT_REJECTED
                 : !is_over  ? REPORT_RUNNING
                 : how < 5   ? REPORT_FAILED
                             : REPORT_DONE,
        .cause = (uint8_t)(how % 3),
        .evictions = how < 20,
        .level = is_rejected ? UINT32_MAX : (uint32_t)(how % 2),
        .start = is_rejected ? -1 : start,
        .end = is_over ? p->now : -1,
        .reason = how == 1 ? "for a reason" : NULL,
        .ran = how < 20 ? 3 : p->now - start,
        .work = how < 20 ? 2 : p->now - start,
        .lost_gpu_us = how < 20,
    };

    if (!is_rejected)
        tell_placements(p, job, !is_over);
    for (size_t i = 0; i < N_ELEMENTS(o); i++)
        o[i]->ended(o[i]->self, p->now, &j);
}

/* Jobs end in about their order, some long after it, several at one time; some
 * do not end and some are never told of.
 */
static void pair_run(struct pair *p)
{
    static uint32_t late[JOBS];
    uint32_t lates = 0;

    for (uint32_t i = 0; i < JOBS; i++) {
        const uint64_t how = gs_rng_below(&p->rng, 100);

        p->now += (int64_t)gs_rng_below(&p->rng, 3) / 2;
        if (gs_rng_below(&p->rng, 50) == 0)
            tell_placements(p, i, false);
        if (how < 10)
            late[lates++] = i;
        else if (how < 99)
            tell_ended(p, i, true);
        if (lates && gs_rng_below(&p->rng, 20) == 0)
            tell_ended(p, late[--lates], true);
    }
    for (uint32_t i = 0; i < lates; i++)
        tell_ended(p, late[i], i % 7 != 0);
    rig_finished(&p->rig, p->now / RIG_SECOND + 1);
}

/* Store the run by the stream, and after it. */
static int pair_store(struct pair *p, struct gs_err *err)
{
    struct rig *r = &p->rig;
    const struct report_samples *samples = report_metrics_samples(r->metrics);
    struct report_run after = run;
    const struct report_metric *row;
    uint32_t count;

    for (uint32_t i = 0; i < JOBS; i++) {
        if (report_log_job(r->log, i).state == REPORT_REJECTED)
            report_log_reason(r->log, i, i % 2 ? "too large" : "no node");
    }
    report_stream_over(p->stream);
    row = report_metrics_rows(r->metrics, r->log, 8, r->arena, &count);
    if (report_stream_write(p->stream, &run, row, count, samples, err) < 0)
        return -1;
    after.name = "after";
    return report_store_write(p->store, &after, r->topo, r->work, r->log, row,
                              count, samples, err);
}

/* The two runs have equal rows in the table, and have some. */
static void same_check(const struct database *d, const char *table,
                       const char *columns)
{
    char sql[600];

    for (int run_id = 1; run_id <= 2; run_id++) {
        snprintf(sql, sizeof(sql),
                 "SELECT count(*) FROM (SELECT %s FROM %s WHERE run_id = %d "
                 "EXCEPT SELECT %s FROM %s WHERE run_id = %d)",
                 columns, table, run_id, columns, table, 3 - run_id);
        CU_ASSERT_STRING_EQUAL(database_ask(d, sql), "0\n");
        snprintf(sql, sizeof(sql),
                 "SELECT count(*) > 0 FROM %s WHERE run_id = %d", table,
                 run_id);
        CU_ASSERT_STRING_EQUAL(database_ask(d, sql), "1\n");
    }
}

static void test_same(void)
{
    for (uint64_t seed = 1; seed <= suite_rounds(2); seed++) {
        struct gs_err err = { 0 };
        struct database d;
        struct pair p;

        database_init(&d);
        pair_init(&p, &d, seed);
        pair_run(&p);
        CU_ASSERT_EQUAL(pair_store(&p, &err), 0);
        pair_fini(&p);
        same_check(&d, "job_rows",
                   "job, name, kind, submit_us, until_start_us, until_end_us,"
                   " lost_gpu_us, ran_us, work_us");
        same_check(&d, "placements",
                   "job, seq, first_task, node, devices, start_us, end_us");
        same_check(&d, "job_kinds",
                   "id & 4294967295, queue, tasks, gang, gpu_milli, state,"
                   " cause, tier, reason, evictions");
        same_check(&d, "metrics", "name, scope, label, value");
        same_check(&d, "nodes", "node, name");
        database_fini(&d);
    }
}

/* The run fails: nothing of it is kept. */
static void test_closed(void)
{
    struct database d;
    struct pair p;

    database_init(&d);
    pair_init(&p, &d, 1);
    pair_run(&p);
    pair_fini(&p);
    CU_ASSERT_EQUAL(access(d.path, F_OK), -1);
    database_fini(&d);
}

/* The failure comes with the result; the run of that name stays. */
static void test_name_taken(void)
{
    static const char *const name[] = { "stream", NULL };
    struct gs_err err = { 0 };
    struct database d;
    struct pair p;

    database_init(&d);
    database_put_all(&d, name);
    pair_init(&p, &d, 1);
    pair_run(&p);
    CU_ASSERT_EQUAL(pair_store(&p, &err), -1);
    CU_ASSERT_EQUAL(err.code, GS_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.problem[0].text, "has a run 'stream'"));
    pair_fini(&p);
    CU_ASSERT_STRING_EQUAL(database_ask(&d, "SELECT count(*) FROM jobs"),
                           "5\n");
    database_fini(&d);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "a run that is stored while it goes on has the same rows",
          test_same },
        { "a run that is not stored leaves nothing", test_closed },
        { "a taken name is told when the run is over", test_name_taken },
    };

    return suite_run("reports/stream", cases, N_ELEMENTS(cases));
}
