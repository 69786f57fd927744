/* tests/reports/test_compare.c - runs side by side, in every format. */
#include <jansson.h>

#include "base/text.h"
#include "reports/compare/compare.h"
#include "tests/lib/database.h"
#include "tests/lib/suite.h"

/* A database of runs whose metrics are given as SQL values. */
static void put(const struct database *d, const char *metrics)
{
    static const char *const copy =
        "INSERT INTO runs (id, name, status, version, policy, profile,"
        " topology, topology_hash, trace, trace_hash, seed, options, gpus,"
        " end_us)"
        " SELECT %d, '%s', status, version, policy, profile, "
        "topology, topology_hash, trace, trace_hash, seed, options, gpus, "
        "end_us FROM runs WHERE id = 1";
    static const char *const name[] = { "base", "''; drop--", "<script>|y",
                                        "a\nb\033[31m\xff" };
    struct report_store *s = report_store_open(d->path, NULL);
    char sql[1024];
    struct rig r;

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    rig_run(&r);
    CU_ASSERT_EQUAL(database_put(s, &r, "first", NULL), 0);
    report_store_close(s);
    rig_fini(&r);
    for (int i = 0; i < 4; i++) {
        snprintf(sql, sizeof(sql), copy, i + 2, name[i]);
        database_ask(d, sql);
    }
    database_ask(d, "DELETE FROM metrics");
    database_ask(d, "DELETE FROM runs WHERE id = 1");
    snprintf(sql, sizeof(sql),
             "INSERT INTO metrics " METRIC_COLUMNS " VALUES %s", metrics);
    database_ask(d, sql);
}

static const char metrics[] =
    "(2, 'wait.mean', 'cluster', '', 's', 8040),"
    "(3, 'wait.mean', 'cluster', '', 's', 4020),"
    "(4, 'wait.mean', 'cluster', '', 's', 8040),"
    "(5, 'wait.mean', 'cluster', '', 's', 100000),"
    "(2, 'wait.mean', 'size', '65-511', 's', 1),"
    "(2, 'wait.mean', 'size', '8', 's', 1),"
    "(2, 'wait.mean', 'queue', 'a,\"b', 's', 1),"
    "(2, 'gpu.busy', 'cluster', '', 'share', 0.5),"
    "(3, 'gpu.busy', 'cluster', '', 'share', 0.25),"
    "(4, 'gpu.busy', 'cluster', '', 'share', 0.75),"
    "(3, 'deadlock.first_at', 'cluster', '', 's', 60),"
    "(2, 'jobs.total', 'cluster', '', 'count', 7),"
    "(3, 'jobs.total', 'cluster', '', 'count', 9),"
    "(2, 'other\033', 'cluster', '', 'x', 1e999),"
    "(3, 'other\033', 'cluster', '', 'x', 1e300)";

/* The comparison of the runs called `name` (count 0: all), as text. */
static char *printed(const struct database *d, size_t count,
                     const char *const *name, const char *glob,
                     struct report_layout layout)
{
    struct gs_arena *arena = gs_arena_create(1 << 14);
    struct report_comparison *c = report_compare_create(arena);
    struct report_store *s = report_store_open_readonly(d->path, NULL);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (!s || !out)
        abort();
    CU_ASSERT_EQUAL(report_compare_add(c, s, name, count, NULL), 0);
    report_store_close(s);
    report_compare_select(c, glob);
    report_compare_print(c, &layout, out);
    fclose(out);
    gs_arena_destroy(arena);
    return text;
}

static const char *const three[] = { "base", "'; drop--", "<script>|y" };
static const struct report_layout plain = { REPORT_TABLE, 80, false, false };

