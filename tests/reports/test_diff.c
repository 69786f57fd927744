/* tests/reports/test_diff.c - the first difference of two runs, by their rows.
 *
 * Two equal runs are stored; SQL changes the second.
 */
#include "reports/diff/diff.h"
#include "tests/lib/database.h"
#include "tests/lib/suite.h"

#define SECONDS INT64_C(1000000)

/* Run 1 and the same as run 2, changed by `sql` (NULL: not). */
static void two_init(struct database *d, const char *sql)
{
    static const char *const names[] = { "one", "two", NULL };

    char one[512];

    database_init(d);
    database_put_all(d, names);
    if (sql)
        database_make_old(d);
    for (size_t n; sql && *sql; sql += n + (sql[n] == ';')) {
        n = strcspn(sql, ";");
        snprintf(one, sizeof(one), "%.*s", (int)n, sql);
        database_ask(d, one);
    }
}

static int two_diff(const struct database *d, struct gs_arena *arena,
                    struct report_diff *out, struct gs_err *err)
{
    static const char *const names[] = { "one", "two" };
    struct report_store *s = report_store_open_readonly(d->path, NULL);
    struct report_choice *c;
    uint32_t count;
    int rc;

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_EQUAL_FATAL(
        report_choose(&s, 1, names, 2, arena, &c, &count, NULL), 0);
    rc = report_diff(&c[0], &c[1], 3, arena, out, err);
    report_store_close(s);
    return rc;
}

/* What a change of rows is told as.  The runs are those of rig.h. */
static const struct {
    const char *sql;
    int64_t at; /* seconds; -1: no decision differs */
    uint32_t job;
    const char *one, *two;
} parts[] = {
    { NULL, -1, 0, NULL, NULL },
    /* placed elsewhere, later, with other devices, in another part */
    { "UPDATE placements SET node = 0 WHERE run_id = 2 AND job = 4", 20, 4,
      "is placed", "is placed" },
    { "UPDATE placements SET start_us = 21000000 WHERE run_id = 2 AND job = 4",
      20, 4, "is placed", "starts" },
    { "UPDATE placements SET devices = 4 WHERE run_id = 2 AND job = 4", 20, 4,
      "is placed", "is placed" },
    { "DELETE FROM placements WHERE run_id = 2 AND job = 4", 20, 4, "is placed",
      "starts" },
    { "DELETE FROM placements WHERE run_id = 2 AND job = 4;"
      "UPDATE jobs SET start_us = NULL WHERE run_id = 2 AND job = 4",
      20, 4, "is placed", "waits" },
    /* ended */
    { "UPDATE placements SET end_us = 30000000 WHERE run_id = 2 AND job = 4",
      30, 4, "runs", "waits" },
    { "UPDATE placements SET end_us = 9000000 WHERE run_id = 2 AND job = 0;"
      "UPDATE jobs SET end_us = 9000000 WHERE run_id = 2 AND job = 0",
      9, 0, "runs", "ends" },
    /* rejected, submitted, started */
    { "UPDATE jobs SET state = 'pending' WHERE run_id = 2 AND job = 2", 10, 2,
      "is rejected", "ends" },
    { "UPDATE jobs SET submit_us = 12000000 WHERE run_id = 2 AND job = 3", 10,
      3, "waits", "is not submitted yet" },
    { "UPDATE jobs SET start_us = 22000000 WHERE run_id = 2 AND job = 4", 20, 4,
      "is placed", "is placed" },
    /* the first of two jobs, and the first of two times */
    { "UPDATE placements SET node = 3 WHERE run_id = 2 AND job IN (0, 4)", 0, 0,
      "is placed", "is placed" },
    { "UPDATE placements SET end_us = 9000000, node = 3"
      " WHERE run_id = 1 AND job = 0",
      0, 0, "is placed", "is placed" },
    /* tasks one by one, or all at once */
    { "UPDATE placements SET devices = 3, tasks = 2"
      " WHERE job = 4 AND run_id = 1;"
      "UPDATE placements SET devices = 1, tasks = 1"
      " WHERE job = 4 AND run_id = 2;"
      "INSERT INTO placements SELECT run_id, job, 1, task_group, 1, 1, node, 2,"
      " start_us, end_us, share, slices FROM placements"
      " WHERE job = 4 AND run_id = 2",
      -1, 0, NULL, NULL },
    /* the same nodes under other numbers */
    { "UPDATE nodes SET node = 100 + 3 - node WHERE run_id = 2;"
      "UPDATE nodes SET node = node - 100 WHERE run_id = 2;"
      "UPDATE placements SET node = 3 - node WHERE run_id = 2",
      -1, 0, NULL, NULL },
};

static void test_parts(void)
{
    for (size_t i = 0; i < N_ELEMENTS(parts); i++) {
        struct gs_arena *arena = gs_arena_create(1 << 14);
        struct report_diff d;
        struct database db;
        bool as_said;

        two_init(&db, parts[i].sql);
        CU_ASSERT_EQUAL(two_diff(&db, arena, &d, NULL), 0);
        as_said = d.differs == (parts[i].at >= 0)
                  && (!d.differs
                      || (d.at == parts[i].at * SECONDS && d.job == parts[i].job
                          && strcmp(d.act[0].deed, parts[i].one) == 0
                          && strcmp(d.act[1].deed, parts[i].two) == 0));
        CU_ASSERT_TRUE(as_said);
        if (!as_said)
            printf("\ncase %zu: %d at %lld job %u: '%s', '%s'\n", i, d.differs,
                   (long long)(d.at / SECONDS), d.job,
                   d.differs ? d.act[0].deed : "",
                   d.differs ? d.act[1].deed : "");
        database_fini(&db);
        gs_arena_destroy(arena);
    }
}

