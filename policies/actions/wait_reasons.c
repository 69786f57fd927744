/* policies/actions/wait_reasons.c - why jobs wait that an action left waiting.
 */
#include "policies/actions/actions.h"
#include "policies/pending/pending.h"
#include "policies/pending/service_order.h"
#include "policies/pending/unschedulable.h"
#include "policies/pending/wait_clock.h"
#include "policies/placement/placement.h"
#include "policies/state/entry.h"
#include "policies/state/module_calls.h"

/* A limit that refuses the first entry, or jobs before it. */
static void cqueue_tell(struct gsched *s, struct class_queue *b)
{
    if (b->count == 0)
        return;
    if (gsched_entry_allocatable(s, &b->heap[0]))
        gsched_cqueue_waits_for(s, b, GSCHED_ORDER);
    else
        gsched_cqueue_refused(s, b, s->modules->refuser);
}

void gsched_wait_reasons_set(struct gsched *s)
{
    struct gsched_pending *p = s->pending;

    for (uint32_t i = p->active.count; i-- > 0;) {
        const uint32_t rclass = p->active.at[i];
        const uint32_t cqueue = p->rclass[rclass].first_cqueue;
        const struct class_queue *q = &p->cqueue[cqueue];

        if (p->rclass[rclass].waiting == 0) {
            gsched_rclass_unlist(s, rclass);
        } else if (q->count && !gsched_gang_has_room(s, q->heap[0].job)) {
            gsched_rclass_unschedulable(s, rclass,
                                        gsched_cause_of(s, &q->heap[0]));
        } else {
            for (uint32_t b = cqueue; b != NONE; b = p->cqueue[b].next)
                cqueue_tell(s, &p->cqueue[b]);
        }
    }
}
