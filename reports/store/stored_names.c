/* reports/store/stored_names.c - names of states, causes and evictions. */
#include "reports/store/stored_names.h"

#include "reports/glossary/cause_info.h"

const char *report_state_name(enum report_state s)
{
    static const char *const names[REPORT_STATES] = {
        [REPORT_PENDING] = "pending", [REPORT_PARTLY] = "partly placed",
        [REPORT_RUNNING] = "running", [REPORT_DONE] = "done",
        [REPORT_FAILED] = "failed",   [REPORT_REJECTED] = "rejected",
    };

    return names[s];
}

const char *report_cause_name(enum report_cause c)
{
    return report_cause_info(c)->name;
}

const char *report_eviction_name(enum report_eviction_kind k)
{
    static const char *const names[REPORT_EVICTION_KINDS] = {
        [REPORT_TIMEOUT] = "timeout",
        [REPORT_PREEMPT] = "preempt",
        [REPORT_RECLAIM] = "reclaim",
        [REPORT_LOST] = "lost",
    };

    return names[k];
}

const char *report_speed_name(enum report_speed_by by)
{
    static const char *const names[REPORT_SPEED_SOURCES] = {
        [REPORT_SPEED_NODES] = "nodes",
        [REPORT_SPEED_ALL_REDUCE] = "all-reduce",
        [REPORT_SPEED_TABLE] = "table",
    };

    return names[by];
}

const char *report_node_state_name(enum report_node_state s)
{
    static const char *const names[REPORT_NODE_STATES] = {
        [REPORT_NODE_OPEN] = "open",
        [REPORT_NODE_DRAINED] = "drained",
        [REPORT_NODE_FAILED] = "failed",
        [REPORT_NODE_ABSENT] = "absent",
    };

    return names[s];
}