static void test_table(void)
{
    /* clang-format off */
    static const char wanted[] =
        "                                  base         '; drop--          <script>|y\n"
        "deadlock.first_at                    -         1m                   -\n"
        "\n"
        "gpu.busy                       50.00 %    25.00 %  -25pt -    75.00 %  +25pt +\n"
        "\n"
        "jobs.total                           7          9   +29%            -\n"
        "\n"
        "wait.mean                        2h14m       1h7m   -50% +      2h14m        =\n"
        "wait.mean [a,\"b]                  1.0s          -                   -\n"
        "wait.mean [size 8]                1.0s          -                   -\n"
        "wait.mean [size 65-511]           1.0s          -                   -\n"
        "\n"
        "Differences are to the first run, of shares in points (pt):\n"
        "+ better, - worse, = the same.\n";
    /* clang-format on */
    struct database d;
    char *text;

    database_init(&d);
    put(&d, metrics);
    text = printed(&d, 3, three, "[!o]*", plain);
    CU_ASSERT_STRING_EQUAL(text, wanted);
    free(text);
    database_fini(&d);
}

static void test_width_and_colour(void)
{
    static const struct {
        struct report_layout layout;
        size_t widest;
        int blocks, greens;
    } cases[] = {
        { { REPORT_TABLE, 40, false, false }, 47, 4, 0 },
        { { REPORT_TABLE, 60, false, false }, 58, 3, 0 },
        { { REPORT_TABLE, 80, false, false }, 80, 2, 0 },
        { { REPORT_TABLE, 200, false, false }, 98, 1, 0 },
        { { REPORT_TABLE, 0, true, false }, 60, 4, 1 },
    };
    struct database d;

    database_init(&d);
    put(&d, metrics);
    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        char *text = printed(&d, 0, NULL, "wait.mean", cases[i].layout);
        int blocks = 0, greens = 0;

        for (const char *s = text; *s; s++) {
            const size_t n = strcspn(s, "\n");

            if (strncmp(s, "Differ", 6) != 0)
                CU_ASSERT(n <= cases[i].widest);
            blocks += strncmp(s, "wait.mean  ", 11) == 0;
            greens += strstr(s, "\033[32m") && strstr(s, "\033[32m") < s + n;
            s += n;
        }
        CU_ASSERT_EQUAL(blocks, cases[i].blocks);
        CU_ASSERT_EQUAL(greens, cases[i].greens);
        CU_ASSERT_PTR_NULL(strstr(text, "\033[31m\xff"));
        free(text);
    }
    database_fini(&d);
}

static void test_csv_and_markdown(void)
{
    static const struct {
        enum report_format format;
        const char *glob, *text;
    } cases[] = {
        { REPORT_CSV, "wait.*a*",
          "name,scope,label,unit,base,'; drop--,<script>|y,a?b?[31m?\n"
          "wait.mean,cluster,,s,8040,4020,8040,100000\n"
          "wait.mean,queue,\"a,\"\"b\",s,1,,,\n"
          "wait.mean,size,8,s,1,,,\n"
          "wait.mean,size,65-511,s,1,,,\n" },
        { REPORT_MARKDOWN, "gpu.*",
          "| metric | base | '; drop-- | &lt;script>\\|y | a?b?\\[31m? |\n"
          "| --- | ---: | ---: | ---: | ---: |\n"
          "| gpu.busy | 50.00 % | 25.00 % -25pt - | 75.00 % +25pt + | |\n" },
        { REPORT_CSV, "*.8",
          "name,scope,label,unit,base,'; drop--,<script>|y,a?b?[31m?\n"
          "wait.mean,size,8,s,1,,,\n" },
    };
    struct database d;

    database_init(&d);
    put(&d, metrics);
    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        const struct report_layout layout = { cases[i].format, 80, true,
                                              false };
        char *text = printed(&d, 0, NULL, cases[i].glob, layout);

        CU_ASSERT_STRING_EQUAL(text, cases[i].text);
        free(text);
    }
    database_fini(&d);
}

/* Texts with markup and terminal escapes in every place. */
static const char hostile[] =
    "(2, 'a|b', 'cluster', '<b>&', 's', 1),"
    "(2, 'c', 'x\001', '`*_[]\\', 'u\033', 2),"
    "(2, 'd\177', 'y', 'e\r\xc2\x9b\xe2\x82', 'v\n', 3)";

