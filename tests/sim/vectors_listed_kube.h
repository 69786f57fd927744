/* tests/sim/vectors_listed_kube.h - vectors of kube-scheduler and its plugins
 * that are not run, and why.
 */
#ifndef TEST_VECTORS_LISTED_KUBE_H
#define TEST_VECTORS_LISTED_KUBE_H

#include "tests/lib/vectors.h"

#define NO_SAMPLE                                                        \
    "asserts which nodes kube-scheduler's scan dry-runs, from a random " \
    "offset until enough are found: gsim looks at nodes from the least " \
    "important victims on, up to 100 that would do, and tells the chosen one"

static const struct vector_listed listed[] = {
    { "k8s-dryrun-08", NO_SAMPLE },
    { "k8s-dryrun-09", NO_SAMPLE },
    { "k8s-pgpreempt-04",
      "the group fits beside those that run; upstream's test calls the "
      "evaluator all the same, gsim makes room only for what does not fit" },
    { "kube-numfeasible-01",
      "counts the nodes that are searched and scored in a sample of large "
      "clusters: gsim looks at every node, by classes of equal ones" },
    { "k8s-backoff-01",
      "times of a retry queue: in gsim what does not fit sleeps until "
      "something that it could use is freed, and is never retried by a clock" },
};

#endif /* TEST_VECTORS_LISTED_KUBE_H */
