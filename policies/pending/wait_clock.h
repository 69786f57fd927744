/* policies/pending/wait_clock.h - how long each cause held a job back. */
#ifndef POLICIES_PENDING_WAIT_CLOCK_H
#define POLICIES_PENDING_WAIT_CLOCK_H

#include "policies/state/state.h"

struct request_class;
struct class_queue;

void gsched_waits_open(struct gsched *s);
void gsched_waits_close(struct gsched *s);
void gsched_wait_begin(struct gsched *s, uint32_t job, enum gsched_cause why);
/* It waited so long already, by cause and of GSCHED_QUOTA by gate; NULL: not.
 */
void gsched_wait_carry(struct gsched *s, uint32_t job, const int64_t *us,
                       const int64_t *refused);
/* From now on `why` holds it, or the cause that holds its class queue. */
void gsched_wait_for(struct gsched *s, uint32_t job, enum gsched_cause why);
void gsched_wait_in(struct gsched *s, uint32_t job, uint32_t cqueue);
/* It is first in a class queue that it blocks, because of `why`. */
void gsched_wait_head(struct gsched *s, uint32_t job, enum gsched_cause why);
/* It runs. */
void gsched_wait_end(struct gsched *s, uint32_t job);
/* It ran, and waits again from now on because of `why`; nothing for a job that
 * waits still.
 */
void gsched_wait_resume(struct gsched *s, uint32_t job, enum gsched_cause why);
/* It is over: its times stand until gsched_waits_free. */
void gsched_wait_close(struct gsched *s, uint32_t job);
void gsched_waits_free(struct gsched *s); /* those that were closed */
void gsched_rclass_waits_for(struct gsched *s, struct request_class *a,
                             enum gsched_cause why);
void gsched_cqueue_waits_for(struct gsched *s, struct class_queue *b,
                             enum gsched_cause why);
/* The module behind the gate refuses the class queue's entries: GSCHED_QUOTA.
 */
void gsched_cqueue_refused(struct gsched *s, struct class_queue *b,
                           uint8_t gate);
/* The cause that holds entries of the class queue now. */
enum gsched_cause gsched_cqueue_cause(const struct gsched *s,
                                      const struct class_queue *b);
/* Is the job the head that blocks its class queue; and why. */
bool gsched_wait_is_head(const struct gsched *s, uint32_t job, uint32_t cqueue,
                         enum gsched_cause *why);

#endif /* POLICIES_PENDING_WAIT_CLOCK_H */
