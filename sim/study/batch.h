/* sim/study/batch.h - a sweep as job arrays of Slurm.
 *
 * Each submission N has a folder RESULT.slurm/N.  For each task K it contains
 * K.points (the numbers of its points), K.out (its output) and its database:
 * K.part while it works, K.db when it is done.  Databases are merged as they
 * appear. When no task is left, pending points are submitted again.  The job id
 * of the array is stored in the result database, so another process that opens
 * the sweep finds it.
 */
#ifndef STUDY_BATCH_H
#define STUDY_BATCH_H

#include <stddef.h>
#include <stdint.h>

struct gs_err;
struct sweep;

struct batch_options {
    uint32_t jobs;             /* tasks at a time; 0: no limit */
    uint32_t chunk;            /* points of a task; 0: 1, or more in a sweep
                                  of over 100 points */
    const char *const *option; /* options for sbatch, passed unchanged */
    size_t option_count;
};

/* Submit all pending runs and wait for them.  -1 when Slurm fails, or on a
 * signal: then the array goes on.
 */
int batch_run(struct sweep *s, const struct batch_options *o,
              struct gs_err *err);

/* Fails when an array works on the sweep, or worked on it and its results were
 * not collected.
 */
int batch_check_none(struct sweep *s, struct gs_err *err);

/* The work of a task: run the points in `base`.points, in `jobs` processes. */
int batch_task(struct sweep *s, const char *base, uint32_t jobs,
               struct gs_err *err);

#endif /* STUDY_BATCH_H */
