/* policies/modules/queue_shares.h - deserved shares of a tree of queues, for
 * queue.c: the shares are filled from the root down (waterfill.h).
 */
#ifndef GSP_QUEUE_SHARES_H
#define GSP_QUEUE_SHARES_H

#include <assert.h>
#include <math.h>
#include <string.h>

#include "policies/modules/queue_tree.h"
#include "policies/modules/waterfill.h"
#include "policies/policy.h"

enum { PROPORTION, CAPACITY };
enum { NO_GATE, OWN, ANCESTORS, CLUSTER };

/* A queue's share of one resource, beside that in its cup. */
struct queue_share {
    double most;           /* its limit */
    double total;          /* the amount last divided among its children */
    double spare;          /* what their guarantees left then */
    double level, ceiling; /* that the host knows of */
    double lacks[2]; /* the least amount with which a request would stand beyond
                        its share [0], its ceiling [1]; HUGE_VAL: none was
                        refused since the host was told */
};

struct queue_node {
    struct water_cup cup;
    struct queue_share *of; /* [dim] */
    int64_t *seen; /* [dim] amounts asked for when it was last filled */
    uint32_t first, asking; /* range in `asking`: its children that ask for
                               something, in order; with stated shares all */
    bool asks;              /* for something */
    bool is_stale, is_listed, is_asking;
    bool is_awaited; /* it refused for another reason since the host was told */
};

struct queue_shares {
    const struct gsp_host *host;
    void *ctx;
    uint32_t dims, queues;
    int mode, enqueue_asks;
    bool only_leaves;        /* inner queues run no jobs of their own */
    bool is_said;            /* deserved shares are stated */
    bool has_floors;         /* guarantees are stated */
    bool counts[WATER_DIMS]; /* dimensions that can run short */
    struct water_dims
        dims_filled; /* in which something was asked for; in others
                                      queues deserve nothing, but the root */
    bool is_filled_of[WATER_DIMS];
    struct queue_tree tree;
    struct queue_node *node; /* of the tree */
    struct {
        uint32_t *at, count;
    } stale[QUEUE_TREE_DEPTH]; /* nodes to be filled, by depth */
    uint32_t *asking;
    const struct water_cup **cup; /* cups of the children of one parent */
    int64_t *gone;                /* [queue][dim] amounts of victims so far */
    uint64_t ledger;              /* when the shares were brought up to date */
    bool is_filled;
};

static inline const int64_t *amounts(const struct queue_shares *q,
                                     uint32_t queue, enum gsp_amount which)
{
    return q->host->queue_amount(q->ctx, queue, which);
}

/* --- deserved shares ------------------------------------------------------ */

/* The share of the node is to be divided again. */
static inline void stale_add(struct queue_shares *q, uint32_t node)
{
    const uint32_t depth = q->tree.node[node].depth;

    if (q->node[node].is_listed || q->tree.node[node].child == GSP_NONE)
        return;
    q->node[node].is_listed = true;
    q->stale[depth].at[q->stale[depth].count++] = node;
}

/* The host knows that the queue may refuse less: those that wait ask again. */
static inline void told(struct queue_shares *q, uint32_t node)
{
    q->node[node].is_awaited = false;
    for (uint32_t d = 0; d < q->dims; d++)
        q->node[node].of[d].lacks[0] = q->node[node].of[d].lacks[1] = HUGE_VAL;
}

/* Make the shares of all nodes, those of the children of one side by side. */
static inline void shares_make(struct queue_shares *q)
{
    const size_t count = ((size_t)q->queues + 1) * q->dims;
    struct water_level *level = q->host->keep(q->ctx, count * sizeof(*level));
    struct queue_share *of = q->host->keep(q->ctx, count * sizeof(*of));
    int64_t *seen = q->host->keep(q->ctx, count * sizeof(*seen));
    size_t at = 0;

    queue_tree_open(&q->tree, q->host, q->ctx);
    for (uint32_t i = 0; i <= q->queues; i++) {
        q->node[i].first = (uint32_t)at;
        for (uint32_t c = q->tree.node[i].child; c != GSP_NONE;
             c = q->tree.node[c].next, at++) {
            q->node[c].cup.of = level + at * q->dims;
            q->node[c].of = of + at * q->dims;
            q->node[c].seen = seen + at * q->dims;
        }
    }
    assert(at == q->queues);
    q->node[at].cup.of = level + at * q->dims;
    q->node[at].of = of + at * q->dims;
    q->node[at].seen = seen + at * q->dims;
}

