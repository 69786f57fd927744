/* policies/modules/over_quota_reclaim.h - which queues may reclaim from which,
 * see over_quota.h.
 */
#ifndef GSP_OVER_QUOTA_RECLAIM_H
#define GSP_OVER_QUOTA_RECLAIM_H

#include <stddef.h>

#include "policies/modules/over_quota.h"

/* May a job of the queue reclaim `asked`?  Then its queue stays within its fair
 * share, and with `keeps` within what it deserves.
 */
static inline bool over_quota_can_reclaim(const struct over_quota_queue *q,
                                          const double *asked, uint32_t dims,
                                          bool keeps)
{
    for (uint32_t d = 0; d < dims; d++) {
        if (!over_quota_within(q->of[d].used + asked[d], q->of[d].fair)
            || (keeps
                && !over_quota_within(q->of[d].kept + asked[d],
                                      q->of[d].deserved)))
            return false;
    }
    return true;
}

/* Victims of a job of queue `by`, in groups: each task above the gang of its
 * job by itself, else all tasks of a job.
 */
struct over_quota_claim {
    uint32_t by;
    bool keeps;          /* the job is not preemptible */
    bool is_whole;       /* it asks for, and all hold, whole units */
    double multiplier;   /* >= 1, of its saturation */
    const double *asked; /* by resource */
    uint32_t count;
    const uint32_t *from; /* [group] its queue; for over_quota_keeps() and
                             over_quota_yields() where ways meet: `from` */
    const double *amount; /* [group * dims + resource] */
    uint32_t *next;       /* [group] scratch; for the same: `to` */
};

/* What is taken from a queue; all 0 at first. */
struct over_quota_mark {
    uint64_t round; /* the others hold in this round only */
    uint32_t first; /* group of victims; OVER_QUOTA_NONE */
    uint32_t last;
    uint32_t involved;            /* resources, as bits */
    double left[OVER_QUOTA_DIMS]; /* that it holds after the victims so far */
};

struct over_quota_tree {
    const struct over_quota_queue *queue;
    uint32_t queues, dims;
    struct over_quota_mark *mark; /* [queue] */
    uint32_t *marked;             /* room for all queues */
    uint32_t marks;
    uint64_t round;
};

static inline struct over_quota_mark *over_quota_mark(struct over_quota_tree *t,
                                                      uint32_t q)
{
    struct over_quota_mark *m = &t->mark[q];

    assert(q < t->queues);
    if (m->round != t->round) {
        m->round = t->round;
        m->first = m->last = OVER_QUOTA_NONE;
        m->involved = 0;
        for (uint32_t d = 0; d < t->dims; d++)
            m->left[d] = t->queue[q].of[d].used;
        t->marked[t->marks++] = q;
    }
    return m;
}

static inline uint32_t over_quota_involved(const double *amount, uint32_t dims)
{
    uint32_t mask = 0;

    for (uint32_t d = 0; d < dims; d++)
        mask |= (uint32_t)(amount[d] > 0) << d;
    return mask;
}

static inline uint32_t over_quota_depth(const struct over_quota_queue *queue,
                                        uint32_t q)
{
    uint32_t depth = 0;

    for (; q != OVER_QUOTA_NONE; q = queue[q].parent)
        depth++;
    return depth;
}

/* Replace both by their ancestors below the lowest common one; where one is
 * above the other, both by the upper one.
 */
static inline void over_quota_level(const struct over_quota_queue *queue,
                                    uint32_t *a, uint32_t *b)
{
    uint32_t x = *a, y = *b;

    /* of one depth, as the queues of jobs mostly are */
    while (x != y && queue[x].parent != queue[y].parent
           && queue[x].parent != OVER_QUOTA_NONE
           && queue[y].parent != OVER_QUOTA_NONE) {
        x = queue[x].parent;
        y = queue[y].parent;
    }
    if (x == y || queue[x].parent == queue[y].parent) {
        *a = x;
        *b = y;
        return;
    }
    x = over_quota_depth(queue, *a);
    y = over_quota_depth(queue, *b);
    for (; x > y; x--)
        *a = queue[*a].parent;
    for (; y > x; y--)
        *b = queue[*b].parent;
    while (*a != *b && queue[*a].parent != queue[*b].parent) {
        *a = queue[*a].parent;
        *b = queue[*b].parent;
    }
}

/* By how much a queue that holds `left` is above its bound, by resource: what
 * it may hold; or what it deserves while the queue that asks stays within what
 * that deserves.  True: of some resource.
 */
static inline bool over_quota_excess(const struct over_quota_queue *from,
                                     const double *left,
                                     const struct over_quota_queue *to,
                                     const double *asked, uint32_t dims,
                                     double *excess)
{
    bool starves = true, is_above = false;

    for (uint32_t d = 0; d < dims; d++)
        starves &= over_quota_within(to->of[d].used + asked[d],
                                     to->of[d].deserved);
    for (uint32_t d = 0; d < dims; d++) {
        const struct over_quota *q = &from->of[d];
        double bound = over_quota_allocatable(q);

        if (starves)
            bound = over_quota_least(q->deserved, bound);
        excess[d] = over_quota_within(left[d], bound) ? 0 : left[d] - bound;
        is_above |= !over_quota_within(left[d], bound);
    }
    return is_above;
}

