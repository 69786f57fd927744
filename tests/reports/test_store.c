/* tests/reports/test_store.c - the run of rig.h in a database. */
#include <sys/stat.h>

#include "tests//lib/database.h"
#include "tests/lib/suite.h"

static const char evil[] = "'; drop table jobs; --";

static void test_rows(void)
{
    static const struct {
        const char *sql, *rows;
    } cases[] = {
        { "SELECT id, name, seed, trace_hash, gpus, end_us FROM runs",
          "1|one|42|ffffffffffffffff|32|40000000\n" },
        { "SELECT node, name, type, domain, gpus FROM nodes",
          "0|n1|h100|r1|8\n1|n2|h100|r1|8\n2|n3|h100|r2|8\n3|n4|h100|r2|8\n" },
        { "SELECT job, name, queue, tasks, gang, gpu_milli, submit_us, "
          "start_us, end_us, state, cause, evictions, tier FROM jobs",
          "0|job-0|a|1|1|8000|0|0|10000000|done||0|node\n"
          "1|job-1|b|2|2|8000|0|5000000|25000000|done|order|2|cluster\n"
          "2|job-2|b|8|8|64000|10000000|NULL|10000000|rejected|capacity|0|"
          "NULL\n"
          "3|job-3|a|1|1|1000|10000000|NULL|NULL|partly placed|hoarding|0|"
          "NULL\n"
          "4|job-4|a|1|1|1000|20000000|20000000|NULL|running||0|node\n" },
        { "SELECT job, seq, first_task, tasks, node, devices, start_us, end_us "
          "FROM placements",
          "0|0|0|1|0|255|0|10000000\n"
          "1|0|0|1|1|15|5000000|25000000\n"
          "1|1|1|1|2|15|5000000|25000000\n"
          "4|0|0|1|3|1|20000000|NULL\n" },
        { "SELECT job, preemptions, reason, lost_gpu_us FROM jobs "
          "WHERE job IN (1, 2)",
          "1|1|NULL|24000000\n2|0|it asks for more than the cluster has|0\n" },
        { "SELECT * FROM waits",
          "1|1|capacity|2000000|2000000\n1|1|order|3000000|3000000\n"
          "1|3|hoarding|20000000|20000000\n1|3|quota|10000000|10000000\n" },
        { "SELECT * FROM evictions",
          "1|0|8000000|1|0|preempt|2|1|3000000|24000000\n"
          "1|1|9000000|1|NULL|timeout|1|1|0|0\n" },
        { "SELECT job, queue, cause, wait FROM v_waits WHERE wait > 5",
          "job-3|a|hoarding|20.0\njob-3|a|quota|10.0\n" },
        { "SELECT at, job, queue, \"by\", by_queue, kind, lost, "
          "lost_gpu_hours * 3600 FROM v_evictions",
          "8.0|job-1|b|job-0|a|preempt|3.0|24.0\n"
          "9.0|job-1|b|NULL|NULL|timeout|0.0|0.0\n" },
        { "SELECT preemptions, reason, lost_gpu_hours * 3600 FROM v_jobs "
          "WHERE name = 'job-1'",
          "1|NULL|24.0\n" },
        { "SELECT * FROM deadlocks", "1|0|3|30000000|NULL|1\n" },
        { "SELECT at_us, gpus_busy, jobs_waiting, frag_node_share FROM samples "
          "WHERE at_us IN (0, 20000000)",
          "0|8.0|1.0|0.0\n20000000|9.0|1.0|0.75\n" },
        { "SELECT unit, value FROM metrics WHERE name = 'wait.max' AND scope = "
          "'cluster'",
          "s|5.0\n" },
        { "SELECT run, jobs_done, wait_p95, makespan FROM v_runs",
          "one|2.0|5.0|25.0\n" },
        { "SELECT name, gpus, wait, wait_first, run_time FROM v_jobs "
          "WHERE job = 1",
          "job-1|8.0|5.0|5.0|17.0\n" },
        { "SELECT job, node, domain, \"end\" FROM v_placements WHERE start = 5",
          "job-1|n2|r1|25.0\njob-1|n3|r2|25.0\n" },
        { "SELECT job, gpus, start FROM v_deadlocks", "job-3|1.0|30.0\n" },
        { "SELECT count(*) FROM events", "0\n" },
        { "PRAGMA journal_mode", "wal\n" },
        { "PRAGMA integrity_check", "ok\n" },
        { "PRAGMA foreign_key_check", "" },
        { "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = "
          "'table' AND NOT strict AND name NOT LIKE 'sqlite%'",
          "" },
    };
    static const char *const name[] = { "one", NULL };
    struct database d;

    database_init(&d);
    database_put_all(&d, name);
    for (size_t i = 0; i < N_ELEMENTS(cases); i++)
        CU_ASSERT_STRING_EQUAL(database_ask(&d, cases[i].sql), cases[i].rows);
    database_fini(&d);
}

