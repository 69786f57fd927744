/* sim/study/batch.h - a sweep as arrays of jobs of Slurm.
 *
 * A submission has a folder, RESULT.slurm/N, with the numbers of the points of
 * each task (K.points), what the task said (K.out) and its database: K.part
 * while it works, K.db when it is over.  Databases are merged as they come. 
 * What is pending when no task is left is submitted again.  The number of the
 * array is in the result database, so that the next process that opens the
 * sweep finds it.
 */
#ifndef STUDY_BATCH_H
#define STUDY_BATCH_H

#include <stddef.h>
#include <stdint.h>

struct gs_err;
struct sweep;

struct batch_options {
    uint32_t jobs;             /* tasks at a time; 0: as Slurm likes */
    uint32_t chunk;            /* points of a task; 0: 1, more above 100 */
    const char *const *option; /* for sbatch, as they are */
    size_t option_count;
};

/* Have all pending runs made, and wait for them.  -1 when Slurm does not do it,
 * or on a signal: the array goes on then.
 */
int batch_run(struct sweep *s, const struct batch_options *o,
              struct gs_err *err);

/* Fails when an array works on the sweep, or did and was not waited for. */
int batch_check_none(struct sweep *s, struct gs_err *err);

/* What a task does: the points in `base`.points, in `jobs` processes. */
int batch_task(struct sweep *s, const char *base, uint32_t jobs,
               struct gs_err *err);

#endif /* STUDY_BATCH_H */
