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
    { "k8s-backoff-01",
      "times of a retry queue: in gsim what does not fit sleeps until "
      "something that it could use is freed, and is never retried by a clock" },
};

#endif /* TEST_VECTORS_LISTED_KUBE_H */
