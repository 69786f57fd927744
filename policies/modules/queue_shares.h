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

struct queue_node {
    int64_t seen[WATER_DIMS]; /* amounts asked for when it was last filled */
    struct water_cup cup;
    double most[WATER_DIMS];  /* its limit */
    double total[WATER_DIMS]; /* the amount last divided among its children */
    double spare[WATER_DIMS]; /* what their guarantees left then */
    double level[WATER_DIMS], ceiling[WATER_DIMS]; /* that the host knows of */
    uint32_t first, asking; /* range in `asking`: its children that ask for
                               something, in order; with stated shares all */
    bool is_stale, is_listed, is_asking;
};

struct queue_shares {
    const struct gsp_host *host;
    void *ctx;
    uint32_t dims, queues;
    int mode, enqueue_asks;
    bool only_leaves;        /* inner queues run no jobs of their own */
    bool is_said;            /* deserved shares are stated */
    bool counts[WATER_DIMS]; /* dimensions that can run short */
    struct queue_tree tree;
    struct queue_node *node; /* of the tree */
    struct {
        uint32_t *at, count;
    } stale[QUEUE_TREE_DEPTH]; /* nodes to be filled, by depth */
    uint32_t *asking;
    struct water_cup **cup; /* cups of the children of one parent */
    int64_t *gone;          /* [queue][dim] amounts of victims so far */
    uint64_t ledger;        /* when the shares were brought up to date */
    bool is_filled;
};

static inline const int64_t *amounts(const struct queue_shares *q,
                                     uint32_t queue, enum gsp_amount which)
{
    return q->host->queue_amount(q->ctx, queue, which);
}

/* --- deserved shares ---------------------------------------------------------- */

/* The share of the node is to be divided again. */
static inline void stale_add(struct queue_shares *q, uint32_t node)
{
    const uint32_t depth = q->tree.node[node].depth;

    if (q->node[node].is_listed || q->tree.node[node].child == GSP_NONE)
        return;
    q->node[node].is_listed = true;
    q->stale[depth].at[q->stale[depth].count++] = node;
}

