/* traces/model/distribution_fit.c - maximum-likelihood fits, and goodness of
 * fit.
 */
#include <math.h>

#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_statistics_double.h>

#include "base/arena.h"
#include "base/array.h"
#include "traces/model/distribution.h"

#define EM_ROUNDS 500
#define SIGMA_MIN 0.05 /* of a part: keeps it from shrinking to a value */

static double *logs_of(const double *x, uint32_t n)
{
    double *l = gs_array_new(n, sizeof(*l));

    for (uint32_t i = 0; i < n; i++)
        l[i] = log(x[i]);
    return l;
}

static void fit_lognormal(const double *l, uint32_t n, double *param)
{
    param[0] = gsl_stats_mean(l, 1, n);
    param[1] = gsl_stats_sd_with_fixed_mean(l, 1, n, param[0]);
}

/* The derivative of the likelihood by the shape, over n (rising in shape). */
static double weibull_slope(const double *l, uint32_t n, double mean,
                            double shape)
{
    double sum = 0, weighted = 0;

    /* powers of x over its maximum: none overflows */
    for (uint32_t i = 0; i < n; i++) {
        const double power = exp(shape * (l[i] - l[n - 1]));

        sum += power;
        weighted += power * l[i];
    }
    return weighted / sum - 1 / shape - mean;
}

static void fit_weibull(const double *l, uint32_t n, double *param)
{
    const double mean = gsl_stats_mean(l, 1, n);
    double lo = 0.05, hi = 1000, sum = 0;

    for (int i = 0; i < 60; i++) {
        const double mid = sqrt(lo * hi);

        if (weibull_slope(l, n, mean, mid) < 0)
            lo = mid;
        else
            hi = mid;
    }
    for (uint32_t i = 0; i < n; i++)
        sum += exp(hi * (l[i] - l[n - 1]));
    param[0] = exp(l[n - 1] + log(sum / n) / hi);
    param[1] = hi;
}

static void fit_pareto(const double *l, uint32_t n, double *param)
{
    param[0] = exp(l[0]);
    param[1] = 1 / (gsl_stats_mean(l, 1, n) - l[0]);
}

/* One round of expectation maximisation of `param`. */
static void em_round(const double *l, uint32_t n, double *param)
{
    double w = 0, m1 = 0, m2 = 0, v1 = 0, v2 = 0;
    double *part = gs_array_new(n, sizeof(*part));

    for (uint32_t i = 0; i < n; i++) {
        const double a = param[0]
                         * gsl_ran_gaussian_pdf(l[i] - param[1], param[2]);
        const double b = (1 - param[0])
                         * gsl_ran_gaussian_pdf(l[i] - param[3], param[4]);

        part[i] = a + b > 0 ? a / (a + b) : 0.5;
        w += part[i];
        m1 += part[i] * l[i];
        m2 += (1 - part[i]) * l[i];
    }
    w = fmin(fmax(w, 1e-6), n - 1e-6);
    m1 /= w;
    m2 /= n - w;
    for (uint32_t i = 0; i < n; i++) {
        v1 += part[i] * (l[i] - m1) * (l[i] - m1);
        v2 += (1 - part[i]) * (l[i] - m2) * (l[i] - m2);
    }
    param[0] = w / n;
    param[1] = m1;
    param[2] = fmax(sqrt(v1 / w), SIGMA_MIN);
    param[3] = m2;
    param[4] = fmax(sqrt(v2 / (n - w)), SIGMA_MIN);
    gs_array_free(part);
}

static void fit_mixture(const double *l, uint32_t n, double *param)
{
    const uint32_t half = n / 2;

    param[0] = 0.5;
    fit_lognormal(l, half, param + 1);
    fit_lognormal(l + half, n - half, param + 3);
    param[2] = fmax(param[2], SIGMA_MIN);
    param[4] = fmax(param[4], SIGMA_MIN);
    for (int i = 0; i < EM_ROUNDS; i++) {
        const double before = param[1] + param[3];

        em_round(l, n, param);
        if (fabs(param[1] + param[3] - before) < 1e-9)
            break;
    }
}

bool trace_distribution_fit(enum trace_distribution_kind kind, const double *x,
                            uint32_t n, struct trace_distribution *out)
{
    static void (*const fit[])(const double *, uint32_t, double *) = {
        [TRACE_LOGNORMAL] = fit_lognormal,
        [TRACE_WEIBULL] = fit_weibull,
        [TRACE_PARETO] = fit_pareto,
        [TRACE_MIXTURE] = fit_mixture,
    };
    const struct trace_distribution_spec *spec = trace_distribution_spec(kind);
    double *l;

    if (kind == TRACE_QUANTILES || n < 4 * spec->count || x[0] == x[n - 1])
        return false;
    *out = (struct trace_distribution){ .kind = kind,
                                        .min = x[0],
                                        .max = x[n - 1] };
    l = logs_of(x, n);
    fit[kind](l, n, out->param);
    gs_array_free(l);
    for (uint32_t i = 0; i < spec->count; i++) {
        if (!(out->param[i] >= spec->param[i].lo)
            || !(out->param[i] <= spec->param[i].hi))
            return false;
    }
    return true;
}

/* The contribution to the mean of a table by its pieces from point `from` on.
 */
static double table_sum(const struct trace_knot *k, uint32_t from,
                        uint32_t count)
{
    double sum = (1 - k[count - 1].p) * k[count - 1].x;

    for (uint32_t i = from + 1; i < count; i++)
        sum += (k[i].p - k[i - 1].p) * (k[i].x + k[i - 1].x) / 2;
    return sum;
}

