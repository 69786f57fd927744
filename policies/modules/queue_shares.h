/* policies/modules/queue_shares.h - deserved shares of a tree of queues, for
 * queue.c: the shares are filled from the root down (waterfill.h).
 */
#ifndef GSP_QUEUE_SHARES_H
#define GSP_QUEUE_SHARES_H

#include <assert.h>
#include <string.h>

#include "policies/modules/queue_tree.h"
#include "policies/modules/waterfill.h"
#include "policies/policy.h"

enum { PROPORTION, CAPACITY };
enum { NO_GATE, OWN, ANCESTORS, CLUSTER };

struct queue_node {
    int64_t seen[WATER_DIMS]; /* amounts asked for when it was last filled */
    struct water_cup cup;
    double total[WATER_DIMS]; /* the amount last divided among its children */
    double level[WATER_DIMS], ceiling[WATER_DIMS]; /* that the host knows of */
    bool is_stale, is_listed;
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
    struct water_cup **cup;    /* cups of the children of one parent */
    int64_t *gone;             /* [queue][dim] amounts of victims so far */
    uint64_t ledger;           /* when the shares were brought up to date */
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
    uint32_t count[QUEUE_TREE_DEPTH] = { 0 };

    queue_tree_open(&q->tree, q->host, q->ctx);
    for (uint32_t i = 0; i <= q->queues; i++)
        count[q->tree.node[i].depth]++;
    for (int d = 0; d < QUEUE_TREE_DEPTH; d++)
        q->stale[d].at = q->host->keep(q->ctx,
                                       (count[d] + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i <= q->queues; i++) {
        q->node[i].is_stale = true;
        stale_add(q, i);
    }
}

/* True when the share of the node is not what was divided last. */
static inline bool has_another(const struct queue_shares *q, uint32_t node)
{
    const struct queue_node *n = &q->node[node];

    return n->is_stale
           || memcmp(n->total, n->cup.level, q->dims * sizeof(double)) != 0;
}

/* Set the cup of a child.  Its ceiling leaves the guarantees of the others
 * free; where it may borrow, that is of all that its parent may hold.  A stated
 * deserved share is kept between guarantee and ceiling.
 */
static inline void cup_set(const struct queue_shares *q, uint32_t c,
                           const struct queue_node *parent,
                           const double *guaranteed)
{
    const double *total = q->mode == CAPACITY ? parent->cup.ceiling
                                              : parent->total;
    struct water_cup *cup = &q->node[c].cup;
    const int64_t *asked = amounts(q, c, GSP_ASKED);
    const int64_t *guarantee = amounts(q, c, GSP_GUARANTEE);
    const int64_t *limit = amounts(q, c, GSP_LIMIT);

    assert(c < q->queues);
    cup->weight = q->host->queue_weight(q->ctx, c);
    for (uint32_t d = 0; d < q->dims; d++) {
        const double spare = total[d] - guaranteed[d];

        cup->asked[d] = (double)asked[d];
        cup->floor[d] = (double)guarantee[d];
        cup->ceiling[d] = (spare > 0 ? spare : 0) + cup->floor[d];
        if (limit[d] >= 0 && (double)limit[d] < cup->ceiling[d])
            cup->ceiling[d] = (double)limit[d];
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

/* Divide the share of the parent among the children that ask for something. */
static inline void fill(struct queue_shares *q, uint32_t node)
{
    const uint32_t first = q->tree.node[node].child;
    struct queue_node *parent = &q->node[node];
    double guaranteed[WATER_DIMS] = { 0 };
    uint32_t n = 0;

    memcpy(parent->total, parent->cup.level, q->dims * sizeof(double));
    parent->is_stale = false;
    for (uint32_t c = first; c != GSP_NONE; c = q->tree.node[c].next) {
        const int64_t *asked = amounts(q, c, GSP_ASKED);
        const int64_t *guarantee = amounts(q, c, GSP_GUARANTEE);
        bool asks = false;

        memcpy(q->node[c].seen, asked, q->dims * sizeof(*asked));
        for (uint32_t d = 0; d < q->dims; d++)
            asks |= asked[d] > 0;
        if (!q->is_said && !asks) {
            memset(q->node[c].cup.level, 0, sizeof(q->node[c].cup.level));
            continue;
        }
        q->cup[n++] = &q->node[c].cup;
        for (uint32_t d = 0; d < q->dims; d++)
            guaranteed[d] += (double)guarantee[d];
    }
    for (uint32_t c = first; c != GSP_NONE; c = q->tree.node[c].next)
        cup_set(q, c, parent, guaranteed);
    if (!q->is_said)
        water_fill(q->cup, n, parent->total, q->dims);
    for (uint32_t c = first; c != GSP_NONE; c = q->tree.node[c].next) {
        share_tell(q, c);
        if (has_another(q, c))
            stale_add(q, c);
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
    q->is_filled = true;
    while (!q->is_said
           && (c = q->host->queue_changed(q->ctx, q->ledger, c)) != GSP_NONE) {
        if (memcmp(q->node[c].seen, amounts(q, c, GSP_ASKED),
                   q->dims * sizeof(int64_t))
            != 0)
            stale_add(q, q->tree.node[c].parent);
    }
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
