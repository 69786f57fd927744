/* traces/workload/records.h - runs of jobs as they were on the real
 * cluster.
 */
#ifndef TRACES_WORKLOAD_RECORDS_H
#define TRACES_WORKLOAD_RECORDS_H

#include <stdint.h>

#include "traces/workload/workload.h"

#pragma GCC visibility push(default)

/* A run of a job as the trace recorded it on the real cluster.  Its times are
 * counted from the submission, so that they stay right when that moves.
 */
struct trace_record {
    int64_t wait; /* us from the submission to the start, at least 0 */
    int64_t
        length; /* us from the start to the end; TRACE_FOREVER: not stated */
    uint32_t first_spot, spot_count; /* into spot[]; none: nodes not stated */
};

/* Nodes of a recorded run: they hold the tasks of the job in their order, group
 * by group.
 */
struct trace_spot {
    uint32_t node;  /* string id of its name */
    uint32_t tasks; /* at least 1 */
};

/* All of a workload. */
struct trace_records {
    struct trace_record *record;
    struct trace_spot *spot;
    uint32_t record_count, record_cap, spot_count, spot_cap;
};

/* Append a recorded run, whose spots are appended already, and one of its
 * spots; the index.
 */
uint32_t trace_workload_record(struct trace_workload *w,
                               const struct trace_record *record);
uint32_t trace_workload_spot(struct trace_workload *w, uint32_t node,
                             uint32_t tasks);
void trace_records_free(struct trace_workload *w);

/* When the recorded run started, and when it ended (TRACE_FOREVER: not stated),
 * in us since the trace's start.
 */
static inline int64_t trace_record_start(const struct trace_job *j,
                                         const struct trace_record *r)
{
    return j->submit + r->wait;
}

static inline int64_t trace_record_end(const struct trace_job *j,
                                       const struct trace_record *r)
{
    return r->length == TRACE_FOREVER ? TRACE_FOREVER
                                      : j->submit + r->wait + r->length;
}

#pragma GCC visibility pop

#endif /* TRACES_WORKLOAD_RECORDS_H */
