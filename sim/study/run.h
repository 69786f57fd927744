/* sim/study/run.h - one replay, and its storage in the database. */
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
struct report_decisions;
struct report_store;
struct report_sweep_place;
struct topo_mix;
struct trace_options;

struct study_run {
    const char *name;   /* in the database */
    const char *policy; /* as the user named it */
    const struct gsched_profile *profile;
    struct sim_options sim;
    struct report_window_request window;
    uint32_t large;       /* GPUs from which a job is large */
    bool keeps_events;    /* store every event */
    bool is_strict;       /* a job that can never run is an error */
    struct topo_mix *mix; /* for frag.demand; NULL: that of the trace */
    int64_t mix_window;   /* us; mix of the tasks submitted in this time; 0:
                             of all tasks */
    const char *options;  /* JSON of the other options that affect it */
    const char *notes;    /* JSON list of study_notes; NULL: not collected */
    bool replaces;        /* delete a stored run of this name first */
    bool metrics_only;    /* store no jobs, placements and the like */
    /* Store rows in it while the run is made, by a thread; NULL: after the run.
     * The same store is given to study_store().
     */
    struct report_store *stream_to;
    int64_t (*clock)(void);     /* processor time in us, for stream_to */
    struct gs_arena *decisions; /* takes those of the outcome; NULL: not kept */
    /* The sweep whose point `point` this is; NULL: none. */
    const struct report_sweep_place *place;
    uint32_t point;
};

struct study_outcome {
    const struct report_metric *row; /* in the inputs' arena */
    uint32_t rows;
    const struct report_decisions *decided; /* NULL */
    struct sim_stats stats;
    uint32_t rejected;          /* number of rejected jobs */
    const char *first_rejected; /* "'name': why", in the inputs' arena */
    uint32_t held;              /* jobs whose dependencies were not met */
    const char *first_held;     /* as of the rejected ones */
};

/* Fails (GS_USAGE) when the window holds nothing, or ends after `until`. */
int study_window_check(const struct report_window_request *w, int64_t until,
                       struct gs_err *err);
/* Say on standard error that no job is submitted until then, or in the window.
 */
void study_window_tell(const struct inputs *in,
                       const struct report_window_request *window,
                       int64_t until);
/* The options of the run as JSON; takes ownership of `set`, the list of
 * changes.  The caller may add to it.
 */
struct json_t *study_options_json(const struct inputs *in,
                                  const struct study_run *r,
                                  const struct trace_options *t,
                                  struct json_t *set);
/* The text of `json`, in `arena`; frees `json`. */
const char *study_json_keep(struct gs_arena *arena, struct json_t *json);

struct study_results; /* opaque: what a replay leaves to be stored */

/* Replay; *out is of this run.  NULL on failure. */
struct study_results *study_replay(struct inputs *in, const struct study_run *r,
                                   struct study_outcome *out,
                                   struct gs_err *err);
/* Store what study_replay() made of the same `r` and `out`.  On failure nothing
 * is stored.
 */
int study_store(struct inputs *in, const struct study_run *r,
                const struct study_results *results,
                const struct study_outcome *out, struct report_store *store,
                struct gs_err *err);
void study_results_free(struct study_results *results); /* NULL is fine */

/* All of it: replay and, unless `store` is NULL, store the run.  On failure
 * nothing is stored.
 */
int study_run(struct inputs *in, const struct study_run *r,
              struct report_store *store, struct study_outcome *out,
              struct gs_err *err);

#endif /* STUDY_RUN_H */
