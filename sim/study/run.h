/* sim/study/run.h - one replay: a policy over what was read, kept. */
#ifndef STUDY_RUN_H
#define STUDY_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/measure/metrics.h"
#include "sim/replay/replay.h"

struct gs_err;
struct gsched_profile;
struct inputs;
struct json_t;
struct report_store;
struct report_sweep_place;
struct topo_mix;

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
/* Note in `options`, a JSON object, what is not as usual. */
void study_window_json(struct json_t *options,
                       const struct report_window_request *w);

/* Replay and, unless `store` is NULL, store the run.  Nothing is stored on
 * failure.
 */
int study_run(struct inputs *in, const struct study_run *r,
              struct report_store *store, struct study_outcome *out,
              struct gs_err *err);

#endif /* STUDY_RUN_H */
