/* tests/reports/test_quantiles.c - ranks, means, buckets, texts. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/rng.h"
#include "reports/measure/quantiles.h"
#include "reports/measure/samples.h"
#include "tests/lib/suite.h"

static void test_percentile_is_nearest_rank(void)
{
    static const struct {
        uint32_t count, percent;
        uint64_t value; /* of 10, 20, 30 ... */
    } cases[] = {
        { 1, 1, 10 },    { 1, 50, 10 },   { 1, 100, 10 },   { 2, 50, 10 },
        { 2, 51, 20 },   { 5, 50, 30 },   { 5, 95, 50 },    { 10, 90, 90 },
        { 10, 91, 100 }, { 20, 95, 190 }, { 100, 99, 990 }, { 100, 100, 1000 },
        { 0, 50, 0 },
    };
    uint64_t v[100];

    for (uint32_t i = 0; i < 100; i++)
        v[i] = (i + 1) * 10;
    for (size_t i = 0; i < N_ELEMENTS(cases); i++)
        CU_ASSERT_EQUAL(
            report_values_percentile(v, cases[i].count, cases[i].percent),
            cases[i].value);
}

static void test_sort_is_over_all_bits(void)
{
    enum { COUNT = 5000 };
    static uint64_t v[COUNT];
    uint64_t seed = 1, sum = 0;
    uint32_t faults = 0;

    for (uint32_t i = 0; i < COUNT; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
        v[i] = (seed >> (seed >> 58)) & ~UINT64_C(7);
        sum += v[i];
    }
    sum += UINT64_MAX - v[7];
    v[7] = UINT64_MAX;
    report_values_sort(v, COUNT, NULL);
    for (uint32_t i = 1; i < COUNT; i++)
        faults += v[i] < v[i - 1];
    for (uint32_t i = 0; i < COUNT; i++)
        sum -= v[i];
    CU_ASSERT_EQUAL(faults, 0);
    CU_ASSERT_EQUAL(sum, 0);
    CU_ASSERT_EQUAL(v[COUNT - 1], UINT64_MAX);
    report_values_sort(v, 0, NULL);
}

static int value_compare(const void *pa, const void *pb)
{
    const uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

    return (a > b) - (a < b);
}

/* The smallest value that enough of them do not exceed, by counting. */
static uint64_t percentile_counted(const uint64_t *v, uint32_t count,
                                   uint32_t percent)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t most = 0;

        for (uint32_t k = 0; k < count; k++)
            most += v[k] <= v[i];
        if (most * 100 >= (uint64_t)count * percent)
            return v[i];
    }
    return 0;
}

/* Random values of every width, against the library's sort and a count. */
static void test_as_plain_code_does(void)
{
    static uint64_t v[300], wanted[300];
    struct gs_rng r;

    gs_rng_init(&r, 42, "distribution");
    for (uint32_t round = 0; round < 65; round++) {
        const uint32_t count = 1 + (uint32_t)gs_rng_below(&r, 300);
        const uint64_t mask = round ? UINT64_MAX >> (64 - round) : 0;
        uint64_t sum = 0;
        uint32_t faults = 0;

        for (uint32_t i = 0; i < count; i++) {
            const uint64_t high = gs_rng_u32(&r);

            v[i] = (high << 32 | gs_rng_u32(&r)) & mask;
            sum += v[i];
        }
        memcpy(wanted, v, sizeof(v));
        qsort(wanted, count, sizeof(*wanted), value_compare);
        if (round <= 40) /* the sum is below 2^53 */
            CU_ASSERT_DOUBLE_EQUAL(report_values_mean(v, count),
                                   (double)sum / count, (double)sum * 1e-15);
        report_values_sort(v, count, NULL);
        for (uint32_t i = 0; i < count; i++)
            faults += v[i] != wanted[i];
        for (uint32_t p = 1; p <= 100; p++)
            faults += report_values_percentile(v, count, p)
                      != percentile_counted(wanted, count, p);
        CU_ASSERT_EQUAL(faults, 0);
    }
}

static void test_mean_does_not_overflow(void)
{
    const uint64_t big[] = { UINT64_C(1) << 62, UINT64_C(1) << 62,
                             UINT64_C(1) << 62, UINT64_C(1) << 62,
                             UINT64_C(1) << 62 };
    const uint64_t small[] = { 1, 2, 4 };

    CU_ASSERT_EQUAL(report_values_mean(big, 5), (double)(UINT64_C(1) << 62));
    CU_ASSERT_DOUBLE_EQUAL(report_values_mean(small, 3), 7.0 / 3, 1e-15);
    CU_ASSERT_EQUAL(report_values_mean(small, 0), 0);
}

/* A value that equals the second it is in, for `seconds`. */
static void ramp(struct report_samples *s, int64_t seconds)
{
    double value[REPORT_SERIES] = { 0 };

    for (int64_t i = 0; i < seconds; i++) {
        value[REPORT_BUSY] = (double)i;
        report_samples_add(s, 1000000, value);
    }
}

static void test_samples_double_and_stay_exact(void)
{
    static const struct {
        int64_t seconds;
        uint32_t rows;
        int64_t span; /* s */
    } cases[] = { { 1, 1, 1 },
                  { 2048, 2048, 1 },
                  { 2049, 1025, 2 },
                  { 4096, 2048, 2 },
                  { 5001, 1251, 4 } };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct report_samples s;
        const uint32_t last = cases[i].rows - 1;
        const int64_t from = last * cases[i].span, to = cases[i].seconds;

        report_samples_init(&s);
        ramp(&s, cases[i].seconds);
        CU_ASSERT_EQUAL(s.count, cases[i].rows);
        CU_ASSERT_EQUAL(s.span, cases[i].span * 1000000);
        CU_ASSERT_EQUAL(report_samples_value(&s, 0, REPORT_BUSY),
                        (double)(cases[i].span - 1) / 2);
        CU_ASSERT_EQUAL(report_samples_value(&s, last, REPORT_BUSY),
                        (double)(from + to - 1) / 2);
        report_samples_fini(&s);
    }
}

static void test_samples_of_a_long_silence(void)
{
    const double value[REPORT_SERIES] = { [REPORT_WAITING] = 3 };
    const int64_t end = INT64_C(1) << 60;
    struct report_samples s;

    report_samples_init(&s);
    report_samples_add(&s, end, value);
    CU_ASSERT(s.count <= REPORT_SAMPLES_MAX && s.count > 1000);
    CU_ASSERT_DOUBLE_EQUAL(report_samples_value(&s, 0, REPORT_WAITING), 3,
                           1e-12);
    CU_ASSERT_DOUBLE_EQUAL(
        report_samples_value(&s, s.count - 1, REPORT_WAITING), 3, 1e-12);
    report_samples_fini(&s);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "percentile is nearest rank", test_percentile_is_nearest_rank },
        { "sort is over all bits", test_sort_is_over_all_bits },
        { "quantiles equal those of a plain sort", test_as_plain_code_does },
        { "mean does not overflow", test_mean_does_not_overflow },
        { "samples double and stay exact", test_samples_double_and_stay_exact },
        { "samples of a long silence", test_samples_of_a_long_silence },
    };

    return suite_run("reports/distribution", cases, N_ELEMENTS(cases));
}
