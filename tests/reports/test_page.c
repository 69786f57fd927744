/* tests/reports/test_page.c - what a page shows, and how it writes names. */
#include <math.h>

#include "base/arena.h"
#include "reports/page/page_private.h"
#include "tests/lib/database.h"
#include "tests/lib/suite.h"

/* --- texts ---------------------------------------------------------------- */

static const struct {
    const char *text, *html, *gnuplot, *tic;
} texts[] = {
    { "", "", "\"\"", "\"\"" },
    { "plain text", "plain text", "\"plain text\"", "\"plain text\"" },
    { "<b>&\"'", "&lt;b&gt;&amp;&quot;&#39;", "\"\\074b\\076\\046\\042\\047\"",
      "\"\\074b\\076\\046\\042\\047\"" },
    { "`id`\"; system \"id", "`id`&quot;; system &quot;id",
      "\"\\140id\\140\\042\\073 system \\042id\"",
      "\"\\140id\\140\\042\\073 system \\042id\"" },
    /* a digit after an escape would be part of it */
    { "2-7%d", "2-7%d", "\"\\062\\055\\067\\045d\"",
      "\"\\062\\055\\067\\045\\045d\"" },
    { "\xc3\xa9", "\xc3\xa9", "\"\\303\\251\"", "\"\\303\\251\"" },
};

static void check_writer(void (*write)(const char *, FILE *), const char *text,
                         const char *want)
{
    char *got = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&got, &size);

    if (!out)
        abort();
    write(text, out);
    fclose(out);
    CU_ASSERT_STRING_EQUAL(got, want);
    free(got);
}

static void test_texts(void)
{
    for (size_t i = 0; i < N_ELEMENTS(texts); i++) {
        check_writer(page_html, texts[i].text, texts[i].html);
        check_writer(report_gnuplot_string, texts[i].text, texts[i].gnuplot);
        check_writer(report_gnuplot_tic, texts[i].text, texts[i].tic);
    }
}

static void write_uri(const char *s, FILE *out)
{
    page_uri(s, strlen(s), out);
}

static void test_uri(void)
{
    check_writer(write_uri, "a,1.5\n", "a,1.5%0A");
    check_writer(write_uri, "\"#%<&", "%22%23%25%3C%26");
    check_writer(write_uri, "\xff", "%FF");
}

/* --- pictures ------------------------------------------------------------- */

/* A page of one run whose rows some SQL has changed. */
struct fixture {
    struct database d;
    struct gs_arena *arena;
    struct report_store *store;
    struct report_page *page;
};

