/* policies/lifecycle/admission.h - who enters the queue, and who never could run. */
#ifndef POLICIES_LIFECYCLE_ADMISSION_H
#define POLICIES_LIFECYCLE_ADMISSION_H

#include "policies/state/state.h"

void gsched_admission_open(struct gsched *s);
void gsched_admission_free(struct gsched *s);
/* The next cycle looks at the job, or no longer. */
void gsched_submitted_add(struct gsched *s, uint32_t job);
void gsched_submitted_drop(struct gsched *s, uint32_t job);
/* Look at what was submitted since: reject what can never run; the rest enters
 * the queue, or asks to.
 */
void gsched_admit_submitted(struct gsched *s);
/* Why not even an empty cluster could hold the job's gang; GSCHED_NO_CAUSE. */
enum gsched_cause gsched_never_fits(struct gsched *s, uint32_t job);
/* The action: those that the modules let in enter, in order. */
void gsched_enqueue(struct gsched *s);

#endif /* POLICIES_LIFECYCLE_ADMISSION_H */
