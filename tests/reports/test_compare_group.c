/* tests/reports/test_compare_group.c - runs as means: which belong together,
 * what is said of their differences.
 */
#include <jansson.h>

#include "base/text.h"
#include "reports/compare/compare_private.h"
#include "tests/lib/database.h"
#include "tests/lib/suite.h"

struct run {
    const char *name, *profile, *trace;
    int seed;
    const char *options; /* NULL: "{}" */
};

/* A database of these runs, whose policies are called like their profiles. */
static void put_runs(const struct database *d, const struct run *run)
{
    struct report_store *s = report_store_open(d->path, NULL);
    char sql[1024];
    struct rig r;

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    rig_run(&r);
    CU_ASSERT_EQUAL(database_put(s, &r, "first", NULL), 0);
    report_store_close(s);
    rig_fini(&r);
    for (int i = 0; run[i].name; i++) {
        snprintf(
            sql, sizeof(sql),
            "INSERT INTO runs (id, name, status, version, policy, profile,"
            " topology, topology_hash, trace, trace_hash, seed, options, gpus,"
            " end_us)"
            " SELECT %d, '%s', status, version, '%.1s', "
            "'%s', topology, topology_hash, trace, '%s', %d, '%s', gpus, "
            "end_us FROM runs WHERE id = 1",
            i + 2, run[i].name, run[i].profile, run[i].profile, run[i].trace,
            run[i].seed, run[i].options ? run[i].options : "{}");
        CU_ASSERT_STRING_EQUAL(database_ask(d, sql), "");
    }
    database_ask(d, "DELETE FROM runs WHERE id = 1");
}

/* A metric of the cluster: a value for each run, from number 2 on. */
static void put_metric(const struct database *d, const char *name,
                       const double *value, int count)
{
    char sql[256];

    for (int i = 0; i < count; i++) {
        snprintf(sql, sizeof(sql),
                 "INSERT INTO metrics VALUES (%d, '%s', 'cluster', '', 's', "
                 "%.17g)",
                 i + 2, name, value[i]);
        CU_ASSERT_STRING_EQUAL(database_ask(d, sql), "");
    }
}

static struct report_comparison *load(const struct database *d,
                                      struct gs_arena *arena)
{
    struct report_comparison *c = report_compare_create(arena);
    struct report_store *s = report_store_open_readonly(d->path, NULL);

    CU_ASSERT_EQUAL(report_compare_add(c, s, NULL, 0, NULL), 0);
    report_store_close(s);
    return c;
}

/* --- runs that belong together -------------------------------------------- */

/* "title: run run, title: run" */
static const char *groups_text(const struct report_comparison *c)
{
    static char text[1024];
    size_t n = 0;

    text[0] = '\0';
    for (uint32_t g = 0; g < c->groups; g++) {
        n += (size_t)snprintf(text + n, sizeof(text) - n,
                              "%s%s:", g ? ", " : "", c->group[g].title);
        for (uint32_t k = 0; k < c->group[g].runs; k++)
            n += (size_t)snprintf(text + n, sizeof(text) - n, " %s",
                                  c->run[c->group[g].run[k]].name);
    }
    return text;
}