/* The content of a database, table by table; freed by the caller. */
static char *dumped(const struct database *d)
{
    char *text = NULL, *tables, *rest = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        abort();
    fputs(database_ask(d, "SELECT type, name, sql FROM sqlite_schema"), out);
    tables = strdup(database_ask(d, "SELECT name FROM sqlite_schema "
                                    "WHERE type = 'table' ORDER BY name"));
    for (char *t = strtok_r(tables, "\n", &rest); t;
         t = strtok_r(NULL, "\n", &rest)) {
        char sql[64];

        snprintf(sql, sizeof(sql), "SELECT * FROM %s", t);
        fprintf(out, "%s\n%s", t, database_ask(d, sql));
    }
    free(tables);
    fclose(out);
    return text;
}

/* Store two runs in a new database and return what it then says. */
static char *stored_and_dumped(void)
{
    static const char *const name[] = { "one", evil, NULL };
    struct database d;
    char *text;

    database_init(&d);
    database_put_all(&d, name);
    text = dumped(&d);
    database_fini(&d);
    return text;
}

/* The content does not depend on where and when it was stored. */
static void test_two_databases_say_the_same(void)
{
    char *a = stored_and_dumped(), *b = stored_and_dumped();

    CU_ASSERT(strlen(a) > 10000);
    CU_ASSERT_STRING_EQUAL(a, b);
    free(a);
    free(b);
}

