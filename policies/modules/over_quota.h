/* policies/modules/over_quota.h - shares of queues over their quotas.
 *
 * A queue deserves an amount of each resource.  What siblings leave of the
 * amount that they divide goes to those that ask for more: to queues of the
 * highest priority first, among these by weight, in rounds, in whole units
 * (GPUs, millicores, bytes).  With `k` above 0 weights shrink with what queues
 * used before.  The result is the fair share of each; the fair share of a
 * parent is what its children divide.  Below its fair share a queue may reclaim
 * from queues above theirs, as long as it stays less saturated than these at
 * every level.  The rules are those of KAI Scheduler's plugin proportion.
 *
 * Plain functions on plain arrays: amounts are in units, each resource is
 * divided by itself.
 */
#ifndef GSP_OVER_QUOTA_H
#define GSP_OVER_QUOTA_H

#include <assert.h>
#include <float.h>
#include <stdbool.h>
#include <stdint.h>

#define OVER_QUOTA_DIMS 16
#define OVER_QUOTA_ALL (-1.0) /* no bound */
#define OVER_QUOTA_NONE UINT32_MAX

/* One resource of a queue, with all queues below it. */
struct over_quota {
    double deserved, limit; /* OVER_QUOTA_ALL: unlimited */
    double weight;          /* >= 0; 0: nothing over its quota */
    double history;         /* part of the capacity that it used before */
    double asked;           /* held, and asked for by what is pending */
    double used;            /* held */
    double kept;            /* held by jobs that are not preemptible */
    double fair;            /* out: its fair share */
    double rest;            /* of the last round, below one unit */
    double before;          /* `fair` before, for the caller */
};

struct over_quota_queue {
    uint32_t parent; /* OVER_QUOTA_NONE of a top queue */
    int32_t priority;
    struct over_quota of[OVER_QUOTA_DIMS];
};

/* --- bounds --------------------------------------------------------------- */

/* x <= y, where OVER_QUOTA_ALL is above all amounts. */
static inline bool over_quota_within(double x, double y)
{
    if (y == OVER_QUOTA_ALL)
        return true;
    return x != OVER_QUOTA_ALL && x <= y;
}

static inline double over_quota_least(double x, double y)
{
    return over_quota_within(x, y) ? x : y;
}

/* The most that it may get now. */
static inline double over_quota_requestable(const struct over_quota *q)
{
    return over_quota_least(q->asked, q->limit);
}

/* What it may hold without being reclaimed from. */
static inline double over_quota_allocatable(const struct over_quota *q)
{
    if (q->deserved == OVER_QUOTA_ALL)
        return q->limit;
    return over_quota_least(q->deserved > q->fair ? q->deserved : q->fair,
                            q->limit);
}

/* --- fair shares ---------------------------------------------------------- */

/* Siblings, those of higher priority first, and of one priority by age. */
struct over_quota_siblings {
    struct over_quota_queue *queue;
    const uint32_t *at; /* numbers of queues */
    uint32_t count;
    uint32_t *heap; /* room for as many */
};

static inline bool over_quota_met(const struct over_quota *q)
{
    return q->asked <= q->fair
           || (q->limit != OVER_QUOTA_ALL && q->limit <= q->fair);
}

/* The whole part of x >= 0, of any size. */
static inline double over_quota_floor(double x)
{
    return x < 9e15 ? (double)(int64_t)x : x;
}

/* The weight in this round of a queue that is not met. */
static inline double over_quota_pull(const struct over_quota *q, double weights,
                                     double k)
{
    const double part = q->weight / weights;
    const double pull = part + k * (part - q->history);

    return pull > 0 ? pull : 0;
}

/* One round among queues [from, to) of one priority: true when another may give
 * more.
 */
static inline bool over_quota_round(const struct over_quota_siblings *s,
                                    uint32_t from, uint32_t to, uint32_t d,
                                    double k, double *left)
{
    const double base = *left;
    double weights = 0, pulls = 0;
    bool again = false;

    for (uint32_t i = from; i < to; i++) {
        const struct over_quota *q = &s->queue[s->at[i]].of[d];

        weights += over_quota_requestable(q) > q->fair ? q->weight : 0;
    }
    for (uint32_t i = from; i < to && weights > 0; i++) {
        const struct over_quota *q = &s->queue[s->at[i]].of[d];

        pulls += over_quota_met(q) ? 0 : over_quota_pull(q, weights, k);
    }
    for (uint32_t i = from; i < to && pulls > 0 && *left != 0; i++) {
        struct over_quota *q = &s->queue[s->at[i]].of[d];
        const double wants = over_quota_requestable(q) - q->fair;
        double share, gets;

        if (over_quota_met(q) || q->weight <= 0)
            continue;
        share = base * (over_quota_pull(q, weights, k) / pulls);
        gets = wants <= share ? wants : over_quota_floor(share);
        if (wants <= share)
            q->rest = 0;
        else if (share > gets)
            q->rest = share - gets;
        q->fair += gets;
        *left -= gets;
        again |= gets > 0 && wants < share;
    }
    return again && *left != 0;
}