static void test_markdown_escapes(void)
{
    static const char *const base[] = { "base" };
    const struct report_layout layout = { REPORT_MARKDOWN, 80, true, false };
    struct database d;
    char *text;

    database_init(&d);
    put(&d, hostile);
    text = printed(&d, 1, base, "*", layout);
    CU_ASSERT_STRING_EQUAL(text, "| metric | base |\n"
                                 "| --- | ---: |\n"
                                 "| a\\|b \\[&lt;b>&amp;\\] | 1.00 |\n"
                                 "| c \\[\\`\\*\\_\\[\\]\\\\\\] | 2.00 |\n"
                                 "| d? \\[e?????\\] | 3.00 |\n");
    free(text);
    database_fini(&d);
}

/* No format prints a control character other than line ends. */
static void test_no_control_characters(void)
{
    struct database d;

    database_init(&d);
    put(&d, hostile);
    for (int f = 0; f < REPORT_FORMATS; f++) {
        const struct report_layout layout = { (enum report_format)f, 80, false,
                                              false };
        char *text = printed(&d, 0, NULL, "*", layout);

        CU_ASSERT(strlen(text) > 100);
        for (const char *s = text; *s; s += strcspn(s, "\n") + 1)
            CU_ASSERT(gs_text_is_clean(s, strcspn(s, "\n")));
        free(text);
    }
    database_fini(&d);
}

static void test_formats(void)
{
    CU_ASSERT_EQUAL(report_format_find("table"), REPORT_TABLE);
    CU_ASSERT_EQUAL(report_format_find("json"), REPORT_JSON);
    CU_ASSERT_EQUAL(report_format_find("csv"), REPORT_CSV);
    CU_ASSERT_EQUAL(report_format_find("markdown"), REPORT_MARKDOWN);
    CU_ASSERT_EQUAL(report_format_find("Table"), REPORT_FORMATS);
    CU_ASSERT_EQUAL(report_format_find(""), REPORT_FORMATS);
}

/* JSON has all columns, whatever the names and values. */
static void test_json(void)
{
    const struct report_layout layout = { REPORT_JSON, 80, false, false };
    struct database d;
    json_t *all, *metric;
    size_t i;
    char *text;

    database_init(&d);
    put(&d, metrics);
    text = printed(&d, 0, NULL, "*", layout);
    all = json_loads(text, 0, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(all);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(all, "runs")), 4);
    CU_ASSERT_STRING_EQUAL(
        json_string_value(json_array_get(json_object_get(all, "runs"), 3)),
        "a?b?[31m?");
    CU_ASSERT_EQUAL(json_array_size(json_object_get(all, "metrics")), 8);
    json_array_foreach(json_object_get(all, "metrics"), i, metric)
        CU_ASSERT_EQUAL(json_array_size(json_object_get(metric, "values")), 4);
    metric = json_array_get(json_object_get(all, "metrics"), 1);
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(metric, "better")),
                           "higher");
    CU_ASSERT_EQUAL(
        json_number_value(json_array_get(json_object_get(metric, "values"), 2)),
        0.75);
    json_decref(all);
    free(text);
    database_fini(&d);
}

static void test_extreme_values(void)
{
    struct database d;
    char *text;

    database_init(&d);
    put(&d, "(2, 'wait.mean', 'cluster', '', 's', 1e300),"
            "(3, 'wait.mean', 'cluster', '', 's', -1e300),"
            "(4, 'wait.mean', 'cluster', '', 's', 1e999),"
            "(2, 'wait.p50', 'cluster', '', 's', 0.001),"
            "(3, 'wait.p50', 'cluster', '', 's', 1e9),"
            "(4, 'wait.p50', 'cluster', '', 's', 0.00101)");
    text = printed(&d, 3, three, NULL, plain);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, ">x9999 -"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "+1.0% -"));
    free(text);
    database_fini(&d);
}

