/* policies/actions/best_effort.c - placement of entries that ask for nothing,
 * without regard to quotas.
 */
#include "policies/actions/actions.h"

#include "policies/lifecycle/commit.h"
#include "policies/pending/pending.h"
#include "policies/pending/service_order.h"
#include "policies/state/entry.h"
#include "policies/state/jobs.h"
#include "policies/state/transaction.h"

static bool entry_asks_nothing(const struct gsched *s,
                               const struct queue_entry *it)
{
    const uint32_t first = it->group == NONE ? 0 : it->group;
    const uint32_t end = it->group == NONE ? s->work->job[it->job].group_count
                                           : first + 1;

    for (uint32_t g = first; g < end; g++) {
        if (!gsched_asks_nothing(s, gsched_request(s, it->job, g)->amount))
            return false;
    }
    return true;
}

/* The class queue that is first in order among those whose first entry asks for
 * nothing; NONE.
 */
static uint32_t best_effort_next(const struct gsched *s)
{
    uint32_t best = NONE;

    for (uint32_t b = 0; b < s->pending->cqueue_count; b++) {
        const struct class_queue *q = &s->pending->cqueue[b];
        const uint8_t kind = s->pending->rclass[q->rclass].kind;

        if (q->count
            && (kind == REQUEST_GANG || kind == REQUEST_TASK
                || kind == REQUEST_ELASTIC)
            && q->no_room != s->cycle && entry_asks_nothing(s, &q->heap[0])
            && (best == NONE || gsched_cqueue_compare(s, b, best) < 0))
            best = b;
    }
    return best;
}

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
