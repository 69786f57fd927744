/* sim/study/sweep.h - the runs of a sweep, made and stored.
 *
 * Where a sweep stands is in its database, nowhere else: a process that opens
 * the same sweep with the same database goes on with it.
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
    struct inputs in; /* of the pair of trace and topology that is loaded */
    uint32_t pair;
    struct report_sweep about;       /* its points: those dealt with here */
    struct report_sweep_place place; /* in the database */
    enum report_point_state *state;  /* [about.points] */
    const char *db;
    int turns;             /* file at which writers queue */
    uint32_t *todo;        /* indices of points, for the pool */
    uint32_t done, failed; /* of about.points */
    void (*progress)(void *ctx, const struct sweep *s); /* or NULL */
    void *progress_ctx;
    int signal; /* that ended it; 0: none */
    bool tells; /* notes of each trace, when it is opened */
};

/* Read the file and what it names, and see that every change on an axis suits
 * the first trace, topology and policy; `tells`: print the notes of each trace
 * once (study/notes.h).  -1 on failure; sweep_close it all the
 * same.
 */
int sweep_open(struct sweep *s, const char *path, bool tells,
               struct gs_err *err);
void sweep_close(struct sweep *s);

/* Deal with these points only: their numbers, rising, below those of the grid;
 * `first_run` is the number of point 0's run.
 */
int sweep_choose(struct sweep *s, const uint32_t *point, uint32_t count,
                 int64_t first_run, struct gs_err *err);

/* Begin it in database `db`, or find where it stands; `retries`: what failed is
 * tried again.
 */
int sweep_begin(struct sweep *s, const char *db, bool retries,
                struct gs_err *err);

/* Put the indices of pending points into s->todo; returns their number. */
uint32_t sweep_pending(struct sweep *s);

/* Make all pending runs in up to `jobs` processes.  A run that fails is noted,
 * and no reason to return -1.
 */
int sweep_run(struct sweep *s, uint32_t jobs, struct gs_err *err);

/* Count the states again. */
void sweep_count(struct sweep *s);

#endif /* STUDY_SWEEP_H */
