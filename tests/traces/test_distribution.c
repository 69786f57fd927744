/* tests/traces/test_distribution.c - parameters come back from samples drawn
 * with them, and a wrong kind is told from the right one.
 */
#include <math.h>

#include "base/array.h"
#include "base/rng.h"
#include "tests/lib/load_trace.h"
#include "traces/model/distribution.h"

#define N 20000

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double *draw(const struct trace_distribution *d, uint64_t seed)
{
    double *x = gs_array_new(N, sizeof(*x));
    struct gs_rng r;

    gs_rng_init(&r, seed, "test");
    for (uint32_t i = 0; i < N; i++)
        x[i] = trace_distribution_quantile(d, (gs_rng_double(&r) + 1e-12));
    qsort(x, N, sizeof(*x), rising);
    return x;
}

static const struct trace_distribution known[] = {
    { .kind = TRACE_LOGNORMAL, .param = { 7.2, 1.9 } },
    { .kind = TRACE_LOGNORMAL, .param = { -1, 0.3 } },
    { .kind = TRACE_WEIBULL, .param = { 3600, 0.45 } },
    { .kind = TRACE_WEIBULL, .param = { 20, 3 } },
    { .kind = TRACE_PARETO, .param = { 60, 1.2 } },
    { .kind = TRACE_PARETO, .param = { 1, 4 } },
    { .kind = TRACE_MIXTURE, .param = { 0.3, 4, 0.7, 10, 1.2 } },
};

static void test_recovered(void)
{
    for (size_t i = 0; i < N_ELEMENTS(known); i++) {
        const struct trace_distribution *d = &known[i];
        const uint32_t params = trace_distribution_params(d);
        double *x = draw(d, 11 + i);
        struct trace_distribution found;

        CU_ASSERT_TRUE_FATAL(trace_distribution_fit(d->kind, x, N, &found));
        for (uint32_t k = 0; k < params; k++) {
            if (fabs(found.param[k] - d->param[k])
                > 0.03 * fmax(1, fabs(d->param[k]))) {
                printf("\ncase %zu: parameter %u is %g, not %g\n", i, k,
                       found.param[k], d->param[k]);
                CU_FAIL("parameter");
            }
        }
        CU_ASSERT_TRUE(trace_distribution_distance(&found, x, N) < 0.011);
        CU_ASSERT_TRUE(trace_distance_p(trace_distribution_distance(d, x, N), N)
                       > 0.0005);
        gs_array_free(x);
    }
}

/* Every other kind is worse, by Akaike's measure. */
static void test_told_apart(void)
{
    for (size_t i = 0; i < N_ELEMENTS(known); i++) {
        double *x = draw(&known[i], 99 + i);
        struct trace_distribution right, other;
        double best;

        CU_ASSERT_TRUE_FATAL(
            trace_distribution_fit(known[i].kind, x, N, &right));
        best = trace_distribution_aic(&right, x, N);
        for (int k = 0; k < TRACE_MIXTURE; k++) {
            const enum trace_distribution_kind kind =
                (enum trace_distribution_kind)k;

            if (kind == known[i].kind
                || !trace_distribution_fit(kind, x, N, &other))
                continue;
            CU_ASSERT_TRUE(trace_distribution_aic(&other, x, N) > best);
            CU_ASSERT_TRUE(
                trace_distance_p(trace_distribution_distance(&other, x, N), N)
                < 0.001);
        }
        gs_array_free(x);
    }
}

