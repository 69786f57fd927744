/* policies/modules/over_quota_shares.h - the tree of queues of module
 * over-quota, what they hold, and their fair shares, computed as what they ask
 * for changes; the rules are in over_quota.h.
 */
#ifndef GSP_OVER_QUOTA_SHARES_H
#define GSP_OVER_QUOTA_SHARES_H

#include <assert.h>
#include <math.h>
#include <string.h>

#include "policies/modules/over_quota_reclaim.h"
#include "policies/modules/quota_history.h"
#include "policies/policy.h"

#define OVER_QUOTA_PARTS 16

struct over {
    const struct gsp_host *host;
    void *ctx;
    double multiplier, k;
    uint32_t queues, dims, all_dims;
    uint32_t dim[OVER_QUOTA_DIMS];   /* number of each resource in the host */
    double unit[OVER_QUOTA_DIMS];    /* amounts of the host in one unit */
    uint32_t part[OVER_QUOTA_PARTS]; /* resources that count as GPUs */
    double counts[OVER_QUOTA_PARTS]; /* GPUs that one of each counts as */
    uint32_t parts;
    double total[OVER_QUOTA_DIMS];  /* of the cluster */
    struct over_quota_queue *queue; /* [queue] */
    uint64_t *seen;                 /* [queue] ledger at which it was loaded */
    uint32_t *stale; /* [queue, the top last] resources, as bits, that are to be
                        divided among its children */
    uint32_t *todo, todos;   /* those of which some are */
    bool has_changed;        /* a share, in the last computation */
    uint32_t *first, *count; /* [queue, the top last] its children, in `at` */
    uint32_t *at;            /* those of each parent by priority */
    uint32_t *down;          /* parents before their children */
    uint32_t *heap;
    uint64_t computed; /* ledger at the last computation */
    struct over_quota_tree tree;
    struct quota_history history;
    /* victims of a claim; room for `room` groups */
    uint32_t room;
    uint32_t *from, *next;
    double *amount;
};

/* The `d`-th resource of amounts of the host, in units. */
static inline double unit_of(const struct over *o, const int64_t *amount,
                             uint32_t d)
{
    double sum = (double)amount[o->dim[d]];

    for (uint32_t i = 0; i < o->parts && o->dim[d] == GSP_GPU; i++)
        sum += o->counts[i] * (double)amount[o->part[i]];
    return sum / o->unit[d];
}

static inline const int64_t *amounts(const struct over *o, uint32_t queue,
                                     enum gsp_amount which)
{
    return o->host->queue_amount(o->ctx, queue, which);
}

/* --- the tree ------------------------------------------------------------- */

/* Sort the children of a parent by priority, the highest first; those of one
 * priority stay in order.
 */
static inline void children_sort(struct over *o, uint32_t parent)
{
    uint32_t *from = o->at + o->first[parent], *to = o->heap;
    const uint32_t count = o->count[parent];

    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t low = 0; low < count; low += 2 * width) {
            const uint32_t mid = low + width < count ? low + width : count;
            const uint32_t end = mid + width < count ? mid + width : count;

            for (uint32_t i = low, a = low, b = mid; i < end; i++)
                to[i] = b == end
                                || (a < mid
                                    && o->queue[from[a]].priority
                                           >= o->queue[from[b]].priority)
                            ? from[a++]
                            : from[b++];
        }
        memcpy(from, to, count * sizeof(*from));
    }
}

/* Parents before their children: level by level. */
static inline void order_down(struct over *o)
{
    uint32_t filled = 0;

    for (uint32_t i = 0; i < o->count[o->queues]; i++)
        o->down[filled++] = o->at[o->first[o->queues] + i];
    for (uint32_t i = 0; i < filled; i++) {
        for (uint32_t c = 0; c < o->count[o->down[i]]; c++)
            o->down[filled++] = o->at[o->first[o->down[i]] + c];
    }
    assert(filled == o->queues);
}

