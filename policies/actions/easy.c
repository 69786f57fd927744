/* policies/actions/easy.c - EASY backfilling: one reservation.
 *
 * The first blocked job, the head, gets a reservation at the earliest time at
 * which it fits by the estimated ends of running jobs.  In queue order, another
 * job starts if it fits now and either ends by that time or leaves room for the
 * head.
 *
 * The first entries that may start stand in a heap, one for each class queue.
 * Within a cycle chances only get worse: less is free, and less is beside the
 * head.  So the entry on top is examined again and tried; a class queue whose
 * chance is another now goes down in the heap.  When a job starts, roused
 * classes (pending/roused.h) whose tasks fit nowhere any more leave the heap
 * untried, and the heap is made anew, since the order may follow from what
 * queues hold.  A cycle costs c (1 + starts) + f log c + a search for nodes for
 * each of the f entries tried, with c class queues that are active or roused.
 */

#include <assert.h>

#include "base/array.h"
#include "base/heap.h"
#include "policies/actions/actions.h"
#include "policies/lifecycle/commit.h"
#include "policies/pending/pending.h"
#include "policies/pending/roused.h"
#include "policies/pending/service_order.h"
#include "policies/pending/unschedulable.h"
#include "policies/pending/wait_clock.h"
#include "policies/placement/placement.h"
#include "policies/placement/room_bound.h"
#include "policies/reservation/reservation.h"
#include "policies/state/entry.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/transaction.h"
#include "topology/cluster.h"

/* Which entry of a class queue may start, and why. */
struct chance {
    uint32_t cqueue, entry;
    uint32_t job;  /* of the entry */
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

/* The first entry of a class queue that may start; false: none. */
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
    if (!c->is_short && !may_stay(s->shadow, &s->pending->rclass[b->rclass])) {
        c->entry = gsched_cqueue_short(s, cqueue, window);
        c->is_short = true;
    }
    c->job = c->entry == NONE ? NONE : b->heap[c->entry].job;
    return c->entry != NONE;
}

/* --- the heap ------------------------------------------------------------- */

static bool chance_before(const void *of, uint32_t a, uint32_t b)
{
    const struct gsched *s = of;
    const struct chance *c = s->shadow->chance;

    return goes_before(s, &c[a], &c[b]);
}

static void chance_swap(void *of, uint32_t a, uint32_t b)
{
    struct chance *c = ((struct gsched *)of)->shadow->chance;
    const struct chance it = c[a];

    c[a] = c[b];
    c[b] = it;
}

static const struct gs_heap by_order = { chance_before, chance_swap };

/* Add the chances of a class, in no order; false: it has none. */
static bool class_add(struct gsched *s, uint32_t rclass, int64_t window)
{
    struct shadow_state *f = s->shadow;
    const uint32_t before = f->chances;
    struct chance c;

    for (uint32_t b = s->pending->rclass[rclass].first_cqueue; b != NONE;
         b = s->pending->cqueue[b].next) {
        if (!cqueue_chance(s, b, window, &c))
            continue;
        f->chance = gs_array_grow(f->chance, &f->chance_cap, f->chances + 1,
                                  sizeof(*f->chance));
        f->chance[f->chances++] = c;
    }
    return f->chances > before;
}

/* Collect the chances of all classes. */
static void chances_find(struct gsched *s, int64_t window)
{
    const struct gsched_pending *p = s->pending;
    struct room_bound bound;

    s->shadow->chances = 0;
    for (uint32_t i = p->active.count; i-- > 0;) {
        const uint32_t rclass = p->active.at[i];

        if (p->rclass[rclass].waiting == 0)
            gsched_rclass_unlist(s, rclass);
        else
            (void)class_add(s, rclass, window);
    }
    if (p->roused.count)
        gsched_room_bound(s, &bound);
    for (uint32_t i = p->roused.count; i-- > 0;) {
        const uint32_t rclass = p->roused.at[i];

        if (!gsched_room_bound_allows(s, &bound, p->rclass[rclass].shape))
            gsched_rclass_settle(s, rclass);
        else if (!class_add(s, rclass, window))
            gsched_rclass_wake(s, rclass);
    }
    gs_heap_build(&by_order, s, s->shadow->chances);
}

/* The entry on top started: find the next chance of its class queue, drop those
 * of roused classes that fit nowhere any more, and order the others anew.
 */