static void fixture_init(struct fixture *f, const char *const *sql, size_t n)
{
    struct report_store *s;
    struct rig r;

    database_init(&f->d);
    s = report_store_open(f->d.path, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    rig_run(&r);
    CU_ASSERT_EQUAL(database_put(s, &r, "<b>run</b>", NULL), 0);
    report_store_close(s);
    rig_fini(&r);
    if (n)
        database_make_old(&f->d);
    for (size_t i = 0; i < n; i++)
        CU_ASSERT_STRING_EQUAL(database_ask(&f->d, sql[i]), "");
    f->arena = gs_arena_create(1 << 14);
    f->store = report_store_open_readonly(f->d.path, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f->store);
    f->page = report_page_create(f->arena);
    CU_ASSERT_EQUAL(report_page_take(f->page, &f->store, 1, NULL, 0, NULL), 0);
    CU_ASSERT_EQUAL(report_page_group(f->page, REPORT_BY_SEED, NULL), 0);
}

static void fixture_fini(struct fixture *f)
{
    report_store_close(f->store);
    gs_arena_destroy(f->arena);
    database_fini(&f->d);
}

static const struct page_picture *picture(const char *name)
{
    for (size_t i = 0; page_picture_at(i); i++) {
        if (strcmp(page_picture_at(i)->name, name) == 0)
            return page_picture_at(i);
    }
    abort();
}

static struct page_data data_of(struct fixture *f, const char *name)
{
    struct page_data d;

    CU_ASSERT_EQUAL(page_data_read(f->page, picture(name), &d, NULL), 0);
    return d;
}

/* The schema can answer every query, with no more rows than a picture can show.
 */
static void test_queries(void)
{
    struct fixture f;

    fixture_init(&f, NULL, 0);
    for (size_t i = 0; page_picture_at(i); i++) {
        const struct page_data d = data_of(&f, page_picture_at(i)->name);

        CU_ASSERT_TRUE(d.columns >= 2 && d.columns <= PAGE_COLUMNS);
        CU_ASSERT_TRUE(d.run[0].rows < PAGE_ROWS);
    }
    fixture_fini(&f);
}

static void test_long_run(void)
{
    static const char *const sql[] = {
        "DELETE FROM samples",
        "DELETE FROM jobs",
        "UPDATE runs SET from_us = 0, to_us = 2048000000, end_us = 2048000000",
        "WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n"
        " WHERE i < 2047) INSERT INTO samples SELECT 1, i * 1000000, 4, 3, 1,"
        " 2, 2, 0.5, 0.25, i / 2048.0, 0, 0 FROM n",
        "WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n"
        " WHERE i < 9999) "
        "INSERT INTO jobs (run_id, job, name, queue, user, priority, tasks,"
        " gang, gpu_milli, submit_us, start_us, end_us, state, cause,"
        " evictions, tier, preemptions, reason, lost_gpu_us)"
        " SELECT 1, i, 'j', 'q', 'u', '', 1,"
        " 1, 1000, 0, i * 1000000, NULL, 'running', '', 0, NULL, 0, NULL, 0"
        " FROM n",
    };
    struct page_data d;
    struct fixture f;

    fixture_init(&f, sql, N_ELEMENTS(sql));
    d = data_of(&f, "occupancy");
    CU_ASSERT_TRUE(d.run[0].rows > 300 && d.run[0].rows <= 600);
    CU_ASSERT_EQUAL(d.run[0].row[5][1], 3);
    CU_ASSERT_EQUAL(d.run[0].row[5][2], 1);
    d = data_of(&f, "wait-cdf");
    CU_ASSERT_TRUE(d.run[0].rows <= 402);
    CU_ASSERT_EQUAL(d.run[0].row[0][0], 1); /* a wait of 0 s */
    CU_ASSERT_EQUAL(d.run[0].row[d.run[0].rows - 1][0], 9999);
    CU_ASSERT_EQUAL(d.run[0].row[d.run[0].rows - 1][1], 100);
    fixture_fini(&f);
}

static void test_causes(void)
{
    static const char *const sql[] = {
        "DELETE FROM metrics",
        "INSERT INTO metrics " METRIC_COLUMNS " VALUES"
        " (1, 'wait.by_cause.quota', 'cluster', '', 's', 3600),"
        " (1, 'wait.by_cause.order', 'cluster', '', 's', 7200)",
    };
    struct page_data d;
    struct fixture f;

    fixture_init(&f, sql, N_ELEMENTS(sql));
    d = data_of(&f, "wait-by-cause");
    CU_ASSERT_EQUAL_FATAL(d.run[0].rows, 2);
    CU_ASSERT_STRING_EQUAL(d.label[1], "order");
    CU_ASSERT_EQUAL(d.run[0].row[1][1], 6);
    CU_ASSERT_EQUAL(d.run[0].row[1][2], 3600);
    CU_ASSERT_EQUAL(d.run[0].row[1][3], 10800);
    CU_ASSERT_EQUAL(d.max[3], 10800);
    fixture_fini(&f);
}

static void test_deadlocks(void)
{
    static const char *const sql[] = {
        "DELETE FROM samples",
        "DELETE FROM deadlocks",
        ("INSERT INTO deadlocks VALUES"
         " (1, 0, 0, 1000000, 3000000, 0),"
         " (1, 0, 1, 1000000, 3000000, 0),"
         " (1, 1, 0, 5000000, NULL, 1)"),
    };
    struct page_data d;
    struct fixture f;

    fixture_init(&f, sql, N_ELEMENTS(sql));
    d = data_of(&f, "episodes");
    CU_ASSERT_EQUAL_FATAL(d.run[0].rows, 2);
    CU_ASSERT_EQUAL(d.run[0].row[0][1], 5);
    CU_ASSERT_EQUAL(d.run[0].row[0][2], -1); /* for ever, so the longest */
    CU_ASSERT_EQUAL(d.run[0].row[1][2], 3);
    CU_ASSERT_EQUAL(d.run[0].row[1][3], 2);
    fixture_fini(&f);
}

static void test_map(void)
{
    static const char *const sql[] = {
        "DELETE FROM placements",
        "DELETE FROM jobs",
        "UPDATE runs SET end_us = 300000000",
        "DELETE FROM nodes",
        "WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n"
        " WHERE i < 239) INSERT INTO nodes SELECT 1, i, 'n' || i, 't', '', 4,"
        " 'm' FROM n",
        "INSERT INTO jobs (run_id, job, name, queue, user, priority, tasks,"
        " gang, gpu_milli, submit_us, start_us, end_us, state, cause,"
        " evictions, tier, preemptions, reason, lost_gpu_us)"
        " VALUES (1, 0, 'j', 'q', 'u', '', 1, 1, 1000, 0,"
        " 100000000, NULL, 'running', '', 0, NULL, 0, NULL, 0)",
        "INSERT INTO placements VALUES (1, 0, 0, 0, 0, 1, 2, 3, 50000000,"
        " 200000000, 1000, NULL), (1, 0, 1, 0, 1, 1, 2, 6, 150000000, NULL,"
        " 1000, NULL)",
    };
    struct fixture f;
    struct page_map m;
    const struct page_node *n;

    fixture_init(&f, sql, N_ELEMENTS(sql));
    CU_ASSERT_EQUAL(page_map_read(f.page, 0, &m, NULL), 0);
    CU_ASSERT_EQUAL(m.why, PAGE_ALL);
    CU_ASSERT_EQUAL(m.of, 240);
    CU_ASSERT_EQUAL_FATAL(m.nodes, PAGE_NODES);
    n = &m.node[1];
    CU_ASSERT_STRING_EQUAL(n->name, "n2"); /* every other one */
    CU_ASSERT_EQUAL(page_map_free(n, 49), 4);
    CU_ASSERT_EQUAL(page_map_free(n, 50), 2);
    CU_ASSERT_EQUAL(n->hoarded[99], 3);
    CU_ASSERT_EQUAL(n->hoarded[100], 0);
    CU_ASSERT_EQUAL(page_map_free(n, 199), 1); /* one device is shared */
    CU_ASSERT_EQUAL(page_map_free(n, 299), 2);
    fixture_fini(&f);
}

/* --- all of it ------------------------------------------------------------ */

static void test_page(void)
{
    struct fixture f;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        abort();
    fixture_init(&f, NULL, 0);
    CU_ASSERT_EQUAL(report_page_write(f.page, out, NULL), 0);
    fclose(out);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "&lt;b&gt;run&lt;/b&gt;"));
    CU_ASSERT_PTR_NULL(strstr(text, "<b>run"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "</html>"));
    free(text);
    fixture_fini(&f);
}

