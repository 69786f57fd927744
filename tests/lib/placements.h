/* tests/lib/placements.h - checks the placements of a run.
 *
 * Checked in the log of the run, from which rows are stored: a task with a
 * given number is at one place at a time; no device is allocated twice, beyond
 * its share or its slices, nor a node beyond its capacity; no task is on a
 * failed or absent node or GPU; placements are within the run and the times of
 * their job.
 */
#ifndef TEST_PLACEMENTS_H
#define TEST_PLACEMENTS_H

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "tests/lib/world.h"
#include "topology/mig.h"

/* The number of faults of the last run; prints their kinds. */
int placements_faults(const struct world *w);

#endif /* TEST_PLACEMENTS_H */
