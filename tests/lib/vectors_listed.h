/* tests/lib/vectors_listed.h - vectors of Volcano's tests that are not
 * run, and why.
 */
#ifndef TEST_VECTORS_LISTED_H
#define TEST_VECTORS_LISTED_H

#include "tests/lib/vectors.h"

static const struct vector_listed listed[] = {
    { "vc-usage-02",
      "the load of a task between its request and its limit: tasks state no "
      "limits" },
};

#endif /* TEST_VECTORS_LISTED_H */
