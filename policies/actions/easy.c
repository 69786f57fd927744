/* policies/actions/easy.c - EASY backfilling: one reservation.
 *
 * The first blocked job, the head, gets a reservation at the earliest time at
 * which it fits by the estimated ends of running jobs.  In queue order, another
 * job starts if it fits now and either ends by that time or leaves room for the
 * head.
 */

#include <assert.h>

#include "policies/actions/actions.h"
#include "policies/lifecycle/commit.h"
#include "policies/pending/pending.h"
#include "policies/pending/service_order.h"
#include "policies/pending/unschedulable.h"
#include "policies/pending/wait_clock.h"
#include "policies/placement/placement.h"
#include "policies/reservation/reservation.h"
#include "policies/state/entry.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/transaction.h"
#include "topology/cluster.h"

/* Which entry of a class queue may start, and why. */
struct chance {
    uint32_t cqueue, entry;
    bool is_short; /* it ends by the shadow time */
};

/* True when the slack of the head decides for such a job. */
static bool slack_tells(const struct shadow_state *f,
                        const struct request_class *a)
{
    return f->has_slack && a->is_simple && a->shape == f->slack_shape;
}

/* True when, as far as is known, such a job may run beyond the shadow time. */
static bool may_stay(const struct shadow_state *f,
                     const struct request_class *a)
{
    return slack_tells(f, a) ? a->need <= f->slack : a->no_extra != f->version;
}

static bool goes_before(const struct gsched *s, const struct chance *a,
                        const struct chance *b)
{
    const struct class_queue *x = &s->pending->cqueue[a->cqueue],
                             *y = &s->pending->cqueue[b->cqueue];
    const int order = s->modules->has_queues
                          ? gsched_queue_compare(s, x->queue, y->queue)
                          : 0;

    return order
               ? order < 0
               : gsched_entry_compare(s, &x->heap[a->entry], &y->heap[b->entry])
                     < 0;
}

/* The first entry of a class queue that may start. */
static bool cqueue_chance(const struct gsched *s, uint32_t cqueue,
                          int64_t window, struct chance *c)
{
    const struct class_queue *b = &s->pending->cqueue[cqueue];

    assert(cqueue < s->pending->cqueue_count && window >= 0);
    c->cqueue = cqueue;
    c->entry = 0;
    if (b->count == 0 || b->at == NONE)
        return false;
    c->is_short = gsched_job(s, b->heap[0].job)->estimate <= window;
    if (c->is_short || may_stay(s->shadow, &s->pending->rclass[b->rclass]))
        return true;
    c->entry = gsched_cqueue_short(s, cqueue, window);
    c->is_short = true;
    return c->entry != NONE;
}

/* The first active entry, in order, that may start. */
static bool next_chance(struct gsched *s, int64_t window, struct chance *best)
{
    const struct gsched_pending *p = s->pending;
    bool any = false;

    for (uint32_t i = p->active.count; i-- > 0;) {
        const uint32_t rclass = p->active.at[i];

        if (p->rclass[rclass].waiting == 0) {
            gsched_rclass_unlist(s, rclass);
            continue;
        }
        for (uint32_t b = p->rclass[rclass].first_cqueue; b != NONE;
             b = p->cqueue[b].next) {
            struct chance c;

            if (cqueue_chance(s, b, window, &c)
                && (!any || goes_before(s, &c, best))) {
                *best = c;
                any = true;
            }
        }
    }
    return any;
}

/* Place the gang without delaying the head: as its modules prefer, else off the
 * nodes reserved for the head.
 */
static bool place_beside(struct gsched *s, uint32_t job)
{
    for (int again = 0; again < 2; again++) {
        const uint32_t first = s->decision_count;
        const uint32_t mark = topo_cluster_begin(s->cluster);
        const uint8_t *avoid = again ? gsched_shadow_avoid(s) : NULL;
        const bool fits = gsched_gang_place(s, job, avoid)
                          && gsched_shadow_respects(s, first);

        if (fits) {
            topo_cluster_commit(s->cluster, mark);
            gsched_gang_commit(s, job, first);
            return true;
        }
        gsched_undo(s, mark, first);
        if (!s->shadow->cluster)
            break;
    }
    return false;
}

