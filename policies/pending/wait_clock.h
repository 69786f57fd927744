/* policies/pending/wait_clock.h - how long request classes and class queues
 * have waited, by cause.
 *
 * Jobs with the same request wait for the same reason, so the clock, in
 * microseconds for each cause, belongs to the request class.  A class queue
 * with a wait reason of its own (the quota of its queue, a reservation) uses
 * that reason instead.  Jobs read the clock when they enter a class queue and
 * when they leave it (job_waits.h); the cost does not depend on the number of
 * jobs and cycles.
 *
 *   not held: reads class + adjust
 *   held:     reads     adjust + time since, for the cause that holds it
 */
#ifndef POLICIES_PENDING_WAIT_CLOCK_H
#define POLICIES_PENDING_WAIT_CLOCK_H

#include "policies/state/state.h"

struct request_class;
struct class_queue;

/* From now on they wait because of `why`. */
void gsched_rclass_waits_for(struct gsched *s, struct request_class *a,
                             enum gsched_cause why);
void gsched_cqueue_waits_for(struct gsched *s, struct class_queue *b,
                             enum gsched_cause why);
/* The module of the gate refuses the entries of the class queue: GSCHED_QUOTA.
 */
void gsched_cqueue_refused(struct gsched *s, struct class_queue *b,
                           uint8_t gate);
/* The present wait reason of the entries of the class queue. */
enum gsched_cause gsched_cqueue_cause(const struct gsched *s,
                                      const struct class_queue *b);
/* The clock of the class queue now, in us: for one cause; added to us[cause] of
 * all with `sign`, 1 or -1; and of GSCHED_QUOTA to us[gate] of all gates.
 */
int64_t gsched_clock_reads(const struct gsched *s, const struct class_queue *b,
                           enum gsched_cause cause);
void gsched_clock_add(const struct gsched *s, const struct class_queue *b,
                      int sign, int64_t *us);
void gsched_clock_refused_add(const struct gsched *s,
                              const struct class_queue *b, int sign,
                              int64_t *us);

#endif /* POLICIES_PENDING_WAIT_CLOCK_H */
