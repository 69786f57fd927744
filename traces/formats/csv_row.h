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

/* Columns of the recorded runs, in the order of the table: values of the runs
 * are separated by ';'.
 */
enum {
    TRACE_CSV_STARTS,
    TRACE_CSV_ENDS,
    TRACE_CSV_NODES,
    TRACE_RECORD_COLUMNS
};

/* A job, and the other values of its row. */
struct trace_csv_row {
    struct trace_whole_job own; /* must be first: keys of job_keys.h are
                                   members of it */
    struct trace_shape_key key;
    int64_t priority;
    uint32_t queue, within, after;         /* string ids */
    uint32_t record[TRACE_RECORD_COLUMNS]; /* as above: starts, ends, nodes */
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

/* csv_recorded.c: read the recorded runs of a row, whose job is finished but
 * for them; write column `column` of them; false when names of their nodes have
 * characters that divide cells.
 */
int trace_csv_records_read(struct trace_workload *w, struct trace_csv_row *row,
                           struct gs_mark at, struct gs_err *err);
void trace_csv_records_put(FILE *out, const struct trace_workload *w,
                           const struct trace_job *j, int column);
bool trace_csv_records_fit(const struct trace_workload *w,
                           const struct trace_job *j);

/* csv_after.c: read the dependencies of a row; write those on jobs of the
 * trace, `named` (trace_jobs_by_name); false when the name of one has
 * characters that divide them.
 */
int trace_csv_after_read(struct trace_workload *w, struct trace_csv_row *row,
                         struct gs_mark at, struct gs_err *err);
void trace_csv_after_put(FILE *out, const struct trace_workload *w,
                         const struct trace_job *j, const uint32_t *named);
bool trace_csv_after_fits(const struct trace_workload *w,
                          const struct trace_job *j);

#endif /* TRACES_FORMATS_CSV_ROW_H */
