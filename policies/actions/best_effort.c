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

static bool asks_nothing(const struct gsched *s, const struct request_class *a)
{
    const uint32_t job = a->sample;
    const uint32_t first = a->kind == REQUEST_GANG ? 0 : a->sample_group;
    const uint32_t end = a->kind == REQUEST_GANG ? s->work->job[job].group_count
                                                 : first + 1;

    for (uint32_t g = first; g < end; g++) {
        if (!gsched_asks_nothing(s, gsched_request(s, job, g)->amount))
            return false;
    }
    return true;
}

/* List the new classes whose entries ask for nothing. */
static void bare_list(struct gsched *s)
{
    struct gsched_pending *p = s->pending;

    for (; p->bare_seen < p->rclass_count; p->bare_seen++) {
        const uint8_t kind = p->rclass[p->bare_seen].kind;

        if ((kind == REQUEST_GANG || kind == REQUEST_TASK
             || kind == REQUEST_ELASTIC)
            && asks_nothing(s, &p->rclass[p->bare_seen]))
            (void)gs_numbers_add(&p->bare, p->bare_seen);
    }
}

/* The class queue that is first in order among those whose entries ask for
 * nothing; NONE.
 */
static uint32_t best_effort_next(const struct gsched *s)
{
    const struct gsched_pending *p = s->pending;
    uint32_t best = NONE;

    for (uint32_t i = 0; i < p->bare.count; i++) {
        const struct gs_numbers *l = &p->rclass[p->bare.at[i]].filled;

        for (uint32_t k = 0; k < l->count; k++) {
            if (p->cqueue[l->at[k]].no_room != s->cycle
                && (best == NONE
                    || gsched_cqueue_compare(s, l->at[k], best) < 0))
                best = l->at[k];
        }
    }
    return best;
}

void gsched_best_effort(struct gsched *s)
{
    uint32_t b;

    bare_list(s);
    while (!gsched_is_full(s) && (b = best_effort_next(s)) != NONE) {
        const struct queue_entry it = s->pending->cqueue[b].heap[0];

        if (gsched_place_entry(s, &it))
            gsched_entry_served(s, &it);
        else
            s->pending->cqueue[b].no_room = s->cycle;
    }
}
