/* sim/study/sweep_private.h - inputs of a sweep (sweep_inputs.c). */
#ifndef STUDY_SWEEP_PRIVATE_H
#define STUDY_SWEEP_PRIVATE_H

#include "sim/study/sweep.h"

struct gsched_profile;

/* Read all files that the sweep names, into about.file; the first trace and
 * topology stay loaded.
 */
int sweep_files_read(struct sweep *s, struct gs_err *err);

/* Try every change on an axis, under the first policy. */
int sweep_changes_check(struct sweep *s, struct gs_err *err);

/* Load the trace and the topology of the point, unless they are loaded; fails
 * when a file differs from what sweep_files_read() read.
 */
int sweep_pair_load(struct sweep *s, uint32_t point, struct gs_err *err);

/* Apply the changes of `c` to what is loaded and to the policy. */
int sweep_choice_apply(struct sweep *s, struct gsched_profile *p,
                       const struct grid_choice *c, struct gs_err *err);

#endif /* STUDY_SWEEP_PRIVATE_H */
