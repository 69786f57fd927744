/* traces/model/distribution.c - names, values and probabilities of
 * distributions; see distribution.h.
 */
#include "traces/model/distribution.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

static const struct trace_distribution_spec specs[TRACE_DISTRIBUTIONS] = {
    [TRACE_LOGNORMAL] = { "lognormal",
                          2,
                          { { "mu", -50, 50 }, { "sigma", 1e-6, 20 } } },
    [TRACE_WEIBULL] = { "weibull",
                        2,
                        { { "scale", 1e-9, 1e12 }, { "shape", 0.05, 1000 } } },
    [TRACE_PARETO] = { "pareto",
                       2,
                       { { "scale", 1e-9, 1e12 }, { "shape", 0.01, 1000 } } },
    [TRACE_MIXTURE] = { "mixture",
                        5,
                        { { "weight", 0, 1 },
                          { "mu", -50, 50 },
                          { "sigma", 1e-6, 20 },
                          { "mu2", -50, 50 },
                          { "sigma2", 1e-6, 20 } } },
    [TRACE_QUANTILES] = { "quantiles", 0, { { 0 } } },
};

const struct trace_distribution_spec *trace_distribution_spec(
    enum trace_distribution_kind kind)
{
    return &specs[kind];
}

uint32_t trace_distribution_params(const struct trace_distribution *d)
{
    assert(d);
    return d->kind == TRACE_QUANTILES ? d->knot_count : specs[d->kind].count;
}

/* --- tables --------------------------------------------------------------- */

/* P(X <= x), or P(X < x) with `below`. */
static double table_cdf(const struct trace_distribution *d, double x,
                        bool below)
{
    const struct trace_knot *k = d->knot;
    uint32_t i = 0;

    while (i < d->knot_count && (k[i].x < x || (!below && k[i].x <= x)))
        i++;
    if (i == 0)
        return 0;
    if (i == d->knot_count)
        return 1;
    return k[i - 1].p
           + (k[i].p - k[i - 1].p) * (x - k[i - 1].x) / (k[i].x - k[i - 1].x);
}

static double table_quantile(const struct trace_distribution *d, double u)
{
    const struct trace_knot *k = d->knot;
    uint32_t i = 0;

    while (i < d->knot_count && k[i].p < u)
        i++;
    if (i == 0 || i == d->knot_count)
        return k[i ? i - 1 : 0].x;
    return k[i - 1].x
           + (k[i].x - k[i - 1].x) * (u - k[i - 1].p) / (k[i].p - k[i - 1].p);
}

/* --- all of them ---------------------------------------------------------- */

double trace_distribution_cdf(const struct trace_distribution *d, double x)
{
    const double *a = d->param;

    assert(d);
    if (d->kind == TRACE_QUANTILES)
        return table_cdf(d, x, false);
    if (x <= 0)
        return 0;
    if (d->kind == TRACE_LOGNORMAL)
        return gsl_cdf_lognormal_P(x, a[0], a[1]);
    if (d->kind == TRACE_WEIBULL)
        return gsl_cdf_weibull_P(x, a[0], a[1]);
    if (d->kind == TRACE_PARETO)
        return x < a[0] ? 0 : gsl_cdf_pareto_P(x, a[1], a[0]);
    return a[0] * gsl_cdf_lognormal_P(x, a[1], a[2])
           + (1 - a[0]) * gsl_cdf_lognormal_P(x, a[3], a[4]);
}

double trace_distribution_below(const struct trace_distribution *d, double x)
{
    return d->kind == TRACE_QUANTILES ? table_cdf(d, x, true)
                                      : trace_distribution_cdf(d, x);
}

/* By bisection between the quantiles of the two parts. */
static double mixture_quantile(const struct trace_distribution *d, double u)
{
    const double *a = d->param;
    const double z = gsl_cdf_ugaussian_Pinv(u);
    double lo = fmin(a[1] + z * a[2], a[3] + z * a[4]);
    double hi = fmax(a[1] + z * a[2], a[3] + z * a[4]);

    for (int i = 0; i < 64 && lo < hi; i++) {
        const double mid = lo + (hi - lo) / 2;

        if (trace_distribution_cdf(d, exp(mid)) < u)
            lo = mid;
        else
            hi = mid;
    }
    return exp(hi);
}

double trace_distribution_quantile(const struct trace_distribution *d, double u)
{
    const double *a = d->param;
    double x;

    assert(d);
    if (d->kind == TRACE_QUANTILES)
        return table_quantile(d, u);
    /* only values between min and max are drawn */
    if (d->min > 0 || d->max > 0) {
        const double lo = d->min > 0 ? trace_distribution_cdf(d, d->min) : 0;
        const double hi = d->max > 0 ? trace_distribution_cdf(d, d->max) : 1;

        u = lo + u * (hi - lo);
        u = fmin(fmax(u, 1e-15), 1 - 1e-15);
    }
    x = d->kind == TRACE_LOGNORMAL ? gsl_cdf_lognormal_Pinv(u, a[0], a[1])
        : d->kind == TRACE_WEIBULL ? gsl_cdf_weibull_Pinv(u, a[0], a[1])
        : d->kind == TRACE_PARETO  ? gsl_cdf_pareto_Pinv(u, a[1], a[0])
                                   : mixture_quantile(d, u);
    if (d->min > 0 && !(x > d->min))
        return d->min;
    return d->max > 0 && x > d->max ? d->max : x;
}
