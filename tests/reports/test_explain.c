/* tests/reports/test_explain.c - a job's page, its JSON, and the job that is
 * meant.
 */
#include <jansson.h>

#include "base/text.h"
#include "reports/explain/explain.h"
#include "tests/lib/database.h"
#include "tests/lib/suite.h"

static const struct report_layout page = { REPORT_TABLE, 80, false, false };
static const struct report_layout json = { REPORT_JSON, 80, false, false };

/* The run of rig.h as `one`, then changed by `sql` (NULL: not). */
static void explain_init(struct database *d, const char *sql)
{
    struct report_store *s;
    struct rig r;

    database_init(d);
    s = report_store_open(d->path, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    rig_run(&r);
    CU_ASSERT_EQUAL(database_put(s, &r, "one", NULL), 0);
    report_store_close(s);
    rig_fini(&r);
    if (sql) {
        database_make_old(d);
        database_ask(d, sql);
    }
}

/* The page of the job, or the error; freed by the caller. */
static char *explained(const struct database *d, const char *run,
                       const char *job, const struct report_layout *l)
{
    struct gs_arena *arena = gs_arena_create(1 << 14);
    struct report_store *s = report_store_open_readonly(d->path, NULL);
    struct report_explained e;
    struct gs_err err = { 0 };
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (!s || !out)
        abort();
    if (report_explain(s, run, job, arena, &e, &err) == 0)
        report_explain_print(&e, l, out);
    else
        fprintf(out, "%d %s", (int)err.code, err.problem[0].text);
    fclose(out);
    report_store_close(s);
    gs_arena_destroy(arena);
    return text;
}

static void expect(const struct database *d, const char *run, const char *job,
                   const char *wanted)
{
    char *text = explained(d, run, job, &page);

    CU_ASSERT_STRING_EQUAL(text, wanted);
    if (strcmp(text, wanted) != 0)
        printf("\n%s\n", text);
    free(text);
}

/* clang-format off */
static const struct {
    const char *job, *text;
} pages[] = {
    { "job-1",
      "job-1 (job 1) in run one, policy binpack: done\n"
      "\n"
      "asked      2 tasks, 8 GPUs in all\n"
      "queue      b\n"
      "submitted  0s\n"
      "started    5s, 5s later, across the cluster\n"
      "ended      25s, 20s later (done)\n"
      "\n"
      "Waited 5s for\n"
      "  order                    3s   60.0 %  jobs ahead of it went first\n"
      "  capacity                 2s   40.0 %  less was free than it asks for\n"
      "\n"
      "Time line from its submission at 0s\n"
      "  0s             5s             10s            15s            20s\n"
      "  |--------------+--------------+--------------+--------------+--------------|\n"
      "  ooooooooocccccc#############################################################\n"
      "                 ^        v  v                                               x\n"
      "  c capacity  o order  -- causes by share, not by time\n"
      "  # runs  ^ starts  v gives back  x done\n"
      "\n"
      "Held\n"
      "  from  to     node  in  task no.  GPU no.\n"
      "  5s    25s    n2    r1  0         0-3\n"
      "  5s    25s    n3    r2  1         0-3\n"
      "\n"
      "Gave back 2 times, 0.01 GPU h of work lost\n"
      "  8s  preempt: all its 2 tasks, for job-0 (job 0, queue a); 3s of work lost (0.01 GPU h)\n"
      "  9s  timeout: all its 1 task, its gang not being complete in time\n" },
    { "job-2",
      "job-2 (job 2) in run one, policy binpack: rejected\n"
      "\n"
      "asked      8 tasks, 64 GPUs in all\n"
      "queue      b\n"
      "submitted  10s\n"
      "rejected   10s\n"
      "because    it asks for more than the cluster has\n" },
    { "3",
      "job-3 (job 3) in run one, policy binpack: partly placed\n"
      "\n"
      "asked      1 task, 1 GPU in all\n"
      "queue      a\n"
      "submitted  10s\n"
      "ended      not when the run did, at 40s (partly placed)\n"
      "deadlocked since 30s for ever; job-3\n"
      "\n"
      "Has waited 30s for\n"
      "  hoarding                20s   66.7 %  partially allocated jobs held what it lacks\n"
      "  quota                   10s   33.3 %  its queue or user may not hold more\n"
      "  deadlock           for ever           since 30s; the times above end with the run\n"
      "\n"
      "Time line from its submission at 10s\n"
      "  0s          5s           10s          15s         20s          25s\n"
      "  |-----------+------------+------------+-----------+------------+-----------|\n"
      "  hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhqqqqqqqqqqqqqqqqqqqqqqqqq\n"
      "                                                                             >\n"
      "  q quota  h hoarding  -- causes by share, not by time\n"
      "  > goes on\n" },
    { "#4",
      "job-4 (job 4) in run one, policy binpack: running\n"
      "\n"
      "asked      1 task, 1 GPU in all\n"
      "queue      a\n"
      "submitted  20s\n"
      "started    20s, 0s later, within one node\n"
      "ended      not when the run did, at 40s (running)\n"
      "\n"
      "Time line from its submission at 20s\n"
      "  0s                 5s                 10s                15s\n"
      "  |------------------+------------------+------------------+-----------------|\n"
      "  ############################################################################\n"
      "  ^                                                                          >\n"
      "  # runs  ^ starts  > goes on\n"
      "\n"
      "Held\n"
      "  from  to     node  in  task no.  GPU no.\n"
      "  20s   (end)  n4    r2  0         0\n" },
};
/* clang-format on */

static void test_pages(void)
{
    struct database d;

    explain_init(&d, NULL);
    for (size_t i = 0; i < N_ELEMENTS(pages); i++)
        expect(&d, "one", pages[i].job, pages[i].text);
    database_fini(&d);
}

/* Parts of the page after changes of the database. */
static void test_parts(void)
{
    static const struct {
        const char *sql, *job, *part;
    } cases[] = {
        { "DELETE FROM waits WHERE cause = 'order'", "1",
          "  -                        3s   60.0 %  no cause is known; at last it "
          "was order\n" },
        { "UPDATE jobs SET gpu_milli = 1250, gang = 1, priority = 'high', "
          "user = 'eve'",
          "1",
          "2 tasks (a gang of 1), 1.250 GPUs in all\nqueue      b\n"
          "priority   high\nuser       eve\n" },
        { "UPDATE placements SET devices = -9223372036854775789, task_group = "
          "first_task, tasks = 3",
          "1", "r2  1:1-3     0-1,4,63\n" },
        { "UPDATE placements SET devices = 0", "4", "r2  0         -\n" },
        { "UPDATE placements SET devices = 6148914691236517205", "4",
          "0,2,4,6,8,10" },
        { "UPDATE nodes SET domain = ''", "4", "node  task no.  GPU no.\n" },
        { "DELETE FROM nodes", "4", "node 3" },
        { "UPDATE evictions SET whole = 0, kind = 'reclaim'", "1",
          "reclaim: 2 tasks above its gang, for job-0 (job 0, queue a); 3s" },
        { "UPDATE evictions SET by_job = 77", "1", "for job 77 (job 77);" },
        { "UPDATE jobs SET state = 'failed', reason = 'was evicted too often'",
          "0",
          "ended      10s, 10s later (failed)\n"
          "because    was evicted too often\n" },
        { "INSERT INTO placements SELECT run_id, job, seq + 100 + n.node + 4 "
          "* m.node + 16 * k.node, 0, 0, 1, 0, 1, 5, 6, 1000, NULL FROM placements JOIN "
          "nodes n USING (run_id) JOIN nodes m USING (run_id) JOIN nodes k "
          "USING (run_id) WHERE job = 4",
          "4", "... and 25 more (all with --format json)\n" },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct database d;
        char *text;

        explain_init(&d, cases[i].sql);
        text = explained(&d, "one", cases[i].job, &page);
        CU_ASSERT_PTR_NOT_NULL(strstr(text, cases[i].part));
        if (!strstr(text, cases[i].part))
            printf("\n%s\n", text);
        free(text);
        database_fini(&d);
    }
}

/* Which job is found by a name, and the message when there is none. */
static void test_names(void)
{
    static const char twins[] =
        "UPDATE jobs SET name = CASE job WHEN 0 THEN '4' WHEN 1 THEN 'x' "
        "WHEN 2 THEN 'x' WHEN 3 THEN '''; drop--' ELSE '#9' END";
    static const struct {
        const char *sql, *run, *job, *text;
    } cases[] = {
        { NULL, "ome", "job-1",
          "2 no run is called 'ome' (did you mean 'one'?)" },
        { NULL, "binpack", "job-1",
          "2 no run is called 'binpack' (there are: one)" },
        { NULL, "one", "jbo-1",
          "2 run 'one' has no job 'jbo-1' (did you mean 'job-1'?)" },
        { NULL, "one", "5",
          "2 run 'one' has no job '5' (its jobs are numbered 0 to 4)" },
        { NULL, "one", "99999999999999999999",
          "2 run 'one' has no job '99999999999999999999' (its jobs are "
          "numbered 0 to 4)" },
        { NULL, "one", "\033[31m", "2 run 'one' has no job '?[31m'" },
        { "DELETE FROM jobs", "one", "x", "2 run 'one' has no jobs" },
        { "DELETE FROM runs", "one", "x", "2 holds no runs" },
        { twins, "one", "x",
          "2 several jobs are called 'x': give a number (#1, #2)" },
        { twins, "one", "4", "4 (job 0) in run" },
        { twins, "one", "#4", "#9 (job 4) in run" },
        { twins, "one", "#9", "#9 (job 4) in run" },
        { twins, "one", "'; drop--", "'; drop-- (job 3) in run" },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct database d;
        char *text;

        explain_init(&d, cases[i].sql);
        text = explained(&d, cases[i].run, cases[i].job, &page);
        CU_ASSERT_EQUAL(strncmp(text, cases[i].text, strlen(cases[i].text)), 0);
        if (strncmp(text, cases[i].text, strlen(cases[i].text)) != 0)
            printf("\n%s\n", text);
        free(text);
        database_fini(&d);
    }
}

static void test_json(void)
{
    struct database d;
    json_t *all;
    json_int_t us = 0;
    char *text;

    explain_init(&d, "UPDATE jobs SET queue = '\"<\033', name = 'a' || "
                     "cast(x'ff' AS TEXT) WHERE job = 1");
    text = explained(&d, "one", "1", &json);
    all = json_loads(text, 0, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(all);
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(all, "queue")),
                           "\"<?");
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(all, "name")),
                           "a?");
    for (size_t i = 0; i < json_array_size(json_object_get(all, "waits")); i++)
        us += json_integer_value(json_object_get(
            json_array_get(json_object_get(all, "waits"), i), "us"));
    CU_ASSERT_EQUAL(us, json_integer_value(json_object_get(all, "waited_us")));
    CU_ASSERT_EQUAL(json_array_size(json_object_get(all, "placements")), 2);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(all, "evictions")), 2);
    json_decref(all);
    free(text);
    database_fini(&d);
}

