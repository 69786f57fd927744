/* policies/pending/queue_head.h - the head of a queue, and whether
 * fragmentation keeps it.
 */
#ifndef POLICIES_PENDING_QUEUE_HEAD_H
#define POLICIES_PENDING_QUEUE_HEAD_H

#include "policies/state/state.h"

struct request_class;

/* Entries came to the class or went, or its cause changed. */
void gsched_head_reason(struct gsched *s, struct request_class *a);
/* An entry came to the class queue; its last one left; its first went or moved.
 */
void gsched_head_came(struct gsched *s, uint32_t cqueue);
void gsched_head_left(struct gsched *s, uint32_t cqueue);
void gsched_head_moved(struct gsched *s, uint32_t cqueue);

#endif /* POLICIES_PENDING_QUEUE_HEAD_H */
