/* traces/model/generate.h - random workloads for benchmarks and property tests.
 */
#ifndef TRACES_MODEL_GENERATE_H
#define TRACES_MODEL_GENERATE_H

#include <stdint.h>

struct gs_err;
struct trace_workload;

struct trace_mix {
    uint32_t gpus; /* a multiple of 8 when more than 8 */
    uint32_t weight;
};

/* A field of 0 or NULL takes the value in brackets. */
struct trace_generator {
    uint32_t jobs;       /* [1000] */
    uint32_t gpus;       /* of the cluster to load [512] */
    uint32_t load_milli; /* requested GPU time / available GPU time until the
                            last arrival, in thousandths [900] */
    uint64_t seed;
    int64_t median;              /* of the durations, us [20 minutes] */
    uint32_t spread_milli;       /* standard deviation of their binary
                                   logarithm, in thousandths [2000] */
    const struct trace_mix *mix; /* [1 to 64 GPUs, mostly 1 and 8] */
    uint32_t mix_count;
};

/* Fill the empty `w` and finish it: jobs of whole GPUs, tasks of up to 8,
 * exponential gaps, lognormal durations, all times in whole milliseconds.  Uses
 * integers only: equal parameters give equal workloads on any machine.
 */
int trace_generate(const struct trace_generator *g, struct trace_workload *w,
                   struct gs_err *err);

#endif /* TRACES_MODEL_GENERATE_H */
