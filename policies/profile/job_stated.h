/* policies/profile/job_stated.h - does a job state a setting. */
#ifndef POLICIES_PROFILE_JOB_STATED_H
#define POLICIES_PROFILE_JOB_STATED_H

#include <stdbool.h>

#include "traces/workload/queue_terms.h"
#include "traces/workload/workload.h"

/* Settings in the order of reports; those of queues first. */
enum stated {
    QUEUE_LIMIT,
    QUEUE_USER_LIMIT,
    QUEUE_GUARANTEE,
    QUEUE_DESERVED,
    QUEUE_WEIGHT,
    QUEUE_PRIORITY,
    QUEUE_STATE,
    QUEUE_RECLAIMABLE,
    QUEUE_BORROW,
    QUEUE_LEND,
    QUEUE_OVER_QUOTA,
    QUEUE_FLAVORS,
    QUEUE_USER_LIMITS,
    QUEUE_TERM, /* the first one; the others follow */
    JOB_PRIORITY = QUEUE_TERM + TRACE_QUEUE_TERMS,
    JOB_PREEMPTION,
    JOB_PREEMPTIBLE,
    JOB_TOPOLOGY,
    JOB_SLICES,
    JOB_FLAVORS,
    JOB_AFFINITY,
    JOB_ANTI_AFFINITY,
    JOB_SPREAD,
    JOB_PREFER,
    JOB_SOFT_AFFINITY,
    JOB_SOFT_ANTI_AFFINITY,
    JOB_SOFT_SPREAD,
    JOB_MAX_WAIT,
    JOB_GANG_TIMEOUT,
    JOB_NICE,
    JOB_MIN_RESOURCES,
    JOB_TASK_AFFINITY,
    JOB_ESTIMATE,
    BUDGET,
    ACCOUNT,
    QOS,
    PARTITION,
    ACCOUNT_LIMITS,
    QOS_LIMITS,
    QOS_USAGE_FACTOR,
    QOS_GRACE,
    PARTITION_GRACE,
    POOL,
    SETTINGS
};

/* Does the job, or a task group of it, state the setting, which is from
 * JOB_PRIORITY to before BUDGET?
 */
bool gsched_job_states(const struct trace_workload *w,
                       const struct trace_job *j, enum stated what);

#endif /* POLICIES_PROFILE_JOB_STATED_H */
