/* reports/store/sweeps.h - points of sweeps in a result database, and their
 * states.
 *
 * A sweep reserves run numbers for all its points when it begins, so the order
 * in which points end does not change the database.  The run of a point and its
 * state are written in one transaction.
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
    const struct report_sweep_file *file;   /* [files] its input files */
    const struct report_sweep_point *point; /* [points] of the grid, in order */
    int64_t first_run; /* run number of point 0; 0: after the stored runs */
};

/* A sweep in a database. */
struct report_sweep_place {
    int64_t sweep, first_run;
};

/* Begin the sweep, or read the `state` of each of its points.  Fails (GS_USAGE)
 * when a sweep of this name has other files or another version, or when a run
 * has the name of a point.
 */
int report_store_sweep_begin(struct report_store *s,
                             const struct report_sweep *w,
                             struct report_sweep_place *place,
                             enum report_point_state *state,
                             struct gs_err *err);

/* Store the reason why the point failed; a point that is done in the meantime
 * is not changed.
 */
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

/* The batch job that works on the sweep, and the number of submissions before
 * it; NULL and 0 when none.  In `arena`.
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

/* Copy the points that are done or failed from the database `part`, which has
 * points of the same sweep with the same run numbers, in one transaction, and
 * update `state`.  Points that are over here are not changed.
 */
int report_store_sweep_merge(struct report_store *s,
                             const struct report_sweep *w,
                             const struct report_sweep_place *place,
                             const char *part, enum report_point_state *state,
                             struct gs_err *err);

#endif /* REPORTS_STORE_SWEEPS_H */
