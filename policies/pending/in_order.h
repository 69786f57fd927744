/* policies/pending/in_order.h - the pending gangs in service order.
 *
 * Class queues and the active queues that hold them are heaps.  The first
 * entries are found by a walk over both, each entry before those below it, so
 * that the first n of any number cost n log n.
 */
#ifndef POLICIES_PENDING_IN_ORDER_H
#define POLICIES_PENDING_IN_ORDER_H

#include "policies/state/state.h"

/* An entry whose entries above were visited. */
struct order_visit {
    uint32_t cqueue;
    uint32_t entry; /* place in the class queue */
    uint32_t at;    /* place of the class queue in its active queue */
};

/* The list, and the entries that may be next: a heap. */
struct job_list {
    uint32_t *job;
    uint32_t count, cap;
    struct order_visit *visit;
    uint32_t visits, visit_cap;
};

/* Set the list to the first `most` pending gangs in service order, or to all if
 * they are fewer.
 */
void gsched_list_in_order(struct gsched *s, uint32_t most, struct job_list *l);
void gsched_list_free(struct job_list *l);

#endif /* POLICIES_PENDING_IN_ORDER_H */