static inline void tree_open(struct over *o)
{
    uint32_t filled = 0;

    for (uint32_t q = 0; q < o->queues; q++) {
        const uint32_t parent = o->host->queue_parent(o->ctx, q);

        o->queue[q].parent = parent;
        o->queue[q].priority = o->host->queue_priority(o->ctx, q);
        o->count[parent == GSP_NONE ? o->queues : parent]++;
    }
    for (uint32_t q = 0; q <= o->queues; q++) {
        o->first[q] = filled;
        filled += o->count[q];
        o->count[q] = 0;
    }
    for (uint32_t q = 0; q < o->queues; q++) {
        const uint32_t up = o->queue[q].parent;
        const uint32_t parent = up == GSP_NONE ? o->queues : up;

        o->at[o->first[parent] + o->count[parent]++] = q;
    }
    for (uint32_t q = 0; q <= o->queues; q++)
        children_sort(o, q);
    order_down(o);
}

/* A bound of the host, where -1 is none. */
static inline double bound(const struct over *o, int64_t amount, uint32_t d)
{
    return amount < 0 ? OVER_QUOTA_ALL : (double)amount / o->unit[d];
}

static inline void queues_open(struct over *o)
{
    for (uint32_t q = 0; q < o->queues; q++) {
        const int64_t *deserved = amounts(o, q, GSP_DESERVED);
        const int64_t *limit = amounts(o, q, GSP_LIMIT);

        o->seen[q] = UINT64_MAX;
        for (uint32_t d = 0; d < o->dims; d++) {
            struct over_quota *of = &o->queue[q].of[d];

            of->deserved = bound(o, deserved[o->dim[d]], d);
            of->limit = bound(o, limit[o->dim[d]], d);
            of->weight = o->host->queue_over_quota(o->ctx, q, o->dim[d]);
        }
    }
}

static inline void parts_open(struct over *o, const double *counts)
{
    for (uint32_t d = 0; d < o->all_dims && o->parts < OVER_QUOTA_PARTS; d++) {
        if (counts[d] <= 0 || d == GSP_GPU)
            continue;
        o->part[o->parts] = d;
        o->counts[o->parts++] = counts[d];
    }
}

/* The parts are known. */
static inline void dims_open(struct over *o, const double *weights)
{
    for (uint32_t d = 0; d < o->all_dims && o->dims < OVER_QUOTA_DIMS; d++) {
        double total = (double)o->host->dim_total(o->ctx, d);

        if (weights[d] < 0)
            continue;
        for (uint32_t i = 0; i < o->parts && d == GSP_GPU; i++)
            total += o->counts[i]
                     * (double)o->host->dim_total(o->ctx, o->part[i]);
        o->dim[o->dims] = d;
        o->unit[o->dims] = d == GSP_CPU || d == GSP_MEMORY ? 1 : 1000;
        o->total[o->dims] = total / o->unit[o->dims];
        o->dims++;
    }
}

/* --- fair shares ---------------------------------------------------------- */

/* Read what the queue asks for; the resources of which that may change shares,
 * as bits.
 */
static inline uint32_t asks_anew(struct over *o, uint32_t q)
{
    const int64_t *asked = amounts(o, q, GSP_ASKED);
    uint32_t changed = 0;

    for (uint32_t d = 0; d < o->dims; d++) {
        struct over_quota *of = &o->queue[q].of[d];
        const double now = unit_of(o, asked, d);
        const bool lacked = over_quota_lacks(of), is_same = of->asked == now;

        of->asked = now;
        if (!is_same && !(lacked && over_quota_lacks(of)))
            changed |= 1u << d;
    }
    return changed;
}

/* These resources are to be divided anew among the children of `parent`. */
static inline void note_stale(struct over *o, uint32_t parent,
                              uint32_t resources)
{
    if (resources && !o->stale[parent])
        o->todo[o->todos++] = parent;
    o->stale[parent] |= resources;
}

/* Divide the share of a parent, or the cluster, among its children; where the
 * share of one changes, its own children are to be divided.
 */
