/* policies/pending/queue_head.h - the head of each queue, and whether
 * fragmentation blocks it.
 */
#ifndef POLICIES_PENDING_QUEUE_HEAD_H
#define POLICIES_PENDING_QUEUE_HEAD_H

#include "policies/state/state.h"

struct request_class;

/* Entries were added to the class or removed, or its cause changed. */
void gsched_head_reason(struct gsched *s, struct request_class *a);
/* The class queue got its first or another entry; lost its last; its first
 * entry changed or moved.
 */
void gsched_head_came(struct gsched *s, uint32_t cqueue);
void gsched_head_left(struct gsched *s, uint32_t cqueue);
void gsched_head_moved(struct gsched *s, uint32_t cqueue);

#endif /* POLICIES_PENDING_QUEUE_HEAD_H */
