/* traces/edit/describe.h - summary of a workload. */
#ifndef TRACES_EDIT_DESCRIBE_H
#define TRACES_EDIT_DESCRIBE_H

#include <stdint.h>

#include "traces/workload/workload.h"

enum trace_size {
    TRACE_SIZE_CPU,    /* no GPU */
    TRACE_SIZE_SHARED, /* less than a GPU, or shares of several */
    TRACE_SIZE_1,
    TRACE_SIZE_2_7,
    TRACE_SIZE_8,
    TRACE_SIZE_9_64,
    TRACE_SIZE_65_511,
    TRACE_SIZE_512,
    TRACE_SIZES
};

#define TRACE_TOP_QUEUES 10

struct trace_summary {
    uint64_t tasks;
    uint32_t jobs, gangs, services; /* gangs: of more than one task */
    uint32_t begun;         /* jobs of which tasks run when the trace begins */
    uint32_t users, queues; /* users and queues with jobs */
    uint32_t shapes;
    int64_t first_submit, last_submit, span; /* us */
    int64_t p50, p90, p99, max; /* duration, us, without services; nearest
                                   rank */
    double gpu_hours;           /* without services, from time 0 on */
    double mean_gpus;           /* gpu_hours / span; 0 when the span is 0 */
    int64_t largest_milli;      /* most GPUs in one job, thousandths */
    struct {
        uint32_t jobs;
        double gpu_hours;
    } size[TRACE_SIZES];
    uint32_t top_count;
    struct {
        uint32_t queue, jobs;
        double gpu_hours;
    } top[TRACE_TOP_QUEUES]; /* by GPU-hours, then by queue number */
};

/* "CPU only", "shared", "1", "2-7" ... */
const char *trace_size_name(enum trace_size s);

/* The size class of a job. */
enum trace_size trace_job_size(const struct trace_workload *w, uint32_t job);

void trace_describe(const struct trace_workload *w, struct trace_summary *out);

#endif /* TRACES_EDIT_DESCRIBE_H */
