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
    TRACE_AUTO,   /* told by content */
    TRACE_YAML,   /* native */
    TRACE_CSV,    /* native, a header of native field names */
    TRACE_SWF,    /* Standard Workload Format 2.2 */
    TRACE_OPENB,  /* Alibaba cluster-trace-gpu-v2023 pods */
    TRACE_PHILLY, /* timestamp,duration,num_gpus,...,cluster */
    TRACE_ITP,    /* job_id,submission_time,duration,num_gpu */
    TRACE_MURI,   /* as ITP, in milliseconds, with iterations */
    TRACE_FORMATS
};

/* "yaml", "csv", ...; trace_format_find gives TRACE_FORMATS when unknown. */
const char *trace_format_name(enum trace_format f);
enum trace_format trace_format_find(const char *name);

/* The format that the first line tells, of a file not read from yet; TRACE_AUTO
 * on failure.  TRACE_YAML may be any YAML.
 */
enum trace_format trace_format_recognise(struct gs_input *in,
                                         struct gs_err *err);

/* How formats that give one number of processors or GPUs a job are read. */
struct trace_options {
    enum trace_format format;
    bool processors_are_gpus; /* SWF: a processor is a GPU, not a core */
    uint32_t task_size;       /* GPUs (processors) in one task: a job of 20
                                   becomes 8 + 8 + 4 with 8.  0: the format's
                                   own: 8, SWF 1 */
    bool arrivals_only;       /* openb: no job ends */
    uint32_t limit;           /* keep the first so many jobs; 0: all */
};

/* What the reader learnt besides the jobs. */
struct trace_facts {
    enum trace_format format; /* recognised */
    const char *topology;     /* path as the file gives it, or NULL; lives
                                   in the workload's arena */
    int64_t epoch;            /* us since 1970 of the trace's time 0; 0 when
                                   unknown */
    uint32_t max_procs;       /* SWF's MaxProcs, 0 when unknown */
    uint32_t skipped;         /* rows that are no jobs */
};

/* Read all of `in` into the empty `w` and finish it.  -1 on failure. */
int trace_read(struct gs_input *in, const struct trace_options *o,
               struct trace_workload *w, struct trace_facts *facts,
               struct gs_err *err);

#endif /* TRACES_FORMATS_READER_H */
