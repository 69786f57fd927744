/* policies/actions/best_effort.c - jobs that ask for nothing run */
#include "policies/actions/actions.h"

#include "policies/lifecycle/commit.h"
#include "policies/pending/pending.h"
#include "policies/pending/service_order.h"
#include "policies/placement/placement.h"
#include "policies/state/entry.h"
#include "policies/state/jobs.h"
#include "policies/state/transaction.h"

static bool entry_asks_nothing(const struct gsched *s,
                               const struct queue_entry *it)
{
    int64_t asked[TOPO_DIMS_MAX];

    gsched_entry_amount(s, it, asked);
    return gsched_asks_nothing(s, asked);
}

/* Of the class queues whose first entry asks for nothing, the first in order;
 * NONE.
 */
static uint32_t best_effort_next(const struct gsched *s)
{
    uint32_t best = NONE;

    for (uint32_t b = 0; b < s->pending->cqueue_count; b++) {
        const uint8_t kind =
            s->pending->rclass[s->pending->cqueue[b].rclass].kind;

        if (s->pending->cqueue[b].count
            && (kind == REQUEST_GANG || kind == REQUEST_TASK)
            && s->pending->cqueue[b].no_room != s->cycle
            && entry_asks_nothing(s, &s->pending->cqueue[b].heap[0])
            && (best == NONE || gsched_cqueue_compare(s, b, best) < 0))
            best = b;
    }
    return best;
}

/* An entry that asks for nothing runs, whatever its queue's share says. */
void gsched_best_effort(struct gsched *s)
{
    uint32_t b;

    while (!gsched_is_full(s) && (b = best_effort_next(s)) != NONE) {
        const struct queue_entry it = s->pending->cqueue[b].heap[0];

        if (gsched_place_entry(s, &it))
            gsched_entry_served(s, &it);
        else
            s->pending->cqueue[b].no_room = s->cycle;
    }
}
void gsched_backfill(struct gsched *s)
{
    if (s->modules->backfill.mode == GSP_BACKFILL_BEST_EFFORT)
        gsched_best_effort(s);
    else if (s->modules->is_planned)
        gsched_conservative(s);
    else if (s->modules->keeps_order)
        gsched_easy(s);
}