/* Hostile texts in the tables are safe to print. */
static void test_hostile(void)
{
    static const char *const sql[] = {
        "UPDATE jobs SET name = char(27) || '[31m' || char(10), user = "
        "char(7), state = char(8), reason = char(155), tier = '%s%n'",
        "UPDATE nodes SET name = char(27), domain = char(13)",
        "UPDATE jobs SET submit_us = 9223372036854775807, start_us = "
        "-9223372036854775807, end_us = 9223372036854775807, gang = -1, tasks "
        "= -9223372036854775807, gpu_milli = 9223372036854775807, lost_gpu_us "
        "= 9223372036854775807",
        "UPDATE waits SET us = 9223372036854775807, cause = char(27) || cause",
        "UPDATE evictions SET at_us = -1, by_job = -9223372036854775807, kind "
        "= char(27), tasks = -1, lost_us = 9223372036854775807",
        "UPDATE placements SET first_task = 9223372036854775807, tasks = "
        "9223372036854775807, start_us = -5, end_us = 9223372036854775807",
        "UPDATE runs SET policy = char(27), end_us = -9223372036854775807",
    };

    for (size_t i = 0; i < N_ELEMENTS(sql); i++) {
        struct database d;

        explain_init(&d, sql[i]);
        for (int job = 0; job < 5; job++) {
            char number[16], *text;

            snprintf(number, sizeof(number), "#%d", job);
            text = explained(&d, "one", number, &page);
            CU_ASSERT(strlen(text) > 100);
            for (char *line = strtok(text, "\n"); line;
                 line = strtok(NULL, "\n"))
                CU_ASSERT(gs_text_is_clean(line, strlen(line)));
            free(text);
            text = explained(&d, "one", number, &json);
            CU_ASSERT_EQUAL(text[0], '{');
            free(text);
        }
        database_fini(&d);
    }
}

static void test_colour(void)
{
    const struct report_layout colour = { REPORT_TABLE, 80, true, false };
    struct database d;
    char *text;

    explain_init(&d, NULL);
    text = explained(&d, "one", "1", &colour);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\033[1mWaited \033[0m"));
    free(text);
    database_fini(&d);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "each job has its page", test_pages },
        { "a part of the page stands only where there is something",
          test_parts },
        { "a job is found by name or number", test_names },
        { "JSON has the whole page", test_json },
        { "hostile texts are shown harmless", test_hostile },
        { "headings are bold in colour", test_colour },
    };

    return suite_run("reports/explain", cases, N_ELEMENTS(cases));
}
