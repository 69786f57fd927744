/* tests/sim/vectors_listed_solver.h - vectors of KAI Scheduler's actions and
 * cycles that are not run, and why.
 */
#ifndef TEST_VECTORS_LISTED_SOLVER_H
#define TEST_VECTORS_LISTED_SOLVER_H

#include "tests/lib/vectors.h"

static const struct vector_listed listed[] = {
    { "kai-act-allocate-21",
      "a task waits on its node for a release that is not there; here tasks wait "
      "in the queue only" },
    { "kai-act-consolidation-subgroups-04",
      "a gang that moves starts again as a whole; there one of its pods moves" },
};

#endif /* TEST_VECTORS_LISTED_SOLVER_H */
