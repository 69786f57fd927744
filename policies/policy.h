/* policies/policy.h - the contract between a scheduler and its modules.
 *
 * This is the only header a module may include besides the C library.  It names
 * no simulator type: the host may be gsim or a live scheduler.  Its parts, in
 * policy/, follow: settings of actions, what the host shows, its services, and
 * the module.
 *
 * Rules for a module:
 *   - no writable globals, no I/O, no clock, no rand();
 *     its only inputs are the host's table, the views and its own
 *     `self`;
 *   - memory from host->keep() lives until close() and is freed by the host;
 *   - the same inputs give the same answers, bit for bit.
 */
#ifndef POLICIES_POLICY_H
#define POLICIES_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GSP_ABI_MAJOR 3  /* bumped when an existing field changes */
#define GSP_ABI_MINOR 10 /* bumped when a field is appended */

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

#include "policy/settings.h"
#include "policy/view.h"

#include "policy/host.h"
#include "policy/module.h"

#endif /* POLICIES_POLICY_H */