/* The verdict on two runs whose metrics are given as SQL values. */
static char *verdict(const char *metrics)
{
    static const char copy[] =
        "INSERT INTO runs (id, name, status, version, policy, profile,"
        " topology, topology_hash, trace, trace_hash, seed, options, gpus,"
        " end_us)"
        " SELECT 2, 'other', status, version, policy, profile,"
        " topology, topology_hash, trace, trace_hash, seed, options, gpus,"
        " end_us FROM runs";
    const char *const sql[] = { "DELETE FROM metrics", copy, metrics };
    struct fixture f;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        abort();
    fixture_init(&f, sql, N_ELEMENTS(sql));
    page_rank_prepare(f.page);
    page_verdict(f.page, out);
    fclose(out);
    fixture_fini(&f);
    return text;
}

static void test_verdict(void)
{
    char *text = verdict("INSERT INTO metrics " METRIC_COLUMNS " VALUES"
                         " (1, 'wait.mean', 'cluster', '', 's', 50),"
                         " (2, 'wait.mean', 'cluster', '', 's', 100),"
                         " (1, 'wait.mean', 'size', '8', 's', 70),"
                         " (2, 'wait.mean', 'size', '8', 's', 30),"
                         " (1, 'goodput', 'cluster', '', 'share', 0.5),"
                         " (2, 'goodput', 'cluster', '', 'share', 0.75),"
                         " (2, 'wait.by_cause.quota', 'cluster', '', 's', 9)");

    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "<b>&lt;b&gt;run&lt;/b&gt;</b> is best at the mean wait:"
                     " 50s, 50 % less than the next, <b>other</b>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "loses most in jobs of 8 GPUs, 1m10s"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "<b>other</b>, 75.00 %; 25.00 points more"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "100 % of the waiting is <i>quota"));
    free(text);
}

