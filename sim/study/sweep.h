/* sim/study/sweep.h - the runs of a sweep, made and stored.
 *
 * The state of a sweep is only in its database: a process that opens the same
 * sweep with the same database continues it.
 */
#ifndef STUDY_SWEEP_H
#define STUDY_SWEEP_H

#include <stdint.h>

#include "reports/store/sweeps.h"
#include "sim/study/inputs.h"
#include "sim/study/sweep_file.h"

struct gs_err;
struct report_store;

struct sweep {
    struct gs_arena *arena;
    struct sweep_file file;
    struct inputs in; /* the loaded pair of trace and topology */
    uint32_t pair;
    struct report_sweep about;       /* its points are those chosen here */
    struct report_sweep_place place; /* in the database */
    enum report_point_state *state;  /* [about.points] */
    const char *db;
    int turns;             /* file by which writers queue */
    uint32_t *todo;        /* indices of points to run */
    uint32_t done, failed; /* of about.points */
    void (*progress)(void *ctx, const struct sweep *s); /* or NULL */
    void *progress_ctx;
    int signal; /* signal that ended it; 0: none */
    bool tells; /* print the notes of each trace when it is opened */
};

/* Read the file and its inputs, and check every change on an axis with the
 * first trace, topology and policy; `tells`: print the notes of each trace once
 * (study/notes.h).  -1 on failure; sweep_close() is needed also then.
 */
int sweep_open(struct sweep *s, const char *path, bool tells,
               struct gs_err *err);
void sweep_close(struct sweep *s);

/* Work on these points only: their numbers, ascending, below that of the grid;
 * `first_run` is the run number of point 0.
 */
int sweep_choose(struct sweep *s, const uint32_t *point, uint32_t count,
                 int64_t first_run, struct gs_err *err);

/* Begin the sweep in database `db`, or read its state; `retries`: failed points
 * become pending again.
 */
int sweep_begin(struct sweep *s, const char *db, bool retries,
                struct gs_err *err);

/* Put the indices of pending points into s->todo; returns their number. */
uint32_t sweep_pending(struct sweep *s);

/* Run all pending points in up to `jobs` processes.  A failed run is recorded
 * and does not cause -1.
 */
int sweep_run(struct sweep *s, uint32_t jobs, struct gs_err *err);

/* Count the states again. */
void sweep_count(struct sweep *s);

#endif /* STUDY_SWEEP_H */
