/* policies/state/limit_reasons.c - see limit_reasons.h. */
#include "policies/state/limit_reasons.h"

#include <assert.h>

/* Amounts that have names of their own; all others are GRES. */
enum named { NAMED_CPU, NAMED_MEMORY, NAMED_GRES, NAMED };

static const char *const amounts[LIMIT_HOLDERS][TRACE_LIMIT_SCOPES][NAMED] = {
    [LIMIT_OF_QOS] = {
        [TRACE_LIMIT_GROUP] = { "QOSGrpCpuLimit", "QOSGrpMemLimit",
                                "QOSGrpGRES" },
        [TRACE_LIMIT_USER] = { "QOSMaxCpuPerUserLimit", "QOSMaxMemoryPerUser",
                               "QOSMaxGRESPerUser" },
        [TRACE_LIMIT_ACCOUNT] = { "MaxCpuPerAccount", "MaxMemoryPerAccount",
                                  "MaxGRESPerAccount" },
        [TRACE_LIMIT_JOB] = { "QOSMaxCpuPerJobLimit", "QOSMaxMemoryPerJob",
                              "QOSMaxGRESPerJob" },
    },
    [LIMIT_OF_ACCOUNT] = {
        [TRACE_LIMIT_GROUP] = { "AssocGrpCpuLimit", "AssocGrpMemLimit",
                                "AssocGrpGRES" },
        [TRACE_LIMIT_USER] = { "AssocMaxCpuPerUser", "AssocMaxMemPerUser",
                               "AssocMaxGRESPerUser" },
        [TRACE_LIMIT_ACCOUNT] = { "AssocGrpCpuLimit", "AssocGrpMemLimit",
                                  "AssocGrpGRES" },
        [TRACE_LIMIT_JOB] = { "AssocMaxCpuPerJobLimit", "AssocMaxMemPerJob",
                              "AssocMaxGRESPerJob" },
    },
};

const char *gsched_limit_amount_name(enum limit_holder h,
                                     enum trace_limit_scope scope, uint32_t dim)
{
    assert(h < LIMIT_HOLDERS && scope < TRACE_LIMIT_SCOPES);
    return amounts[h][scope][dim == TOPO_CPU      ? NAMED_CPU
                             : dim == TOPO_MEMORY ? NAMED_MEMORY
                                                  : NAMED_GRES];
}

const char *gsched_limit_jobs_name(enum limit_holder h,
                                   enum trace_limit_scope scope)
{
    static const char *const names[LIMIT_HOLDERS][TRACE_LIMIT_JOB] = {
        [LIMIT_OF_QOS] = { "QOSGrpJobsLimit", "QOSMaxJobsPerUserLimit",
                           "MaxJobsPerAccount" },
        [LIMIT_OF_ACCOUNT] = { "AssocGrpJobsLimit", "AssocMaxJobsLimit",
                               "AssocGrpJobsLimit" },
    };

    assert(h < LIMIT_HOLDERS && scope < TRACE_LIMIT_JOB);
    return names[h][scope];
}

const char *gsched_limit_wall_name(enum limit_holder h)
{
    return h == LIMIT_OF_QOS ? "QOSMaxWallDurationPerJobLimit"
                             : "AssocMaxWallDurationPerJobLimit";
}
