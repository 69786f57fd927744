/* policies/pending/queue_head.h - the head of each queue, and whether
 * fragmentation blocks it.
 */
#ifndef POLICIES_PENDING_QUEUE_HEAD_H
#define POLICIES_PENDING_QUEUE_HEAD_H

#include "policies/state/state.h"

struct class_queue;
struct request_class;

/* Entries were added to the class or removed, or its cause changed. */
void gsched_head_reason(struct gsched *s, struct request_class *a);
/* The class queue got its first or another entry; lost its last; its first
 * entry changed or moved.
 */
void gsched_head_came(struct gsched *s, uint32_t cqueue);
void gsched_head_left(struct gsched *s, uint32_t cqueue);
void gsched_head_moved(struct gsched *s, uint32_t cqueue);
/* The wait reason of the class queue, or of its first entry, changed. */
void gsched_head_waits(struct gsched *s, const struct class_queue *b);
/* Look at the queue when room is made in that way. */
void gsched_room_look(struct gsched *s, uint32_t queue, uint32_t way);
/* The order of its entries changed: any of this may have happened to the queue.
 */
void gsched_head_news(struct gsched *s, uint32_t queue);
/* Its head, or the wait reason of that, may have changed. */
void gsched_head_due(struct gsched *s, uint32_t queue);

#endif /* POLICIES_PENDING_QUEUE_HEAD_H */
