/* import/slurm/sacct_columns.c - the columns of sacct, see sacct_row.h. */
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "import/slurm/sacct_row.h"
#include "import/slurm/slurm_values.h"

static const struct column {
    const char *name;
    enum sacct_field field;
} columns[] = {
    { "JobID", SACCT_JOB_ID },
    { "JobIDRaw", SACCT_JOB_ID_RAW },
    { "JobName", SACCT_JOB_NAME },
    { "User", SACCT_USER },
    { "Account", SACCT_ACCOUNT },
    { "Partition", SACCT_PARTITION },
    { "QOS", SACCT_QOS },
    { "Submit", SACCT_SUBMIT },
    { "Eligible", SACCT_ELIGIBLE },
    { "Start", SACCT_START },
    { "End", SACCT_END },
    { "Elapsed", SACCT_ELAPSED },
    { "ElapsedRaw", SACCT_ELAPSED_RAW },
    { "Timelimit", SACCT_LIMIT },
    { "TimelimitRaw", SACCT_LIMIT_RAW },
    { "State", SACCT_STATE },
    { "NNodes", SACCT_NODES },
    { "AllocNodes", SACCT_ALLOC_NODES },
    { "ReqNodes", SACCT_REQ_NODES },
    { "NCPUS", SACCT_CPUS },
    { "AllocCPUS", SACCT_ALLOC_CPUS },
    { "ReqCPUS", SACCT_REQ_CPUS },
    { "ReqMem", SACCT_REQ_MEMORY },
    { "ReqTRES", SACCT_REQ_TRES },
    { "AllocTRES", SACCT_ALLOC_TRES },
    { "ReqGRES", SACCT_REQ_GRES },
    { "AllocGRES", SACCT_ALLOC_GRES },
    { "NodeList", SACCT_NODE_LIST },
    { "Reservation", SACCT_RESERVATION },
    { "Constraints", SACCT_CONSTRAINTS },
    { "Licenses", SACCT_LICENSES },
    { "SegmentSize", SACCT_SEGMENT },
    { "TresPerNode", SACCT_PER_NODE },
    { "TresPerJob", SACCT_PER_JOB },
    { "TresPerTask", SACCT_PER_TASK },
    { "SubmitLine", SACCT_SUBMIT_LINE },
    { "Priority", SACCT_PRIORITY },
    { "Reason", SACCT_REASON },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static const char *const others[] = {
    "AdminComment",
    "AssocID",
    "AveCPU",
    "AveCPUFreq",
    "AveDiskRead",
    "AveDiskWrite",
    "AvePages",
    "AveRSS",
    "AveVMSize",
    "BlockID",
    "Cluster",
    "Comment",
    "ConsumedEnergy",
    "ConsumedEnergyRaw",
    "Container",
    "CPUTime",
    "CPUTimeRAW",
    "DBIndex",
    "DerivedExitCode",
    "ExitCode",
    "Extra",
    "FailedNode",
    "Flags",
    "GID",
    "Group",
    "Layout",
    "MaxDiskRead",
    "MaxDiskReadNode",
    "MaxDiskReadTask",
    "MaxDiskWrite",
    "MaxDiskWriteNode",
    "MaxDiskWriteTask",
    "MaxPages",
    "MaxPagesNode",
    "MaxPagesTask",
    "MaxRSS",
    "MaxRSSNode",
    "MaxRSSTask",
    "MaxVMSize",
    "MaxVMSizeNode",
    "MaxVMSizeTask",
    "McsLabel",
    "MinCPU",
    "MinCPUNode",
    "MinCPUTask",
    "NTasks",
    "Planned",
    "PlannedCPU",
    "PlannedCPURAW",
    "QOSRAW",
    "QOSREQ",
    "ReqCPUFreq",
    "ReqCPUFreqGov",
    "ReqCPUFreqMax",
    "ReqCPUFreqMin",
    "ReservationId",
    "ReservationIdReq",
    "Reserved",
    "ResvCPU",
    "ResvCPURAW",
    "Restarts",
    "SLUID",
    "StdErr",
    "StdIn",
    "StdOut",
    "Steps",
    "Suspended",
    "SystemComment",
    "SystemCPU",
    "TotalCPU",
    "TRESUsageInAve",
    "TRESUsageInMax",
    "TRESUsageInMaxNode",
    "TRESUsageInMaxTask",
    "TRESUsageInMin",
    "TRESUsageInMinNode",
    "TRESUsageInMinTask",
    "TRESUsageInTot",
    "TRESUsageOutAve",
    "TRESUsageOutMax",
    "TRESUsageOutMaxNode",
    "TRESUsageOutMaxTask",
    "TRESUsageOutMin",
    "TRESUsageOutMinNode",
    "TRESUsageOutMinTask",
    "TRESUsageOutTot",
    "UID",
    "UserCPU",
    "WCKey",
    "WCKeyID",
    "WorkDir",
    "v",
};

#define OTHERS (sizeof(others) / sizeof(others[0]))

enum sacct_field sacct_field_find(const char *name, uint32_t len,
                                  bool *is_known)
{
    *is_known = true;
    for (size_t i = 0; i < COLUMNS; i++) {
        if (slurm_is_word(name, len, columns[i].name))
            return columns[i].field;
    }
    for (size_t i = 0; i < OTHERS; i++) {
        if (slurm_is_word(name, len, others[i]))
            return SACCT_FIELDS;
    }
    *is_known = false;
    return SACCT_FIELDS;
}

bool sacct_column_is(const char *name, uint32_t len)
{
    for (size_t i = 0; i < COLUMNS + OTHERS; i++) {
        const char *c = i < COLUMNS ? columns[i].name : others[i - COLUMNS];

        if (strlen(c) == len && memcmp(name, c, len) == 0)
            return true;
    }
    return false;
}

const char *sacct_column_nearest(const char *name)
{
    const char *known[COLUMNS + OTHERS];
    size_t n = 0;

    for (size_t i = 0; i < COLUMNS; i++)
        known[n++] = columns[i].name;
    for (size_t i = 0; i < OTHERS; i++)
        known[n++] = others[i];
    return gs_nearest(name, known, n);
}

const char *sacct_columns_lack(const bool *has)
{
    if (!has[SACCT_SUBMIT] && !has[SACCT_ELIGIBLE] && !has[SACCT_START])
        return "Submit";
    if (!has[SACCT_ELAPSED] && !has[SACCT_ELAPSED_RAW]
        && (!has[SACCT_START] || !has[SACCT_END]))
        return "Elapsed (or ElapsedRaw, or Start and End)";
    return NULL;
}

bool sacct_is_job_id(const char *text, uint32_t len)
{
    uint32_t digits = 0;

    while (digits < len && text[digits] >= '0' && text[digits] <= '9')
        digits++;
    return digits > 0 && digits < 20
           && (digits == len || text[digits] == '_' || text[digits] == '.'
               || text[digits] == '+');
}

bool sacct_is_time(const char *text, uint32_t len)
{
    return slurm_is_none(text, len)
           || (len >= 19 && text[4] == '-' && text[7] == '-'
               && (text[10] == 'T' || text[10] == ' ') && text[13] == ':')
           || (len >= 9 && len <= 12 && strspn(text, "0123456789") >= len);
}