/* Two policies under three seeds: a random difference is not reported as one.
 */
static void test_means(void)
{
    static const char *const sql[] = {
        "DELETE FROM metrics",
        "UPDATE runs SET name = '<i>-s42'",
        "INSERT INTO runs (id, name, status, version, policy, profile,"
        " topology, topology_hash, trace, trace_hash, seed, options, gpus,"
        " end_us)"
        " SELECT n, CASE WHEN n < 4 THEN '<i>' ELSE 'other' END"
        " || '-s' || (41 + n % 3), status, version, policy,"
        " CASE WHEN n < 4 THEN profile ELSE 'x' END, topology, topology_hash,"
        " trace, trace_hash, 41 + n % 3, options, gpus, end_us FROM runs,"
        " (SELECT 2 AS n UNION SELECT 3 UNION SELECT 4 UNION SELECT 5"
        "  UNION SELECT 6)",
        "INSERT INTO metrics " METRIC_COLUMNS
        " SELECT id, 'wait.mean', 'cluster', '', 's',"
        " 100 + 30 * (id % 3) + CASE WHEN id > 3 THEN 7 - 9 * (id % 2)"
        " ELSE 0 END FROM runs",
        "INSERT INTO metrics " METRIC_COLUMNS
        " SELECT id, 'jct.mean', 'cluster', '', 's',"
        " 100 + 30 * (id % 3) + CASE WHEN id > 3 THEN 60.5 + id % 2 ELSE 0 END"
        " FROM runs",
        "INSERT INTO metrics " METRIC_COLUMNS
        " SELECT id, 'goodput', 'cluster', '', 'share',"
        " id / 10.0 FROM runs WHERE id IN (1, 4)",
    };
    static const char *const wanted[] = {
        "<b>&lt;i&gt;</b> has the shortest mean wait: 2m10s \xc2\xb1"
        "1m15s, no significant difference to the next, <b>other</b>",
        "Shortest mean completion time: <b>&lt;i&gt;</b>, 2m10s",
        "(&lt;i&gt;: 3, other: 3)",
        "<span class=\"vh\">no significant difference</span>",
        "Of the first run of each mean",
    };
    struct fixture f;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        abort();
    fixture_init(&f, sql, N_ELEMENTS(sql));
    CU_ASSERT_EQUAL(page_drawn(f.page), 2);
    CU_ASSERT_EQUAL(report_page_write(f.page, out, NULL), 0);
    fclose(out);
    for (size_t i = 0; i < N_ELEMENTS(wanted); i++)
        CU_ASSERT_PTR_NOT_NULL(strstr(text, wanted[i]));
    CU_ASSERT_PTR_NULL(strstr(text, "(goodput):")); /* of one run each */
    free(text);
    fixture_fini(&f);
}

