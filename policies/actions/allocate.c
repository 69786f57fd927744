/* policies/actions/allocate.c - the action that places what waits.
 *
 * Queues take turns; in a queue the first that asks for something goes first.
 * A gang is placed in one transaction or not at all; pods, and members of a
 * gang above its minimum, one by one, the latter after all gangs.
 */
#include "policies/actions/allocate.h"

#include <assert.h>

#include "policies/lifecycle/commit.h"
#include "policies/pending/pending.h"
#include "policies/pending/service_order.h"
#include "policies/pending/unschedulable.h"
#include "policies/pending/wait_clock.h"
#include "policies/placement/diagnosis.h"
#include "policies/placement/gang_fit.h"
#include "policies/state/entry.h"
#include "policies/state/module_calls.h"
#include "policies/state/state.h"

/* The item cannot be placed: all that ask for the same sleep. */
static void fail(struct gsched *s, uint32_t bin, const struct item *it)
{
    const enum gsched_cause why = gsched_cause_of(s, it);
    const uint32_t ask = s->pending->bin[bin].ask;

    assert(s->pending->bin[bin].count > 0);
    if (s->pending->ask[ask].kind == ASK_ALL)
        gsched_wait_head(s, it->job, why);
    gsched_ask_sleep(s, ask, why);
}

/* Serve the first of the bin; false when the cluster has no room for it. */
static bool serve(struct gsched *s, uint32_t bin)
{
    const struct item it = s->pending->bin[bin].heap[0];

    assert(bin < s->pending->bin_count && s->pending->bin[bin].count > 0);
    if (gsched_ask_is_asleep(s, s->pending->bin[bin].ask))
        return false;
    if (!gsched_item_allocatable(s, &it)) {
        gsched_line_aside(s, bin, s->modules->refuser);
        return true;
    }
    if (!gsched_place_item(s, &it)) {
        fail(s, bin, &it);
        return false;
    }
    gsched_item_served(s, &it);
    return true;
}

/* The first that is blocked ends the pass, where that matters. */
static void serve_all(struct gsched *s, int line)
{
    uint32_t bin;

    assert(line == LINE_GANGS || line == LINE_ELASTIC);
    gsched_turn_begin(s, line);
    while ((bin = gsched_turn_next(s, line)) != NONE) {
        const uint32_t queue = s->pending->bin[bin].queue;

        if (!serve(s, bin) && s->modules->keeps_lines && line == LINE_GANGS) {
            s->head = bin;
            return;
        }
        gsched_turn_taken(s, queue, line);
    }
}

void gsched_allocate(struct gsched *s)
{
    assert(s->early.has_evicted || s->head == NONE || s->modules->keeps_lines);
    s->head = NONE;
    gsched_pending_wake(s);
    if (s->modules->is_planned)
        return; /* the plan starts gangs, see plan.c */
    serve_all(s, LINE_GANGS);
    if (s->head == NONE) /* what is left is the head's */
        gsched_grow(s);
}

void gsched_grow(struct gsched *s)
{
    serve_all(s, LINE_ELASTIC);
}
