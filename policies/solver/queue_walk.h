/* policies/solver/queue_walk.h - entries in an order that follows the tree of
 * queues: the first queue below the root, the first below that, and so on, then
 * the first of its entries.  What an item of the walk is, a job or a class
 * queue, is its caller's matter.
 *
 * There is a heap of children for each queue and a heap of items for each that
 * has some, so that a step costs the logarithm of their numbers.  After a step
 * only the queues above the item are compared anew.
 */
#ifndef POLICIES_SOLVER_QUEUE_WALK_H
#define POLICIES_SOLVER_QUEUE_WALK_H

#include "base/numbers.h"
#include "policies/state/entry.h"
#include "policies/state/queue_keys.h"
#include "policies/state/state.h"

struct walk_queue {
    uint32_t walk;           /* what follows is of this walk, or empty */
    uint32_t children;       /* with items left in or below them */
    struct gs_numbers items; /* a heap */
};

struct queue_walk {
    struct walk_queue *queue; /* [queue], the root last */
    uint32_t walk;            /* number of walks so far */
    struct gs_numbers at[TRACE_QUEUE_DEPTH_MAX + 1]; /* queues by their depth */
    uint32_t *child;            /* heaps of children, as order->child_slot */
    int64_t *change;            /* [queue * dims + dim], see order->change */
    struct queue_key_set *keys; /* for these; NULL: they follow from none */
    uint32_t queue_count;
    /* The item as an entry, by which it is ordered. */
    struct queue_entry (*entry_of)(const struct gsched *s, uint32_t item);
    /* Set how the queue will have changed once its next item is served, or
     * gone.
     */
    void (*change_by)(struct gsched *s, uint32_t queue, uint32_t item,
                      int64_t *change);
};

void gsched_walk_open(struct gsched *s, struct queue_walk *w);
void gsched_walk_free(struct queue_walk *w);
/* Walk over these items. */
void gsched_walk_begin(struct gsched *s, struct queue_walk *w,
                       const uint32_t *item, uint32_t count);
/* The first item, and its queue; false: there is none. */
bool gsched_walk_first(struct gsched *s, const struct queue_walk *w,
                       uint32_t *queue, uint32_t *item);
/* The first item, of the queue, is done (`drop`), or has changed. */
void gsched_walk_next(struct gsched *s, struct queue_walk *w, uint32_t queue,
                      bool drop);

#endif /* POLICIES_SOLVER_QUEUE_WALK_H */
