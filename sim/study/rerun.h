/* sim/study/rerun.h - a replay beside the record: waits and the order of starts. */
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

/* Replay the record, and the policy. */
int study_rerun(struct inputs *in, const struct gsched_profile *p,
                uint64_t seed, struct study_rerun *out, struct gs_err *err);

#endif /* STUDY_RERUN_H */
