/* policies/lifecycle/admission.h - which jobs are admitted, and which never
 * could run.
 */
#ifndef POLICIES_LIFECYCLE_ADMISSION_H
#define POLICIES_LIFECYCLE_ADMISSION_H

#include "policies/state/state.h"

void gsched_admission_open(struct gsched *s);
void gsched_admission_free(struct gsched *s);
/* The next cycle looks at the job, or no longer. */
void gsched_submitted_add(struct gsched *s, uint32_t job);
void gsched_submitted_drop(struct gsched *s, uint32_t job);
/* Look at the jobs submitted since: reject those that can never run; the rest
 * is admitted, or queued for admission.
 */
void gsched_admit_submitted(struct gsched *s);
/* Why not even an empty cluster could hold the job's gang; GSCHED_NO_CAUSE. */
enum gsched_cause gsched_never_fits(struct gsched *s, uint32_t job);
/* The action: admit, in order, the jobs that the modules let in. */
void gsched_enqueue(struct gsched *s);

#endif /* POLICIES_LIFECYCLE_ADMISSION_H */