static inline void shares_open(struct queue_shares *q)
{
    uint32_t count[QUEUE_TREE_DEPTH] = { 0 }, first = 0;

    queue_tree_open(&q->tree, q->host, q->ctx);
    q->asking = q->host->keep(q->ctx, (q->queues + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i <= q->queues; i++)
        count[q->tree.node[i].depth]++;
    for (int d = 0; d < QUEUE_TREE_DEPTH; d++)
        q->stale[d].at = q->host->keep(q->ctx,
                                       (count[d] + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i <= q->queues; i++) {
        q->node[i].is_stale = true;
        q->node[i].first = first;
        for (uint32_t c = q->tree.node[i].child; c != GSP_NONE;
             c = q->tree.node[c].next)
            first++;
        stale_add(q, i);
    }
}

/* The most that the queue may hold. Its ceiling leaves the guarantees of others
 * free; where it may borrow, that is of all that its parent may hold.
 */
static inline double ceiling_of(const struct queue_shares *q, uint32_t queue,
                                uint32_t d)
{
    const struct queue_node *n = &q->node[queue];
    double ceiling;

    if (queue == q->queues)
        return n->cup.ceiling[d];
    ceiling = q->node[q->tree.node[queue].parent].spare[d] + n->cup.floor[d];
    return n->most[d] < ceiling ? n->most[d] : ceiling;
}

static inline const double *ceilings(const struct queue_shares *q,
                                     uint32_t queue, double *out)
{
    for (uint32_t d = 0; d < q->dims; d++)
        out[d] = ceiling_of(q, queue, d);
    return out;
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
        n->ceiling[d] = ceiling_of(q, queue, d);
}

/* True when the share of the node is not what was divided last. */
static inline bool has_another(const struct queue_shares *q, uint32_t node)
{
    const struct queue_node *n = &q->node[node];

    return n->is_stale
           || memcmp(n->total, n->cup.level, q->dims * sizeof(double)) != 0;
}

/* Set the cup of a child.  A stated deserved share is kept between guarantee and
 * ceiling.
 */
static inline void cup_set(const struct queue_shares *q, uint32_t c)
{
    struct water_cup *cup = &q->node[c].cup;

    assert(c < q->queues);
    for (uint32_t d = 0; d < q->dims; d++) {
        cup->ceiling[d] = ceiling_of(q, c, d);
        if (q->is_said) {
            const double level = (double)amounts(q, c, GSP_DESERVED)[d];
            const double most = level >= 0 && level < cup->ceiling[d]
                                    ? level
                                    : cup->ceiling[d];

            cup->level[d] = most > cup->floor[d] ? most : cup->floor[d];
        }
    }
}

/* Tell the host when the queue may have more than when it was filled before. */
static inline void share_tell(struct queue_shares *q, uint32_t c)
{
    struct queue_node *n = &q->node[c];
    bool more = false, moves = false;

    for (uint32_t d = 0; d < q->dims; d++) {
        moves |= n->cup.level[d] != n->level[d];
        more |= n->cup.level[d] > n->level[d]
                || n->cup.ceiling[d] > n->ceiling[d];
        n->level[d] = n->cup.level[d];
        n->ceiling[d] = n->cup.ceiling[d];
    }
    if (more)
        q->host->queue_eases(q->ctx, c);
    if (moves)
        q->host->queue_moves(q->ctx, c);
}

static inline bool asks(const struct queue_shares *q, uint32_t queue)
{
    bool any = q->is_said;

    for (uint32_t d = 0; d < q->dims; d++)
        any |= q->node[queue].seen[d] > 0;
    return any;
}

/* What the guarantees of the children that ask for something leave free. */
static inline void spare_set(struct queue_shares *q, uint32_t node)
{
    struct queue_node *parent = &q->node[node];
    double guaranteed[WATER_DIMS] = { 0 };

    for (uint32_t i = 0; i < parent->asking; i++) {
        const uint32_t c = q->asking[parent->first + i];

        for (uint32_t d = 0; d < q->dims && asks(q, c); d++)
            guaranteed[d] += q->node[c].cup.floor[d];
    }
    for (uint32_t d = 0; d < q->dims; d++) {
        const double spare = (q->mode == CAPACITY ? ceiling_of(q, node, d)
                                                  : parent->total[d])
                             - guaranteed[d];

        parent->spare[d] = spare > 0 ? spare : 0;
    }
}

/* The queue asks for nothing any more: it refuses without being known for it. */
static inline void asking_end(struct queue_shares *q, uint32_t queue)
{
    q->node[queue].is_asking = false;
    q->host->queue_eases(q->ctx, queue);
}

/* False, after telling the host what refuses.  The shares of queues that ask for
 * nothing are not followed, so that the host must ask again.
 */
static inline bool share_refuses(const struct queue_shares *q, uint32_t queue)
{
    if (queue == GSP_NONE || q->node[queue].is_asking)
        q->host->refused_by(q->ctx, queue);
    return false;
}

/* Divide the share of the parent among the children that ask for something. The
 * host is not told of those that do not: see share_refuses().
 */
static inline void fill(struct queue_shares *q, uint32_t node)
{
    struct queue_node *parent = &q->node[node];
    uint32_t *at = q->asking + parent->first, n = 0;

    memcpy(parent->total, parent->cup.level, q->dims * sizeof(double));
    parent->is_stale = false;
    spare_set(q, node);
    for (uint32_t i = 0; i < parent->asking; i++) {
        cup_set(q, at[i]);
        if (asks(q, at[i]))
            q->cup[n++] = &q->node[at[i]].cup;
        else
            memset(q->node[at[i]].cup.level, 0, q->dims * sizeof(double));
    }
    if (!q->is_said)
        water_fill(q->cup, n, parent->total, q->dims);
    n = 0;
    for (uint32_t i = 0; i < parent->asking; i++) {
        const uint32_t c = at[i];

        share_tell(q, c);
        if (has_another(q, c))
            stale_add(q, c);
        if (asks(q, c))
            at[n++] = c;
        else
            asking_end(q, c);
    }
    parent->asking = n;
}

/* The share of its parent is to be divided again when the queue asks for another
 * amount.
 */
static inline void asked_follow(struct queue_shares *q, uint32_t queue)
{
    const int64_t *asked = amounts(q, queue, GSP_ASKED);
    struct queue_node *n = &q->node[queue];

    if (memcmp(n->seen, asked, q->dims * sizeof(*asked)) == 0)
        return;
    memcpy(n->seen, asked, q->dims * sizeof(*asked));
    for (uint32_t d = 0; d < q->dims; d++)
        n->cup.asked[d] = (double)asked[d];
    if (!n->is_asking)
        asking_add(q, queue);
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
            n->cup.floor[d] = (double)guarantee[d];
            n->most[d] = limit[d] >= 0 ? (double)limit[d] : HUGE_VAL;
        }
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

static inline const double *deserved(struct queue_shares *q, uint32_t queue)
{
    assert(queue <= q->queues);
    shares_follow(q);
    return q->node[queue].cup.level;
}

#endif /* GSP_QUEUE_SHARES_H */
