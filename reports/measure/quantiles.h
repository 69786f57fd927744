/* reports/measure/quantiles.h - percentiles of sorted integers. */
#ifndef REPORTS_MEASURE_QUANTILES_H
#define REPORTS_MEASURE_QUANTILES_H

#include <stdint.h>

/* A number that belongs to a job. */
struct report_value {
    uint64_t value;
    uint32_t job;
};

/* Sort by value; equal ones keep their order. */
void report_values_sort(struct report_value *v, uint32_t count);

/* Percentile by nearest rank: the smallest of the sorted values such that at
 * least `percent` % (1 to 100) of them are not above it.  0 without values.
 */
uint64_t report_values_percentile(const struct report_value *v, uint32_t count,
                                  uint32_t percent);

/* The mean, computed from the exact sum. */
double report_values_mean(const struct report_value *v, uint32_t count);

#endif /* REPORTS_MEASURE_QUANTILES_H */
