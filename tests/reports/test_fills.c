/* tests/reports/test_fills.c - allocation experiments: figures, what was
 * published, rows.
 */
#include <math.h>

#include "base/input.h"
#include "reports/fills/fills.h"
#include "tests/lib/database.h"
#include "tests/lib/suite.h"

/* One list, two policies, two seeds, on two GPUs; three points each. */
static const struct report_fill_point points[] = {
    { 0, 500 },     { 1000, 500 }, { 2000, 0 }, { 0, 500 },
    { 1000, 1000 }, { 1500, 500 }, { 0, 0 },    { 500, 0 },
    { 1000, 0 },    { 0, 0 },      { 500, 0 },  { 1000, 0 },
};
static const struct report_fill_list list = { "default", "a/default.csv", 0xabc,
                                              7 };
static const struct report_fill_policy policy[] = {
    { "fgd", "name: fgd\n" },
    { "mine, \"odd\"", "name: mine\n" },
};
static const struct report_fills fills = {
    .version = "0",
    .topology = "nodes.csv",
    .topology_hash = 0xdef,
    .nodes = 2,
    .gpu_milli = 2000,
    .load = 30,
    .lists = 1,
    .policies = 2,
    .seeds = 2,
    .points = 3,
    .first_seed = 42,
    .list = &list,
    .policy = policy,
    .point = points,
};

static void test_figures(void)
{
    struct report_fills one = fills;
    struct report_fill_figures r = report_fill_figures(&fills, 0, 0, 3);

    CU_ASSERT_EQUAL(r.allocated, 87.5); /* of 100 and 75 */
    CU_ASSERT_DOUBLE_EQUAL(r.allocated_sd, 17.6776695, 1e-6);
    CU_ASSERT_EQUAL(r.fragmented, 50.0); /* of nothing free, and all of it */
    r = report_fill_figures(&fills, 0, 1, 2);
    CU_ASSERT_EQUAL(r.allocated, 25.0);
    CU_ASSERT_EQUAL(r.allocated_sd, 0.0);
    one.policies = one.seeds = 1;
    r = report_fill_figures(&one, 0, 0, 2);
    CU_ASSERT_EQUAL(r.fragmented, 50.0);
    CU_ASSERT(isnan(r.fragmented_sd));
}

/* --- published figures ---------------------------------------------------- */

#define HEADER "workload,policy,arrived_load_pct,alloc_ratio_mean,"

static struct report_reference *reference(struct gs_arena *arena,
                                          const char *text, struct gs_err *err)
{
    struct gs_input *in = gs_input_open_memory("ref.csv", text, strlen(text));
    struct report_reference *r = report_reference_read(in, arena, err);

    gs_input_close(in);
    return r;
}

static void test_reference(void)
{
    struct gs_arena *arena = gs_arena_create(1 << 12);
    struct gs_err err = { 0 };
    const struct report_fill_figures *g;
    const struct report_reference *r = reference(
        arena,
        HEADER "frag_ratio_mean,frag_ratio_stdev,seeds\n"
               "default,FGD,3,90.5,20,1.5,10\ndefault,mine,2,1,2,3,10\n",
        &err);

    CU_ASSERT_PTR_NOT_NULL_FATAL(r);
    g = report_reference_find(r, "default", "fgd", 3);
    CU_ASSERT_PTR_NOT_NULL_FATAL(g);
    CU_ASSERT_EQUAL(g->allocated, 90.5);
    CU_ASSERT_EQUAL(g->fragmented_sd, 1.5);
    CU_ASSERT(isnan(g->allocated_sd));
    CU_ASSERT_PTR_NOT_NULL(report_reference_find(r, "default", "mine", 2));
    CU_ASSERT_PTR_NULL(report_reference_find(r, "default", "fgd", 2));
    CU_ASSERT_PTR_NULL(report_reference_find(r, "other", "fgd", 3));
    CU_ASSERT_PTR_NULL(report_reference_find(NULL, "default", "fgd", 3));
    gs_arena_destroy(arena);
}