static const struct {
    enum report_by by;
    struct run run[8];
    const char *text;
} groups[] = {
    /* as gsim replay --seeds calls them */
    { REPORT_BY_SEED,
      { { "b-s1", "b", "t", 1, NULL },
        { "b-s2", "b", "t", 2, NULL },
        { "r-s1", "r", "t", 1, NULL },
        { "r-s2", "r", "t", 2, NULL } },
      "b: b-s1 b-s2, r: r-s1 r-s2" },
    { REPORT_BY_RUN,
      { { "b-s1", "b", "t", 1, NULL }, { "b-s2", "b", "t", 2, NULL } },
      "b-s1: b-s1, b-s2: b-s2" },
    /* a name alone makes none: seed, trace, profile, options and stem count */
    { REPORT_BY_SEED,
      { { "b-s1", "b", "t", 1, NULL },
        { "b-s2", "b", "t", 3, NULL },
        { "b-s3", "b", "u", 3, NULL },
        { "b-s4", "c", "t", 4, NULL },
        { "b-s5", "b", "t", 5, "{\"large\": 8}" },
        { "a-s6", "b", "t", 6, NULL },
        { "-s7", "b", "t", 7, NULL } },
      "b-s1: b-s1, b-s2: b-s2, b-s3: b-s3, b-s4: b-s4, b-s5: b-s5, "
      "a-s6: a-s6, -s7: -s7" },
    /* nor a seed */
    { REPORT_BY_SEED,
      { { "x", "b", "t", 1, NULL }, { "y", "b", "t", 2, NULL } },
      "x: x, y: y" },
    { REPORT_BY_POLICY,
      { { "mon-b", "b", "t", 1, NULL },
        { "mon-r", "r", "t", 1, NULL },
        { "tue-b", "b", "u", 1, NULL },
        { "tue-r", "r", "u", 1, NULL },
        { "tue-r2", "r", "u", 2, NULL } },
      "b: mon-b tue-b, r: mon-r tue-r tue-r2" },
    /* profiles of one name that differ */
    { REPORT_BY_POLICY,
      { { "x", "b: 1", "t", 1, NULL },
        { "y", "b: 2", "t", 1, NULL },
        { "z", "b: 1", "u", 1, NULL } },
      "b (x): x z, b (y): y" },
    /* what --set changed is in the profile; what is no JSON is compared as it
     * is
     */
    { REPORT_BY_SEED,
      { { "b-s1", "b", "t", 1, "{\"set\": [\"a=1\"], \"x\": 1}" },
        { "b-s2", "b", "t", 2, "{\"x\": 1, \"set\": []}" },
        { "b-s3", "b", "t", 3, "{\"x\":" },
        { "b-s4", "b", "t", 4, "{\"x\":" },
        { "b-s5", "b", "t", 5, "" },
        { "b-s6", "b", "t", 6, "[7]" } },
      "b: b-s1 b-s2, b: b-s3 b-s4, b-s5: b-s5, b-s6: b-s6" },
    { REPORT_BY_SEED,
      { { "<b>|''-s1", "b", "t", 1, NULL },
        { "<b>|''-s2", "b", "t", 2, NULL },
        { "a\n-s3", "b", "t", 3, NULL } },
      "<b>|': <b>|'-s1 <b>|'-s2, a?-s3: a?-s3" },
};

static void test_groups(void)
{
    for (size_t i = 0; i < N_ELEMENTS(groups); i++) {
        struct gs_arena *arena = gs_arena_create(1 << 14);
        struct report_comparison *c;
        struct database d;

        database_init(&d);
        put_runs(&d, groups[i].run);
        c = load(&d, arena);
        CU_ASSERT_EQUAL(report_compare_group(c, groups[i].by, NULL), 0);
        CU_ASSERT_STRING_EQUAL(groups_text(c), groups[i].text);
        gs_arena_destroy(arena);
        database_fini(&d);
    }
}

/* By policy, one that was replayed twice would count twice. */
static void test_twice(void)
{
    static const struct run run[] = { { "x", "b", "t", 1, NULL },
                                      { "y", "b", "t", 1, NULL },
                                      { 0 } };
    struct gs_arena *arena = gs_arena_create(1 << 14);
    struct gs_err err = { 0 };
    struct database d;

    database_init(&d);
    put_runs(&d, run);
    CU_ASSERT_EQUAL(
        report_compare_group(load(&d, arena), REPORT_BY_POLICY, &err), -1);
    CU_ASSERT_EQUAL(err.code, GS_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.problem[0].text, "'x' and 'y'"));
    gs_arena_destroy(arena);
    database_fini(&d);
}

/* The first runs of the groups come first, each with its own values. */
static void test_order(void)
{
    static const struct run run[] = { { "b-s1", "b", "t", 1, NULL },
                                      { "b-s2", "b", "t", 2, NULL },
                                      { "r-s1", "r", "t", 1, NULL },
                                      { "r-s2", "r", "t", 2, NULL },
                                      { 0 } };
    static const double value[] = { 1, 2, 3, 4 };
    static const uint32_t was[] = { 0, 2, 1, 3 };
    struct gs_arena *arena = gs_arena_create(1 << 14);
    struct report_comparison *c;
    struct database d;

    database_init(&d);
    put_runs(&d, run);
    database_ask(&d, "DELETE FROM metrics");
    put_metric(&d, "wait.mean", value, 4);
    c = load(&d, arena);
    CU_ASSERT_EQUAL(report_compare_group(c, REPORT_BY_SEED, NULL), 0);
    for (uint32_t i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(c->was[i], was[i]);
        CU_ASSERT_STRING_EQUAL(c->run[i].name, run[was[i]].name);
        CU_ASSERT_EQUAL(c->row[0].cell[i].value, value[was[i]]);
    }
    CU_ASSERT_EQUAL(compare_figures(c, &c->row[0])[1].mean, 3.5);
    gs_arena_destroy(arena);
    database_fini(&d);
}

