/* policies/modules/limit_excess.h - how much queues above their limit lose, and
 * which tasks go for that (limit-victims.c).
 *
 * What a queue holds above its limit is divided among the queues below it by
 * what they hold above their guarantees, level by level, in whole units
 * (scheduler/objects/quota_preemptor.go of YuniKorn).  A resource without an
 * amount is EXCESS_NONE: it bounds nothing.
 */
#ifndef GSP_LIMIT_EXCESS_H
#define GSP_LIMIT_EXCESS_H

#include <math.h>

#include "policies/modules/guarantee_share.h"
#include "policies/modules/placed_sort.h"
#include "policies/modules/queue_tree.h"

#define EXCESS_NONE (-1)

struct limit_excess {
    const struct gsp_host *host;
    void *ctx;
    uint32_t dims;
    struct queue_tree tree;
    int64_t *loses; /* [queue][dim] what its own tasks are to give up */
    uint8_t *gives; /* [queue] its tasks are candidates */
    uint32_t *task, *scratch; /* of a standing, room for `cap` */
    uint32_t cap;
};

static inline void limit_excess_open(struct limit_excess *e,
                                     const struct gsp_host *host, void *ctx)
{
    e->host = host;
    e->ctx = ctx;
    e->dims = host->dims(ctx);
    assert(e->dims <= GUARANTEE_DIMS);
    queue_tree_open(&e->tree, host, ctx);
    e->loses = host->keep(ctx, (size_t)(e->tree.root + 1) * e->dims
                                   * sizeof(*e->loses));
    e->gives = host->keep(ctx, e->tree.root + 1);
}

static inline const int64_t *excess_amount(const struct limit_excess *e,
                                           uint32_t queue,
                                           enum gsp_amount which)
{
    return e->host->queue_amount(e->ctx, queue, which);
}

/* Does the queue hold more of a resource than its limit? */
static inline bool limit_excess_is(const struct limit_excess *e, uint32_t queue)
{
    const int64_t *limit = excess_amount(e, queue, GSP_LIMIT);
    const int64_t *used = excess_amount(e, queue, GSP_USED);

    for (uint32_t d = 0; d < e->dims; d++) {
        if (limit[d] >= 0 && used[d] > limit[d])
            return true;
    }
    return false;
}

/* --- amounts -------------------------------------------------------------- */

/* What the queue is to lose: all above its limit, but where queues from it up
 * hold more than they are guaranteed no more than the most of that.
 */
static inline void limit_excess_of(const struct limit_excess *e, uint32_t queue,
                                   int64_t *out)
{
    for (uint32_t d = 0; d < e->dims; d++) {
        const int64_t limit = excess_amount(e, queue, GSP_LIMIT)[d];
        const int64_t used = excess_amount(e, queue, GSP_USED)[d];
        int64_t above = 0;

        for (uint32_t q = queue; q != e->tree.root;
             q = e->tree.node[q].parent) {
            const int64_t own = excess_amount(e, q, GSP_GUARANTEE)[d];
            const int64_t over = excess_amount(e, q, GSP_USED)[d] - own;

            above = own > 0 && over > above ? over : above;
        }
        out[d] = limit < 0 || used <= limit          ? EXCESS_NONE
                 : above > 0 && above < used - limit ? above
                                                     : used - limit;
    }
}

/* Set out[d] to the part of what the queue holds by which its share is
 * measured: the distance to its guarantee, or without one all.  False: it holds
 * nothing, or no more than its guarantee.
 */
static inline bool excess_weight(const struct limit_excess *e, uint32_t queue,
                                 int64_t *out)
{
    const int64_t *own = excess_amount(e, queue, GSP_GUARANTEE);
    const int64_t *used = excess_amount(e, queue, GSP_USED);
    bool states = false, holds = false, above = false;

    for (uint32_t d = 0; d < e->dims; d++) {
        states |= own[d] > 0;
        holds |= used[d] > 0;
        above |= own[d] > 0 && used[d] > own[d];
    }
    for (uint32_t d = 0; d < e->dims; d++)
        out[d] = !states            ? used[d]
                 : own[d] <= 0      ? EXCESS_NONE
                 : used[d] > own[d] ? used[d] - own[d]
                                    : own[d] - used[d];
    return holds && (!states || above);
}