/* The best mean is of one job of a hundred: it is not called the best. */
static void test_flattered(void)
{
    char *text = verdict("INSERT INTO metrics " METRIC_COLUMNS " VALUES"
                         " (1, 'wait.mean', 'cluster', '', 's', 0),"
                         " (2, 'wait.mean', 'cluster', '', 's', 100),"
                         " (1, 'jobs.total', 'cluster', '', 'count', 100),"
                         " (2, 'jobs.total', 'cluster', '', 'count', 100),"
                         " (1, 'wait.unfinished.count', 'cluster', '', 'count',"
                         " 99),"
                         " (1, 'jobs.unfinished', 'cluster', '', 'count', 99),"
                         " (2, 'jobs.unfinished', 'cluster', '', 'count', 1)");

    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "<b>other</b>: jobs wait 1m40s on average."));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "the run is not ranked by means"));
    free(text);
}

/* A database with texts and numbers that gsim would not write. */
static void test_absurd(void)
{
    static const char *const sql[] = {
        "UPDATE runs SET end_us = -5, gpus = -3",
        "UPDATE samples SET gpus_busy = 9e999, gpus_hoarded = -1e308",
        "UPDATE nodes SET gpus = 9000000000000000000",
        ("UPDATE placements SET start_us = -9223372036854775808,"
         " end_us = 9223372036854775807"),
        "UPDATE jobs SET start_us = -9223372036854775808",
        "UPDATE metrics SET value = -9e999",
    };
    struct fixture f;
    FILE *out = tmpfile();

    if (!out)
        abort();
    fixture_init(&f, sql, N_ELEMENTS(sql));
    CU_ASSERT_EQUAL(report_page_write(f.page, out, NULL), 0);
    fclose(out);
    fixture_fini(&f);
}

static void test_svg(void)
{
    static const char svg[] =
        "<?xml version='1.0'?><svg viewBox=\"0 0 9 5\" x='y'><title>t</title>"
        "<desc>d</desc><g id=\"a\"><use xlink:href='#a' fill='url(#a)'/>"
        "<text>id='b' href='#b'</text></g></svg>";
    FILE *in = tmpfile();
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (!in || !out)
        abort();
    fputs(svg, in);
    page_svg_copy(in, "p-", "a \"label\"", out);
    fclose(in);
    fclose(out);
    CU_ASSERT_STRING_EQUAL(text,
                           "<svg role=\"img\" viewBox=\"0 0 9 5\""
                           " xmlns=\"http://www.w3.org/2000/svg\""
                           " xmlns:xlink=\"http://www.w3.org/1999/xlink\""
                           " aria-label=\"a &quot;label&quot;\"><g id=\"p-a\">"
                           "<use xlink:href='#p-a' fill='url(#p-a)'/>"
                           "<text>id='b' href='#b'</text></g></svg>");
    free(text);
}

static const struct suite_case cases[] = {
    { "texts are escaped for HTML and gnuplot", test_texts },
    { "a URI is escaped", test_uri },
    { "each query suits the schema and a picture", test_queries },
    { "a long run is drawn in few points", test_long_run },
    { "causes of waits are drawn", test_causes },
    { "deadlocks are drawn as spans", test_deadlocks },
    { "the map holds many nodes", test_map },
    { "the page is whole", test_page },
    { "a difference by chance is called none", test_means },
    { "the verdict names the best policy for each metric", test_verdict },
    { "a mean of few jobs is not called best", test_flattered },
    { "absurd texts and numbers are drawn", test_absurd },
    { "ids of an SVG are made its own", test_svg },
};

int main(void)
{
    return suite_run("page", cases, N_ELEMENTS(cases));
}
