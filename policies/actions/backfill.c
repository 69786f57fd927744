/* policies/actions/backfill.c - others run before a blocked job, at no cost to it.
 *
 * EASY: the first blocked job, the head, is promised the earliest time at
 * which it fits by the running jobs' estimated ends.  In queue order, another
 * job starts if it fits now and either ends by then, or leaves the head room
 * at that time all the same.
 */
#include "policies/actions/backfill.h"

#include <assert.h>

#include "base/array.h"
#include "policies/actions/allocate.h"
#include "policies/actions/conservative.h"
#include "policies/lifecycle/commit.h"
#include "policies/pending/pending.h"
#include "policies/pending/service_order.h"
#include "policies/pending/unschedulable.h"
#include "policies/pending/wait_clock.h"
#include "policies/placement/diagnosis.h"
#include "policies/placement/gang_fit.h"
#include "policies/placement/topology_fit.h"
#include "policies/reservation/easy_shadow.h"
#include "policies/reservation/plan.h"
#include "policies/state/entry.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/transaction.h"
#include "topology/cluster.h"

/* Which item of a bin may start, and why. */
struct chance {
    uint32_t bin, item;
    bool is_short; /* it ends by the shadow time */
};

/* May such a job run on beside the head, as far as is known? */
static bool may_stay(const struct gsched *s, const struct ask *a)
{
    const struct gsched_future *f = s->future;

    if (f->has_slack && a->is_simple && a->shape == f->slack_shape)
        return a->need <= f->slack;
    return a->no_extra != f->version;
}

static bool goes_before(const struct gsched *s, const struct chance *a,
                        const struct chance *b)
{
    const struct bin *x = &s->pending->bin[a->bin],
                     *y = &s->pending->bin[b->bin];
    const int order = s->modules->has_queues
                          ? gsched_queue_compare(s, x->queue, y->queue)
                          : 0;

    return order ? order < 0
                 : gsched_item_compare(s, &x->heap[a->item], &y->heap[b->item])
                       < 0;
}

/* The first item of a bin that may start. */
static bool bin_chance(const struct gsched *s, uint32_t bin, int64_t window,
                       struct chance *c)
{
    const struct bin *b = &s->pending->bin[bin];

    assert(bin < s->pending->bin_count && window >= 0);
    c->bin = bin;
    c->item = 0;
    if (b->count == 0 || b->at == NONE)
        return false;
    c->is_short = s->jobs->job[b->heap[0].job].estimate <= window;
    if (c->is_short || may_stay(s, &s->pending->ask[b->ask]))
        return true;
    c->item = gsched_bin_short(s, bin, window);
    c->is_short = true;
    return c->item != NONE;
}

/* Of all that is awake, the first in order that may start. */
static bool next_chance(struct gsched *s, int64_t window, struct chance *best)
{
    bool any = false;

    for (uint32_t i = s->pending->awake_count; i-- > 0;) {
        const uint32_t ask = s->pending->awake[i];

        if (s->pending->ask[ask].waiting == 0) {
            gsched_ask_rest(s, ask);
            continue;
        }
        for (uint32_t b = s->pending->ask[ask].first_bin; b != NONE;
             b = s->pending->bin[b].next) {
            struct chance c;

            if (bin_chance(s, b, window, &c)
                && (!any || goes_before(s, &c, best))) {
                *best = c;
                any = true;
            }
        }
    }
    return any;
}

/* The gang beside the head: as its modules like it, or off the nodes that the
 * head would take.
 */
static bool place_beside(struct gsched *s, uint32_t job)
{
    for (int again = 0; again < 2; again++) {
        const uint32_t first = s->decision_count;
        const uint32_t mark = topo_cluster_begin(s->cluster);
        const uint8_t *avoid = again ? gsched_future_avoid(s) : NULL;
        const bool fits = gsched_gang_place(s, job, avoid)
                          && gsched_future_bears(s, first);

        if (avoid)
            gsched_future_avoid(s);
        if (fits) {
            topo_cluster_commit(s->cluster, mark);
            gsched_gang_commit(s, job, first);
            return true;
        }
        gsched_undo(s, mark, first);
        if (!s->future->cluster)
            break;
    }
    return false;
}