/* What tasks of the queue itself hold, beside those of queues below it. */
static inline bool excess_own(const struct limit_excess *e, uint32_t queue,
                              int64_t *out)
{
    bool any = false;

    for (uint32_t d = 0; d < e->dims; d++) {
        out[d] = excess_amount(e, queue, GSP_USED)[d];
        for (uint32_t c = e->tree.node[queue].child; c != GSP_NONE;
             c = e->tree.node[c].next)
            out[d] -= excess_amount(e, c, GSP_USED)[d];
        any |= out[d] > 0;
    }
    return any;
}

/* The part of `amount` that `weight` is of `total`. */
static inline void excess_part(uint32_t dims, const int64_t *weight,
                               const int64_t *total, const int64_t *amount,
                               int64_t *out)
{
    for (uint32_t d = 0; d < dims; d++)
        out[d] = weight[d] < 0 || amount[d] < 0 ? EXCESS_NONE
                 : weight[d] == total[d]
                     ? (weight[d] ? amount[d] : 0)
                     : (int64_t)floor((double)weight[d] / (double)total[d]
                                      * (double)amount[d]);
}

/* Divide the amount that the queue loses among its tasks and the queues below.
 */
static inline void limit_excess_spread(struct limit_excess *e, uint32_t queue,
                                       const int64_t *amount)
{
    int64_t total[GUARANTEE_DIMS] = { 0 }, weight[GUARANTEE_DIMS];
    int64_t part[GUARANTEE_DIMS];
    const uint32_t first = e->tree.node[queue].child;

    if (excess_own(e, queue, weight)) {
        for (uint32_t d = 0; d < e->dims; d++)
            total[d] += weight[d];
        e->gives[queue] = 1;
    }
    for (uint32_t c = first; c != GSP_NONE; c = e->tree.node[c].next) {
        if (!excess_weight(e, c, part))
            continue;
        for (uint32_t d = 0; d < e->dims; d++)
            total[d] += part[d] > 0 ? part[d] : 0;
    }
    if (e->gives[queue])
        excess_part(e->dims, weight, total, amount,
                    &e->loses[(size_t)queue * e->dims]);
    for (uint32_t c = first; c != GSP_NONE; c = e->tree.node[c].next) {
        if (!excess_weight(e, c, weight))
            continue;
        excess_part(e->dims, weight, total, amount, part);
        limit_excess_spread(e, c, part);
    }
}

/* --- tasks ---------------------------------------------------------------- */

static inline void excess_task(const struct limit_excess *e,
                               const struct gsp_placed *p, int64_t *out)
{
    const struct gsp_task *t = e->host->job_task(p->job, p->group);

    for (uint32_t d = 0; d < e->dims; d++)
        out[d] = e->host->amount(t, d) * p->tasks;
}

/* How many in a hundred of the resources that the tasks hold are to be given
 * up.
 */
static inline uint32_t excess_matches(const struct limit_excess *e,
                                      const struct gsp_placed *p)
{
    const int64_t *loses =
        &e->loses[(size_t)e->host->job_queue(p->job) * e->dims];
    int64_t amount[GUARANTEE_DIMS];
    uint32_t of = 0, n = 0;

    excess_task(e, p, amount);
    for (uint32_t d = 0; d < e->dims; d++) {
        of += amount[d] > 0;
        n += amount[d] > 0 && loses[d] >= 0;
    }
    return of ? n * 100 / of : 0;
}

/* The hour, of the calendar where the run has one, in which the job came. */
static inline int64_t excess_hour(const struct limit_excess *e,
                                  const struct gsp_job *j)
{
    const int64_t hour = INT64_C(3600000000);
    const int64_t at = e->host->epoch(e->ctx) % hour + e->host->job_since(j);

    return at / hour - (at % hour < 0);
}

