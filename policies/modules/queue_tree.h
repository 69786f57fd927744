/* policies/modules/queue_tree.h - the tree of queues, for modules. */
#ifndef GSP_QUEUE_TREE_H
#define GSP_QUEUE_TREE_H

#include <assert.h>

#include "policies/policy.h"

#define QUEUE_TREE_DEPTH 16 /* more than queues can have */

/* The last node is the root above all queues. */
struct queue_tree {
    uint32_t root; /* also the number of queues */
    struct queue_tree_node {
        uint32_t parent;      /* of the root: the root */
        uint32_t child, next; /* first child, next sibling; GSP_NONE */
        uint32_t depth;       /* 0: the root */
    } * node;
};

static inline void queue_tree_open(struct queue_tree *t,
                                   const struct gsp_host *host, void *ctx)
{
    const uint32_t n = host->queues(ctx);

    t->root = n;
    t->node = host->keep(ctx, (n + 1) * sizeof(*t->node));
    for (uint32_t i = 0; i <= n; i++)
        t->node[i].child = t->node[i].next = GSP_NONE;
    t->node[n].parent = n;
    for (uint32_t i = n; i-- > 0;) {
        const uint32_t parent = host->queue_parent(ctx, i);
        struct queue_tree_node *q = &t->node[i];

        q->parent = parent == GSP_NONE ? n : parent;
        q->next = t->node[q->parent].child;
        t->node[q->parent].child = i;
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = i; k != n; k = t->node[k].parent)
            t->node[i].depth++;
        assert(t->node[i].depth < QUEUE_TREE_DEPTH);
    }
}

/* Is `above` the queue, or an ancestor of it? */
static inline bool queue_tree_is_above(const struct queue_tree *t,
                                       uint32_t above, uint32_t queue)
{
    while (t->node[queue].depth > t->node[above].depth)
        queue = t->node[queue].parent;
    return queue == above;
}

/* Replace both queues by their ancestors below the lowest common ancestor;
 * false when one is an ancestor of the other, or they are equal.
 */
static inline bool queue_tree_siblings(const struct queue_tree *t, uint32_t *a,
                                       uint32_t *b)
{
    while (t->node[*a].depth > t->node[*b].depth)
        *a = t->node[*a].parent;
    while (t->node[*b].depth > t->node[*a].depth)
        *b = t->node[*b].parent;
    if (*a == *b)
        return false;
    while (t->node[*a].parent != t->node[*b].parent) {
        *a = t->node[*a].parent;
        *b = t->node[*b].parent;
    }
    return true;
}

#endif /* GSP_QUEUE_TREE_H */
