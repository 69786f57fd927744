/* policies/policy/values.h - values that all parts of policy.h use. */
#ifndef POLICIES_POLICY_VALUES_H
#define POLICIES_POLICY_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int64_t gsp_time; /* microseconds */
#define GSP_NEVER INT64_MAX

/* Scores are integers, in millionths of a point, so that rounding never decides
 * an order.
 */
#define GSP_POINT INT64_C(1000000)
#define GSP_SCORE_MOST (INT64_C(1) << 60)

struct gsp_task; /* what one task asks for */
struct gsp_job;  /* one job, pending or running */

#define GSP_NONE UINT32_MAX /* no queue, no user, no tier */

/* The first dimensions of every host. */
enum gsp_dim { GSP_CPU, GSP_MEMORY, GSP_RDMA, GSP_PODS, GSP_GPU };

/* Whether a task may run on a node in a given state, and if not, why. */
enum gsp_refusal {
    GSP_ACCEPTED,
    GSP_NO_ROOM,    /* not now: other tasks hold what it needs */
    GSP_WRONG_NODE, /* never: model, label, taint or size */
};

/* Which jobs may be evicted for a job that does not fit. */
enum gsp_why {
    GSP_PREEMPT, /* jobs of lower priority in its own queue */
    GSP_RECLAIM, /* jobs of other queues that hold more than their deserved
                    share */
};

#endif /* POLICIES_POLICY_VALUES_H */
