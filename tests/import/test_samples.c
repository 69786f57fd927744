/* tests/import/test_samples.c - what the samples of a series come to, and which
 * texts are none.
 */
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/err.h"
#include "base/input.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/series/kube_samples.h"
#include "import/source.h"
#include "tests/lib/suite.h"

struct taken {
    char text[2048];
    bool with_lines; /* where each series begins */
};

/* "count on rest first last on_first on_last milli step", or "none" */
static int take(void *ctx, const struct import_object *o, struct gs_err *err)
{
    struct taken *t = ctx;
    struct kube_samples s;
    char *at = t->text + strlen(t->text);
    const size_t left = sizeof(t->text) - strlen(t->text);

    (void)err;
    if (t->with_lines)
        snprintf(at, left, "%d:%d|", o->root->line, o->root->column);
    else if (kube_samples_read(o, &s) < 0)
        snprintf(at, left, "none|");
    else if (s.count == 0)
        snprintf(at, left, "0 rest %d|", (int)s.rest);
    else
        snprintf(at, left,
                 "%d on %d rest %d, %lld to %lld, on %lld to %lld, "
                 "%lld, %lld|",
                 (int)s.count, (int)s.on, (int)s.rest,
                 (long long)(s.first / GS_SECOND),
                 (long long)(s.last / GS_SECOND),
                 s.on ? (long long)(s.on_first / GS_SECOND) : -1LL,
                 s.on ? (long long)(s.on_last / GS_SECOND) : -1LL,
                 (long long)s.milli, (long long)(s.step / GS_SECOND));
    return 0;
}

static void skip(void *ctx, const struct gs_err *why)
{
    struct taken *t = ctx;

    snprintf(t->text + strlen(t->text), sizeof(t->text) - strlen(t->text),
             "skip %.200s|", why->problem[0].text);
}

static const struct gs_ypath unread[] = {
    [KUBE_UNREAD_VALUES] = { { "values" } },
    [KUBE_UNREAD_TIMES] = { { "timestamps" } },
    [KUBE_UNREAD_SERIES] = { { "histograms" } },
};

static void expect(const char *text, const char *want, bool with_lines)
{
    struct taken t = { .with_lines = with_lines };
    const struct import_taker taker = { .take = take,
                                        .skip = skip,
                                        .ctx = &t,
                                        .unread = unread,
                                        .unread_count = N_ELEMENTS(unread) };
    struct gs_input *in = gs_input_open_memory("f", text, strlen(text));
    struct gs_err err = { 0 };

    CU_ASSERT_EQUAL(import_source_read_input(in, &taker, &err), 0);
    if (strcmp(t.text, want) != 0)
        printf("\n  %s\n  want %s\n  got  %s\n", text, want, t.text);
    CU_ASSERT_STRING_EQUAL(t.text, want);
    gs_input_close(in);
}

#define M "{\"metric\":{\"a\":\"b\"},"

static void test_samples(void)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        { M "\"values\":[[10,\"1\"],[20,\"0\"],[40,\"2.5\"]]}",
          "3 on 2 rest 0, 10 to 40, on 10 to 40, 2500, 10|" },
        { M "\"values\" : [ [ 10.5 , \"0\" ] ,\n[ 70.5, \"0\" ] ] }",
          "2 on 0 rest 0, 10 to 70, on -1 to -1, 0, 60|" },
        { M "\"value\":[1700000000,\"7\"]}",
          "1 on 1 rest 0, 1700000000 to 1700000000, on 1700000000 to "
          "1700000000, 7000, 0|" },
        { M "\"values\":[[10,\"NaN\"],[20,\"+Inf\"],[30,\"-Inf\"]]}",
          "0 rest 3|" },
        { M "\"values\":[[10,\"1.5e+03\"],[20,\"-1\"]]}",
          "2 on 1 rest 0, 10 to 20, on 10 to 10, 0, 10|" },
        { M "\"values\":[[1e300,\"1e300\"],[9223372036854775807,\"1\"]]}",
          "2 on 2 rest 0, 1152921504606 to 1152921504606, on 1152921504606 to "
          "1152921504606, 1000, 0|" },
        { M "\"values\":[]}", "0 rest 0|" },
        { M "\"values\":[1,0,3],\"timestamps\":[10000,20000,30000]}",
          "3 on 2 rest 0, 10 to 30, on 10 to 30, 3000, 10|" },
        { M "\"values\":[1,null],\"timestamps\":[10000,20000]}",
          "1 on 1 rest 1, 10 to 10, on 10 to 10, 1000, 0|" },
        { M "\"values\":[1,2],\"timestamps\":[10000]}", "none|" },
        { M "\"timestamps\":[10000]}", "none|" },
        { M "\"values\":[[10,\"1\"],[20]]}", "none|" },
        { M "\"values\":[[10,\"1]]}\"]]}", "none|" },
        { M "\"values\":[[10,\"\"]]}", "none|" },
        { M "\"values\":[[\"x\",\"1\"]]}", "none|" },
        { M "\"values\":{\"a\":[[[[[[[[]]]]]]]]}}", "none|" },
        { M "\"values\":7}", "none|" },
        { M "\"value\":[1]}", "none|" },
        { M "\"value\":7}", "none|" },
        { M "\"histograms\":[[1,{}]]}", "none|" },
        { "{\"metric\":{}}", "none|" },
    };

    for (size_t i = 0; i < N_ELEMENTS(rows); i++)
        expect(rows[i].text, rows[i].want, false);
}

/* Series one by one, in whatever they come. */
static void test_answers(void)
{
#define V "\"values\":[[1,\"1\"]]}"
    static const struct {
        const char *text, *want;
    } rows[] = {
        { "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\","
          "\"result\":[" M V ",\n" M V "]}}",
          "1:61|2:1|" },
        { "{\"data\":{\"result\":[" M V "],\"resultType\":\"matrix\"},"
          "\"status\":\"success\",\"warnings\":[\"w\"]}",
          "1:20|" },
        { "{\"resultType\":\"matrix\",\"result\":[" M V "]}", "1:34|" },
        { "[" M V "," M V "]", "1:2|1:42|" },
        { M V "\n" M V "\n", "1:1|2:1|" },
        { "[{\"status\":\"success\",\"data\":{\"result\":[" M V "]}},\n"
          "{\"status\":\"success\",\"data\":{\"result\":[" M V "]}}]",
          "1:40|2:39|" },
        { "{\"status\":\"success\",\"data\":{\"result\":[" M V "]}}\n"
          "{\"status\":\"success\",\"data\":{\"result\":[]}}",
          "1:39|" },
        { "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"x\"}",
          "1:1|" },
        { "{\"data\":{\"result\":[" M V " " M V "]}}",
          "1:20|skip not valid JSON: a comma or ']' is expected behind an "
          "item|" },
        { "{\"data\":{\"result\":[1,2]},\"x\":}",
          "skip not valid JSON: unexpected token near '}'|skip items that are "
          "no objects are left out: 2, the first is here|" },
        { "{\"kind\":\"Pod\",\"data\":{\"result\":[1]}}", "1:1|" },
        { "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"data\":{\"result\":"
          "\"[1]\"}}",
          "1:1|" },
    };

    for (size_t i = 0; i < N_ELEMENTS(rows); i++)
        expect(rows[i].text, rows[i].want, true);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "the samples of a series are summed up", test_samples },
        { "series come one by one", test_answers },
    };

    return suite_run("import/samples", cases, N_ELEMENTS(cases));
}