static inline void shares_open(struct queue_shares *q)
{
    uint32_t count[QUEUE_TREE_DEPTH] = { 0 };

    q->asking = q->host->keep(q->ctx, (q->queues + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i <= q->queues; i++)
        count[q->tree.node[i].depth]++;
    for (int d = 0; d < QUEUE_TREE_DEPTH; d++)
        q->stale[d].at = q->host->keep(q->ctx,
                                       (count[d] + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i <= q->queues; i++) {
        q->node[i].is_stale = true;
        told(q, i);
        stale_add(q, i);
    }
}

/* What a queue deserves of the resource. */
static inline double level_of(const struct queue_shares *q, uint32_t queue,
                              uint32_t d)
{
    return q->node[queue].cup.of[d].level;
}

static inline double ceiling_of(const struct queue_shares *q, uint32_t queue,
                                uint32_t d);

/* What the node may give to its children beside their guarantees. */
static inline double spare_of(const struct queue_shares *q, uint32_t node,
                              uint32_t d)
{
    if (q->is_filled_of[d])
        return q->node[node].of[d].spare;
    return q->mode == CAPACITY ? ceiling_of(q, node, d) : level_of(q, node, d);
}

/* The most that the queue may hold where its parent may give that much. Its
 * ceiling leaves the guarantees of others free; where it may borrow, that is of
 * all that its parent may hold.
 */
static inline double ceiling_for(const struct queue_node *n, uint32_t d,
                                 double spare)
{
    const double ceiling = spare + n->cup.of[d].floor;

    return n->of[d].most < ceiling ? n->of[d].most : ceiling;
}

static inline double ceiling_of(const struct queue_shares *q, uint32_t queue,
                                uint32_t d)
{
    const struct queue_node *n = &q->node[queue];

    return queue == q->queues
               ? n->cup.of[d].ceiling
               : ceiling_for(n, d, spare_of(q, q->tree.node[queue].parent, d));
}

/* The queue asks for something now: put it among those of its parent. */
static inline void asking_add(struct queue_shares *q, uint32_t queue)
{
    struct queue_node *parent = &q->node[q->tree.node[queue].parent];
    struct queue_node *n = &q->node[queue];
    uint32_t *at = q->asking + parent->first, i = parent->asking++;

    for (; i > 0 && at[i - 1] > queue; i--)
        at[i] = at[i - 1];
    at[i] = queue;
    n->is_asking = true;
    for (uint32_t d = 0; d < q->dims; d++)
        n->of[d].ceiling = ceiling_of(q, queue, d);
}

/* From now on the resource is divided, as if it had been before: no queue asked
 * for some of it.
 */
static inline void dim_fill(struct queue_shares *q, uint32_t d)
{
    assert(!q->is_filled_of[d]);
    for (uint32_t i = 0; i <= q->queues; i++) {
        struct queue_share *of = &q->node[i].of[d];

        of->total = level_of(q, i, d);
        of->spare = spare_of(q, i, d);
        of->ceiling = ceiling_of(q, i, d);
    }
    q->is_filled_of[d] = true;
    q->dims_filled.at[q->dims_filled.count++] = d;
}

/* True when the queue has children, and its share is not what was divided last.
 */
static inline bool has_another(const struct queue_shares *q, uint32_t node)
{
    const struct queue_node *n = &q->node[node];
    const struct water_dims *dims = &q->dims_filled;
    bool is = n->is_stale;

    if (q->tree.node[node].child == GSP_NONE)
        return false;
    for (uint32_t i = 0; i < dims->count; i++)
        is |= n->of[dims->at[i]].total != n->cup.of[dims->at[i]].level;
    return is;
}

/* Set the cup of a child.  A stated deserved share is kept between guarantee
 * and ceiling.
 */
static inline void cup_set(const struct queue_shares *q,
                           const struct queue_node *parent, uint32_t c)
{
    const struct water_dims *dims = &q->dims_filled;

    assert(c < q->queues);
    for (uint32_t i = 0; i < dims->count; i++) {
        const uint32_t d = dims->at[i];
        struct water_level *w = &q->node[c].cup.of[d];

        w->ceiling = ceiling_for(&q->node[c], d, parent->of[d].spare);
        if (q->is_said) {
            const double level = (double)amounts(q, c, GSP_DESERVED)[d];
            const double most = level >= 0 && level < w->ceiling ? level
                                                                 : w->ceiling;

            w->level = most > w->floor ? most : w->floor;
        }
    }
}

/* Has the amount grown, so that a request that was refused is within it? */
static inline bool share_meets(const struct queue_node *n, double before,
                               double now, double lacks)
{
    return now > before && (n->is_awaited || lacks <= now + WATER_DROP);
}

/* Tell the host when the queue may have more than when it was filled before,
 * and enough for a request that was refused.
 */
static inline void share_tell(struct queue_shares *q, uint32_t c)
{
    const struct water_dims *dims = &q->dims_filled;
    bool more = false, moves = false;

    for (uint32_t i = 0; i < dims->count; i++) {
        const struct water_level *w = &q->node[c].cup.of[dims->at[i]];
        struct queue_share *of = &q->node[c].of[dims->at[i]];

        moves |= w->level != of->level;
        more |= share_meets(&q->node[c], of->level, w->level, of->lacks[0])
                || share_meets(&q->node[c], of->ceiling, w->ceiling,
                               of->lacks[1]);
        of->level = w->level;
        of->ceiling = w->ceiling;
    }
    if (more) {
        told(q, c);
        q->host->queue_eases(q->ctx, c);
    }
    if (moves)
        q->host->queue_moves(q->ctx, c);
}

/* What the guarantees of the children that ask for something leave free. */
static inline void spare_set(struct queue_shares *q, uint32_t node)
{
    struct queue_node *parent = &q->node[node];
    const struct water_dims *dims = &q->dims_filled;
    double guaranteed[WATER_DIMS] = { 0 };

    for (uint32_t i = 0; q->has_floors && i < parent->asking; i++) {
        const struct queue_node *n = &q->node[q->asking[parent->first + i]];

        for (uint32_t d = 0; d < q->dims && n->asks; d++)
            guaranteed[d] += n->cup.of[d].floor;
    }
    for (uint32_t i = 0; i < dims->count; i++) {
        const uint32_t d = dims->at[i];
        const double spare = (q->mode == CAPACITY ? ceiling_of(q, node, d)
                                                  : parent->of[d].total)
                             - guaranteed[d];

        parent->of[d].spare = spare > 0 ? spare : 0;
    }
}

/* The queue asks for nothing any more: it refuses without being known for it.
 */
static inline void asking_end(struct queue_shares *q, uint32_t queue)
{
    q->node[queue].is_asking = false;
    q->host->queue_eases(q->ctx, queue);
}

/* False, after telling the host what refuses.  The shares of queues that ask
 * for nothing are not followed, so that the host must ask again.
 */
static inline bool share_refuses(struct queue_shares *q, uint32_t queue)
{
    if (queue != GSP_NONE)
        q->node[queue].is_awaited = true;
    if (queue == GSP_NONE || q->node[queue].is_asking)
        q->host->refused_by(q->ctx, queue);
    return false;
}

/* The same, because the queue would hold `amount` of a resource, more than its
 * share [0] or its ceiling [1].
 */
static inline bool share_lacks(struct queue_shares *q, uint32_t queue,
                               uint32_t d, int which, double amount)
{
    const bool was = q->node[queue].is_awaited;
    double *lacks = &q->node[queue].of[d].lacks[which];

    *lacks = amount < *lacks ? amount : *lacks;
    (void)share_refuses(q, queue);
    q->node[queue].is_awaited = was || !q->is_filled_of[d];
    return false;
}

/* Divide the share of the parent among the children that ask for something. The
 * host is not told of those that do not: see share_refuses().
 */
static inline void fill(struct queue_shares *q, uint32_t node)
{
    struct queue_node *parent = &q->node[node];
    uint32_t *at = q->asking + parent->first, n = 0;
    double total[WATER_DIMS];

    for (uint32_t d = 0; d < q->dims; d++)
        total[d] = parent->of[d].total = level_of(q, node, d);
    parent->is_stale = false;
    spare_set(q, node);
    for (uint32_t i = 0; i < parent->asking; i++) {
        struct queue_node *c = &q->node[at[i]];

        cup_set(q, parent, at[i]);
        if (c->asks)
            q->cup[n++] = &c->cup;
        for (uint32_t d = 0; d < q->dims && !c->asks; d++)
            c->cup.of[d].level = 0;
    }
    if (!q->is_said)
        water_fill(q->cup, n, total, &q->dims_filled);
    n = 0;
    for (uint32_t i = 0; i < parent->asking; i++) {
        const uint32_t c = at[i];

        share_tell(q, c);
        if (has_another(q, c))
            stale_add(q, c);
        if (q->node[c].asks)
            at[n++] = c;
        else
            asking_end(q, c);
    }
    parent->asking = n;
}

/* Does the queue ask for more than it got when the share of its parent was
 * divided, and for more with the other amounts?  Then no step of that division
 * reads how much more: each gives a queue no more than it has in the end.
 */
static inline bool still_lacks(const struct queue_shares *q, uint32_t queue,
                               const int64_t *asked)
{
    const struct queue_node *n = &q->node[queue];
    bool is = true;

    for (uint32_t d = 0; d < q->dims && is; d++) {
        const struct water_level *w = &n->cup.of[d];
        const double met = w->level + WATER_DROP;

        is = n->seen[d] == asked[d]
             || (q->is_filled_of[d] && w->asked > met
                 && (double)asked[d] > met);
    }
    return is;
}

/* The share of its parent is to be divided again when the queue asks for
 * another amount, but see still_lacks().
 */
static inline void asked_follow(struct queue_shares *q, uint32_t queue)
{
    const int64_t *asked = amounts(q, queue, GSP_ASKED);
    struct queue_node *n = &q->node[queue];
    bool lacks;

    if (memcmp(n->seen, asked, q->dims * sizeof(*asked)) == 0)
        return;
    lacks = still_lacks(q, queue, asked);
    memcpy(n->seen, asked, q->dims * sizeof(*asked));
    n->asks = false;
    for (uint32_t d = 0; d < q->dims; d++) {
        n->asks |= asked[d] > 0;
        n->cup.of[d].asked = (double)asked[d];
        if (asked[d] > 0 && !q->is_filled_of[d])
            dim_fill(q, d);
    }
    if (!n->is_asking)
        asking_add(q, queue);
    if (!lacks)
        stale_add(q, q->tree.node[queue].parent);
}

/* Read what does not change, and what is asked for by now. */
static inline void shares_read(struct queue_shares *q)
{
    for (uint32_t c = 0; c < q->queues; c++) {
        const int64_t *guarantee = amounts(q, c, GSP_GUARANTEE);
        const int64_t *limit = amounts(q, c, GSP_LIMIT);
        struct queue_node *n = &q->node[c];

        n->cup.weight = q->host->queue_weight(q->ctx, c);
        for (uint32_t d = 0; d < q->dims; d++) {
            n->cup.of[d].floor = (double)guarantee[d];
            n->of[d].most = limit[d] >= 0 ? (double)limit[d] : HUGE_VAL;
            q->has_floors |= guarantee[d] > 0;
        }
    }
    for (uint32_t d = 0; d < q->dims && (q->is_said || q->has_floors); d++)
        dim_fill(q, d);
    for (uint32_t c = 0; c < q->queues; c++) {
        q->node[c].asks = q->is_said;
        if (q->is_said)
            asking_add(q, c);
        else
            asked_follow(q, c);
    }
}

/* Bring the shares up to date: of the parents of queues that ask for another
 * amount, and of those whose own shares change by that, from the root down.
 */
static inline void shares_follow(struct queue_shares *q)
{
    const uint64_t ledger = q->host->ledger(q->ctx);
    uint32_t c = GSP_NONE;

    if (q->is_filled && q->ledger == ledger)
        return;
    if (!q->is_filled)
        shares_read(q);
    q->is_filled = true;
    while (!q->is_said
           && (c = q->host->queue_changed(q->ctx, q->ledger, c)) != GSP_NONE)
        asked_follow(q, c);
    q->ledger = ledger;
    for (int depth = 0; depth < QUEUE_TREE_DEPTH; depth++) {
        while (q->stale[depth].count) {
            const uint32_t node = q->stale[depth].at[--q->stale[depth].count];

            q->node[node].is_listed = false;
            fill(q, node);
        }
    }
}

/* Its shares, by resource. */
static inline const struct water_level *deserved(struct queue_shares *q,
                                                 uint32_t queue)
{
    assert(queue <= q->queues);
    shares_follow(q);
    return q->node[queue].cup.of;
}

#endif /* GSP_QUEUE_SHARES_H */
