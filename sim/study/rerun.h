/* sim/study/rerun.h - a replay beside the record: waits and the order of
 * starts.
 */
#ifndef STUDY_RERUN_H
#define STUDY_RERUN_H

#include <stdint.h>

struct gs_err;
struct gsched_profile;
struct inputs;

struct study_rerun {
    uint32_t jobs;         /* that start in both; the others are left out */
    double recorded, mean; /* us; mean waits, also those after evictions */
    double tau;            /* of the first starts, by the record and here */
    uint32_t recorded_evictions, evictions; /* for other jobs */
};

struct study_recorded; /* what became of the jobs by the record */

/* Replay the record; freed by study_recorded_free().  NULL on failure. */
struct study_recorded *study_recorded_run(struct inputs *in, uint64_t seed,
                                          struct gs_err *err);
void study_recorded_free(struct study_recorded *r); /* NULL is fine */

/* Replay the policy beside the record of the same inputs. */
int study_rerun(struct inputs *in, const struct gsched_profile *p,
                uint64_t seed, const struct study_recorded *record,
                struct study_rerun *out, struct gs_err *err);

#endif /* STUDY_RERUN_H */