/* Scale the upper half, by a factor near 1, so that the mean is `mean`. */
static void table_settle(struct trace_knot *k, uint32_t count, double mean)
{
    const double sum = k[0].p * k[0].x + table_sum(k, 0, count);
    uint32_t half = 0;
    double factor, upper;

    while (half + 1 < count && k[half].p < 0.5)
        half++;
    /* the piece that ends at `half` is scaled at its upper end only */
    upper = table_sum(k, half, count)
            + (half ? (k[half].p - k[half - 1].p) * k[half].x / 2 : 0);
    factor = 1 + (mean - sum) / upper;
    for (uint32_t i = half; i < count; i++)
        k[i].x = fmax(k[i].x * factor, i ? k[i - 1].x : 0);
}

/* The difference of the sums of the straight line from value `a` to value `b`
 * and of the values between; `at` is the value furthest from the line.
 */
static double line_excess(const double *x, uint32_t a, uint32_t b, uint32_t *at)
{
    double excess = 0, most = -1;

    for (uint32_t i = a + 1; i < b; i++) {
        const double line = x[a] + (x[b] - x[a]) * (i - a) / (b - a);

        excess += line - x[i];
        if (fabs(line - x[i]) > most) {
            most = fabs(line - x[i]);
            *at = i;
        }
    }
    return fabs(excess);
}

/* Add a point to the `count` chosen ones, where the error of the table is
 * largest.
 */
static bool add_point(const double *x, uint32_t *chosen, uint32_t count)
{
    uint32_t place = 0, value = 0;
    double most = 0;

    for (uint32_t i = 0; i + 1 < count; i++) {
        uint32_t at = 0;
        const double excess = line_excess(x, chosen[i], chosen[i + 1], &at);

        if (excess > most) {
            most = excess;
            place = i + 1;
            value = at;
        }
    }
    if (!place)
        return false;
    for (uint32_t i = count; i > place; i--)
        chosen[i] = chosen[i - 1];
    chosen[place] = value;
    return true;
}

/* Value i is at (i + 1/2) / n (Hazen): a table of all values has the exact
 * mean. With more values, the tenths are taken, and the other points are added
 * where the error of the line between two points is largest, which is in the
 * tail.
 */
void trace_distribution_tabulate(const double *x, uint32_t n,
                                 struct gs_arena *arena,
                                 struct trace_distribution *out)
{
    struct trace_knot *k = gs_arena_alloc(arena, TRACE_TABLE_POINTS,
                                          sizeof(*k));
    uint32_t chosen[TRACE_TABLE_POINTS];
    uint32_t count = 0;

    for (uint32_t i = 0; n <= TRACE_TABLE_POINTS && i < n; i++)
        chosen[count++] = i;
    for (uint32_t i = 0; n > TRACE_TABLE_POINTS && i <= 10; i++)
        chosen[count++] = (uint32_t)((uint64_t)i * (n - 1) / 10);
    while (count < TRACE_TABLE_POINTS && count < n
           && add_point(x, chosen, count))
        count++;
    for (uint32_t i = 0; i < count; i++)
        k[i] = (struct trace_knot){ (chosen[i] + 0.5) / n, x[chosen[i]] };
    if (count < n)
        table_settle(k, count, gsl_stats_mean(x, 1, n));
    *out = (struct trace_distribution){ .kind = TRACE_QUANTILES,
                                        .knot = k,
                                        .knot_count = count };
}

/* --- how well ------------------------------------------------------------- */

static double density(const struct trace_distribution *d, double x)
{
    const double *a = d->param;

    switch (d->kind) {
    case TRACE_LOGNORMAL:
        return gsl_ran_lognormal_pdf(x, a[0], a[1]);
    case TRACE_WEIBULL:
        return gsl_ran_weibull_pdf(x, a[0], a[1]);
    case TRACE_PARETO: /* its scale is x[0], apart from rounding */
        return gsl_ran_pareto_pdf(fmax(x, a[0]), a[1], a[0]);
    default:
        return a[0] * gsl_ran_lognormal_pdf(x, a[1], a[2])
               + (1 - a[0]) * gsl_ran_lognormal_pdf(x, a[3], a[4]);
    }
}

double trace_distribution_aic(const struct trace_distribution *d,
                              const double *x, uint32_t n)
{
    double likelihood = 0;

    for (uint32_t i = 0; i < n; i++)
        likelihood += log(fmax(density(d, x[i]), GSL_DBL_MIN));
    return 2.0 * trace_distribution_params(d) - 2 * likelihood;
}

double trace_distribution_distance(const struct trace_distribution *d,
                                   const double *x, uint32_t n)
{
    double most = 0;

    /* equal values are one step */
    for (uint32_t i = 0, end; i < n; i = end) {
        const double below = trace_distribution_below(d, x[i]);

        for (end = i + 1; end < n && x[end] <= x[i];)
            end++;
        most = fmax(most, fabs(below - (double)i / n));
        most = fmax(most,
                    fabs((double)end / n - trace_distribution_cdf(d, x[i])));
    }
    return most;
}

double trace_distance_p(double distance, uint32_t n)
{
    const double root = sqrt(n);
    const double l = (root + 0.12 + 0.11 / root) * distance;
    double sum = 0;

    if (l < 0.2)
        return 1;
    for (int j = 1; j <= 100; j++) {
        const double term = exp(-2 * l * l * j * j);

        sum += j % 2 ? term : -term;
        if (term < 1e-12)
            break;
    }
    return fmin(fmax(2 * sum, 0), 1);
}