static inline bool over_quota_rest_before(const struct over_quota_siblings *s,
                                          uint32_t d, uint32_t i, uint32_t k)
{
    const double x = s->queue[s->at[i]].of[d].rest;
    const double y = s->queue[s->at[k]].of[d].rest;

    return x != y ? x > y : i < k;
}

static inline void over_quota_sink(const struct over_quota_siblings *s,
                                   uint32_t d, uint32_t count, uint32_t i)
{
    for (;;) {
        uint32_t child = 2 * i + 1;
        const uint32_t at = s->heap[i];

        if (child >= count)
            return;
        if (child + 1 < count
            && over_quota_rest_before(s, d, s->heap[child + 1], s->heap[child]))
            child++;
        if (!over_quota_rest_before(s, d, s->heap[child], at))
            return;
        s->heap[i] = s->heap[child];
        s->heap[child] = at;
        i = child;
    }
}

/* Give a unit each to queues [from, to) of one priority, the largest rest
 * first.
 */
static inline void over_quota_rests(const struct over_quota_siblings *s,
                                    uint32_t from, uint32_t to, uint32_t d,
                                    double *left)
{
    uint32_t n = 0;

    for (uint32_t i = from; i < to; i++) {
        if (s->queue[s->at[i]].of[d].rest > 0)
            s->heap[n++] = i;
    }
    for (uint32_t i = n / 2; i-- > 0;)
        over_quota_sink(s, d, n, i);
    while (n > 0 && *left > 0) {
        const double gets = *left < 1 ? *left : 1;

        s->queue[s->at[s->heap[0]]].of[d].fair += gets;
        *left -= gets;
        s->heap[0] = s->heap[--n];
        over_quota_sink(s, d, n, 0);
    }
}

/* The end of the siblings that have the priority of the one at `from`. */
static inline uint32_t over_quota_end(const struct over_quota_siblings *s,
                                      uint32_t from)
{
    uint32_t to = from + 1;

    while (to < s->count
           && s->queue[s->at[to]].priority == s->queue[s->at[from]].priority)
        to++;
    return to;
}

/* Divide `amount` of resource `d`, what `fair` holds already not counted.
 * Returns what is left.  A round either meets half of the weight or leaves half
 * of the amount, so that their number is logarithmic.
 */
static inline double over_quota_share_out(const struct over_quota_siblings *s,
                                          uint32_t d, double amount, double k)
{
    for (uint32_t i = 0; i < s->count; i++)
        s->queue[s->at[i]].of[d].rest = 0;
    for (uint32_t i = 0, to; i < s->count; i = to) {
        assert(i == 0
               || s->queue[s->at[i]].priority
                      < s->queue[s->at[i - 1]].priority);
        to = over_quota_end(s, i);
        while (over_quota_round(s, i, to, d, k, &amount)) {
        }
    }
    for (uint32_t i = 0, to; i < s->count && amount > 0; i = to) {
        to = over_quota_end(s, i);
        over_quota_rests(s, i, to, d, &amount);
    }
    return amount;
}

/* Set the fair shares of siblings that divide `amount` of resource `d`; returns
 * what is left.  Deserved amounts are given whatever they sum up to.
 */
static inline double over_quota_divide(const struct over_quota_siblings *s,
                                       uint32_t d, double amount, double k)
{
    double left = amount;

    assert(d < OVER_QUOTA_DIMS && amount >= 0 && k >= 0);
    for (uint32_t i = 0; i < s->count; i++) {
        struct over_quota *q = &s->queue[s->at[i]].of[d];
        const double deserved = q->deserved == OVER_QUOTA_ALL ? amount
                                                              : q->deserved;

        q->fair = over_quota_least(deserved, over_quota_requestable(q));
        left -= q->fair;
    }
    return left > 0 ? over_quota_share_out(s, d, left, k) : 0;
}

/* Does it want a unit more than its share, by more than rounding?  No round met
 * it then, so that shares are the same however much more it asks for.
 */
static inline bool over_quota_lacks(const struct over_quota *q)
{
    return over_quota_requestable(q) >= (q->fair + 1) * (1 + 1e-9);
}

