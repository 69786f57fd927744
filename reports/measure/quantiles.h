/* reports/measure/quantiles.h - percentiles of sorted integers. */
#ifndef REPORTS_MEASURE_QUANTILES_H
#define REPORTS_MEASURE_QUANTILES_H

#include <stdint.h>

struct gs_far;

/* Sort the values; takes as much memory again, where `far` says (base/far.h).
 */
void report_values_sort(uint64_t *v, uint32_t count, struct gs_far *far);

/* Percentile by nearest rank: the smallest of the sorted values such that at
 * least `percent` % (1 to 100) of them are not above it.  0 without values.
 */
uint64_t report_values_percentile(const uint64_t *v, uint32_t count,
                                  uint32_t percent);

/* The mean, computed from the exact sum. */
double report_values_mean(const uint64_t *v, uint32_t count);

#endif /* REPORTS_MEASURE_QUANTILES_H */
