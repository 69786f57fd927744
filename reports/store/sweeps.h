/* reports/store/sweeps.h - points of sweeps in a result database, and their
 * states.
 *
 * A sweep reserves numbers for the runs of all its points when it begins, so
 * that a database says the same in whatever order they end.  A point's run and
 * the note that it is over are one transaction.
 */
#ifndef REPORTS_STORE_SWEEPS_H
#define REPORTS_STORE_SWEEPS_H

#include <stdint.h>

struct gs_arena;
struct gs_err;
struct report_store;

enum report_point_state {
    REPORT_POINT_PENDING,
    REPORT_POINT_DONE,
    REPORT_POINT_FAILED
};

struct report_sweep_file {
    const char *path;
    uint64_t hash;
};

struct report_sweep_point {
    uint32_t point;           /* its number in the grid */
    const char *run;          /* name of its run */
    const char *const *value; /* [axes] */
};

struct report_sweep {
    const char *name, *version;
    uint32_t grid; /* points of the whole grid: runs to reserve */
    uint32_t axes, files, points;
    const char *const *axis;                /* [axes] names */
    const struct report_sweep_file *file;   /* [files] what it was made from */
    const struct report_sweep_point *point; /* [points] of the grid, in order */
    int64_t first_run; /* number of point 0's run; 0: after those there are */
};

/* A sweep in a database. */
struct report_sweep_place {
    int64_t sweep, first_run;
};

/* Begin the sweep, or find where it stands: `state` is that of each of its
 * points.  Fails (GS_USAGE) when a sweep of this name was made from other files
 * or by another version, or when a run has a name that a point wants.
 */
int report_store_sweep_begin(struct report_store *s,
                             const struct report_sweep *w,
                             struct report_sweep_place *place,
                             enum report_point_state *state,
                             struct gs_err *err);

/* Store why the point failed; a point that is done meanwhile stays so. */
int report_store_sweep_fail(struct report_store *s,
                            const struct report_sweep_place *place,
                            uint32_t point, const char *why,
                            struct gs_err *err);

/* Make all failed points pending again. */
int report_store_sweep_retry(struct report_store *s,
                             const struct report_sweep_place *place,
                             struct gs_err *err);

struct report_sweep_failure {
    const char *run, *why;
};

/* Read up to `max` failed points in order, in `arena`; `count` is their number.
 */
int report_store_sweep_failures(struct report_store *s,
                                const struct report_sweep_place *place,
                                struct gs_arena *arena,
                                struct report_sweep_failure *failure,
                                uint32_t max, uint32_t *count,
                                struct gs_err *err);

/* --- batch systems -------------------------------------------------------- */

/* The job that works on the sweep, and how many were submitted before it; NULL
 * and 0 when none.  In `arena`.
 */
int report_store_sweep_job(struct report_store *s,
                           const struct report_sweep_place *place,
                           struct gs_arena *arena, const char **job,
                           uint32_t *submission, struct gs_err *err);
/* Store the submitted job; with NULL delete all jobs of the sweep. */
int report_store_sweep_submitted(struct report_store *s,
                                 const struct report_sweep_place *place,
                                 uint32_t submission, const char *job,
                                 struct gs_err *err);

/* Copy the points that are done or failed from the database `part`, which holds
 * points of the same sweep with the same numbers of runs, in one transaction,
 * and bring `state` up to date.  A point that is over here stays as it is.
 */
int report_store_sweep_merge(struct report_store *s,
                             const struct report_sweep *w,
                             const struct report_sweep_place *place,
                             const char *part, enum report_point_state *state,
                             struct gs_err *err);

#endif /* REPORTS_STORE_SWEEPS_H */