/* --- limits --------------------------------------------------------------- */

enum over_quota_refusal {
    OVER_QUOTA_GRANTED,
    OVER_QUOTA_LIMIT, /* above the limit of the queue or of one above it */
    OVER_QUOTA_KEPT, /* a job that is not preemptible, above what it deserves */
};

/* May a job of queue `at` take `asked` more?  `keeps`: it is not preemptible.
 */
static inline enum over_quota_refusal over_quota_refuses(
    const struct over_quota_queue *queue, uint32_t at, const double *asked,
    uint32_t dims, bool keeps)
{
    for (; at != OVER_QUOTA_NONE; at = queue[at].parent) {
        for (uint32_t d = 0; d < dims; d++) {
            const struct over_quota *q = &queue[at].of[d];

            if (asked[d] <= 0)
                continue;
            if (!over_quota_within(q->used + asked[d], q->limit))
                return OVER_QUOTA_LIMIT;
            if (keeps && !over_quota_within(q->kept + asked[d], q->deserved))
                return OVER_QUOTA_KEPT;
        }
    }
    return OVER_QUOTA_GRANTED;
}

/* --- the order of queues -------------------------------------------------- */

/* A queue, and by how much what it holds would change: by its next job, or by
 * its next victims.
 */
struct over_quota_side {
    const struct over_quota_queue *queue;
    const double *asked; /* by its next job; NULL: nothing */
    const double *gone;  /* by victims; NULL: nothing */
};

/* What they may hold, by the first resource in which they differ.  In KAI
 * Scheduler the one goes first that may hold less of some resource and more of
 * none, and of others the older one, which is not transitive: this is an order
 * that agrees with the former.
 */
static inline int over_quota_smaller(const struct over_quota_side *a,
                                     const struct over_quota_side *b,
                                     uint32_t dims)
{
    for (uint32_t d = 0; d < dims; d++) {
        const double x = over_quota_allocatable(&a->queue->of[d]);
        const double y = over_quota_allocatable(&b->queue->of[d]);

        if (!over_quota_within(x, y))
            return 1;
        if (!over_quota_within(y, x))
            return -1;
    }
    return 0;
}

/* What it holds as a part of all. */
static inline double over_quota_part(double holds, double all)
{
    if (holds == 0)
        return 0;
    return all == 0 ? holds * 1000 : holds / all;
}

#define OVER_QUOTA_KEYS 3

/* Set numbers of which the first that differs decides, the lower one first:
 * does it hold more than its fair share of every resource; more than it
 * deserves of some with its next job; its priority; would it hold a resource of
 * which it may hold none, all in one number, which is exact; the largest part
 * that it holds of what it may hold, after its next job and victims, and now.
 */
static inline void over_quota_key(const struct over_quota_side *s,
                                  const double *total, uint32_t dims,
                                  double *key)
{
    bool is_over = dims > 0, deserves = true, lacks = false;
    double now = 0, then = 0;

    for (uint32_t d = 0; d < dims; d++) {
        const struct over_quota *q = &s->queue->of[d];
        const double asked = s->asked ? s->asked[d] : 0;
        const double gone = s->gone ? s->gone[d] : 0;
        const double may = over_quota_allocatable(q), holds = q->used + asked;
        const double all = may == OVER_QUOTA_ALL ? total[d] : may;
        double part = over_quota_part(q->used, all);

        is_over &= q->fair < q->used;
        deserves &= over_quota_within(holds, q->deserved);
        lacks |= may == 0 && holds > 0;
        now = part > now ? part : now;
        part = over_quota_part(holds - gone, all);
        then = part > then ? part : then;
    }
    key[0] = (double)(((int64_t)is_over * 2 + !deserves) * (INT64_C(1) << 34)
                      - (int64_t)s->queue->priority * 2 + lacks);
    key[1] = then;
    key[2] = now;
}

static inline int over_quota_compare(const struct over_quota_side *a,
                                     const struct over_quota_side *b,
                                     const double *total, uint32_t dims)
{
    double x[OVER_QUOTA_KEYS], y[OVER_QUOTA_KEYS];

    over_quota_key(a, total, dims, x);
    over_quota_key(b, total, dims, y);
    for (uint32_t i = 0; i < OVER_QUOTA_KEYS; i++) {
        if (x[i] < y[i] || x[i] > y[i])
            return x[i] < y[i] ? -1 : 1;
    }
    return over_quota_smaller(a, b, dims);
}

#endif /* GSP_OVER_QUOTA_H */
