/* policies/pending/refusals.h - class queues that wait until a queue holds
 * less.
 *
 * A module that refuses may tell the queue whose amounts are the reason
 * (gsp_host.refused_by).  The class queue is then not asked about again, cycle
 * by cycle: it joins those of its request class that the queue refuses, and one
 * of these is asked about when the queue holds less, or a module says that it
 * may hold more (gsp_module.ease).  When that is refused still, all are.
 */
#ifndef POLICIES_PENDING_REFUSALS_H
#define POLICIES_PENDING_REFUSALS_H

#include "policies/state/state.h"

/* The class queue is deferred, refused by what s->modules tells; `is_over`:
 * since the queue may get nothing more.
 */
void gsched_refusal_note(struct gsched *s, uint32_t cqueue, bool is_over);
/* A class queue that was deferred in an earlier cycle: true when it stays so
 * until its queue is eased.
 */
bool gsched_refusal_stays(struct gsched *s, uint32_t cqueue);
/* The request class of the class queue is active again: true while its queue
 * refuses it as before.
 */
bool gsched_refusal_stands(const struct gsched *s, uint32_t cqueue);
/* The class queue, which waits for admission, was refused and deferred: if
 * because of the cluster, defer all others of its request class, without
 * asking.
 */
void gsched_refusal_spread(struct gsched *s, uint32_t cqueue);
/* It is asked about like others again. */
void gsched_refusal_end(struct gsched *s, uint32_t cqueue);
/* A cycle begins. */
void gsched_refusals_begin(struct gsched *s);
/* Before a pass over active queues of the kind: make active what may be
 * accepted now.  Those that wait for admission are asked about when something
 * was released.  A second pass in a cycle, after evictions, asks about no class
 * queue that the first one asked about.
 */
void gsched_refusals_follow(struct gsched *s, int active_queue);
/* Did such a pass of this cycle, or the last one, ask about a class queue of a
 * group?  Needs refusals.
 */
bool gsched_refusal_is_asked(const struct gsched *s, uint32_t cqueue);
/* Before an eviction: note which queues get nothing more. */
void gsched_refusals_evict(struct gsched *s);
void gsched_refusals_open(struct gsched *s);
void gsched_refusals_free(struct gsched *s);

#endif /* POLICIES_PENDING_REFUSALS_H */
