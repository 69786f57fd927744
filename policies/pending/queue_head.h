/* policies/pending/queue_head.h - who stands first, and whether fragmentation keeps it. */
#ifndef POLICIES_PENDING_QUEUE_HEAD_H
#define POLICIES_PENDING_QUEUE_HEAD_H

#include "policies/state/state.h"

struct request_class;

/* Items came to the ask or went, or something else is to blame. */
void gsched_head_reason(struct gsched *s, struct request_class *a);
/* An item came to the bin; the last one left it; its first went or moved. */
void gsched_head_came(struct gsched *s, uint32_t cqueue);
void gsched_head_left(struct gsched *s, uint32_t cqueue);
void gsched_head_moved(struct gsched *s, uint32_t cqueue);

#endif /* POLICIES_PENDING_QUEUE_HEAD_H */
