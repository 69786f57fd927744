/* traces/formats/csv_row.h - the columns of native CSV, used by its reader and
 * its writer.
 *
 * The member of a row for an empty cell has the value `unset` of its column.
 */
#ifndef TRACES_FORMATS_CSV_ROW_H
#define TRACES_FORMATS_CSV_ROW_H

#include "traces/formats/job_keys.h"

/* The cells that determine the shape of a row's tasks.  No padding: compared as
 * bytes.
 */
struct trace_shape_key {
    int64_t cpu, memory, rdma, gpu_memory;
    uint32_t gpus, share, mig;
    uint32_t model; /* string id of the whole cell */
    uint32_t shape; /* in a table of known keys: shape + 1; else 0 */
};

/* A job, and the other values of its row. */
struct trace_csv_row {
    struct trace_job job; /* must be first: keys of job_keys.h are members of
                             it */
    struct trace_shape_key key;
    int64_t priority;
    uint32_t queue, within;         /* string ids */
    uint32_t gang, replicas, least; /* gang and least: 0 when not stated */
    bool is_preferred;
};

/* Columns that the code names. */
enum {
    TRACE_CSV_NAME,
    TRACE_CSV_SUBMIT,
    TRACE_CSV_DURATION,
    TRACE_CSV_MODE = 19
};

/* Column `i`; NULL past the last.  Those of job_keys.h come last. */
const struct trace_job_key *trace_csv_column(size_t i);

#endif /* TRACES_FORMATS_CSV_ROW_H */
