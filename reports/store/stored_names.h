/* reports/store/stored_names.h - names of states, causes and evictions. */
#ifndef REPORTS_STORE_STORED_NAMES_H
#define REPORTS_STORE_STORED_NAMES_H

#include "sim/replay/observer.h"

/* "pending", "partly placed", "running" ... */
const char *report_state_name(enum report_state s);
/* "quota", "capacity" ...; "" for none */
const char *report_cause_name(enum report_cause c);
/* "timeout", "preempt", "reclaim" */
const char *report_eviction_name(enum report_eviction_kind k);
/* "nodes", "all-reduce", "table" */
const char *report_speed_name(enum report_speed_by by);
/* "open", "drained", "failed", "absent" */
const char *report_node_state_name(enum report_node_state s);

#endif /* REPORTS_STORE_STORED_NAMES_H */
