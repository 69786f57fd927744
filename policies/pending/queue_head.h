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
/* All its entries have another order. */
void gsched_head_reorder(struct gsched *s, uint32_t queue);
/* by_change: the class queue with the entry by which the queue stands in the
 * order of queues: its head, if that is before `first`, which is served next,
 * and had no turn in this pass; else `first`.  Such a head is not served, since
 * it would be tried in vain.
 */
uint32_t gsched_head_turn(const struct gsched *s, uint32_t queue,
                          uint32_t first);
/* The head of the queue has its turn; and if it is that of the class queue. */
void gsched_head_pass(struct gsched *s, uint32_t queue);
void gsched_head_serve(struct gsched *s, uint32_t cqueue);
/* Its head, or the wait reason of that, may have changed. */
void gsched_head_due(struct gsched *s, uint32_t queue);

#endif /* POLICIES_PENDING_QUEUE_HEAD_H */
