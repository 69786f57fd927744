/* policies/actions/queue_depth.c - see queue_depth.h. */
#include "policies/actions/queue_depth.h"

#include <assert.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/heap.h"
#include "policies/pending/service_order.h"
#include "policies/pending/unschedulable.h"
#include "policies/profile/profile.h"

/* An entry that may be the next in order: the place in a class queue. */
struct front {
    uint32_t cqueue, at;
};

struct gsched_depths {
    struct depth {
        uint64_t pass; /* of which the rest holds */
        struct queue_entry last;
        bool has_last;   /* entries behind `last` are not tried */
        bool has_served; /* an entry was placed */
        bool has_kept;   /* one was not tried */
    } * queue;
    uint64_t pass;       /* runs of actions so far */
    uint32_t most;       /* of the present action; 0: any number */
    bool evicts;         /* the present action does */
    uint64_t goes_on_in; /* cycle after which the next one is due */
    struct front *front; /* a heap */
    uint32_t front_count, front_cap;
};

void gsched_depths_open(struct gsched *s)
{
    bool any = false;

    for (uint32_t i = 0; i < s->profile->action_count; i++)
        any |= s->profile->queue_depth[s->profile->action[i]] > 0;
    if (!any)
        return;
    s->depths = gs_arena_alloc(s->arena, 1, sizeof(*s->depths));
    s->depths->queue = gs_arena_alloc(s->arena, (size_t)s->queue_count + 1,
                                      sizeof(*s->depths->queue));
    s->depths->goes_on_in = UINT64_MAX;
}

void gsched_depths_free(struct gsched *s)
{
    if (s->depths)
        gs_array_free(s->depths->front);
}

void gsched_depths_begin(struct gsched *s, enum gsched_action action)
{
    if (!s->depths)
        return;
    s->depths->pass++;
    s->depths->most = s->profile->queue_depth[action];
    s->depths->evicts = action != GSCHED_ALLOCATE;
}

/* --- the last entry that is tried ----------------------------------------- */

static const struct queue_entry *entry_at(const struct gsched *s, uint32_t i)
{
    const struct front *f = &s->depths->front[i];

    return &s->pending->cqueue[f->cqueue].heap[f->at];
}

static bool front_before(const void *of, uint32_t a, uint32_t b)
{
    return gsched_entry_compare(of, entry_at(of, a), entry_at(of, b)) < 0;
}

static void front_swap(void *of, uint32_t a, uint32_t b)
{
    struct front *front = ((const struct gsched *)of)->depths->front;
    const struct front swap = front[a];

    front[a] = front[b];
    front[b] = swap;
}

static const struct gs_heap by_entry = { front_before, front_swap };

static void front_add(struct gsched *s, uint32_t cqueue, uint32_t at)
{
    struct gsched_depths *d = s->depths;

    if (at >= s->pending->cqueue[cqueue].count)
        return;
    d->front = gs_array_grow(d->front, &d->front_cap, d->front_count + 1,
                             sizeof(*d->front));
    d->front[d->front_count] = (struct front){ cqueue, at };
    (void)gs_heap_rise(&by_entry, s, d->front_count++);
}

/* Take the first entry out; those below it in its class queue come in. */
static struct queue_entry front_take(struct gsched *s)
{
    struct gsched_depths *d = s->depths;
    const struct front f = d->front[0];

    assert(d->front_count > 0);
    d->front[0] = d->front[--d->front_count];
    (void)gs_heap_sink(&by_entry, s, d->front_count, 0);
    front_add(s, f.cqueue, 2 * f.at + 1);
    front_add(s, f.cqueue, 2 * f.at + 2);
    return s->pending->cqueue[f.cqueue].heap[f.at];
}

static bool is_elastic(const struct gsched *s, uint32_t cqueue)
{
    return s->pending->rclass[s->pending->cqueue[cqueue].rclass].kind
           == REQUEST_ELASTIC;
}

/* The entries of a queue: gangs or tasks, whether they fit or not, and those
 * above gangs that may fit.
 */
static uint64_t all_add(struct gsched *s, const struct gs_numbers *l,
                        bool elastic)
{
    uint64_t all = 0;

    for (uint32_t i = 0; i < l->count; i++) {
        if (is_elastic(s, l->at[i]) != elastic
            || (elastic
                && !gsched_rclass_is_served(
                    s, s->pending->cqueue[l->at[i]].rclass)))
            continue;
        all += s->pending->cqueue[l->at[i]].count;
        front_add(s, l->at[i], 0);
    }
    return all;
}

static void last_find(struct gsched *s, uint32_t queue, struct depth *q)
{
    const struct queue *of = &s->order->queue[queue];
    struct gsched_depths *d = s->depths;
    uint64_t all;

    d->front_count = 0;
    all = all_add(s, &of->waiting, false);
    all += all_add(s,
                   &of->active_queue[s->modules->grows_in_turn ? QUEUE_GANGS
                                                               : QUEUE_ELASTIC],
                   true);
    *q = (struct depth){ .pass = d->pass, .has_last = all > d->most };
    for (uint32_t i = 0; q->has_last && i < d->most; i++)
        q->last = front_take(s);
}

/* --- in an action --------------------------------------------------------- */

/* The next cycle tries other entries of the queue. */
static void go_on(struct gsched *s, const struct depth *q)
{
    if (!q->has_served || !q->has_kept)
        return;
    s->depths->goes_on_in = s->cycle;
    s->early.is_early |= s->depths->evicts && s->profile->period == 0;
}

bool gsched_depth_allows(struct gsched *s, uint32_t cqueue,
                         const struct queue_entry *it)
{
    const uint32_t queue = s->pending->cqueue[cqueue].queue;
    struct depth *q;

    if (!s->depths || s->depths->most == 0)
        return true;
    q = &s->depths->queue[queue];
    if (q->pass != s->depths->pass)
        last_find(s, queue, q);
    if (!q->has_last || gsched_entry_compare(s, it, &q->last) <= 0)
        return true;
    q->has_kept = true;
    go_on(s, q);
    return false;
}

void gsched_depth_served(struct gsched *s, uint32_t queue)
{
    if (!s->depths || s->depths->queue[queue].pass != s->depths->pass)
        return;
    s->depths->queue[queue].has_served = true;
    go_on(s, &s->depths->queue[queue]);
}

int64_t gsched_depths_next(const struct gsched *s)
{
    if (!s->depths || s->depths->goes_on_in != s->cycle)
        return GSCHED_NEVER;
    if (s->profile->period > 0)
        return s->now + 1; /* at the next period */
    return s->early.has_evicted ? GSCHED_NEVER : s->now;
}