static void test_bad_references(void)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        { "", "empty" },
        { HEADER "x\n", "1:1: the header has no column 'frag_ratio_mean'" },
        { HEADER "frag_ratio_mean\na,b,x,1,2\n",
          "2:5: 'arrived_load_pct' must be a whole number (got 'x')" },
        { HEADER "frag_ratio_mean\na,b,1,,2\n",
          "2:7: 'alloc_ratio_mean' must be a number (got '')" },
        { HEADER "frag_ratio_mean\na,b,1,2,nan\n",
          "2:9: 'frag_ratio_mean' must be a number (got 'nan')" },
        { HEADER "frag_ratio_mean\na,b,1\n", "2" },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct gs_arena *arena = gs_arena_create(1 << 12);
        struct gs_err err = { 0 };
        char text[256];

        CU_ASSERT_PTR_NULL(reference(arena, cases[i].text, &err));
        CU_ASSERT_EQUAL(err.code, GS_INPUT);
        CU_ASSERT_PTR_NOT_NULL(
            strstr(gs_err_format(&err, 0, text, sizeof(text)), cases[i].says));
        gs_arena_destroy(arena);
    }
}

/* --- rows ----------------------------------------------------------------- */

static int store(const struct database *d, const struct report_fills *f,
                 struct gs_err *err)
{
    struct report_store *s = report_store_open(d->path, err);
    const int rc = s ? report_store_write_fills(s, f, err) : -1;

    report_store_close(s);
    return rc;
}

static void test_rows(void)
{
    struct gs_err err = { 0 };
    struct database d;

    database_init(&d);
    CU_ASSERT_EQUAL(store(&d, &fills, &err), 0);
    CU_ASSERT_STRING_EQUAL(
        database_ask(&d, "SELECT id, list, list_path, list_hash, policy, seed,"
                         " load_milli, tasks, gpu_milli FROM fills"),
        "1|default|a/default.csv|0000000000000abc|fgd|42|30|7|2000\n"
        "2|default|a/default.csv|0000000000000abc|fgd|43|30|7|2000\n"
        "3|default|a/default.csv|0000000000000abc|mine, \"odd\"|42|30|7|2000\n"
        "4|default|a/default.csv|0000000000000abc|mine, \"odd\"|43|30|7|2000"
        "\n");
    CU_ASSERT_STRING_EQUAL(
        database_ask(&d, "SELECT * FROM fill_points WHERE fill_id = 2"),
        "2|1|0|500.0\n2|2|1000|1000.0\n2|3|1500|500.0\n");
    CU_ASSERT_STRING_EQUAL(
        database_ask(&d, "SELECT load, percent, allocated, fragmented"
                         " FROM v_fills WHERE policy = 'fgd' AND seed = 42"),
        "0.03|1|0.0|0.25\n0.03|2|0.5|0.5\n0.03|3|1.0|0.0\n");
    database_fini(&d);
}

/* An experiment that exists is refused, and with it all others of the command.
 */
static void test_twice(void)
{
    struct report_fills later = fills;
    struct gs_err err = { 0 };
    struct database d;

    database_init(&d);
    CU_ASSERT_EQUAL(store(&d, &fills, &err), 0);
    later.first_seed = 43;
    CU_ASSERT_EQUAL(store(&d, &later, &err), -1);
    CU_ASSERT_EQUAL(err.code, GS_USAGE);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(err.problem[0].text, "policy 'fgd', seed 43"));
    CU_ASSERT_STRING_EQUAL(database_ask(&d, "SELECT count(*) FROM fills"),
                           "4\n");
    later.first_seed = 44;
    CU_ASSERT_EQUAL(store(&d, &later, &err), 0);
    later.load = 20;
    CU_ASSERT_EQUAL(store(&d, &later, &err), 0);
    CU_ASSERT_STRING_EQUAL(database_ask(&d, "SELECT count(*) FROM fills"),
                           "12\n");
    database_fini(&d);
}

static void test_failure_leaves_nothing(void)
{
    struct gs_err err = { 0 };
    struct report_fills other = fills;
    struct database d;

    database_init(&d);
    CU_ASSERT_EQUAL(store(&d, &fills, &err), 0);
    database_ask(&d, "CREATE UNIQUE INDEX one_row ON fill_points((1))"
                     " WHERE fill_id = 7");
    other.first_seed = 100;
    CU_ASSERT_EQUAL(store(&d, &other, &err), -1);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(err.problem[0].text, "cannot store the experiments: UNIQUE"));
    CU_ASSERT_STRING_EQUAL(database_ask(&d,
                                        "SELECT (SELECT count(*) FROM fills),"
                                        " (SELECT count(*) FROM fill_points)"),
                           "4|12\n");
    database_fini(&d);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "figures are means and deviations of fills", test_figures },
        { "published figures are read", test_reference },
        { "malformed references are refused", test_bad_references },
        { "fills are stored as rows", test_rows },
        { "a fill that is there is refused with the whole command",
          test_twice },
        { "a failure leaves nothing", test_failure_leaves_nothing },
    };

    return suite_run("fills", cases, N_ELEMENTS(cases));
}