/* Take a group of victims; false: their queue must keep it. */
static inline bool over_quota_take(struct over_quota_tree *t,
                                   const struct over_quota_claim *c,
                                   uint32_t queue, const double *amount)
{
    const uint32_t involved = over_quota_involved(amount, t->dims);
    uint32_t to = c->by, from = queue;
    double excess[OVER_QUOTA_DIMS];

    over_quota_level(t->queue, &to, &from);
    if (!over_quota_excess(&t->queue[from], over_quota_mark(t, from)->left,
                           &t->queue[to], c->asked, t->dims, excess))
        return false;
    for (uint32_t q = queue; q != OVER_QUOTA_NONE; q = t->queue[q].parent) {
        struct over_quota_mark *m = over_quota_mark(t, q);

        m->involved |= involved;
        for (uint32_t d = 0; d < t->dims; d++)
            m->left[d] -= amount[d];
    }
    return true;
}

/* How much of its fair share a queue holds: set *ratio; false: infinitely
 * much.
 */
static inline bool over_quota_saturation(double holds, double fair,
                                         double *ratio)
{
    *ratio = fair == 0 || fair == OVER_QUOTA_ALL ? 0 : holds / fair;
    return fair != 0 || holds <= 0;
}

/* Is a queue that then holds `holds` less saturated than its sibling, or within
 * its fair share?
 */
static inline bool over_quota_stays_below(const struct over_quota *mine,
                                          double holds,
                                          const struct over_quota *other,
                                          double left, double multiplier)
{
    double x, y;
    const bool is_finite = over_quota_saturation(holds, mine->fair, &x);

    if ((mine->fair == OVER_QUOTA_ALL && other->fair == OVER_QUOTA_ALL)
        || (is_finite && x <= 1)
        || (other->fair <= 0 && other->fair != OVER_QUOTA_ALL))
        return true;
    if (other->fair == OVER_QUOTA_ALL) /* below 0 as a number */
        return true;
    (void)over_quota_saturation(left, other->fair, &y);
    return is_finite && multiplier * x < y;
}

/* The same of all resources that the job asks for, or that are `involved`. */
static inline bool over_quota_stays_less(const struct over_quota_tree *t,
                                         const struct over_quota_claim *c,
                                         uint32_t mine, const double *holds,
                                         uint32_t other, const double *left,
                                         uint32_t involved)
{
    involved |= over_quota_involved(c->asked, t->dims);
    for (uint32_t d = 0; d < t->dims; d++) {
        if ((involved >> d & 1)
            && !over_quota_stays_below(
                &t->queue[mine].of[d], holds[d] + c->asked[d],
                &t->queue[other].of[d], left[d], c->multiplier))
            return false;
    }
    return true;
}

/* A job that is not preemptible: do its queue and those above it stay within
 * what they deserve?
 */
static inline bool over_quota_may_keep(const struct over_quota_tree *t,
                                       const struct over_quota_claim *c)
{
    bool may = true;

    for (uint32_t q = c->keeps ? c->by : OVER_QUOTA_NONE;
         q != OVER_QUOTA_NONE && may; q = t->queue[q].parent) {
        const struct over_quota *of = t->queue[q].of;

        for (uint32_t d = 0; d < t->dims && may; d++)
            may = over_quota_within(of[d].kept + c->asked[d], of[d].deserved);
    }
    return may;
}

/* Do the reclaiming queue and those above it stay within their bounds? */
static inline bool over_quota_bounds_hold(struct over_quota_tree *t,
                                          const struct over_quota_claim *c)
{
    const uint32_t marks = t->marks;

    for (uint32_t q = c->by; q != OVER_QUOTA_NONE; q = t->queue[q].parent) {
        const struct over_quota_mark *m = over_quota_mark(t, q);

        for (uint32_t i = 0; i < marks; i++) {
            const uint32_t s = t->marked[i];
            const struct over_quota_mark *other = &t->mark[s];

            if (s != q && t->queue[s].parent == t->queue[q].parent
                && !over_quota_stays_less(t, c, q, m->left, s, other->left,
                                          other->involved))
                return false;
        }
    }
    return over_quota_may_keep(t, c);
}

/* Note that the amount leaves the queue and those above it. */
static inline void over_quota_leaves(struct over_quota_tree *t, uint32_t queue,
                                     const double *amount)
{
    for (uint32_t q = queue; q != OVER_QUOTA_NONE; q = t->queue[q].parent) {
        struct over_quota_mark *m = over_quota_mark(t, q);

        for (uint32_t d = 0; d < t->dims; d++)
            m->left[d] -= amount[d];
    }
}