/* Rows read back as written, whatever the name of the run. */
static void test_read_back(void)
{
    static const char *const name[] = { "<script>", evil, "\xc3\xa9", NULL };
    struct report_stored_metric *stored;
    const struct report_metric *row;
    struct report_stored_run *run;
    uint32_t runs, rows, count, found = 0;
    struct report_store *s;
    struct database d;
    struct rig r;

    database_init(&d);
    database_put_all(&d, name);
    rig_run(&r);
    row = report_metrics_rows(r.metrics, r.log, 8, r.arena, &rows);
    s = report_store_open_readonly(d.path, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_EQUAL(report_store_runs(s, r.arena, &run, &runs, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(runs, 3);
    for (uint32_t i = 0; i < runs; i++) {
        CU_ASSERT_EQUAL(run[i].id, i + 1);
        CU_ASSERT_STRING_EQUAL(run[i].name, name[i]);
        CU_ASSERT_STRING_EQUAL(run[i].policy, "binpack");
    }
    CU_ASSERT_EQUAL(report_store_metrics(s, 2, r.arena, &stored, &count, NULL),
                    0);
    CU_ASSERT_EQUAL_FATAL(count, rows);
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t k = 0; k < count; k++)
            found += strcmp(row[i].name, stored[k].name) == 0
                     && strcmp(row[i].scope, stored[k].scope) == 0
                     && strcmp(row[i].label, stored[k].label) == 0
                     && strcmp(report_unit_name(row[i].unit), stored[k].unit)
                            == 0
                     && row[i].value == stored[k].value;
    }
    CU_ASSERT_EQUAL(found, rows);
    CU_ASSERT_EQUAL(report_store_metrics(s, 4, r.arena, &stored, &count, NULL),
                    0);
    CU_ASSERT_EQUAL(count, 0);
    report_store_close(s);
    rig_fini(&r);
    database_fini(&d);
}

/* A closed database is one complete file, closed by a writer or a reader. */
static void test_at_rest(void)
{
    static const char *const suffix[] = { "-wal", "-shm", "-journal" };
    static const char *const name[] = { "one", NULL }, *const two[] = { "two",
                                                                        NULL };
    struct database d;

    database_init(&d);
    database_put_all(&d, name);
    database_put_all(&d, two); /* this one in WAL mode */
    report_store_close(report_store_open_readonly(d.path, NULL));
    for (size_t i = 0; i < N_ELEMENTS(suffix); i++) {
        char path[96];

        snprintf(path, sizeof(path), "%s%s", d.path, suffix[i]);
        CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
    }
    CU_ASSERT_STRING_EQUAL(database_ask(&d, "PRAGMA journal_mode"), "wal\n");
    CU_ASSERT_STRING_EQUAL(database_ask(&d, "SELECT name FROM runs"),
                           "one\ntwo\n");
    database_fini(&d);
}

/* In a read-only folder a database can be read. */
static void test_read_only_folder(void)
{
    static const char *const name[] = { "one", NULL };
    struct gs_err made = { 0 }, written = { 0 };
    struct report_store *s;
    struct database d;
    char folder[64];

    if (geteuid() == 0)
        return; /* root may write anywhere */
    database_init(&d);
    strcpy(folder, d.path);
    *strrchr(folder, '/') = '\0';
    CU_ASSERT_EQUAL_FATAL(chmod(folder, 0500), 0);
    CU_ASSERT_PTR_NULL(report_store_open(d.path, &made));
    CU_ASSERT_EQUAL(made.code, GS_IO);
    CU_ASSERT_STRING_EQUAL(made.problem[0].text,
                           "cannot be made: Permission denied");
    CU_ASSERT_EQUAL_FATAL(chmod(folder, 0700), 0);
    database_put_all(&d, name);
    CU_ASSERT_EQUAL_FATAL(chmod(folder, 0500), 0);
    CU_ASSERT_PTR_NULL(report_store_open(d.path, &written));
    CU_ASSERT_EQUAL(written.code, GS_IO);
    s = report_store_open_readonly(d.path, NULL);
    CU_ASSERT_PTR_NOT_NULL(s);
    report_store_close(s);
    CU_ASSERT_EQUAL_FATAL(chmod(folder, 0700), 0);
    database_fini(&d);
}

static void test_two_runs_are_the_same_rows(void)
{
    static const char *const name[] = { "one", evil, NULL };
    static const char *const table[] = {
        "nodes",   "job_rows",  "jobs",  "placements", "samples",
        "metrics", "deadlocks", "waits", "evictions"
    };
    struct database d;

    database_init(&d);
    database_put_all(&d, name);
    for (size_t i = 0; i < N_ELEMENTS(table); i++) {
        char sql[64], *first;

        snprintf(sql, sizeof(sql), "SELECT * FROM %s WHERE run_id = 1",
                 table[i]);
        first = strdup(database_ask(&d, sql));
        snprintf(sql, sizeof(sql), "SELECT 1, t.* FROM %s t WHERE run_id = 2",
                 table[i]);
        for (const char *a = first, *b = database_ask(&d, sql); *a;) {
            CU_ASSERT_EQUAL_FATAL(strncmp(b, "1|2|", 4), 0);
            b += 4;
            CU_ASSERT_EQUAL_FATAL(strncmp(a, "1|", 2), 0);
            a += 2;
            CU_ASSERT_EQUAL_FATAL(strncmp(a, b, strcspn(a, "\n") + 1), 0);
            b += strcspn(a, "\n") + 1;
            a += strcspn(a, "\n") + 1;
        }
        free(first);
    }
    CU_ASSERT_STRING_EQUAL(
        database_ask(&d, "SELECT name FROM runs ORDER BY id"),
        "one\n'; drop table jobs; --\n");
    database_fini(&d);
}

/* Tasks of a job that was evicted come back in several heaps. */
static void test_rows_are_in_order(void)
{
    static const struct {
        int64_t start, end;
        uint32_t task, node;
    } told[] = { { 5, 6, 1, 3 }, { 5, 6, 0, 1 }, { 8, 9, 1, 0 }, { 8, 9, 0, 2 },
                 { 9, 9, 0, 3 }, { 9, 9, 1, 2 }, { 9, 9, 0, 1 } };
    struct report_store *s;
    struct database d;
    struct rig r;

    database_init(&d);
    rig_init(&r);
    rig_job(&r, "a", 0, 1, 1, 1);
    rig_job(&r, "a", 0, 1, 2, 1);
    rig_begin(&r, true);
    for (size_t i = 0; i < N_ELEMENTS(told); i++) {
        const struct report_allocation span = { .job = 1,
                                                .node = told[i].node,
                                                .first_task = told[i].task,
                                                .tasks = 1,
                                                .placed_at = told[i].start };

        r.log->observer.placed(r.log, told[i].start, &span);
        r.log->observer.released(r.log, told[i].end, &span);
    }
    r.log->observer.node(
        r.log, 3,
        &(struct report_node){ 2, UINT32_MAX, REPORT_NODE_ABSENT, true });
    r.log->observer.node(
        r.log, 4, &(struct report_node){ 1, 3, REPORT_NODE_FAILED, false });
    r.log->observer.node(
        r.log, 7, &(struct report_node){ 1, 3, REPORT_NODE_OPEN, false });
    r.log->observer.submitted(r.log, 9, 0);
    r.log->observer.evicted(r.log, 9,
                            &(struct report_eviction){ .job = 1, .by = 0 });
    rig_finished(&r, 0);
    s = report_store_open(d.path, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_EQUAL(database_put(s, &r, "x", NULL), 0);
    report_store_close(s);
    CU_ASSERT_STRING_EQUAL(
        database_ask(&d, "SELECT seq, start_us, first_task, node FROM "
                         "placements WHERE job = 1"),
        "0|5|0|1\n1|5|1|3\n2|8|0|2\n3|8|1|0\n4|9|0|3\n5|9|0|1\n6|9|1|2\n");
    CU_ASSERT_STRING_EQUAL(
        database_ask(&d, "SELECT * FROM events WHERE seq IN (0, 1, 14, 15)"),
        "1|0|5|place|1|3|1\n1|1|6|release|1|3|1\n1|14|9|submit|0|NULL|0\n"
        "1|15|9|evict|1|NULL|0\n");
    CU_ASSERT_STRING_EQUAL(database_ask(&d, "SELECT * FROM outages"),
                           "1|0|3|2|NULL|absent|1\n1|1|4|1|3|failed|0\n"
                           "1|2|7|1|3|open|0\n");
    CU_ASSERT_STRING_EQUAL(
        database_ask(&d, "SELECT at * 1e6, \"end\" * 1e6, device, state, gpus "
                         "FROM v_outages WHERE device IS NOT NULL"),
        "4.0|7.0|3|failed|1\n7.0|NULL|3|open|1\n");
    rig_fini(&r);
    database_fini(&d);
}

static void test_names(void)
{
    static const char *const name[] = { "one", evil, "\033[31m", NULL };
    struct gs_err err = { 0 };
    struct report_store *s;
    struct database d;
    char text[400];
    struct rig r;

    database_init(&d);
    database_put_all(&d, name);
    rig_run(&r);
    s = report_store_open(d.path, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_EQUAL(report_store_check_name(s, "two", &err), 0);
    CU_ASSERT_EQUAL(err.code, GS_OK);
    CU_ASSERT_EQUAL(report_store_check_name(s, "one", &err), -1);
    CU_ASSERT_EQUAL(err.code, GS_USAGE);
    gs_err_format(&err, 0, text, sizeof(text));
    CU_ASSERT_PTR_NOT_NULL(strstr(
        text, "has a run 'one' already (there are: one, '; drop table jobs; "
              "--, ?[31m)"));
    memset(&err, 0, sizeof(err));
    /* another process was faster */
    CU_ASSERT_EQUAL(database_put(s, &r, "one", &err), -1);
    CU_ASSERT_EQUAL(err.code, GS_USAGE);
    CU_ASSERT_EQUAL(database_put(s, &r, "two", NULL), 0);
    report_store_close(s);
    CU_ASSERT_STRING_EQUAL(database_ask(&d, "SELECT count(*) FROM jobs"),
                           "20\n");
    rig_fini(&r);
    database_fini(&d);
}

static void test_names_are_cut_short(void)
{
    struct database d;
    char name[64], buf[40];
    const char *const names[] = { "a", name, "b", NULL };
    struct report_store *s;

    memset(name, 'x', sizeof(name));
    name[sizeof(name) - 1] = '\0';
    database_init(&d);
    database_put_all(&d, names);
    s = report_store_open_readonly(d.path, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_STRING_EQUAL(report_store_names(s, buf, sizeof(buf)), "a, ...");
    report_store_close(s);
    database_fini(&d);
}

static void test_no_run_no_file(void)
{
    struct database d;
    struct report_store *s;

    database_init(&d);
    s = report_store_open(d.path, NULL);
    CU_ASSERT_PTR_NOT_NULL(s);
    report_store_close(s);
    CU_ASSERT_NOT_EQUAL(access(d.path, F_OK), 0);
    database_fini(&d);
}

/* One of two processes gives up and deletes the file while the other still
 * simulates.
 */
static void test_removed_while_open(void)
{
    struct report_store *a, *b;
    struct database d;
    struct rig r;

    database_init(&d);
    rig_run(&r);
    a = report_store_open(d.path, NULL);
    b = report_store_open(d.path, NULL);
    report_store_close(a);
    CU_ASSERT_NOT_EQUAL(access(d.path, F_OK), 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(b);
    CU_ASSERT_EQUAL(database_put(b, &r, "one", NULL), 0);
    (void)unlink(d.path); /* and now the user does */
    CU_ASSERT_EQUAL(database_put(b, &r, "one", NULL), 0);
    report_store_close(b);
    CU_ASSERT_STRING_EQUAL(database_ask(&d, "SELECT name FROM runs"), "one\n");
    rig_fini(&r);
    database_fini(&d);
}

/* After a failure in the middle of a run, nothing of it is stored; other runs
 * stay.
 */
static void test_failure_leaves_whole_runs(void)
{
    static const char *const name[] = { "one", NULL };
    struct gs_err err = { 0 };
    struct report_store *s;
    struct database d;
    struct rig r;

    database_init(&d);
    database_put_all(&d, name);
    database_ask(&d, "CREATE UNIQUE INDEX one_row ON metrics((1))"
                     " WHERE run_id = 2");
    rig_run(&r);
    s = report_store_open(d.path, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_EQUAL(database_put(s, &r, "two", &err), -1);
    CU_ASSERT_EQUAL(err.code, GS_IO);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(err.problem[0].text, "cannot store run 'two': UNIQUE"));
    report_store_close(s);
    CU_ASSERT_STRING_EQUAL(
        database_ask(&d, "SELECT (SELECT group_concat(name) FROM runs), "
                         "(SELECT count(*) FROM jobs)"),
        "one|5\n");
    rig_fini(&r);
    database_fini(&d);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "rows of each table and view are those of the run", test_rows },
        { "two runs of the same inputs store the same rows",
          test_two_runs_are_the_same_rows },
        { "a database does not tell where or when it was stored",
          test_two_databases_say_the_same },
        { "a stored run reads back", test_read_back },
        { "a closed database is one file", test_at_rest },
        { "a database in a read-only folder is read", test_read_only_folder },
        { "placements are stored in order", test_rows_are_in_order },
        { "a run may have any name, once", test_names },
        { "a list of names is cut to its buffer", test_names_are_cut_short },
        { "a database without a run leaves no file", test_no_run_no_file },
        { "a run is stored though its file was removed meanwhile",
          test_removed_while_open },
        { "a failed store leaves whole runs", test_failure_leaves_whole_runs },
    };

    return suite_run("reports/store", cases, N_ELEMENTS(cases));
}
