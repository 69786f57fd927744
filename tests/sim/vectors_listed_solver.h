/* tests/sim/vectors_listed_solver.h - vectors of KAI Scheduler's actions and
 * cycles that are not run, and why.
 */
#ifndef TEST_VECTORS_LISTED_SOLVER_H
#define TEST_VECTORS_LISTED_SOLVER_H

#include "tests/lib/vectors.h"

#define NOT_YET "its order, scores or way to make room are not modelled yet"

static const struct vector_listed listed[] = {

    { "kai-act-allocate-21", NOT_YET },
    { "kai-act-allocate-topology-09", NOT_YET },

    { "kai-act-allocate-subgroups-04", NOT_YET },
    { "kai-act-allocate-subgroups-05", NOT_YET },
    { "kai-act-consolidation-subgroups-04", NOT_YET },
    { "kai-act-consolidation-13", NOT_YET },
    { "kai-e2e-reclaim-03", NOT_YET },
    { "kai-e2e-reclaim-12", NOT_YET },
    { "kai-e2e-reclaim-46", NOT_YET },
    { "kai-act-reclaim-26", NOT_YET },
    { "kai-act-reclaim-33", NOT_YET },
    { "kai-act-reclaim-41", NOT_YET },
    { "kai-act-reclaim-42", NOT_YET },
    { "kai-act-reclaim-53", NOT_YET },
    { "kai-act-reclaim-64", NOT_YET },
};

#endif /* TEST_VECTORS_LISTED_SOLVER_H */
