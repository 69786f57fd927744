/* traces/model/model.h - a model of a workload: distributions of the arrivals,
 * GPUs, durations and queues of jobs.
 *
 * Time is divided into *stretches*, each with its own mix of sizes, since
 * demand changes from week to week.
 */
#ifndef TRACES_MODEL_MODEL_H
#define TRACES_MODEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "traces/model/distribution.h"

struct gs_arena;
struct gs_err;
struct gs_input;
struct trace_workload;

#define TRACE_MODEL_JOBS_MAX 10000000
#define TRACE_MODEL_DAYS_MAX 3660 /* of a profile by days */
#define TRACE_MODEL_SIZES_MAX 256 /* of one stretch */
#define TRACE_MODEL_STRETCHES_MAX 1000
#define TRACE_MODEL_QUEUES_MAX 10000
#define TRACE_MODEL_SPAN_MAX (INT64_C(3660) * 86400 * 1000000) /* us */

enum trace_process { TRACE_POISSON, TRACE_RENEWAL };

/* Relative weights: 1, 1, 1 equals 7, 7, 7.  None: all are equal. */
struct trace_weights {
    const double *at;
    uint32_t count;
};

struct trace_arrivals {
    enum trace_process process;
    double shape;  /* TRACE_RENEWAL: of the Weibull gaps; 1 is Poisson */
    double rate;   /* jobs an hour, on average over the span */
    int64_t start; /* time of the week at time 0, in us since Monday midnight */
    struct trace_weights daily, weekly; /* from midnight, from Monday */
    struct trace_weights days;          /* for each day of the span, from its
                                           start */
};

struct trace_model_size {
    int64_t gpu_milli; /* less than 1,000, or a multiple of it */
    double weight;     /* share of the jobs in its stretch */
    double run;        /* mean number of consecutive jobs of this size; 0: 1 */
    struct trace_distribution duration; /* seconds */
};

struct trace_model_stretch {
    int64_t length; /* us; the last one lasts to the end */
    const struct trace_model_size *size;
    uint32_t size_count;
};

struct trace_model_queue {
    const char *name;
    double weight;
};

struct trace_model {
    int64_t span; /* us */
    struct trace_arrivals arrivals;
    double correlation; /* between the durations of consecutive jobs of one
                           size, as normal scores */
    uint32_t task_gpus; /* in a full task */
    bool has_estimates; /* else a job's estimate is its duration */
    struct trace_distribution estimates; /* estimate / duration */
    const struct trace_model_stretch *stretch;
    uint32_t stretch_count;
    const struct trace_model_queue *queue; /* none: "default" */
    uint32_t queue_count;
};

/* The number of free parameters of a model. */
uint32_t trace_model_params(const struct trace_model *m);

/* Read a model from YAML into `arena`; `in` stays open.  NULL on failure. */
const struct trace_model *trace_model_read(struct gs_input *in,
                                           struct gs_arena *arena,
                                           struct gs_err *err);
/* Write a model as YAML; trace_model_read reads back the same numbers. */
int trace_model_write(FILE *out, const struct trace_model *m,
                      struct gs_err *err);

struct trace_model_draw {
    uint64_t seed;
    const char *prefix; /* of the jobs' names, at most 11 bytes; NULL: job- */
    uint32_t jobs;      /* exact number; 0: by rate and span */
    int64_t span;       /* us; 0: that of the model.  Profiles and stretches
                      repeat */
    bool balanced;      /* each day, size and part of a distribution occurs as
                      often as expected; seeds differ in the order only */
};

/* Fill the empty `w` and finish it.  Arrivals, sizes, durations, queues and
 * estimates each have their own random stream.  Times are whole milliseconds,
 * so that the last bit of a logarithm does not matter.
 */
int trace_model_generate(const struct trace_model *m,
                         const struct trace_model_draw *o,
                         struct trace_workload *w, struct gs_err *err);

#endif /* TRACES_MODEL_MODEL_H */
