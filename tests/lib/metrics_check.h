/* tests/lib/metrics_check.h - compares metrics of the run of rig.h with values
 * computed by hand.
 */
#ifndef TEST_METRICS_CHECK_H
#define TEST_METRICS_CHECK_H

#include <math.h>

#include "tests/lib/rig.h"
#include "tests/lib/suite.h"

#define ABSENT ((double)NAN)

struct expected_metric {
    const char *name, *scope, *label;
    double value; /* ABSENT */
};

/* Print each metric that is not as expected, and fail; jobs of `large` GPUs are
 * large.
 */
void metrics_check(struct rig *r, uint32_t large,
                   const struct expected_metric *e, size_t n);

#endif /* TEST_METRICS_CHECK_H */
