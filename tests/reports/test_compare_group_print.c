/* tests/reports/test_compare_group_print.c - means of runs in every format. */
#include <jansson.h>

#include "base/text.h"
#include "tests/lib/database.h"
#include "tests/lib/suite.h"

static char *printed(const struct database *d, enum report_format format)
{
    const struct report_layout layout = { .format = format, .width = 80 };
    struct gs_arena *arena = gs_arena_create(1 << 14);
    struct report_comparison *c = database_compared(d, arena);
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
    static const double wait[] = { 100, 200,   300, 400, 500,
                                   98,  197.5, 298, 397, 498.5 };
    static const double goodput[] = { 0.9, 0.8,  0.7,  0.6, 0.5,
                                      0.8, 0.71, 0.61, 0.5, 0.41 };
    static const double middle[] = { 100, 120, 90,  110, 80,
                                     130, 100, 120, 85,  120 };

    database_put_runs(d, database_ten);
    database_ask(d, "DELETE FROM metrics");
    database_put_metric(d, "wait.mean", wait, 10);
    database_put_metric(d, "wait.p50", middle, 10);
    database_put_metric(d, "goodput", goodput, 10);
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
    static const struct database_run run[] = {
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
    database_put_runs(&d, run);
    database_ask(&d, "DELETE FROM metrics");
    database_put_metric(&d, "wait.mean", value, 4);
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
        { "each format shows means and their chance", test_texts },
        { "JSON has the whole comparison", test_json },
        { "the same comparison is printed twice the same",
          test_twice_the_same },
        { "markup in a name is harmless in each format", test_hostile_names },
    };

    return suite_run("reports/compare_group_print", cases, N_ELEMENTS(cases));
}
