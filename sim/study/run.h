/* sim/study/run.h - one replay: a policy over what was read, kept. */
#ifndef STUDY_RUN_H
#define STUDY_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/measure/metrics.h"
#include "sim/replay/replay.h"

struct gs_arena;
struct gs_err;
struct gsched_profile;
struct inputs;
struct json_t;
struct report_store;
struct report_sweep_place;
struct topo_mix;
struct trace_options;

struct study_run {
    const char *name;   /* in the database */
    const char *policy; /* as it was asked for */
    const struct gsched_profile *profile;
    struct sim_options sim;
    struct report_window_request window;
    uint32_t large;       /* GPUs from which a job is large */
    bool keeps_events;    /* store every event */
    bool is_strict;       /* a job that could never run is an error */
    struct topo_mix *mix; /* for frag.demand; NULL: the trace's own */
    int64_t mix_window;   /* us; of what was submitted last; 0: of all */
    const char *options;  /* JSON: what else it depends on */
    const char *notes;    /* JSON list of study_notes; NULL: not looked for */
    bool replaces;        /* a stored run of this name goes first */
    bool metrics_only;    /* store no jobs, placements and the like */
    /* The sweep that it is point `point` of; NULL: none. */
    const struct report_sweep_place *place;
    uint32_t point;
};

struct study_outcome {
    const struct report_metric *row; /* in the inputs' arena */
    uint32_t rows;
    struct sim_stats stats;
    uint32_t rejected;          /* jobs that could never run */
    const char *first_rejected; /* "'name': why", in the inputs' arena */
};

/* Fails (GS_USAGE) when the window holds nothing, or ends after `until`. */
int study_window_check(const struct report_window_request *w, int64_t until,
                       struct gs_err *err);
/* What the run depends on beside its files, for its `options`; takes `set`, the
 * list of changes.  The caller may add to it.
 */
struct json_t *study_options_json(const struct inputs *in,
                                  const struct study_run *r,
                                  const struct trace_options *t,
                                  struct json_t *set);
/* The text of `json`, in `arena`; frees `json`. */
const char *study_json_keep(struct gs_arena *arena, struct json_t *json);

/* Replay and, unless `store` is NULL, store the run.  Nothing is stored on
 * failure.
 */
int study_run(struct inputs *in, const struct study_run *r,
              struct report_store *store, struct study_outcome *out,
              struct gs_err *err);

#endif /* STUDY_RUN_H */
