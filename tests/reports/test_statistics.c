/* tests/reports/test_statistics.c - published examples, and what an interval
 * promises.
 */
#include <math.h>

#include "base/rng.h"
#include "reports/compare/statistics.h"
#include "tests/lib/suite.h"

/* Extra hours of sleep of ten patients under two drugs: Student 1908, "The
 * probable error of a mean", as R's data set "sleep" has them.  What is wanted
 * is printed by R's t.test.
 */
static const double drug1[] = {
    0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2
};
static const double drug2[] = { 1.9, 0.8, 1.1, 0.1, -0.1,
                                4.4, 5.5, 1.6, 4.6, 3.4 };
#define PATIENTS 10

static void test_paired(void)
{
    double d[PATIENTS];

    for (int i = 0; i < PATIENTS; i++)
        d[i] = drug2[i] - drug1[i];
    CU_ASSERT_DOUBLE_EQUAL(report_mean(d, PATIENTS), 1.58, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(report_p_paired(d, PATIENTS), 0.002832890, 1e-8);
}

static void test_welch(void)
{
    const struct report_welch w = report_welch_test(drug1, PATIENTS, drug2,
                                                    PATIENTS);

    CU_ASSERT_DOUBLE_EQUAL(w.p, 0.079394140, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(w.interval.low, -0.2054832, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(w.interval.high, 3.3654832, 1e-6);
}

/* Few values have Student's interval: t of 0.975 is 12.7062, 4.30265 and
 * 3.18245 for 1, 2 and 3 degrees of freedom.
 */
static void test_few(void)
{
    static const struct {
        double x[4];
        uint32_t n;
        double reach;
    } cases[] = {
        { { 1, 3 }, 2, 12.7062047 },
        { { 1, 2, 3 }, 3, 4.30265273 / 1.7320508 },
        { { 1, 1, 3, 3 }, 4, 3.18244631 * 1.1547005 / 2 },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        const struct report_interval v = report_mean_interval(cases[i].x,
                                                              cases[i].n);

        CU_ASSERT_DOUBLE_EQUAL(v.low, 2 - cases[i].reach, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(v.high, 2 + cases[i].reach, 1e-6);
    }
}

/* No spread: the value itself, to the last bit, and no width. */
static void test_constant(void)
{
    double x[100];

    for (uint32_t n = 2; n <= 100; n++) {
        struct report_interval v;

        for (uint32_t i = 0; i < n; i++)
            x[i] = 0.1;
        v = report_mean_interval(x, n);
        CU_ASSERT_EQUAL(report_mean(x, n), 0.1);
        CU_ASSERT_EQUAL(v.low, 0.1);
        CU_ASSERT_EQUAL(v.high, 0.1);
        CU_ASSERT_EQUAL(report_p_paired(x, n), ldexp(1, 1 - (int)n));
        CU_ASSERT_EQUAL(report_welch_test(x, n, x, 2).p, 1);
        for (uint32_t i = 0; i < n; i++)
            x[i] = 0;
        CU_ASSERT_EQUAL(report_p_paired(x, n), 1);
    }
}

static void test_extreme_values(void)
{
    static const double sets[][5] = {
        { 1e150, -1e150, 1e150, 1, 0 },
        { 1e-300, 2e-300, 0, 1e-300, 4e-300 },
        { 1e150, 1e150, 1e150, 1e150, -1e150 },
        { 1, 1, 1, 1, 1 + 0x1p-52 },
    };

    for (size_t i = 0; i < N_ELEMENTS(sets); i++) {
        for (uint32_t n = 2; n <= 5; n++) {
            const struct report_interval v = report_mean_interval(sets[i], n);
            const double p = report_p_paired(sets[i], n);
            const struct report_welch w = report_welch_test(sets[i], n, drug1,
                                                            PATIENTS);

            CU_ASSERT(isfinite(v.low) && v.low <= v.high && isfinite(v.high));
            CU_ASSERT(p >= 0 && p <= 1 && w.p >= 0 && w.p <= 1);
            CU_ASSERT(w.interval.low <= w.interval.high);
        }
    }
}

/* About normal, of mean 5; or of the exponential distribution of that mean. */
static double draw(struct gs_rng *r, int is_skewed)
{
    double sum = 0;

    if (is_skewed)
        return -5 * log(1 - gs_rng_double(r));
    for (int i = 0; i < 12; i++)
        sum += gs_rng_double(r);
    return sum - 1;
}

/* Of simulated cases about 95 of 100 must hold the mean; skewed values with few
 * of them somewhat less, as is known of every such interval.
 */
static void test_coverage(void)
{
    static const struct {
        uint32_t n;
        int is_skewed;
        double least, most;
    } cases[] = {
        { 3, 0, 0.93, 0.97 },  { 5, 0, 0.90, 0.97 },  { 8, 0, 0.92, 0.97 },
        { 10, 0, 0.93, 0.97 }, { 30, 0, 0.93, 0.97 }, { 10, 1, 0.87, 0.96 },
        { 40, 1, 0.91, 0.97 },
    };
    enum { TRIALS = 600 };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct gs_rng rng;
        int held = 0;

        gs_rng_init(&rng, 7, "coverage");
        for (int k = 0; k < TRIALS; k++) {
            struct report_interval v;
            double x[64];

            for (uint32_t j = 0; j < cases[i].n; j++)
                x[j] = draw(&rng, cases[i].is_skewed);
            v = report_mean_interval(x, cases[i].n);
            held += v.low <= 5 && 5 <= v.high;
        }
        CU_ASSERT((double)held / TRIALS >= cases[i].least);
        CU_ASSERT((double)held / TRIALS <= cases[i].most);
    }
}

/* Where nothing differs, about one test in twenty finds that something does. */
static void test_false_alarms(void)
{
    enum { TRIALS = 4000, N = 6 };
    int paired = 0, welch = 0;
    struct gs_rng rng;

    gs_rng_init(&rng, 7, "alarms");
    for (int k = 0; k < TRIALS; k++) {
        double x[N], y[N], d[N];

        for (int i = 0; i < N; i++) {
            x[i] = draw(&rng, 0);
            y[i] = draw(&rng, 0);
            d[i] = y[i] - x[i];
        }
        paired += report_p_paired(d, N) < REPORT_LEVEL;
        welch += report_welch_test(x, N, y, N).p < REPORT_LEVEL;
    }
    CU_ASSERT(paired > TRIALS * 0.04 && paired < TRIALS * 0.06);
    CU_ASSERT(welch > TRIALS * 0.03 && welch < TRIALS * 0.06);
}

/* Values in the same order give the same bits; asked twice, too. */
static void test_same_bits(void)
{
    const struct report_interval a = report_mean_interval(drug1, PATIENTS);
    const struct report_interval b = report_mean_interval(drug1, PATIENTS);

    CU_ASSERT(a.low == b.low && a.high == b.high);
    CU_ASSERT(a.low < 0.75 && a.high > 0.75);
}

/* Against all pairs, with many ties. */
static void test_tau(void)
{
    struct gs_rng rng;

    gs_rng_init(&rng, 7, "tau");
    for (uint32_t n = 1; n <= 60; n++) {
        double x[60], y[60], agree = 0, x_pairs = 0, y_pairs = 0, tau;

        for (uint32_t i = 0; i < n; i++) {
            x[i] = (double)(gs_rng_below(&rng, 1 + n / 2));
            y[i] = (double)(gs_rng_below(&rng, 9));
        }
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t k = 0; k < i; k++) {
                const double dx = x[i] - x[k], dy = y[i] - y[k];

                agree += (dx * dy > 0) - (dx * dy < 0);
                x_pairs += dx != 0;
                y_pairs += dy != 0;
            }
        }
        tau = x_pairs && y_pairs   ? agree / sqrt(x_pairs * y_pairs)
              : x_pairs == y_pairs ? 1
                                   : 0;
        CU_ASSERT_DOUBLE_EQUAL(report_tau(x, y, n), tau, 1e-12);
    }
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "the paired test gives the published p-value", test_paired },
        { "Welch's test gives the published interval", test_welch },
        { "few values have Student's interval", test_few },
        { "constant values have an interval without width", test_constant },
        { "extreme values give finite results", test_extreme_values },
        { "intervals hold the mean in 95 of 100 cases", test_coverage },
        { "equal samples differ in one test of twenty", test_false_alarms },
        { "the same values give the same bits", test_same_bits },
        { "Kendall's tau is that of all pairs", test_tau },
    };

    return suite_run("reports/statistics", cases, N_ELEMENTS(cases));
}
