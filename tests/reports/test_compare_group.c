/* tests/reports/test_compare_group.c - groups of runs, and statements about
 * their differences.
 */
#include <jansson.h>

#include "base/text.h"
#include "reports/compare/compare_private.h"
#include "tests/lib/database.h"
#include "tests/lib/suite.h"

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
    struct database_run run[8];
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
        database_put_runs(&d, groups[i].run);
        c = database_compared(&d, arena);
        CU_ASSERT_EQUAL(report_compare_group(c, groups[i].by, NULL), 0);
        CU_ASSERT_STRING_EQUAL(groups_text(c), groups[i].text);
        gs_arena_destroy(arena);
        database_fini(&d);
    }
}

/* By policy, a run that was replayed twice would count twice. */
static void test_twice(void)
{
    static const struct database_run run[] = { { "x", "b", "t", 1, NULL },
                                               { "y", "b", "t", 1, NULL },
                                               { 0 } };
    struct gs_arena *arena = gs_arena_create(1 << 14);
    struct gs_err err = { 0 };
    struct database d;

    database_init(&d);
    database_put_runs(&d, run);
    CU_ASSERT_EQUAL(report_compare_group(database_compared(&d, arena),
                                         REPORT_BY_POLICY, &err),
                    -1);
    CU_ASSERT_EQUAL(err.code, GS_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.problem[0].text, "'x' and 'y'"));
    gs_arena_destroy(arena);
    database_fini(&d);
}

/* The first runs of the groups come first, each with its own values. */
static void test_order(void)
{
    static const struct database_run run[] = { { "b-s1", "b", "t", 1, NULL },
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
    database_put_runs(&d, run);
    database_ask(&d, "DELETE FROM metrics");
    database_put_metric(&d, "wait.mean", value, 4);
    c = database_compared(&d, arena);
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
    database_put_runs(&d, database_ten);
    database_ask(&d, "DELETE FROM metrics");
    for (size_t i = 0; i < N_ELEMENTS(said); i++)
        database_put_metric(&d, said[i].name, said[i].value, 10);
    c = database_compared(&d, arena);
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

/* Policies without randomness give equal results under all seeds, so there is
 * no test.
 */
static void test_no_chance(void)
{
    static const double value[] = { 3, 3, 3, 3, 3, 2, 2, 2, 2, 2 };
    struct gs_arena *arena = gs_arena_create(1 << 14);
    const struct compare_figure *f;
    struct report_comparison *c;
    struct database d;

    database_init(&d);
    database_put_runs(&d, database_ten);
    database_ask(&d, "DELETE FROM metrics");
    database_put_metric(&d, "wait.mean", value, 10);
    c = database_compared(&d, arena);
    CU_ASSERT_EQUAL(report_compare_group(c, REPORT_BY_SEED, NULL), 0);
    f = compare_figures(c, row(c, "wait.mean"));
    CU_ASSERT_EQUAL(f[1].first.test, COMPARE_EXACT);
    CU_ASSERT_EQUAL(compare_mark(row(c, "wait.mean"), &f[1]), '+');
    CU_ASSERT(f[1].has_interval && f[1].low == 2 && f[1].high == 2);
    gs_arena_destroy(arena);
    database_fini(&d);
}

/* A single run and a mean: no statement.  With other seeds: Welch. */
static void test_unpaired(void)
{
    static const struct database_run run[] = {
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
    database_put_runs(&d, run);
    database_ask(&d, "DELETE FROM metrics");
    database_put_metric(&d, "wait.mean", value, 7);
    c = database_compared(&d, arena);
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

int main(void)
{
    static const struct suite_case cases[] = {
        { "runs fall into groups by seed or policy", test_groups },
        { "a policy that was replayed twice is refused", test_twice },
        { "groups stand in the order of their first runs", test_order },
        { "a difference is marked by its sign and chance", test_marks },
        { "means that no seed changes are not tested", test_no_chance },
        { "other seeds are tested unpaired, a single run is not",
          test_unpaired },
    };

    return suite_run("reports/compare group", cases, N_ELEMENTS(cases));
}
