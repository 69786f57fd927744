/* traces/model/model_reading.h - a model file being read.  Private to traces/. */
#ifndef TRACES_MODEL_MODEL_READING_H
#define TRACES_MODEL_MODEL_READING_H

#include "base/yamldoc.h"
#include "traces/model/model.h"

#define TRACE_MODEL_BIG 1e12

struct trace_model_reading {
    struct gs_arena *arena; /* of the model */
};

/* A number of `lo` to `hi`. */
int trace_model_number(const struct gs_yctx *c, const struct gs_ynode *v,
                       double lo, double hi, double *out, struct gs_err *err);
/* Is it a list of `least` to `most` entries? */
int trace_model_list(const struct gs_yctx *c, const struct gs_ynode *v,
                     uint32_t least, uint32_t most, const char *of,
                     struct gs_err *err);
/* struct trace_distribution; a gs_yread_fn. */
int trace_model_distribution(const struct gs_yctx *c, const struct gs_ynode *v,
                             void *dest, struct gs_err *err);

#endif /* TRACES_MODEL_MODEL_READING_H */