static void test_eviction(void)
{
    struct gs_arena *arena = gs_arena_create(1 << 14);
    struct report_diff d;
    struct database db;

    /* job 1 gave back at 8 in one run only */
    two_init(&db, "DELETE FROM evictions WHERE run_id = 2;"
                  "UPDATE placements SET end_us = 8000000"
                  " WHERE run_id = 1 AND job = 1 AND seq = 0");
    CU_ASSERT_EQUAL(two_diff(&db, arena, &d, NULL), 0);
    CU_ASSERT_EQUAL(d.at, 8 * SECONDS);
    CU_ASSERT_STRING_EQUAL(d.act[0].deed, "is evicted");
    CU_ASSERT_STRING_EQUAL(d.act[0].by, "job-0");
    CU_ASSERT_STRING_EQUAL(d.act[1].deed, "runs");
    database_fini(&db);
    gs_arena_destroy(arena);
}

/* Waits change by queue, size and cause. */
static void test_groups(void)
{
    struct gs_arena *arena = gs_arena_create(1 << 14);
    struct report_diff d;
    struct database db;

    two_init(&db,
             "UPDATE jobs SET ran_us = 15000000 WHERE run_id = 2 AND job = 1;"
             "UPDATE jobs SET ran_us = 5000000, start_us = 5000000"
             " WHERE run_id = 2 AND job = 0;"
             "UPDATE waits SET us = us + 1000000 WHERE run_id = 2"
             " AND cause = 'hoarding'");
    CU_ASSERT_EQUAL(two_diff(&db, arena, &d, NULL), 0);
    CU_ASSERT_EQUAL(d.gained, 0);
    CU_ASSERT_EQUAL(d.lost, 2);
    CU_ASSERT_EQUAL(d.waited[1] - d.waited[0], 10e6);
    CU_ASSERT_EQUAL_FATAL(d.queue.count, 2);
    CU_ASSERT_STRING_EQUAL(d.queue.at[0].label, "a"); /* as much: by name */
    CU_ASSERT_EQUAL(d.queue.at[0].lost, 1);
    CU_ASSERT_EQUAL_FATAL(d.size.count, 1);
    CU_ASSERT_STRING_EQUAL(d.size.at[0].label, "8");
    CU_ASSERT_EQUAL_FATAL(d.cause.count, 1);
    CU_ASSERT_STRING_EQUAL(d.cause.at[0].label, "hoarding");
    CU_ASSERT_EQUAL_FATAL(d.lost_count, 2);
    CU_ASSERT_EQUAL(d.gained_count, 0);
    database_fini(&db);
    gs_arena_destroy(arena);
}

/* Rows that cannot be compared, and rows that no run stored. */
static void test_hostile(void)
{
    static const struct {
        const char *sql, *said; /* NULL: compared all the same */
    } cases[] = {
        { "DELETE FROM jobs WHERE run_id = 2", "has no jobs stored" },
        { "DELETE FROM jobs WHERE run_id = 2 AND job = 4", "different jobs" },
        { "UPDATE jobs SET name = 'x' WHERE run_id = 2 AND job = 4",
          "different jobs" },
        { "UPDATE placements SET job = job + 1000000 WHERE run_id = 2", NULL },
        { "UPDATE placements SET node = -1 WHERE run_id = 2", NULL },
        { "UPDATE placements SET node = 99, tasks = 9223372036854775807,"
          " first_task = -9223372036854775808 WHERE run_id = 2",
          NULL },
        { "UPDATE placements SET start_us = -9223372036854775808,"
          " end_us = 9223372036854775807 WHERE run_id = 2",
          NULL },
        { "UPDATE jobs SET submit_us = 9223372036854775807, ran_us ="
          " -9223372036854775808, gpu_milli = -5 WHERE run_id = 2",
          NULL },
        { "DELETE FROM nodes", NULL },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        static const struct report_layout page = { REPORT_TABLE, 80, false,
                                                   false };
        struct gs_arena *arena = gs_arena_create(1 << 14);
        struct gs_err err = { 0 };
        struct report_diff d;
        struct database db;
        char *text = NULL;
        size_t size = 0;
        int rc;

        two_init(&db, cases[i].sql);
        rc = two_diff(&db, arena, &d, &err);
        CU_ASSERT_EQUAL(rc, cases[i].said ? -1 : 0);
        if (rc < 0) {
            CU_ASSERT_PTR_NOT_NULL(strstr(err.problem[0].text, cases[i].said));
        } else {
            FILE *out = open_memstream(&text, &size);

            report_diff_print(&d, 3, &page, out);
            report_diff_json(&d, out);
            fclose(out);
            CU_ASSERT_PTR_NOT_NULL(strstr(text, "differs"));
            free(text);
        }
        database_fini(&db);
        gs_arena_destroy(arena);
    }
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "each kind of difference is found, and told", test_parts },
        { "an eviction names its job", test_eviction },
        { "waits by queue, size and cause", test_groups },
        { "damaged rows", test_hostile },
    };

    return suite_run("diff", cases, N_ELEMENTS(cases));
}