/* The smaller share of the limit, of the resources to be given up. */
static inline int excess_by_share(const struct limit_excess *e,
                                  const struct gsp_placed *a,
                                  const struct gsp_placed *b, uint32_t queue)
{
    const int64_t *loses = &e->loses[(size_t)queue * e->dims];
    const int64_t *limit = excess_amount(e, queue, GSP_LIMIT);
    int64_t x[GUARANTEE_DIMS], y[GUARANTEE_DIMS], of[GUARANTEE_DIMS];

    excess_task(e, a, x);
    excess_task(e, b, y);
    for (uint32_t d = 0; d < e->dims; d++) {
        of[d] = limit[d] < 0 ? GUARANTEE_NONE : limit[d];
        x[d] = loses[d] >= 0 && x[d] ? x[d] : GUARANTEE_NONE;
        y[d] = loses[d] >= 0 && y[d] ? y[d] : GUARANTEE_NONE;
    }
    return guarantee_compare(e->dims, x, y, of);
}

/* By queues; of one the tasks that match best, of the lowest priority, of the
 * latest hour, the smallest.
 */
static inline int excess_compare(const void *of, const struct gsp_placed *a,
                                 const struct gsp_placed *b)
{
    const struct limit_excess *e = of;
    const uint32_t p = e->host->job_queue(a->job),
                   q = e->host->job_queue(b->job);
    const uint32_t m = excess_matches(e, a), n = excess_matches(e, b);
    const int32_t v = e->host->job_priority(a->job),
                  w = e->host->job_priority(b->job);
    const int64_t x = excess_hour(e, a->job), y = excess_hour(e, b->job);

    return p != q   ? (p > q) - (p < q)
           : m != n ? (m < n) - (m > n)
           : v != w ? (v > w) - (v < w)
           : x != y ? (x < y) - (x > y)
                    : excess_by_share(e, a, b, p);
}

static inline void excess_grow(struct limit_excess *e, uint32_t count)
{
    if (count <= e->cap)
        return;
    e->cap = e->cap ? e->cap : 64;
    while (e->cap < count)
        e->cap *= 2;
    e->task = e->host->keep(e->ctx, e->cap * sizeof(*e->task));
    e->scratch = e->host->keep(e->ctx, e->cap * sizeof(*e->scratch));
}

/* Take the amount from what is left to be given up, unless it is more. */
static inline bool excess_take(uint32_t dims, const int64_t *amount,
                               int64_t *left)
{
    for (uint32_t d = 0; d < dims; d++) {
        if (left[d] != EXCESS_NONE && amount[d] > left[d])
            return false;
    }
    for (uint32_t d = 0; d < dims; d++)
        left[d] -= left[d] == EXCESS_NONE ? 0 : amount[d];
    return true;
}

/* Set goes[i] of tasks of the queues that give, in order: each that is not more
 * than is left to be given up.  Returns their number.
 */
static inline uint32_t limit_excess_choose(struct limit_excess *e,
                                           const struct gsp_standing *v,
                                           uint8_t *goes)
{
    const struct placed_order order = { excess_compare, e };
    uint32_t count = 0, n = 0;

    excess_grow(e, v->count);
    for (uint32_t i = 0; i < v->count; i++) {
        if (v->at[i].may_go && e->gives[e->host->job_queue(v->at[i].job)]
            && excess_matches(e, &v->at[i]) > 0)
            e->task[count++] = i;
    }
    placed_sort(&order, v, e->task, e->scratch, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct gsp_placed *p = &v->at[e->task[i]];
        const uint32_t queue = e->host->job_queue(p->job);
        int64_t amount[GUARANTEE_DIMS];

        excess_task(e, p, amount);
        if (excess_take(e->dims, amount, &e->loses[(size_t)queue * e->dims])) {
            goes[e->task[i]] = 1;
            n++;
        }
    }
    memset(e->gives, 0, e->tree.root);
    return n;
}

#endif /* GSP_LIMIT_EXCESS_H */
