/* traces/model/fitting.h - state of a fit in progress.  Private to traces/. */
#ifndef TRACES_MODEL_FITTING_H
#define TRACES_MODEL_FITTING_H

#include "traces/model/model_fit.h"

struct fit_point {
    int64_t submit;  /* us since the first */
    double seconds;  /* duration */
    double estimate; /* estimate / duration; 0: unknown */
    double score;    /* normal score of its rank in its cell; 0: the only one
                        in it */
    uint32_t size;   /* index */
    uint32_t stretch, queue;
};

struct fitting {
    const struct trace_workload *w;
    const struct trace_fit_options *o;
    struct gs_arena *arena;
    struct trace_fit *fit;
    struct fit_point *point;
    uint32_t count;
    int64_t *milli; /* of the sizes, rising */
    uint32_t size_count;
    uint32_t row_cap;
};

/* Round to six digits; samples are not more precise. */
double trace_fit_round(double x);
void trace_fit_round_all(struct trace_distribution *d, struct gs_arena *arena);
/* For qsort of doubles. */
int trace_fit_rising(const void *a, const void *b);

/* Add a row like `row` for the `n` sorted values `x` and the distribution
 * `found` for them.
 */
void trace_fit_add_row(struct fitting *f, const struct trace_fit_row *row,
                       const double *x, uint32_t n,
                       const struct trace_distribution *found);
/* Find the distribution of the `n` sorted values `x`, and add a row like `row`
 * for it.
 */
void trace_fit_describe(struct fitting *f, const double *x, uint32_t n,
                        const struct trace_fit_row *row,
                        struct trace_distribution *out);

/* Fit the stretches of the model: sizes, runs, durations, their correlation. */
void trace_fit_mixes(struct fitting *f);

#endif /* TRACES_MODEL_FITTING_H */