static inline void divide(struct over *o, uint32_t parent)
{
    const struct over_quota_siblings s = { o->queue, o->at + o->first[parent],
                                           o->count[parent], o->heap };
    const uint32_t stale = o->stale[parent];

    o->stale[parent] = 0;
    for (uint32_t d = 0; d < o->dims; d++) {
        if (!(stale >> d & 1))
            continue;
        const double amount = parent == o->queues ? o->total[d]
                                                  : o->queue[parent].of[d].fair;

        for (uint32_t i = 0; i < s.count; i++)
            o->queue[s.at[i]].of[d].before = o->queue[s.at[i]].of[d].fair;
        (void)over_quota_divide(&s, d, amount, o->k);
        for (uint32_t i = 0; i < s.count; i++) {
            const struct over_quota *of = &o->queue[s.at[i]].of[d];

            if (of->fair <= of->before && of->fair >= of->before)
                continue;
            o->has_changed = true;
            o->host->queue_moves(o->ctx, s.at[i]);
            if (of->fair > of->before)
                o->host->queue_eases(o->ctx, s.at[i]);
            if (o->count[s.at[i]] > 0)
                note_stale(o, s.at[i], 1u << d);
        }
    }
}

/* Divide what is stale of the queue, those above it first. */
static inline void settle(struct over *o, uint32_t parent)
{
    if (parent != o->queues) {
        const uint32_t above = o->queue[parent].parent;

        settle(o, above == GSP_NONE ? o->queues : above);
    }
    if (o->stale[parent])
        divide(o, parent);
}

/* After changes since the last time, or with `all` of all queues. */
static inline void compute(struct over *o, bool all)
{
    uint32_t q = GSP_NONE;

    o->has_changed = false;
    for (uint32_t i = 0; all && i < o->queues; i++)
        (void)asks_anew(o, i);
    for (uint32_t i = 0; all && i <= o->queues; i++) {
        if (o->count[i] > 0)
            note_stale(o, i, (1u << o->dims) - 1);
    }
    while (!all
           && (q = o->host->queue_changed(o->ctx, o->computed, q))
                  != GSP_NONE) {
        const uint32_t parent = o->queue[q].parent;

        note_stale(o, parent == GSP_NONE ? o->queues : parent, asks_anew(o, q));
    }
    for (uint32_t i = 0; i < o->todos; i++)
        settle(o, o->todo[i]);
    o->todos = 0;
}

/* --- what queues used ----------------------------------------------------- */

/* What each queue used, and those below it, as a part of the cluster. */
static inline void history_read(struct over *o)
{
    for (uint32_t q = 0; q < o->queues; q++) {
        for (uint32_t d = 0; d < o->dims; d++)
            o->queue[q].of[d].history = 0;
    }
    for (uint32_t i = o->queues; i-- > 0;) {
        const uint32_t q = o->down[i], parent = o->queue[q].parent;

        for (uint32_t d = 0; d < o->dims; d++) {
            double *part = &o->queue[q].of[d].history;

            if (o->total[d] > 0)
                *part += quota_history_mean(&o->history, q, d)
                         / (o->total[d] * o->unit[d]);
            if (parent != GSP_NONE)
                o->queue[parent].of[d].history += *part;
        }
    }
}

/* --- what queues hold ----------------------------------------------------- */

/* The queue, with what it holds now. */
static inline const struct over_quota_queue *load(struct over *o, uint32_t q)
{
    const uint64_t ledger = o->host->ledger(o->ctx);
    const int64_t *used, *kept;

    assert(q < o->queues);
    if (o->seen[q] == ledger)
        return &o->queue[q];
    used = amounts(o, q, GSP_USED);
    kept = amounts(o, q, GSP_KEPT);
    for (uint32_t d = 0; d < o->dims; d++) {
        o->queue[q].of[d].used = unit_of(o, used, d);
        o->queue[q].of[d].kept = unit_of(o, kept, d);
    }
    o->seen[q] = ledger;
    return &o->queue[q];
}

/* The same, with all queues above it. */
static inline void load_up(struct over *o, uint32_t q)
{
    for (; q != GSP_NONE; q = o->queue[q].parent)
        (void)load(o, q);
}

static inline void units(const struct over *o, const int64_t *amount,
                         double *out)
{
    for (uint32_t d = 0; d < o->dims; d++)
        out[d] = unit_of(o, amount, d);
}

#endif /* GSP_OVER_QUOTA_SHARES_H */
