/* reports/compare/statistics.c - means, their intervals and tests; see
 * statistics.h.
 */
#include "reports/compare/statistics.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define SEED 42ul /* arbitrary, but fixed */
#define FEW 5u    /* below this number Student's interval is used */

double report_mean(const double *x, uint32_t n)
{
    double sum = 0;

    assert(x && n > 0);
    for (uint32_t i = 0; i < n; i++)
        sum += x[i] - x[0];
    return x[0] + sum / n;
}

/* The standard error of the mean, squared. */
static double error_squared(const double *x, uint32_t n)
{
    const double mean = report_mean(x, n);
    double sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum / (n - 1) / n;
}

static struct report_interval around(double mean, double reach)
{
    return (struct report_interval){ mean - reach, mean + reach };
}

static double t_of_level(double freedom)
{
    return gsl_cdf_tdist_Qinv(REPORT_LEVEL / 2, freedom);
}

static double p_of_t(double t, double freedom)
{
    return fmin(1, 2 * gsl_cdf_tdist_Q(fabs(t), freedom));
}

/* --- the bootstrap -------------------------------------------------------- */

static int double_compare(const void *pa, const void *pb)
{
    const double a = *(const double *)pa, b = *(const double *)pb;

    return (a > b) - (a < b);
}

/* Means of REPORT_RESAMPLES resamples, in order. */
static void means_resample(const double *x, uint32_t n, double *mean)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937); /* GSL ends the process
                                                      without memory */

    gsl_rng_set(rng, SEED);
    for (int k = 0; k < REPORT_RESAMPLES; k++) {
        double sum = 0;

        for (uint32_t i = 0; i < n; i++)
            sum += x[gsl_rng_uniform_int(rng, n)] - x[0];
        mean[k] = x[0] + sum / n;
    }
    gsl_rng_free(rng);
    qsort(mean, REPORT_RESAMPLES, sizeof(*mean), double_compare);
}

struct report_interval report_mean_interval(const double *x, uint32_t n)
{
    const double error = sqrt(error_squared(x, n));
    const double t = t_of_level(n - 1);
    double mean[REPORT_RESAMPLES];
    int outside;

    assert(x && n > 0);
    if (error == 0 || n < FEW)
        return around(report_mean(x, n), error * t);
    outside = (int)(REPORT_RESAMPLES
                    * gsl_cdf_ugaussian_P(-sqrt(n / (n - 1.0)) * t));
    means_resample(x, n, mean);
    return (struct report_interval){ mean[outside],
                                     mean[REPORT_RESAMPLES - 1 - outside] };
}

/* --- tests ---------------------------------------------------------------- */

double report_p_paired(const double *difference, uint32_t n)
{
    const double mean = report_mean(difference, n);
    const double error = sqrt(error_squared(difference, n));

    assert(difference || n == 0);
    if (mean == 0)
        return 1;
    return error > 0 ? p_of_t(mean / error, n - 1) : ldexp(1, 1 - (int)n);
}

struct report_welch report_welch_test(const double *x, uint32_t n,
                                      const double *y, uint32_t m)
{
    const double difference = report_mean(y, m) - report_mean(x, n);
    const double ex = error_squared(x, n), ey = error_squared(y, m);
    const double error = sqrt(ex + ey);
    /* ex, ey as fractions of their sum: their squares neither over- nor
     * underflow
     */
    const double px = ex / (ex + ey), py = ey / (ex + ey);
    double freedom;

    assert(x && y);
    if (error == 0)
        return (struct report_welch){ 1, around(difference, 0) };
    freedom = 1 / (px * px / (n - 1) + py * py / (m - 1));
    return (
        struct report_welch){ p_of_t(difference / error, freedom),
                              around(difference, error * t_of_level(freedom)) };
}

/* --- Kendall's tau -------------------------------------------------------- */

struct pair {
    double x, y;
};

static int by_x_and_y(const void *a, const void *b)
{
    const struct pair *p = a, *q = b;

    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

/* Sort by y, stable; the number of exchanges of neighbours that it takes. */
static uint64_t exchanges(struct pair *p, struct pair *room, uint32_t n)
{
    const uint32_t half = n / 2;
    uint64_t count;
    uint32_t i = 0, k = half, to = 0;

    if (n < 2)
        return 0;
    count = exchanges(p, room, half) + exchanges(p + half, room, n - half);
    while (i < half || k < n) {
        const bool is_right = i == half || (k < n && p[k].y < p[i].y);

        count += is_right ? half - i : 0;
        room[to++] = is_right ? p[k++] : p[i++];
    }
    memcpy(p, room, n * sizeof(*p));
    return count;
}

static double pairs_of(uint64_t n)
{
    return (double)n * ((double)n - 1) / 2;
}

/* Pairs that are tied in x (`by_x`), in y, or in both, among sorted ones. */
static double ties_of(const struct pair *p, uint32_t n, bool by_x, bool by_y)
{
    double ties = 0;

    for (uint32_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && (!by_x || p[next].x == p[i].x)
                           && (!by_y || p[next].y == p[i].y);)
            next++;
        ties += pairs_of(next - i);
    }
    return ties;
}

double report_tau(const double *x, const double *y, uint32_t n)
{
    struct pair *p = gs_array_new(2 * (size_t)n, sizeof(*p));
    double all = pairs_of(n), x_ties, y_ties, both, swaps;

    assert(n >= 1);
    for (uint32_t i = 0; i < n; i++)
        p[i] = (struct pair){ x[i], y[i] };
    qsort(p, n, sizeof(*p), by_x_and_y);
    x_ties = ties_of(p, n, true, false);
    both = ties_of(p, n, true, true);
    swaps = (double)exchanges(p, p + n, n);
    y_ties = ties_of(p, n, false, true);
    gs_array_free(p);
    if (x_ties == all || y_ties == all)
        return x_ties == y_ties ? 1 : 0;
    return (all - x_ties - y_ties + both - 2 * swaps)
           / sqrt((all - x_ties) * (all - y_ties));
}
