/* sim/study/source_options.h - how objects of Kubernetes become jobs, as
 * options of commands and keys of files state it.
 */
#ifndef STUDY_SOURCE_OPTIONS_H
#define STUDY_SOURCE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

struct gs_err;
struct gs_yctx;
struct gs_ynode;
struct inputs;

#define SOURCE_TIERS_MAX 64

struct source_options {
    int64_t duration, span; /* us; -1: not stated */
    const char *at;         /* date of time 0; NULL: not stated */
    bool history;
    const char *tier[SOURCE_TIERS_MAX]; /* "LABEL=NAME", outermost first */
    size_t tiers;
};

#define SOURCE_OPTIONS_NONE        \
    {                              \
        .duration = -1, .span = -1 \
    }

/* Check them, and let `in` read sources so; their texts outlive it.  -1
 * (GS_USAGE) for a mistake.
 */
int source_options_take(const struct source_options *o, struct inputs *in,
                        struct gs_err *err);

/* A mapping with the options as keys: at, duration, history, span, tiers.  A
 * reader of fields (base/yamldoc.h) into a struct source_options; texts stay
 * where the mapping is.
 */
int source_options_read(const struct gs_yctx *c, const struct gs_ynode *v,
                        void *dest, struct gs_err *err);

/* How `in` reads sources, as JSON; NULL: nothing was stated. */
json_t *source_options_json(const struct inputs *in);

#endif /* STUDY_SOURCE_OPTIONS_H */
