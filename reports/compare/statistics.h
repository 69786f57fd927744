/* reports/compare/statistics.h - intervals and tests of means of few runs.
 *
 * All results depend on the values and their order alone: the bootstrap draws
 * from GSL's mt19937, always with the same seed.  Values must be within
 * +-REPORT_VALUE_MAX, so that no square overflows.
 */
#ifndef REPORTS_COMPARE_STATISTICS_H
#define REPORTS_COMPARE_STATISTICS_H

#include <stdint.h>

#define REPORT_RESAMPLES 2000 /* of the bootstrap */
#define REPORT_LEVEL 0.05     /* 1 - confidence level of intervals */
#define REPORT_VALUE_MAX 1e150

struct report_interval {
    double low, high;
};

/* The mean; exactly the value when all are the same; n at least 1. */
double report_mean(const double *x, uint32_t n);

/* 95 % confidence interval of the mean of the distribution that the n values
 * are a sample of; n at least 2.  From 5 values on it is the percentile
 * bootstrap (Efron 1979) with the percentiles Phi(-sqrt(n / (n - 1)) t), where
 * t is Student's for n - 1 degrees of freedom: this widens it for small samples
 * (Hesterberg 2015, "What teachers should know about the bootstrap", section
 * 3.2).  Below 5 values it is Student's interval, since no mean of resampled
 * values is outside their range.
 */
struct report_interval report_mean_interval(const double *x, uint32_t n);

/* Two-sided p-value of the hypothesis that the mean difference is 0: Student's
 * paired t test (1908); n at least 2.  When all differences are equal, t is not
 * defined, and the sign test's value 2^(1 - n) is returned.
 */
double report_p_paired(const double *difference, uint32_t n);

struct report_welch {
    double p;                        /* two-sided */
    struct report_interval interval; /* 95 %, of mean(y) - mean(x) */
};

/* Welch's test (1947) of two means without pairs, with the degrees of freedom
 * of Satterthwaite (1946); n and m at least 2.  p is 1 when all values of each
 * side are equal, since their variance is not known then.
 */
struct report_welch report_welch_test(const double *x, uint32_t n,
                                      const double *y, uint32_t m);

/* Kendall's tau-b (1945) of n pairs, in n log n (Knight 1966): 1 when y has the
 * order of x, -1 when it has the reverse; n at least 1.  1 when all values of
 * each side are equal, 0 when those of one side are.
 */
double report_tau(const double *x, const double *y, uint32_t n);

#endif /* REPORTS_COMPARE_STATISTICS_H */