static void chances_renew(struct gsched *s, int64_t window)
{
    const struct gsched_pending *p = s->pending;
    struct shadow_state *f = s->shadow;
    struct room_bound bound;
    uint32_t kept = 0;

    if (!cqueue_chance(s, f->chance[0].cqueue, window, &f->chance[0]))
        f->chance[0] = f->chance[--f->chances];
    gsched_room_bound(s, &bound);
    for (uint32_t i = 0; i < f->chances; i++) {
        const uint32_t rclass = p->cqueue[f->chance[i].cqueue].rclass;
        const struct request_class *a = &p->rclass[rclass];

        if (a->roused_at != NONE
            && !gsched_room_bound_allows(s, &bound, a->shape))
            gsched_rclass_settle(s, rclass);
        if (a->roused_at != NONE || a->active_at != NONE)
            f->chance[kept++] = f->chance[i];
    }
    f->chances = kept;
    gs_heap_build(&by_order, s, kept);
}

/* Look again at the class queue on top; false when it left the heap, or another
 * entry of it has the chance now.
 */
static bool top_stands(struct gsched *s, int64_t window)
{
    struct shadow_state *f = s->shadow;
    const struct chance was = f->chance[0];
    const uint32_t rclass = s->pending->cqueue[was.cqueue].rclass;
    const bool has_chance = cqueue_chance(s, was.cqueue, window, &f->chance[0]);

    if (!has_chance || f->chance[0].job == was.job)
        gsched_rclass_wake(s, rclass);
    if (has_chance && f->chance[0].job == was.job
        && s->pending->rclass[rclass].active_at != NONE)
        return true;
    if (!has_chance
        || (s->pending->rclass[rclass].active_at == NONE
            && s->pending->rclass[rclass].roused_at == NONE))
        f->chance[0] = f->chance[--f->chances];
    (void)gs_heap_sink(&by_order, s, f->chances, 0);
    return false;
}

/* The first entry, in order, that may start; false: none. */
static bool next_chance(struct gsched *s, int64_t window, struct chance *first)
{
    while (s->shadow->chances) {
        if (top_stands(s, window)) {
            *first = s->shadow->chance[0];
            return true;
        }
    }
    return false;
}

/* --- trying --------------------------------------------------------------- */

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

/* Place the entry where the head surely keeps its time, else beside it; a task
 * of a gang of which a part stands, as adopted ones, only in the first case.
 */
static bool place_chance(struct gsched *s, const struct queue_entry *it,
                         bool is_sure)
{
    if (is_sure)
        return gsched_place_entry(s, it);
    return it->group == NONE && place_beside(s, it->job);
}

/* Start the entry, or record that it cannot start. */
static bool take_chance(struct gsched *s, const struct chance *c)
{
    const struct queue_entry it = s->pending->cqueue[c->cqueue].heap[c->entry];
    const uint32_t rclass = s->pending->cqueue[c->cqueue].rclass;
    struct request_class *a = &s->pending->rclass[rclass];
    struct shadow_state *f = s->shadow;
    const bool is_sure = c->is_short || slack_tells(f, a);
    bool has_room;

    assert(c->entry < s->pending->cqueue[c->cqueue].count);
    if (!gsched_entry_allocatable(s, &it)) {
        gsched_active_defer(s, c->cqueue, s->modules->refuser);
        return false;
    }
    has_room = it.group != NONE || gsched_gang_has_room(s, it.job);
    if (!has_room || !place_chance(s, &it, is_sure)) {
        if (is_sure || !has_room)
            gsched_rclass_unschedulable(s, rclass, gsched_cause_of(s, &it));
        else
            a->no_extra = f->version;
        return false;
    }
    if (is_sure && !c->is_short)
        f->slack -= a->need;
    gsched_entry_served(s, &it);
    return true;
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
 * place it on its slots, unless a part of it stands.  False when no job is
 * blocked.
 */
static bool head_reserve(struct gsched *s)
{
    assert(s->head == NONE || s->head < s->pending->cqueue_count);
    while (s->head != NONE && s->pending->cqueue[s->head].count
           && !gsched_is_full(s)) {
        const struct queue_entry it = s->pending->cqueue[s->head].heap[0];
        const uint32_t first = s->decision_count;

        s->reserved = gsched_shadow_reserve(s, it.job);
        if (s->reserved > s->now || it.group != NONE || !slots_take(s, it.job))
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
    chances_find(s, window);
    while (!gsched_is_full(s) && next_chance(s, window, &c)) {
        if (take_chance(s, &c))
            chances_renew(s, window);
    }
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
