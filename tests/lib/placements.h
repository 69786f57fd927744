/* tests/lib/placements.h - are the rows of placements as things were?
 *
 * Of a run's log, from which they are stored: a task is in one place at a time,
 * by numbers that it has; no device is held twice, beyond its share or its
 * slices, nor a node beyond what it has; nothing stands on a node or a GPU that
 * is out; placements lie within the run, and within their job's times.
 */
#ifndef TEST_PLACEMENTS_H
#define TEST_PLACEMENTS_H

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "tests/lib/world.h"
#include "topology/mig.h"

/* Faults of the last run; says which kinds there were. */
int placements_faults(const struct world *w);

#endif /* TEST_PLACEMENTS_H */
