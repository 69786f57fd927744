/* tests/sim/vectors_listed_kube.h - vectors of kube-scheduler and its plugins
 * that are not run, and why.
 */
#ifndef TEST_VECTORS_LISTED_KUBE_H
#define TEST_VECTORS_LISTED_KUBE_H

#include "tests/lib/vectors.h"

static const struct vector_listed listed[] = {
    { "k8s-pgpreempt-04",
      "the group fits beside those that run; upstream's test calls the "
      "evaluator all the same, gsim makes room only for what does not fit" },
};

#endif /* TEST_VECTORS_LISTED_KUBE_H */
