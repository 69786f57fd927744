/* traces/model/model_fit.h - the model that a workload was likely drawn from. */
#ifndef TRACES_MODEL_MODEL_FIT_H
#define TRACES_MODEL_MODEL_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/model/distribution.h"
#include "traces/model/model.h"

struct gs_arena;
struct gs_err;
struct trace_workload;

enum trace_fit_profile {
    TRACE_PROFILE_NONE, /* one rate */
    TRACE_PROFILE_WEEK, /* by hours of the day and days of the week */
    TRACE_PROFILE_DAY,  /* by hours of the day and each day on its own */
};

struct trace_fit_options {
    enum trace_fit_profile profile;
    int64_t stretch; /* us of each mix of sizes; 0: one for all the trace */
    int64_t epoch;   /* us since 1970 of time 0; 0: unknown, a Monday */
    enum trace_distribution_kind only; /* of durations; TRACE_DISTRIBUTIONS:
                                          the best by Akaike's measure */
};

/* One part of the model beside the jobs that it was fitted to. */
struct trace_fit_row {
    enum { TRACE_FIT_GAPS, TRACE_FIT_DURATION, TRACE_FIT_ESTIMATES } what;
    int64_t gpu_milli; /* of durations */
    uint32_t stretch;
    uint32_t jobs;
    const struct trace_distribution *found; /* as in the model */
    double distance, p;                     /* Kolmogorov-Smirnov */
    enum trace_distribution_kind refused; /* of the best that fitted poorly, so
                                 that a table stands there; or
                                 TRACE_DISTRIBUTIONS */
    double refused_distance, refused_p;
};

struct trace_fit {
    struct trace_model model;
    struct trace_fit_row *row;
    uint32_t row_count;
    uint32_t jobs;     /* fitted to */
    uint32_t without;  /* left out: they ask for no GPU */
    uint32_t services; /* ... they have no end */
};

/* A fit is poor when it is unlikely and off by more than so much. */
#define TRACE_FIT_P 0.01
#define TRACE_FIT_DISTANCE 0.05
/* Below so many jobs a table says all there is. */
#define TRACE_FIT_JOBS_MIN 20

/* All of it lives in `arena`.  Fails without two jobs of GPUs. */
int trace_fit(const struct trace_workload *w, const struct trace_fit_options *o,
              struct gs_arena *arena, struct trace_fit *out,
              struct gs_err *err);

#endif /* TRACES_MODEL_MODEL_FIT_H */
