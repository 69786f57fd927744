/* traces/formats/reader.h - trace files of every format into a workload. */
#ifndef TRACES_FORMATS_READER_H
#define TRACES_FORMATS_READER_H

#include <stdbool.h>
#include <stdint.h>

struct gs_arena;
struct gs_err;
struct gs_input;
struct trace_workload;

enum trace_format {
    TRACE_AUTO,   /* recognised by content */
    TRACE_YAML,   /* native */
    TRACE_CSV,    /* native, a header of native field names */
    TRACE_SWF,    /* Standard Workload Format 2.2 */
    TRACE_OPENB,  /* Alibaba cluster-trace-gpu-v2023 pods */
    TRACE_PHILLY, /* timestamp,duration,num_gpus,...,cluster */
    TRACE_ITP,    /* job_id,submission_time,duration,num_gpu */
    TRACE_MURI,   /* as ITP, in milliseconds, with iterations */
    TRACE_FORMATS
};

/* "yaml", "csv", ...; trace_format_find returns TRACE_FORMATS for an unknown
 * name.
 */
const char *trace_format_name(enum trace_format f);
enum trace_format trace_format_find(const char *name);

/* The format by the first line of a file that is not yet read; TRACE_AUTO on
 * failure.  TRACE_YAML may be any YAML file.
 */
enum trace_format trace_format_recognise(struct gs_input *in,
                                         struct gs_err *err);

/* Options for formats that state one number of processors or GPUs for a job. */
struct trace_options {
    enum trace_format format;
    bool processors_are_gpus; /* SWF: a processor is a GPU, not a core */
    uint32_t task_size;       /* GPUs (processors) in one task: a job of 20
                                 becomes 8 + 8 + 4 with 8.  0: the default of
                                 the format: 8, SWF 1 */
    bool arrivals_only;       /* openb: no job ends */
    uint32_t limit;           /* keep the first `limit` jobs; 0: all */
    const char *timezone;     /* sacct: of its times; NULL: UTC */
    const char *columns;      /* sacct without a header; NULL */
};

/* Facts about the file besides the jobs. */
struct trace_facts {
    enum trace_format format; /* recognised */
    const char *topology;     /* path as the file states it, or NULL; lives
                                 in the workload's arena */
    int64_t epoch;            /* us since 1970 at time 0 of the trace; 0:
                                 unknown */
    uint32_t max_procs;       /* SWF's MaxProcs, 0 when unknown */
    uint32_t skipped;         /* rows that are not jobs */
    uint64_t beside_hash;     /* of the files that the trace names; 0: none */
};

/* Read all of `in` into the empty `w` and finish it.  -1 on failure. */
int trace_read(struct gs_input *in, const struct trace_options *o,
               struct trace_workload *w, struct trace_facts *facts,
               struct gs_err *err);

#endif /* TRACES_FORMATS_READER_H */
