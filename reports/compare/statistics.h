/* reports/compare/statistics.h - what a few repetitions say of a mean.
 *
 * Means by chance differ; these tell how far.  All results depend on the
 * values and their order alone: the bootstrap draws from GSL's mt19937, always
 * of the same seed.  Values must be within +-REPORT_VALUE_MAX, so that no
 * square of one overflows.
 */
#ifndef REPORTS_COMPARE_STATISTICS_H
#define REPORTS_COMPARE_STATISTICS_H

#include <stdint.h>

#define REPORT_RESAMPLES 2000 /* of the bootstrap */
#define REPORT_LEVEL 0.05     /* an interval covers all but this */
#define REPORT_VALUE_MAX 1e150

struct report_interval {
    double low, high;
};

/* Exactly the value when all are the same; n at least 1. */
double report_mean(const double *x, uint32_t n);

/* Of the mean of what the n values were drawn from, 95 %; n at least 2.
 * From 5 values on the percentile bootstrap (Efron 1979), its percentiles
 * moved out to make up for few values: to Phi(-sqrt(n / (n - 1)) t), where t is
 * Student's for n - 1 degrees of freedom (Hesterberg 2015, "What teachers
 * should know about the bootstrap", section 3.2).  Resampling fewer values
 * cannot give 95 %, since no mean of them is outside their range, so Student's
 * interval is taken for these.
 */
struct report_interval report_mean_interval(const double *x, uint32_t n);

/* How likely a mean at least so far from 0 is by chance, if that of what the n
 * differences were drawn from is 0: Student's t (1908) of pairs, two-sided.
 * Where all differences are the same, and t says nothing, that of so many of
 * one sign: 2^(1 - n).  n at least 2.
 */
double report_p_paired(const double *difference, uint32_t n);

struct report_welch {
    double p;                        /* two-sided */
    struct report_interval interval; /* 95 %, of mean(y) - mean(x) */
};

/* The same of two means that nothing pairs, whose spreads may differ (Welch
 * 1947), with the degrees of freedom of Satterthwaite (1946).  Both n at least
 * 2.  p is 1 where no value differs from another of its side, since then
 * nothing is known of their spread.
 */
struct report_welch report_welch_test(const double *x, uint32_t n,
                                      const double *y, uint32_t m);

#endif /* REPORTS_COMPARE_STATISTICS_H */