/* Start it, or find out that it cannot. */
static void take_chance(struct gsched *s, const struct chance *c)
{
    const struct item it = s->pending->bin[c->bin].heap[c->item];
    struct gsched_future *f = s->future;
    const uint32_t ask = s->pending->bin[c->bin].ask;
    const struct ask *a = &s->pending->ask[ask];
    const bool counts = f->has_slack && a->is_simple
                        && a->shape == f->slack_shape;

    assert(c->item < s->pending->bin[c->bin].count);
    assert(s->future);
    if (!gsched_item_allocatable(s, &it)) {
        gsched_line_aside(s, c->bin, s->modules->refuser);
        return;
    }
    if (!gsched_gang_has_room(s, it.job)) {
        gsched_ask_sleep(s, ask, gsched_cause_of(s, &it));
        return;
    }
    if (c->is_short || counts) {
        if (!gsched_place_gang(s, it.job)) {
            gsched_ask_sleep(s, ask, gsched_cause_of(s, &it));
            return;
        }
        if (!c->is_short)
            f->slack -= a->need;
    } else if (!place_beside(s, it.job)) {
        s->pending->ask[ask].no_extra = f->version;
        return;
    }
    gsched_item_served(s, &it);
}

/* Those that fit, but wait for the sake of the head. */
static void blame_order(struct gsched *s)
{
    for (uint32_t i = 0; i < s->pending->awake_count; i++) {
        for (uint32_t b = s->pending->ask[s->pending->awake[i]].first_bin;
             b != NONE; b = s->pending->bin[b].next) {
            if (s->pending->bin[b].count && s->pending->bin[b].at != NONE)
                gsched_bin_blames(s, &s->pending->bin[b], GSCHED_ORDER);
        }
    }
}

/* Reserve for the head; one whose time has come, though its modules found no
 * way to place it, takes its seats.  False when none is blocked.
 */
static bool head_reserve(struct gsched *s)
{
    assert(s->head == NONE || s->head < s->pending->bin_count);
    while (s->head != NONE && s->pending->bin[s->head].count) {
        const struct item it = s->pending->bin[s->head].heap[0];
        const uint32_t first = s->decision_count;

        s->reserved = gsched_future_reserve(s, it.job);
        if (s->reserved > s->now || !gsched_seat_take(s, it.job))
            return true;
        gsched_gang_commit(s, it.job, first);
        gsched_item_served(s, &it);
        gsched_allocate(s);
    }
    return false;
}

static void easy(struct gsched *s)
{
    int64_t window;
    struct chance c;

    if (!head_reserve(s))
        return;
    window = s->reserved == GSCHED_NEVER ? GSCHED_NEVER : s->reserved - s->now;
    s->future->is_beside = true;
    while (next_chance(s, window, &c))
        take_chance(s, &c);
    s->future->is_beside = false;
    if (s->reserved == GSCHED_NEVER) /* nothing is kept for the head */
        gsched_grow(s);
    blame_order(s);
}

/* --- best effort -------------------------------------------------------------- */

static bool item_asks_nothing(const struct gsched *s, const struct item *it)
{
    const uint32_t first = it->group == NONE ? 0 : it->group;
    const uint32_t end = it->group == NONE ? s->work->job[it->job].group_count
                                           : first + 1;

    for (uint32_t g = first; g < end; g++) {
        const uint32_t shape = gsched_group(s, it->job, g)->shape;

        if (!gsched_asks_nothing(s, s->work->shape[shape].amount))
            return false;
    }
    return true;
}

/* Of the bins whose first item asks for nothing, the first in order; NONE. */
static uint32_t best_effort_next(const struct gsched *s)
{
    uint32_t best = NONE;

    for (uint32_t b = 0; b < s->pending->bin_count; b++) {
        const uint8_t kind = s->pending->ask[s->pending->bin[b].ask].kind;

        if (s->pending->bin[b].count && (kind == ASK_GANG || kind == ASK_POD)
            && s->pending->bin[b].no_room != s->cycle
            && item_asks_nothing(s, &s->pending->bin[b].heap[0])
            && (best == NONE || gsched_bin_compare(s, b, best) < 0))
            best = b;
    }
    return best;
}

/* What asks for nothing runs, whatever its queue's share says. */
static void best_effort(struct gsched *s)
{
    uint32_t b;

    while ((b = best_effort_next(s)) != NONE) {
        const struct item it = s->pending->bin[b].heap[0];

        if (gsched_place_item(s, &it))
            gsched_item_served(s, &it);
        else
            s->pending->bin[b].no_room = s->cycle;
    }
}

void gsched_backfill(struct gsched *s)
{
    if (s->modules->backfill.mode == GSP_BACKFILL_BEST_EFFORT)
        best_effort(s);
    if (s->modules->is_planned)
        gsched_plan_run(s);
    else if (s->modules->keeps_lines)
        easy(s);
}
