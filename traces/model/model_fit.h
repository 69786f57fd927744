/* traces/model/model_fit.h - fits a model to a workload. */
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
    int64_t stretch; /* us of one mix of sizes; 0: one mix for the whole
                        trace */
    int64_t epoch;   /* us since 1970 at time 0; 0: unknown, taken as a
                        Monday */
    enum trace_distribution_kind only; /* kind for durations;
                                          TRACE_DISTRIBUTIONS: the best by
                                          AIC */
};

/* One distribution of the model and how well it fits the jobs. */
struct trace_fit_row {
    enum { TRACE_FIT_GAPS, TRACE_FIT_DURATION, TRACE_FIT_ESTIMATES } what;
    int64_t gpu_milli; /* of durations */
    uint32_t stretch;
    uint32_t jobs;
    const struct trace_distribution *found; /* as in the model */
    double distance, p;                     /* Kolmogorov-Smirnov */
    enum trace_distribution_kind refused;   /* the best kind, which fitted so
                                             poorly that a table replaced it;
                                             or TRACE_DISTRIBUTIONS: none was
                                             replaced */
    double refused_distance, refused_p;
};

struct trace_fit {
    struct trace_model model;
    struct trace_fit_row *row;
    uint32_t row_count;
    uint32_t jobs;     /* fitted to */
    uint32_t without;  /* left out: ask for no GPU */
    uint32_t services; /* left out: have no end */
    uint32_t begun;    /* left out: tasks of them run when the trace begins */
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
