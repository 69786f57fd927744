/* policies/pending/quota_aside.c - see quota_aside.h. */
#include "policies/pending/quota_aside.h"

#include <assert.h>

#include "base/heap.h"
#include "policies/pending/pending.h"
#include "policies/pending/quota_lacks.h"
#include "policies/pending/quota_rivals.h"
#include "policies/pending/service_order.h"
#include "policies/state/quota_holds.h"

static struct quota_wake *wake_of(const struct gsched *s, uint32_t queue)
{
    return &s->quotas->wake[quotas_node(s->quotas->q, queue)->tree];
}

/* --- sleep ---------------------------------------------------------------- */

/* The queue sleeps with so many class queues; 0: it does not. */
static void depth_set(struct quota_wake *w, uint32_t before, uint32_t depth)
{
    w->sleeping = gs_array_grow(w->sleeping, &w->sleeping_cap, depth + 1,
                                sizeof(*w->sleeping));
    if (before)
        w->sleeping[before]--;
    if (depth)
        w->sleeping[depth]++;
    if (depth > w->deepest)
        w->deepest = depth;
    while (w->deepest && w->sleeping[w->deepest] == 0)
        w->deepest--;
}

void gsched_aside_rouse(struct gsched *s, uint32_t queue)
{
    struct quota_queue *q = &s->quotas->queue[queue];
    struct quota_wake *w = wake_of(s, queue);

    if (q->sleeping.count == 0)
        return;
    gsched_rivals_leave(s, queue);
    q->was_filed = false;
    q->is_roused = true;
    depth_set(w, q->sleeping.count, 0);
    for (uint32_t i = 0; i < q->sleeping.count; i++)
        (void)gs_numbers_add(&w->aside, q->sleeping.at[i]);
    q->sleeping.count = 0;
    w->is_unsorted = true;
}

/* Can the class queue sleep?  Its wants stay while none of them is met. */
static bool can_sleep(struct gsched *s, uint32_t cqueue, uint32_t job)
{
    struct quota_sleepers *z = &s->quotas->sleepers;
    struct quota_want want[FLAVORS_MAX];
    struct flavor_query f;
    uint32_t wants;

    if (quota_sleeper_lacks(z, cqueue))
        return true;
    f = gsched_quota_query(s, job);
    if (!flavor_wants(&f, want, &wants))
        return false;
    quota_sleep(z, cqueue, want, wants);
    return true;
}

void gsched_aside_add(struct gsched *s, uint32_t cqueue, uint32_t job)
{
    struct class_queue *b = &s->pending->cqueue[cqueue];
    struct quota_queue *q = &s->quotas->queue[b->queue];

    assert(b->at == NONE && b->heap[0].job == job);
    if (b->aside_at)
        return;
    b->aside_at = ++s->quotas->asides;
    gsched_rivals_leave(s, b->queue);
    if (!q->is_roused) {
        if (can_sleep(s, cqueue, job)) {
            gsched_rivals_slept(s, b->queue);
            (void)gs_numbers_add(&q->sleeping, cqueue);
            depth_set(wake_of(s, b->queue), q->sleeping.count - 1,
                      q->sleeping.count);
            return;
        }
        gsched_aside_rouse(s, b->queue);
        q->is_roused = true;
    }
    (void)gs_numbers_add(&wake_of(s, b->queue)->aside, cqueue);
}

bool gsched_aside_lacks(const struct gsched *s, uint32_t cqueue)
{
    return quota_sleeper_lacks(&s->quotas->sleepers, cqueue);
}

void gsched_aside_empty(struct gsched *s, uint32_t cqueue)
{
    quota_sleep_end(&s->quotas->sleepers, cqueue);
    if (s->pending->cqueue[cqueue].aside_at)
        gsched_aside_rouse(s, s->pending->cqueue[cqueue].queue);
}

void gsched_aside_ease(struct gsched *s)
{
    struct gsched_quotas *q = s->quotas;
    uint32_t cqueue;

    while ((cqueue = quota_sleepers_next(&q->sleepers)) != QUOTA_NONE)
        gsched_aside_rouse(s, s->pending->cqueue[cqueue].queue);
    for (uint32_t i = 0; i < q->news.count; i++) {
        if (wake_of(s, q->news.at[i])->is_freed)
            gsched_aside_rouse(s, q->news.at[i]);
    }
}

/* --- waking --------------------------------------------------------------- */

struct set_aside {
    uint32_t *at;
    const struct class_queue *cqueue;
};

/* Later: reversed, so that sinking makes the first the last. */
static bool aside_after(const void *of, uint32_t i, uint32_t k)
{
    const struct set_aside *l = of;

    return l->cqueue[l->at[i]].aside_at > l->cqueue[l->at[k]].aside_at;
}

static void aside_sort(const struct gsched *s, struct quota_wake *w)
{
    static const struct gs_heap last_first = { aside_after,
                                               gs_heap_swap_numbers };
    struct set_aside l = { w->aside.at, s->pending->cqueue };

    if (w->is_unsorted)
        gs_heap_sort(&last_first, &l, w->aside.count);
    w->is_unsorted = false;
}

/* The class queue is active, after it was refused at `at` at last. */
static void wake(struct gsched *s, uint32_t cqueue, int64_t at)
{
    struct class_queue *b = &s->pending->cqueue[cqueue];

    gsched_lack_stayed(s, cqueue, at);
    b->aside_at = 0;
    if (b->count)
        gsched_active_add(s, cqueue);
}

void gsched_aside_wake_from(struct gsched *s, uint32_t queue, uint32_t from)
{
    struct gs_numbers *l = &s->quotas->queue[queue].sleeping;
    struct quota_wake *w = wake_of(s, queue);
    const uint32_t count = l->count;

    assert(from < count && !gsched_rivals_have(s, queue));
    s->quotas->queue[queue].was_filed = false;
    depth_set(w, count, from);
    l->count = from;
    for (uint32_t i = from; i < count; i++)
        wake(s, l->at[i], w->freed_before);
}

void gsched_aside_wake(struct gsched *s, uint32_t tree)
{
    struct quota_wake *w = &s->quotas->wake[tree];

    for (uint32_t i = 0; i < w->blocked.count; i++)
        gsched_aside_rouse(s, w->blocked.at[i]);
    aside_sort(s, w);
    for (uint32_t i = 0; i < w->aside.count; i++) {
        const uint32_t cqueue = w->aside.at[i];

        s->quotas->queue[s->pending->cqueue[cqueue].queue].is_roused = false;
        wake(s, cqueue, w->freed_at);
    }
    w->aside.count = 0;
    w->freed_before = w->freed_at;
    w->freed_at = s->now;
    w->rounds = w->deepest ? s->quotas->rounds + w->deepest - 1 : 0;
    if (w->deepest && !w->is_quiet)
        (void)gs_numbers_add(&s->quotas->quiet, tree);
    w->is_quiet |= w->deepest > 0;
}