static void test_unknown_run(void)
{
    static const char *const nope[] = { "base", "nope" };
    struct gs_arena *arena = gs_arena_create(1 << 14);
    struct gs_err err = { 0 };
    struct report_store *s;
    struct database d;

    database_init(&d);
    put(&d, metrics);
    s = report_store_open_readonly(d.path, NULL);
    CU_ASSERT_EQUAL(
        report_compare_add(report_compare_create(arena), s, nope, 2, &err), -1);
    CU_ASSERT_EQUAL(err.code, GS_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.problem[0].text,
                                  "no run is called 'nope' (there are: base, "
                                  "'; drop--"));
    report_store_close(s);
    gs_arena_destroy(arena);
    database_fini(&d);
}

/* Two databases with a run of one name: titles distinguish them. */
static void test_two_databases(void)
{
    static const char *const base[] = { "base" };
    struct gs_arena *arena = gs_arena_create(1 << 14);
    struct report_comparison *c = report_compare_create(arena);
    const struct report_layout csv = { REPORT_CSV, 80, false, false };
    char *text = NULL, wanted[512];
    struct database d[2];
    size_t size;
    FILE *out = open_memstream(&text, &size);

    for (int i = 0; i < 2; i++) {
        struct report_store *s;

        database_init(&d[i]);
        put(&d[i], metrics);
        s = report_store_open_readonly(d[i].path, NULL);
        CU_ASSERT_EQUAL(report_compare_add(c, s, base, 1, NULL), 0);
        report_store_close(s);
    }
    report_compare_select(c, "jobs.*");
    report_compare_print(c, &csv, out);
    fclose(out);
    snprintf(wanted, sizeof(wanted),
             "name,scope,label,unit,base@%s,base@%s\n"
             "jobs.total,cluster,,count,7,7\n",
             d[0].path, d[1].path);
    CU_ASSERT_STRING_EQUAL(text, wanted);
    free(text);
    gs_arena_destroy(arena);
    database_fini(&d[0]);
    database_fini(&d[1]);
}

/* The default table fits a page, and has only causes that occurred. */
static void test_headline(void)
{
    static const char *const shown[] = { "wait.by_cause.quota", "goodput",
                                         "preempt.count", "gang.timeouts" };
    static const char *const hidden[] = { "wait.by_cause.latency",
                                          "preempt.jobs", "fair.jain" };
    static const char *const name[] = { "one", "two", "three" };
    struct gs_arena *arena = gs_arena_create(1 << 14);
    struct report_comparison *c = report_compare_create(arena);
    struct report_store *s;
    struct database d;
    char *text;
    struct rig r;

    database_init(&d);
    rig_run(&r);
    s = report_store_open(d.path, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(database_put(s, &r, name[i], NULL), 0);
    CU_ASSERT_EQUAL(report_compare_add(c, s, NULL, 0, NULL), 0);
    report_compare_select(c, NULL);
    CU_ASSERT_EQUAL(report_compare_runs(c), 3);
    CU_ASSERT(report_compare_rows(c) >= 12 && report_compare_rows(c) <= 36);
    report_store_close(s);
    text = printed(&d, 3, name, NULL, plain);
    for (size_t i = 0; i < N_ELEMENTS(shown); i++)
        CU_ASSERT_PTR_NOT_NULL(strstr(text, shown[i]));
    for (size_t i = 0; i < N_ELEMENTS(hidden); i++)
        CU_ASSERT_PTR_NULL(strstr(text, hidden[i]));
    free(text);
    rig_fini(&r);
    gs_arena_destroy(arena);
    database_fini(&d);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "the table marks what is better and what is worse", test_table },
        { "the table keeps to its width", test_width_and_colour },
        { "CSV and Markdown have every value", test_csv_and_markdown },
        { "markup in a name is harmless in Markdown", test_markdown_escapes },
        { "no control characters", test_no_control_characters },
        { "a format is found by its name", test_formats },
        { "JSON has every column, whatever its name", test_json },
        { "extreme values are printed", test_extreme_values },
        { "an unknown run is refused", test_unknown_run },
        { "runs of one name are told apart by their databases",
          test_two_databases },
        { "the default is a page at most", test_headline },
    };

    return suite_run("reports/compare", cases, N_ELEMENTS(cases));
}
