/* policies/pending/queue_head.h - who stands first, and whether fragmentation keeps it. */
#ifndef POLICIES_PENDING_QUEUE_HEAD_H
#define POLICIES_PENDING_QUEUE_HEAD_H

#include "policies/state/state.h"

struct ask;

/* Items came to the ask or went, or something else is to blame. */
void gsched_front_blame(struct gsched *s, struct ask *a);
/* An item came to the bin; the last one left it; its first went or moved. */
void gsched_front_came(struct gsched *s, uint32_t bin);
void gsched_front_left(struct gsched *s, uint32_t bin);
void gsched_front_moved(struct gsched *s, uint32_t bin);

#endif /* POLICIES_PENDING_QUEUE_HEAD_H */