/* Start the entry, or record that it cannot start. */
static void take_chance(struct gsched *s, const struct chance *c)
{
    const struct queue_entry it = s->pending->cqueue[c->cqueue].heap[c->entry];
    const uint32_t rclass = s->pending->cqueue[c->cqueue].rclass;
    struct request_class *a = &s->pending->rclass[rclass];
    struct shadow_state *f = s->shadow;
    const bool is_sure = c->is_short || slack_tells(f, a);

    assert(c->entry < s->pending->cqueue[c->cqueue].count);
    if (!gsched_entry_allocatable(s, &it)) {
        gsched_active_defer(s, c->cqueue, s->modules->refuser);
        return;
    }
    if (!gsched_gang_has_room(s, it.job)
        || (is_sure && !gsched_place_gang(s, it.job))) {
        gsched_rclass_unschedulable(s, rclass, gsched_cause_of(s, &it));
        return;
    }
    if (!is_sure && !place_beside(s, it.job)) {
        a->no_extra = f->version;
        return;
    }
    if (is_sure && !c->is_short)
        f->slack -= a->need;
    gsched_entry_served(s, &it);
}

/* Set the wait reason of entries that fit but wait because of the head. */
static void wait_for_head(struct gsched *s)
{
    struct gsched_pending *p = s->pending;

    for (uint32_t i = 0; i < p->active.count; i++) {
        for (uint32_t b = p->rclass[p->active.at[i]].first_cqueue; b != NONE;
             b = p->cqueue[b].next) {
            if (p->cqueue[b].count && p->cqueue[b].at != NONE)
                gsched_cqueue_waits_for(s, &p->cqueue[b], GSCHED_ORDER);
        }
    }
}

/* Place the job on the slots found when its time was reserved. */
static bool slots_take(struct gsched *s, uint32_t job)
{
    return s->shadow->found.job == job
           && gsched_reservation_take(s, &s->shadow->found);
}

/* Reserve for the head.  If its time has come and its modules cannot place it,
 * place it on its slots.  False when no job is blocked.
 */
static bool head_reserve(struct gsched *s)
{
    assert(s->head == NONE || s->head < s->pending->cqueue_count);
    while (s->head != NONE && s->pending->cqueue[s->head].count
           && !gsched_is_full(s)) {
        const struct queue_entry it = s->pending->cqueue[s->head].heap[0];
        const uint32_t first = s->decision_count;

        s->reserved = gsched_shadow_reserve(s, it.job);
        if (s->reserved > s->now || !slots_take(s, it.job))
            return true;
        gsched_gang_commit(s, it.job, first);
        gsched_entry_served(s, &it);
        gsched_allocate(s);
    }
    return false;
}

void gsched_easy(struct gsched *s)
{
    int64_t window;
    struct chance c;

    if (!head_reserve(s))
        return;
    window = s->reserved == GSCHED_NEVER ? GSCHED_NEVER : s->reserved - s->now;
    s->shadow->is_beside = true;
    while (!gsched_is_full(s) && next_chance(s, window, &c))
        take_chance(s, &c);
    s->shadow->is_beside = false;
    if (s->reserved == GSCHED_NEVER) /* the head has no reservation */
        gsched_grow(s);
    wait_for_head(s);
}

void gsched_backfill(struct gsched *s)
{
    if (s->modules->backfill.mode == GSP_BACKFILL_BEST_EFFORT)
        gsched_best_effort(s);
    else if (s->modules->is_planned)
        gsched_conservative(s);
    else if (s->modules->is_windowed)
        gsched_windowed(s);
    else if (s->modules->depth)
        gsched_easy(s);
}
