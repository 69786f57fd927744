/* policies/state/limit_reasons.h - the names of limits, as Slurm has them. */
#ifndef POLICIES_STATE_LIMIT_REASONS_H
#define POLICIES_STATE_LIMIT_REASONS_H

#include "topology/resources.h"
#include "traces/workload/limits.h"

/* Of a QOS, or of an account or its user; the others have names of their own.
 */
enum limit_holder {
    LIMIT_OF_QOS,
    LIMIT_OF_ACCOUNT,
    LIMIT_HOLDERS,
    LIMIT_OF_POOL = LIMIT_HOLDERS,
    LIMIT_OF_QUEUE, /* of a user or a group in it */
};

const char *gsched_limit_amount_name(enum limit_holder h,
                                     enum trace_limit_scope scope,
                                     enum trace_limit_kind kind, uint32_t dim);
const char *gsched_limit_jobs_name(enum limit_holder h,
                                   enum trace_limit_scope scope);
/* Of scope group or job. */
const char *gsched_limit_wall_name(enum limit_holder h,
                                   enum trace_limit_scope scope);

#endif /* POLICIES_STATE_LIMIT_REASONS_H */
