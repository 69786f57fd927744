/* tests/reports/test_samples.c - rows of random spans, added up again. */
#include <stdbool.h>

#include "base/duration.h"
#include "base/rng.h"
#include "reports/measure/samples.h"
#include "tests/lib/suite.h"

#define STEPS 4000

/* What is told: value[i] from at[i] to at[i + 1].  Whole numbers, whose
 * products with time stay below 2^53, so that every sum must be exact.
 */
static int64_t at[STEPS + 1], value[STEPS];

/* Many short spans, some as long as a day: the rows double time and again. */
static void told_make(uint64_t seed)
{
    struct gs_rng r;

    gs_rng_init(&r, seed, "samples");
    for (int i = 0; i < STEPS; i++) {
        const bool is_long = gs_rng_below(&r, 50) == 0;
        const uint64_t most = is_long ? UINT64_C(86400000000) : 3000000;

        value[i] = (int64_t)gs_rng_below(&r, 500);
        at[i + 1] = at[i] + (int64_t)gs_rng_below(&r, most);
    }
}

/* Value x microseconds of the first `steps` that fall in [from, to). */
static int64_t told_sum(int steps, int64_t from, int64_t to)
{
    int64_t sum = 0;

    for (int i = 0; i < steps; i++) {
        const int64_t a = at[i] > from ? at[i] : from;
        const int64_t b = at[i + 1] < to ? at[i + 1] : to;

        sum += a < b ? (b - a) * value[i] : 0;
    }
    return sum;
}

static void tell(struct report_samples *s, int i)
{
    double v[REPORT_SERIES];

    for (int k = 0; k < REPORT_SERIES; k++)
        v[k] = (double)(value[i] + k);
    report_samples_add(s, at[i + 1] - at[i], v);
}

static double rows_sum(const struct report_samples *s, enum report_series k)
{
    double sum = 0;

    for (uint32_t i = 0; i < s->count; i++)
        sum += s->row[i].sum[k];
    return sum;
}

/* Merging rows keeps the sums of every series. */
static void test_sums_are_kept(void)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct report_samples s;
        uint32_t joins = 0, faults = 0;

        told_make(seed);
        report_samples_init(&s);
        for (int i = 0; i < STEPS; i++) {
            const int64_t span = s.span;

            tell(&s, i);
            if (s.span == span && i + 1 < STEPS)
                continue;
            joins++;
            for (int k = 0; k < REPORT_SERIES; k++)
                faults += rows_sum(&s, (enum report_series)k)
                          != (double)(told_sum(i + 1, 0, at[i + 1])
                                      + k * at[i + 1]);
        }
        CU_ASSERT(joins > 5);
        CU_ASSERT_EQUAL(faults, 0);
        CU_ASSERT_EQUAL(s.length, at[STEPS]);
        report_samples_fini(&s);
    }
}

/* Each row is the average over its span, whenever it was merged. */
static void test_rows_are_averages(void)
{
    struct report_samples s;
    uint32_t faults = 0;

    told_make(6);
    report_samples_init(&s);
    for (int i = 0; i < STEPS; i++)
        tell(&s, i);
    for (uint32_t i = 0; i < s.count; i++) {
        const int64_t from = i * s.span;
        const int64_t to = from + s.span < s.length ? from + s.span : s.length;

        faults += report_samples_value(&s, i, REPORT_ALLOCATED)
                  != (double)told_sum(STEPS, from, to) / (double)(to - from);
    }
    CU_ASSERT_EQUAL(faults, 0);
    CU_ASSERT_EQUAL(s.count, (s.length + s.span - 1) / s.span);
    CU_ASSERT(s.count > REPORT_SAMPLES_MAX / 2);
    report_samples_fini(&s);
}

/* A span that ends with a row begins no other, and one of no time no row. */
static void test_edges(void)
{
    static const struct {
        int64_t end;
        uint32_t rows;
        int64_t span;
    } cases[] = {
        { 0, 0, 1000000 },
        { 1, 1, 1000000 },
        { 1000000, 1, 1000000 },
        { 1000001, 2, 1000000 },
        { INT64_C(2048000000), 2048, 1000000 },
        { INT64_C(2048000001), 1025, 2000000 },
        { INT64_C(4096000000), 2048, 2000000 },
        { INT64_C(4096000001), 1025, 4000000 },
    };
    const double one[REPORT_SERIES] = { [REPORT_CAPACITY_SHARE] = 0.5 };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct report_samples s;

        report_samples_init(&s);
        report_samples_add(&s, 0, one);
        report_samples_add(&s, cases[i].end, one);
        report_samples_add(&s, 0, one);
        CU_ASSERT_EQUAL(s.count, cases[i].rows);
        CU_ASSERT_EQUAL(s.span, cases[i].span);
        for (uint32_t k = 0; k < s.count; k++)
            CU_ASSERT_EQUAL(report_samples_value(&s, k, REPORT_CAPACITY_SHARE),
                            0.5);
        report_samples_fini(&s);
    }
}

/* The last moment there is. */
static void test_end_of_time(void)
{
    const double one[REPORT_SERIES] = { [REPORT_BUSY] = 1 };
    struct report_samples s;

    report_samples_init(&s);
    report_samples_add(&s, GS_TIME_MAX - 1, one);
    report_samples_add(&s, 1, one);
    CU_ASSERT(s.count > REPORT_SAMPLES_MAX / 2);
    CU_ASSERT(s.count <= REPORT_SAMPLES_MAX);
    CU_ASSERT_EQUAL(s.length, GS_TIME_MAX);
    CU_ASSERT_DOUBLE_EQUAL(report_samples_value(&s, s.count - 1, REPORT_BUSY),
                           1, 1e-12);
    report_samples_fini(&s);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "joined samples keep their sums", test_sums_are_kept },
        { "each row is the average over its span", test_rows_are_averages },
        { "a span of no time has no row", test_edges },
        { "the last moment is sampled", test_end_of_time },
    };

    return suite_run("reports/samples", cases, N_ELEMENTS(cases));
}
