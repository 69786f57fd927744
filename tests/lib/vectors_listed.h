/* tests/lib/vectors_listed.h - vectors of Volcano's tests that are not
 * run, and why.
 */
#ifndef TEST_VECTORS_LISTED_H
#define TEST_VECTORS_LISTED_H

#include "tests/lib/vectors.h"

static const struct vector_listed listed[] = {
    { "vc-reclaim-08",
      "pods of one job, some of which may preempt and some not: in gsim that is "
      "said of priority classes, and a job has one" },
    { "vc-backfill-01",
      "priorities of tasks within a job: in gsim a job has one priority" },
    { "vc-hypernode-04",
      "the walk of gangpreempt from wide to narrow domains: gsim makes room "
      "node by node" },
    { "vc-usage-02",
      "the load of a task between its request and its limit: tasks state no "
      "limits" },
};

#endif /* TEST_VECTORS_LISTED_H */