/* --- what is said --------------------------------------------------------- */

static const struct run ten[] = {
    { "a-s1", "a", "t", 1, NULL },
    { "a-s2", "a", "t", 2, NULL },
    { "a-s3", "a", "t", 3, NULL },
    { "a-s4", "a", "t", 4, NULL },
    { "a-s5", "a", "t", 5, NULL },
    { "b-s1", "b", "t", 1, NULL },
    { "b-s2", "b", "t", 2, NULL },
    { "b-s3", "b", "t", 3, NULL },
    { "b-s4", "b", "t", 4, NULL },
    { "b-s5", "b", "t", 5, NULL },
    { 0 },
};

static const struct {
    const char *name;
    double value[10];
    char mark;
    enum compare_test test;
    double p_least, p_most;
} said[] = {
    /* far apart between seeds, but always a little less: pairs show it */
    { "wait.mean",
      { 100, 200, 300, 400, 500, 98, 197.5, 298, 397, 498.5 },
      '+',
      COMPARE_PAIRED,
      0,
      0.01 },
    { "goodput",
      { 0.9, 0.8, 0.7, 0.6, 0.5, 0.8, 0.71, 0.61, 0.5, 0.41 },
      '-',
      COMPARE_PAIRED,
      0,
      0.01 },
    /* the means differ by a tenth, but so do the seeds */
    { "jct.mean",
      { 100, 120, 90, 110, 80, 130, 100, 120, 85, 120 },
      '~',
      COMPARE_PAIRED,
      0.05,
      1 },
    /* which is better is not known, but that they differ */
    { "jobs.total",
      { 1, 2, 3, 4, 5, 11, 12, 13.5, 14, 15 },
      ' ',
      COMPARE_PAIRED,
      0,
      0.01 },
    { "wait.p50", { 1, 2, 3, 4, 5, 1, 2, 3, 4, 5 }, '=', COMPARE_PAIRED, 1, 1 },
    /* five alike of one sign: once in sixteen */
    { "wait.max",
      { 3, 3, 3, 3, 3, 2, 2, 2, 2, 2 },
      '~',
      COMPARE_PAIRED,
      0.0625,
      0.0625 },
    /* what no mean can be taken of */
    { "wait.p95",
      { 1e300, 1, 1, 1, 1, 2, 2, 2, 2, 2 },
      ' ',
      COMPARE_NONE,
      0,
      0 },
};

static const struct compare_row *row(const struct report_comparison *c,
                                     const char *name)
{
    for (uint32_t i = 0; i < c->rows; i++) {
        if (strcmp(c->row[i].name, name) == 0)
            return &c->row[i];
    }
    abort();
}

static void test_marks(void)
{
    struct gs_arena *arena = gs_arena_create(1 << 14);
    struct report_comparison *c;
    struct database d;

    database_init(&d);
    put_runs(&d, ten);
    database_ask(&d, "DELETE FROM metrics");
    for (size_t i = 0; i < N_ELEMENTS(said); i++)
        put_metric(&d, said[i].name, said[i].value, 10);
    c = load(&d, arena);
    CU_ASSERT_EQUAL(report_compare_group(c, REPORT_BY_SEED, NULL), 0);
    for (size_t i = 0; i < N_ELEMENTS(said); i++) {
        const struct compare_row *r = row(c, said[i].name);
        const struct compare_figure *f = compare_figures(c, r);

        CU_ASSERT_EQUAL(f[0].n, said[i].test == COMPARE_NONE ? 0 : 5);
        CU_ASSERT_EQUAL(compare_mark(r, &f[0]), ' ');
        CU_ASSERT_EQUAL(compare_mark(r, &f[1]), said[i].mark);
        CU_ASSERT_EQUAL(f[1].first.test, said[i].test);
        CU_ASSERT(f[1].first.p >= said[i].p_least);
        CU_ASSERT(f[1].first.p <= said[i].p_most);
    }
    gs_arena_destroy(arena);
    database_fini(&d);
}

/* Policies without chance come out the same under all seeds, so that there is
 * nothing to be tested.
 */
