/* policies/pending/job_waits.h - wait time of jobs by cause.
 *
 * A job reads the clock of a class queue (wait_clock.h) when it enters the
 * class queue (gsched_wait_in) and takes the difference when it leaves
 * (gsched_wait_for, gsched_wait_end).
 *
 * The times of a job are summed over all its waits: gsched_wait_begin() at its
 * submission, gsched_wait_end() when it starts to run, gsched_wait_resume() at
 * an eviction, gsched_wait_close() when it is over.
 *
 * GPUs that the jobs lack are counted by cause in the same way, as they are and
 * not over time (lacking.h).
 */
#ifndef POLICIES_PENDING_JOB_WAITS_H
#define POLICIES_PENDING_JOB_WAITS_H

#include "policies/state/state.h"

void gsched_waits_open(struct gsched *s);
void gsched_waits_close(struct gsched *s);
void gsched_wait_begin(struct gsched *s, uint32_t job, enum gsched_cause why);
/* Add time that the job waited before: by cause, and for GSCHED_QUOTA by gate;
 * NULL: none.
 */
void gsched_wait_carry(struct gsched *s, uint32_t job, const int64_t *us,
                       const int64_t *refused);
/* From now on the job waits because of `why`; or because of the cause of its
 * class queue.
 */
void gsched_wait_for(struct gsched *s, uint32_t job, enum gsched_cause why);
void gsched_wait_in(struct gsched *s, uint32_t job, uint32_t cqueue);
/* The job blocks its class queue as its first entry, because of `why`. */
void gsched_wait_head(struct gsched *s, uint32_t job, enum gsched_cause why);
/* It holds `milli` GPU thousandths more than before. */
void gsched_wait_holds(struct gsched *s, uint32_t job, int64_t milli);
/* The job starts to run. */
void gsched_wait_end(struct gsched *s, uint32_t job);
/* A job that ran waits again from now on because of `why`; no effect on a job
 * that still waits.
 */
void gsched_wait_resume(struct gsched *s, uint32_t job, enum gsched_cause why);
/* The job is over; its times are valid until gsched_waits_free(). */
void gsched_wait_close(struct gsched *s, uint32_t job);
/* Fetch the memory of its waits, see gsched_expect_end(). */
void gsched_wait_expect(const struct gsched *s, uint32_t job);
void gsched_waits_free(struct gsched *s); /* free the times of closed jobs */
/* True when the job is the head that blocks its class queue; *why is the cause.
 */
bool gsched_wait_is_head(const struct gsched *s, uint32_t job, uint32_t cqueue,
                         enum gsched_cause *why);

#endif /* POLICIES_PENDING_JOB_WAITS_H */
