/* traces/model/distribution.h - distributions of positive numbers: durations in
 * seconds, gaps, ratios.
 */
#ifndef TRACES_MODEL_DISTRIBUTION_H
#define TRACES_MODEL_DISTRIBUTION_H

#include <stdbool.h>
#include <stdint.h>

struct gs_arena;

enum trace_distribution_kind {
    TRACE_LOGNORMAL, /* mu, sigma of the natural logarithm */
    TRACE_WEIBULL,   /* scale, shape */
    TRACE_PARETO,    /* scale (the least value), shape */
    TRACE_MIXTURE,   /* of two lognormals: weight of the first, mu, sigma,
                           mu2, sigma2 */
    TRACE_QUANTILES, /* a table, linear between its points and
                           flat beyond them */
    TRACE_DISTRIBUTIONS
};

#define TRACE_PARAMS_MAX 5
#define TRACE_KNOTS_MAX 1000
#define TRACE_TABLE_POINTS 21 /* at most, of a fitted table */

struct trace_knot {
    double p, x; /* p rises, x does not fall; p of 0 to 1, x > 0 */
};

struct trace_distribution {
    enum trace_distribution_kind kind;
    double param[TRACE_PARAMS_MAX];
    double min, max;               /* range of the drawn values; 0: unbounded */
    const struct trace_knot *knot; /* TRACE_QUANTILES */
    uint32_t knot_count;
};

/* The name of a kind, and its parameters with their ranges. */
struct trace_distribution_spec {
    const char *name;
    uint32_t count;
    struct {
        const char *name;
        double lo, hi;
    } param[TRACE_PARAMS_MAX];
};

const struct trace_distribution_spec *trace_distribution_spec(
    enum trace_distribution_kind kind);

/* The number of parameters, or of points of the table. */
uint32_t trace_distribution_params(const struct trace_distribution *d);

/* P(X <= x), without regard to min and max. */
double trace_distribution_cdf(const struct trace_distribution *d, double x);
/* P(X < x), likewise: values of a table may be equal. */
double trace_distribution_below(const struct trace_distribution *d, double x);
/* The quantile at `u`, 0 < u < 1, within min and max. */
double trace_distribution_quantile(const struct trace_distribution *d,
                                   double u);

/* --- fits, of `n` >= 1 values > 0, sorted --------------------------------- */

/* Maximum-likelihood parameters of `kind`; for the mixture by expectation
 * maximisation, started from two halves.  min and max are those of the values.
 * false when there are none: too few values, or all are equal.
 */
bool trace_distribution_fit(enum trace_distribution_kind kind, const double *x,
                            uint32_t n, struct trace_distribution *out);
/* A table of at most TRACE_TABLE_POINTS points, in `arena`, dense in the tail,
 * with the mean of the values.
 */
void trace_distribution_tabulate(const double *x, uint32_t n,
                                 struct gs_arena *arena,
                                 struct trace_distribution *out);

/* 2 k - 2 ln L (Akaike 1974); smaller is better.  Not of tables. */
double trace_distribution_aic(const struct trace_distribution *d,
                              const double *x, uint32_t n);
/* The Kolmogorov-Smirnov distance. */
double trace_distribution_distance(const struct trace_distribution *d,
                                   const double *x, uint32_t n);
/* The asymptotic probability of a distance at least so large (Stephens 1970);
 * too large when the parameters were fitted to the same values.
 */
double trace_distance_p(double distance, uint32_t n);

#endif /* TRACES_MODEL_DISTRIBUTION_H */
