/* policies/modules/queue_shares.h - deserved shares of a tree of queues, for
 * queue.c: the shares are filled from the root down (waterfill.h).
 */
#ifndef GSP_QUEUE_SHARES_H
#define GSP_QUEUE_SHARES_H

#include <assert.h>
#include <string.h>

#include "policies/modules/waterfill.h"
#include "policies/policy.h"

enum { PROPORTION, CAPACITY };
enum { OWN, ANCESTORS, CLUSTER };

struct queue_node {
    uint32_t parent;          /* of the root: the root */
    uint32_t child, next;     /* its first child; its next sibling; GSP_NONE */
    int64_t seen[WATER_DIMS]; /* amounts asked for when it was last filled */
    struct water_cup cup;
    double total[WATER_DIMS]; /* the amount last divided among its children */
    bool is_stale;
};

struct queue_shares {
    const struct gsp_host *host;
    void *ctx;
    uint32_t dims, queues;
    int mode, enqueue_asks;
    bool only_leaves;        /* inner queues run no jobs of their own */
    bool is_said;            /* deserved shares are stated */
    bool counts[WATER_DIMS]; /* dimensions that can run short */
    struct queue_node *node; /* [queue], the root last */
    uint32_t *down;          /* all nodes, parents before children */
    struct water_cup **cup;  /* cups of the children of one parent */
    int64_t *gone;           /* [queue][dim] amounts of victims so far */
    uint64_t ledger;
};

static inline const int64_t *amounts(const struct queue_shares *q,
                                     uint32_t queue, enum gsp_amount which)
{
    return q->host->queue_amount(q->ctx, queue, which);
}

/* --- the tree --------------------------------------------------------------- */

static inline void tree_open(struct queue_shares *q)
{
    const uint32_t root = q->queues;
    uint32_t filled = 0;

    for (uint32_t i = 0; i <= root; i++) {
        q->node[i].child = GSP_NONE;
        q->node[i].is_stale = true;
    }
    q->node[root].parent = root;
    for (uint32_t i = root; i-- > 0;) {
        const uint32_t parent = q->host->queue_parent(q->ctx, i);
        struct queue_node *n = &q->node[i];

        n->parent = parent == GSP_NONE ? root : parent;
        n->next = q->node[n->parent].child;
        q->node[n->parent].child = i;
    }
    q->down[filled++] = root;
    for (uint32_t i = 0; i < filled; i++) {
        for (uint32_t c = q->node[q->down[i]].child; c != GSP_NONE;
             c = q->node[c].next)
            q->down[filled++] = c;
    }
}

/* --- deserved shares ---------------------------------------------------------- */

/* True when the share of the parent, or what a child asks for, has changed. */
static inline bool needs_filling(const struct queue_shares *q,
                                 const struct queue_node *parent)
{
    if (parent->is_stale
        || memcmp(parent->total, parent->cup.level, q->dims * sizeof(double))
               != 0)
        return true;
    for (uint32_t c = parent->child; c != GSP_NONE && !q->is_said;
         c = q->node[c].next) {
        if (memcmp(q->node[c].seen, amounts(q, c, GSP_ASKED),
                   q->dims * sizeof(int64_t))
            != 0)
            return true;
    }
    return false;
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

/* Divide the share of the parent among the children that ask for something. */
static inline void fill(struct queue_shares *q, struct queue_node *parent)
{
    double guaranteed[WATER_DIMS] = { 0 };
    uint32_t n = 0;

    memcpy(parent->total, parent->cup.level, q->dims * sizeof(double));
    parent->is_stale = false;
    for (uint32_t c = parent->child; c != GSP_NONE; c = q->node[c].next) {
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
    for (uint32_t c = parent->child; c != GSP_NONE; c = q->node[c].next)
        cup_set(q, c, parent, guaranteed);
    if (!q->is_said)
        water_fill(q->cup, n, parent->total, q->dims);
}

static inline const double *deserved(struct queue_shares *q, uint32_t queue)
{
    const uint64_t ledger = q->host->ledger(q->ctx);

    assert(queue <= q->queues);
    if (q->ledger != ledger) {
        for (uint32_t i = 0; i <= q->queues; i++) {
            struct queue_node *n = &q->node[q->down[i]];

            if (n->child != GSP_NONE && needs_filling(q, n))
                fill(q, n);
        }
        q->ledger = ledger;
    }
    return q->node[queue].cup.level;
}

#endif /* GSP_QUEUE_SHARES_H */