static void test_table(void)
{
    static const struct trace_knot knots[] = { { 0.1, 1 },
                                               { 0.5, 101 },
                                               { 0.9, 1001 } };
    const struct trace_distribution d = { .kind = TRACE_QUANTILES,
                                          .knot = knots,
                                          .knot_count = 3 };
    struct gs_arena *arena = gs_arena_create(4096);
    double *x = draw(&known[0], 3);
    const double few[] = { 5, 5, 9 };
    struct trace_distribution t;

    CU_ASSERT_DOUBLE_EQUAL(trace_distribution_quantile(&d, 0.05), 1, 0);
    CU_ASSERT_DOUBLE_EQUAL(trace_distribution_quantile(&d, 0.3), 51, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(trace_distribution_quantile(&d, 0.95), 1001, 0);
    CU_ASSERT_DOUBLE_EQUAL(trace_distribution_cdf(&d, 51), 0.3, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(trace_distribution_cdf(&d, 0.5), 0, 0);
    CU_ASSERT_DOUBLE_EQUAL(trace_distribution_cdf(&d, 1001), 1, 0);
    trace_distribution_tabulate(x, N, arena, &t);
    CU_ASSERT_EQUAL(trace_distribution_params(&t), TRACE_TABLE_POINTS);
    CU_ASSERT_TRUE(trace_distribution_distance(&t, x, N) < 0.011);
    trace_distribution_tabulate(few, 3, arena, &t);
    CU_ASSERT_EQUAL(trace_distribution_params(&t), 3);
    CU_ASSERT_EQUAL(trace_distribution_quantile(&t, 0.3), 5);
    CU_ASSERT_TRUE(trace_distribution_quantile(&t, 0.6) > 5);
    trace_distribution_tabulate(few, 1, arena, &t);
    CU_ASSERT_EQUAL(trace_distribution_quantile(&t, 0.9), 5);
    gs_array_free(x);
    gs_arena_destroy(arena);
}

/* Equal values are one step of the table, not a distance. */
static void test_table_ties(void)
{
    struct gs_arena *arena = gs_arena_create(4096);
    double x[1000];
    struct trace_distribution t;

    for (int i = 0; i < 1000; i++)
        x[i] = i < 300 ? 1 + i * 0.01 : i < 700 ? 60 : 1000 + i;
    trace_distribution_tabulate(x, 1000, arena, &t);
    CU_ASSERT_TRUE(trace_distribution_distance(&t, x, 1000) < 0.02);
    CU_ASSERT_DOUBLE_EQUAL(trace_distribution_below(&t, 60), 0.3, 0.02);
    CU_ASSERT_DOUBLE_EQUAL(trace_distribution_cdf(&t, 60), 0.7, 0.02);
    gs_arena_destroy(arena);
}

/* A table's mean is that of the values, however long their tail. */
static void test_table_mean(void)
{
    static const uint32_t sizes[] = { 1, 2, 5, 20, 21, 22, 100, 1000, N };
    const struct trace_distribution d = { .kind = TRACE_PARETO,
                                          .param = { 10, 1.1 } };
    struct gs_arena *arena = gs_arena_create(4096);
    double *x = draw(&d, 5);

    for (size_t i = 0; i < N_ELEMENTS(sizes); i++) {
        const uint32_t n = sizes[i], step = N / n;
        double *some = gs_array_new(n, sizeof(*some));
        struct trace_distribution t;
        double want = 0, got = 0;

        for (uint32_t k = 0; k < n; k++)
            want += some[k] = x[k * step];
        trace_distribution_tabulate(some, n, arena, &t);
        CU_ASSERT_TRUE(t.knot_count <= TRACE_TABLE_POINTS);
        for (uint32_t k = 0; k < 1000000; k++)
            got += trace_distribution_quantile(&t, (k + 0.5) / 1000000);
        CU_ASSERT_DOUBLE_EQUAL(got / 1000000 / (want / n), 1, 0.001);
        gs_array_free(some);
    }
    gs_array_free(x);
    gs_arena_destroy(arena);
}

/* Draws stay within min and max, and are spread over what is between. */
static void test_cut(void)
{
    for (size_t i = 0; i < N_ELEMENTS(known); i++) {
        struct trace_distribution d = known[i];
        double last;

        d.min = trace_distribution_quantile(&known[i], 0.2);
        d.max = trace_distribution_quantile(&known[i], 0.6);
        last = d.min;
        CU_ASSERT_DOUBLE_EQUAL(trace_distribution_quantile(&d, 0.5),
                               trace_distribution_quantile(&known[i], 0.4),
                               1e-6 * d.max);
        for (double u = 0.001; u < 1; u += 0.001) {
            const double x = trace_distribution_quantile(&d, u);

            CU_ASSERT_TRUE(x >= last && x <= d.max);
            last = x;
        }
    }
}

static void test_none(void)
{
    const double same[] = { 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3 };
    const double few[] = { 1, 2, 3 };
    struct trace_distribution d;

    for (int k = 0; k < TRACE_DISTRIBUTIONS; k++) {
        const enum trace_distribution_kind kind =
            (enum trace_distribution_kind)k;

        CU_ASSERT_FALSE(trace_distribution_fit(kind, same, 12, &d));
        CU_ASSERT_FALSE(trace_distribution_fit(kind, few, 3, &d));
    }
    /* Kolmogorov's table: 1.36 / sqrt(n) is 5 %, 1.63 is 1 % */
    CU_ASSERT_DOUBLE_EQUAL(trace_distance_p(1.358 / 100, 10000), 0.05, 0.001);
    CU_ASSERT_DOUBLE_EQUAL(trace_distance_p(1.628 / 100, 10000), 0.01, 0.001);
    CU_ASSERT_EQUAL(trace_distance_p(0.0001, 100), 1);
}

static const struct suite_case cases[] = {
    { "parameters are recovered from draws", test_recovered },
    { "the best distribution is told from others", test_told_apart },
    { "a table gives its values back", test_table },
    { "equal values are one step of a table", test_table_ties },
    { "the mean of a table is that of its values", test_table_mean },
    { "draws stay within min and max", test_cut },
    { "equal or few values fit no distribution", test_none },
};

int main(void)
{
    return suite_run("traces: distribution", cases, N_ELEMENTS(cases));
}