static inline bool over_quota_is_whole(double x)
{
    return over_quota_floor(x) == x;
}

/* At least what queue `to` would hold of the resource if all that the marks of
 * the round say left it.
 */
static inline double over_quota_least_held(struct over_quota_tree *t,
                                           const struct over_quota_claim *c,
                                           uint32_t to, uint32_t d)
{
    const double used = t->queue[to].of[d].used;
    const double held = over_quota_mark(t, to)->left[d] + c->asked[d];

    /* victims in another order may leave another rounding */
    return c->is_whole && over_quota_is_whole(used) ? held : held - used * 1e-9;
}

/* Must a queue keep the amount below `from`, as the sibling `to` of that on the
 * way to the queue that asks would be too saturated, even if all that the marks
 * of the round say leaves that?
 */
static inline bool over_quota_keeps(struct over_quota_tree *t,
                                    const struct over_quota_claim *c,
                                    uint32_t to, uint32_t from,
                                    const double *amount)
{
    const uint32_t asked = over_quota_involved(c->asked, t->dims);
    const uint32_t involved = asked | over_quota_involved(amount, t->dims);

    for (uint32_t d = 0; d < t->dims && to != from; d++) {
        const struct over_quota *other = &t->queue[from].of[d];

        if ((involved >> d & 1)
            && !over_quota_stays_below(
                &t->queue[to].of[d], over_quota_least_held(t, c, to, d), other,
                other->used - amount[d], c->multiplier))
            return true;
    }
    return false;
}

/* How much of a resource that is asked for may leave the queue in all, for the
 * same reason: an upper bound; below 0: there is none.
 */
static inline double over_quota_yields(struct over_quota_tree *t,
                                       const struct over_quota_claim *c,
                                       uint32_t to, uint32_t from, uint32_t d)
{
    const struct over_quota *mine = &t->queue[to].of[d];
    const struct over_quota *other = &t->queue[from].of[d];
    const double least = over_quota_least_held(t, c, to, d);
    double ratio, most;

    if (to == from || c->asked[d] <= 0
        || over_quota_stays_below(mine, least, other, 0, c->multiplier))
        return -1;
    if (!over_quota_saturation(least, mine->fair, &ratio))
        return 0;
    most = other->used - other->fair * c->multiplier * ratio
           + other->used * 1e-9;
    if (!c->is_whole || !over_quota_is_whole(other->used) || most < 0)
        return most < 0 ? 0 : most;
    most = over_quota_floor(most);
    return over_quota_stays_below(mine, least, other, other->used - most,
                                  c->multiplier)
                   || most < 1
               ? most
               : most - 1;
}

/* Nothing is taken yet. */
static inline void over_quota_begin(struct over_quota_tree *t)
{
    assert(t->dims <= OVER_QUOTA_DIMS);
    t->round++;
    t->marks = 0;
}

/* Take a group of victims; false: their queue must keep it, or the reclaiming
 * one would not stay less saturated, where their ways up meet.  Above that
 * victims only make room for it, so that bounds which held still do.
 */
static inline bool over_quota_take_more(struct over_quota_tree *t,
                                        const struct over_quota_claim *c,
                                        uint32_t queue, const double *amount)
{
    uint32_t to = c->by, from = queue;
    const struct over_quota_mark *m;
    double left[OVER_QUOTA_DIMS];

    over_quota_level(t->queue, &to, &from);
    m = over_quota_mark(t, from);
    for (uint32_t d = 0; d < t->dims; d++)
        left[d] = m->left[d] - amount[d];
    return (to == from
            || over_quota_stays_less(
                t, c, to, over_quota_mark(t, to)->left, from, left,
                m->involved | over_quota_involved(amount, t->dims)))
           && over_quota_take(t, c, queue, amount);
}

/* May all of these victims be evicted for the job?  Those of one queue are
 * taken in their order.  Amounts of queues are those before the evictions.
 */
static inline bool over_quota_reclaims(struct over_quota_tree *t,
                                       const struct over_quota_claim *c)
{
    uint32_t queues;

    assert(c->by < t->queues);
    over_quota_begin(t);
    for (uint32_t i = 0; i < c->count; i++) {
        struct over_quota_mark *m = over_quota_mark(t, c->from[i]);

        c->next[i] = OVER_QUOTA_NONE;
        if (m->first == OVER_QUOTA_NONE)
            m->first = i;
        else
            c->next[m->last] = i;
        m->last = i;
    }
    queues = t->marks;
    for (uint32_t k = 0; k < queues; k++) {
        for (uint32_t i = t->mark[t->marked[k]].first; i != OVER_QUOTA_NONE;
             i = c->next[i]) {
            if (!over_quota_take(t, c, c->from[i],
                                 c->amount + (size_t)i * t->dims))
                return false;
        }
    }
    return over_quota_bounds_hold(t, c);
}

#endif /* GSP_OVER_QUOTA_RECLAIM_H */
