/* policies/state/limit_reasons.c - see limit_reasons.h. */
#include "policies/state/limit_reasons.h"

#include <assert.h>

/* Amounts that have names of their own; all others are GRES. */
enum named { NAMED_CPU, NAMED_MEMORY, NAMED_NODE, NAMED_GRES, NAMED };

static const char *const held[LIMIT_HOLDERS][TRACE_LIMIT_SCOPES][NAMED] = {
    [LIMIT_OF_QOS] = {
        [TRACE_LIMIT_GROUP] = { "QOSGrpCpuLimit", "QOSGrpMemLimit",
                                "QOSGrpNodeLimit", "QOSGrpGRES" },
        [TRACE_LIMIT_USER] = { "QOSMaxCpuPerUserLimit", "QOSMaxMemoryPerUser",
                               "QOSMaxNodePerUserLimit", "QOSMaxGRESPerUser" },
        [TRACE_LIMIT_ACCOUNT] = { "MaxCpuPerAccount", "MaxMemoryPerAccount",
                                  "MaxNodePerAccount", "MaxGRESPerAccount" },
        [TRACE_LIMIT_JOB] = { "QOSMaxCpuPerJobLimit", "QOSMaxMemoryPerJob",
                              "QOSMaxNodePerJobLimit", "QOSMaxGRESPerJob" },
    },
    [LIMIT_OF_ACCOUNT] = {
        [TRACE_LIMIT_GROUP] = { "AssocGrpCpuLimit", "AssocGrpMemLimit",
                                "AssocGrpNodeLimit", "AssocGrpGRES" },
        [TRACE_LIMIT_USER] = { "AssocMaxCpuPerUser", "AssocMaxMemPerUser",
                               "AssocMaxNodePerUser", "AssocMaxGRESPerUser" },
        [TRACE_LIMIT_ACCOUNT] = { "AssocGrpCpuLimit", "AssocGrpMemLimit",
                                  "AssocGrpNodeLimit", "AssocGrpGRES" },
        [TRACE_LIMIT_JOB] = { "AssocMaxCpuPerJobLimit", "AssocMaxMemPerJob",
                              "AssocMaxNodePerJobLimit", "AssocMaxGRESPerJob" },
    },
};

static const char *const of_task[LIMIT_HOLDERS][NAMED] = {
    [LIMIT_OF_QOS] = { "QOSMaxCpuPerNode", "QOSMaxMemoryPerNode",
                       "QOSMaxUnknownPerNode", "QOSMaxGRESPerNode" },
    [LIMIT_OF_ACCOUNT] = { "AssocMaxCpuPerNode", "AssocMaxMemPerNode",
                           "AssocMaxUnknownPerNode", "AssocMaxGRESPerNode" },
};

/* Slurm has none of accounts. */
static const char *const least[LIMIT_HOLDERS][NAMED] = {
    [LIMIT_OF_QOS] = { "QOSMinCpuNotSatisfied", "QOSMinMemory", "QOSMinNode",
                       "QOSMinGRES" },
    [LIMIT_OF_ACCOUNT] = { "AssocMinCpu", "AssocMinMem", "AssocMinNode",
                           "AssocMinGRES" },
};

static const char *const used[LIMIT_HOLDERS][NAMED] = {
    [LIMIT_OF_QOS] = { "QOSGrpCPUMinutesLimit", "QOSGrpMemoryMinutes",
                       "QOSGrpNodeMinutes", "QOSGrpGRESMinutes" },
    [LIMIT_OF_ACCOUNT] = { "AssocGrpCPUMinutesLimit", "AssocGrpMemMinutes",
                           "AssocGrpNodeMinutes", "AssocGrpGRESMinutes" },
};

static const char *const of_job[LIMIT_HOLDERS][NAMED] = {
    [LIMIT_OF_QOS] = { "QOSMaxCpuMinutesPerJobLimit",
                       "QOSMaxMemoryMinutesPerJob", "QOSMaxNodeMinutesPerJob",
                       "QOSMaxGRESMinutesPerJob" },
    [LIMIT_OF_ACCOUNT] = { "AssocMaxCpuMinutesPerJobLimit",
                           "AssocMaxMemMinutesPerJob",
                           "AssocMaxNodeMinutesPerJob",
                           "AssocMaxGRESMinutesPerJob" },
};

static const char *const running[LIMIT_HOLDERS][NAMED] = {
    [LIMIT_OF_QOS] = { "QOSGrpCPURunMinutesLimit", "QOSGrpMemoryRunMinutes",
                       "QOSGrpNodeRunMinutes", "QOSGrpGRESRunMinutes" },
    [LIMIT_OF_ACCOUNT] = { "AssocGrpCPURunMinutesLimit",
                           "AssocGrpMemRunMinutes", "AssocGrpNodeRunMinutes",
                           "AssocGrpGRESRunMinutes" },
};

/* Of users and accounts, the same for both holders. */
static const char *const running_of[][NAMED] = {
    [TRACE_LIMIT_USER] = { "MaxCpuRunMinsPerUser", "MaxMemoryRunMinsPerUser",
                           "MaxNodeRunMinsPerUser", "MaxGRESRunMinsPerUser" },
    [TRACE_LIMIT_ACCOUNT] = { "MaxCpuRunMinsPerAccount",
                              "MaxMemoryRunMinsPerAccount",
                              "MaxNodeRunMinsPerAccount",
                              "MaxGRESRunMinsPerAccount" },
};

static enum named named_of(uint32_t dim)
{
    return dim == TOPO_CPU      ? NAMED_CPU
           : dim == TOPO_MEMORY ? NAMED_MEMORY
           : dim == TOPO_PODS   ? NAMED_NODE
                                : NAMED_GRES;
}

const char *gsched_limit_amount_name(enum limit_holder h,
                                     enum trace_limit_scope scope,
                                     enum trace_limit_kind kind, uint32_t dim)
{
    const enum named name = named_of(dim);

    assert(h < LIMIT_HOLDERS && scope < TRACE_LIMIT_SCOPES);
    switch (kind) {
    case TRACE_LIMIT_TASK:
        return of_task[h][name];
    case TRACE_LIMIT_LEAST:
        return least[h][name];
    case TRACE_LIMIT_MINUTES:
        return scope == TRACE_LIMIT_JOB ? of_job[h][name] : used[h][name];
    case TRACE_LIMIT_RUNNING:
        return scope == TRACE_LIMIT_GROUP ? running[h][name]
                                          : running_of[scope][name];
    default:
        return held[h][scope][name];
    }
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

const char *gsched_limit_wall_name(enum limit_holder h,
                                   enum trace_limit_scope scope)
{
    if (scope == TRACE_LIMIT_GROUP)
        return h == LIMIT_OF_QOS ? "QOSGrpWallLimit" : "AssocGrpWallLimit";
    return h == LIMIT_OF_QOS ? "QOSMaxWallDurationPerJobLimit"
                             : "AssocMaxWallDurationPerJobLimit";
}