static void test_no_chance(void)
{
    static const double value[] = { 3, 3, 3, 3, 3, 2, 2, 2, 2, 2 };
    struct gs_arena *arena = gs_arena_create(1 << 14);
    const struct compare_figure *f;
    struct report_comparison *c;
    struct database d;

    database_init(&d);
    put_runs(&d, ten);
    database_ask(&d, "DELETE FROM metrics");
    put_metric(&d, "wait.mean", value, 10);
    c = load(&d, arena);
    CU_ASSERT_EQUAL(report_compare_group(c, REPORT_BY_SEED, NULL), 0);
    f = compare_figures(c, row(c, "wait.mean"));
    CU_ASSERT_EQUAL(f[1].first.test, COMPARE_EXACT);
    CU_ASSERT_EQUAL(compare_mark(row(c, "wait.mean"), &f[1]), '+');
    CU_ASSERT(f[1].has_interval && f[1].low == 2 && f[1].high == 2);
    gs_arena_destroy(arena);
    database_fini(&d);
}

/* A single run beside a mean: nothing is claimed.  Of other seeds: Welch. */
static void test_unpaired(void)
{
    static const struct run run[] = {
        { "a-s1", "a", "t", 1, NULL }, { "a-s2", "a", "t", 2, NULL },
        { "a-s3", "a", "t", 3, NULL }, { "b", "b", "t", 1, NULL },
        { "c-s7", "c", "t", 7, NULL }, { "c-s8", "c", "t", 8, NULL },
        { "c-s9", "c", "t", 9, NULL }, { 0 },
    };
    static const double value[] = { 10, 11, 12, 1, 20, 21, 22 };
    struct gs_arena *arena = gs_arena_create(1 << 14);
    const struct compare_figure *f;
    struct report_comparison *c;
    struct database d;

    database_init(&d);
    put_runs(&d, run);
    database_ask(&d, "DELETE FROM metrics");
    put_metric(&d, "wait.mean", value, 7);
    c = load(&d, arena);
    CU_ASSERT_EQUAL(report_compare_group(c, REPORT_BY_SEED, NULL), 0);
    f = compare_figures(c, row(c, "wait.mean"));
    CU_ASSERT_EQUAL(f[1].first.test, COMPARE_NONE);
    CU_ASSERT_EQUAL(compare_mark(row(c, "wait.mean"), &f[1]), ' ');
    CU_ASSERT(f[1].first.is_there && f[1].first.to == 1);
    CU_ASSERT_EQUAL(f[2].first.test, COMPARE_WELCH);
    CU_ASSERT_EQUAL(compare_mark(row(c, "wait.mean"), &f[2]), '-');
    CU_ASSERT_FALSE(compare_has_pairs(c, 2));
    gs_arena_destroy(arena);
    database_fini(&d);
}

/* --- how it is shown ------------------------------------------------------ */

static char *printed(const struct database *d, enum report_format format)
{
    const struct report_layout layout = { .format = format, .width = 80 };
    struct gs_arena *arena = gs_arena_create(1 << 14);
    struct report_comparison *c = load(d, arena);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        abort();
    report_compare_select(c, "[wg]*");
    report_compare_print(c, &layout, out);
    fclose(out);
    gs_arena_destroy(arena);
    return text;
}

static void put_ten(const struct database *d)
{
    put_runs(d, ten);
    database_ask(d, "DELETE FROM metrics");
    put_metric(d, "wait.mean", said[0].value, 10);
    put_metric(d, "wait.p50", said[2].value, 10);
    put_metric(d, "goodput", said[1].value, 10);
}

static void test_texts(void)
{
    /* clang-format off */
    static const struct {
        enum report_format format;
        const char *text;
    } cases[] = {
        { REPORT_TABLE,
          "                                              a                          b\n"
          "goodput                        70.00 % \xc2\xb1" "18.00pt    60.60 % \xc2\xb1" "17.70pt -9.4pt -\n"
          "\n"
          "wait.mean                           5m      \xc2\xb1" "3m      4m58s      \xc2\xb1" "3m  -0.7% +\n"
          "wait.p50                         1m40s     \xc2\xb1" "17s      1m51s     \xc2\xb1" "20s   +11% ~\n"
          "\n"
          "Means of several runs (a: 5, b: 5),\n" },
        { REPORT_MARKDOWN, "| wait.p50 | 1m40s \xc2\xb1" },
        { REPORT_MARKDOWN, "+11% \\~ |\n" },
        { REPORT_CSV,
          "name,scope,label,unit,group,n,mean,ci_low,ci_high,difference,"
          "difference_ci_low,difference_ci_high,pairs,p,verdict\n"
          "goodput,cluster,,s,a,5,0.69999999999999996,0.5" },
        { REPORT_CSV, ",no significant difference\n" },
    };
    /* clang-format on */
    struct database d;

    database_init(&d);
    put_ten(&d);
    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        char *text = printed(&d, cases[i].format);

        CU_ASSERT_PTR_NOT_NULL(strstr(text, cases[i].text));
        free(text);
    }
    database_fini(&d);
}

