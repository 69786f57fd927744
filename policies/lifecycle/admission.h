/* policies/lifecycle/admission.h - admission of jobs, and rejection of those
 * that can never run.
 */
#ifndef POLICIES_LIFECYCLE_ADMISSION_H
#define POLICIES_LIFECYCLE_ADMISSION_H

#include "policies/state/state.h"

void gsched_admission_open(struct gsched *s);
void gsched_admission_free(struct gsched *s);
/* Make room for all jobs that the workload has now. */
void gsched_jobs_grow(struct gsched *s);
/* Add the job to the submitted jobs that the next cycle examines, or remove it.
 */
void gsched_submitted_add(struct gsched *s, uint32_t job);
void gsched_submitted_drop(struct gsched *s, uint32_t job);
/* Examine the jobs submitted since the last cycle: reject those that can never
 * run; admit the others, or queue them for admission.
 */
void gsched_admit_submitted(struct gsched *s);
/* Why the gang of the job does not fit an empty cluster; GSCHED_NO_CAUSE: it
 * fits.
 */
enum gsched_cause gsched_never_fits(struct gsched *s, uint32_t job);
/* The same, unless such jobs wait (`unfit` of module quota). */
enum gsched_cause gsched_unfit(struct gsched *s, uint32_t job);
/* Admit a job that waits for that. */
void gsched_admit_job(struct gsched *s, uint32_t job);
/* The job, which waits and holds nothing, is not tried any more. */
void gsched_give_up(struct gsched *s, uint32_t job, enum gsched_reason reason);
/* The action enqueue: admit, in order, the jobs that the modules allow. */
void gsched_enqueue(struct gsched *s);

#endif /* POLICIES_LIFECYCLE_ADMISSION_H */
