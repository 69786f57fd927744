/* sim/study/again.h - the inputs of a stored run, read again for a replay. */
#ifndef STUDY_AGAIN_H
#define STUDY_AGAIN_H

#include "sim/replay/replay.h"

struct gs_err;
struct gsched_profile;
struct inputs;
struct report_stored_run;

struct study_again {
    const struct gsched_profile *profile;
    struct sim_options sim; /* without an end */
};

/* Read trace, topology, policy, speed model and scenario into the empty `in`,
 * with the changes and options of the run.  -1 when they are gone, or are not
 * those that the run was made of.
 */
int study_again(struct inputs *in, const struct report_stored_run *run,
                struct study_again *out, struct gs_err *err);

#endif /* STUDY_AGAIN_H */