static void test_json(void)
{
    struct database d;
    json_t *all, *figure;
    json_int_t n, pairs;
    double mean, low, high, p;
    const char *test, *verdict;
    char *text;

    database_init(&d);
    put_ten(&d);
    text = printed(&d, REPORT_JSON);
    all = json_loads(text, 0, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(all);
    figure = json_array_get(
        json_object_get(json_array_get(json_object_get(all, "metrics"), 1),
                        "groups"),
        1);
    CU_ASSERT_EQUAL(json_unpack(figure,
                                "{s:I, s:{s:F, s:F, s:F, s:F, s:s, s:I, s:s}}",
                                "n", &n, "difference", "mean", &mean, "ci_low",
                                &low, "ci_high", &high, "p", &p, "test", &test,
                                "pairs", &pairs, "verdict", &verdict),
                    0);
    CU_ASSERT(n == 5 && pairs == 5);
    CU_ASSERT_DOUBLE_EQUAL(mean, -2.2, 1e-9);
    CU_ASSERT(low < mean && mean < high && high < 0 && p < 0.01);
    CU_ASSERT_STRING_EQUAL(test, "paired t");
    CU_ASSERT_STRING_EQUAL(verdict, "better");
    CU_ASSERT_EQUAL(
        json_array_size(json_object_get(
            json_array_get(json_object_get(all, "groups"), 1), "runs")),
        5);
    json_decref(all);
    free(text);
    database_fini(&d);
}

static void test_twice_the_same(void)
{
    struct database d;

    database_init(&d);
    put_ten(&d);
    for (int f = 0; f < REPORT_FORMATS; f++) {
        char *a = printed(&d, (enum report_format)f);
        char *b = printed(&d, (enum report_format)f);

        CU_ASSERT_STRING_EQUAL(a, b);
        free(a);
        free(b);
    }
    database_fini(&d);
}

/* Groups called by names that are markup, in every format. */
static void test_hostile_names(void)
{
    static const struct run run[] = {
        { "<b>|`x`\033-s1", "<", "t", 1, NULL },
        { "<b>|`x`\033-s2", "<", "t", 2, NULL },
        { "=1+1,\"-s1", "=", "t", 1, NULL },
        { "=1+1,\"-s2", "=", "t", 2, NULL },
        { 0 },
    };
    static const double value[] = { 1, 2, 3, 5 };
    static const char *const wanted[REPORT_FORMATS] = {
        [REPORT_TABLE] = "<b>|`x`?",
        [REPORT_JSON] = "\"name\": \"=1+1,\\\"\"",
        [REPORT_CSV] = "\"'=1+1,\"\"\"",
        [REPORT_MARKDOWN] = "| &lt;b>\\|\\`x\\`? |",
    };
    struct database d;

    database_init(&d);
    put_runs(&d, run);
    database_ask(&d, "DELETE FROM metrics");
    put_metric(&d, "wait.mean", value, 4);
    for (int f = 0; f < REPORT_FORMATS; f++) {
        char *text = printed(&d, (enum report_format)f);

        CU_ASSERT_PTR_NOT_NULL(strstr(text, wanted[f]));
        for (const char *s = text; *s; s += strcspn(s, "\n") + 1)
            CU_ASSERT(gs_text_is_clean(s, strcspn(s, "\n")));
        free(text);
    }
    database_fini(&d);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "groups", test_groups },
        { "twice", test_twice },
        { "order", test_order },
        { "marks", test_marks },
        { "no chance", test_no_chance },
        { "unpaired", test_unpaired },
        { "texts", test_texts },
        { "JSON", test_json },
        { "twice the same", test_twice_the_same },
        { "hostile names", test_hostile_names },
    };

    return suite_run("reports/compare group", cases, N_ELEMENTS(cases));
}
