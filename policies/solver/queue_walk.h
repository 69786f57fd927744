/* policies/solver/queue_walk.h - jobs in an order that follows the tree of
 * queues: the first queue below the root, the first below that, and so on, then
 * the first of its jobs.
 *
 * There is a heap of children for each queue and a heap of jobs for each that has
 * some, so that a step costs the logarithm of their numbers.  After a step only
 * the queues above the job are compared anew.
 */
#ifndef POLICIES_SOLVER_QUEUE_WALK_H
#define POLICIES_SOLVER_QUEUE_WALK_H

#include "base/numbers.h"
#include "policies/state/state.h"

struct walk_queue {
    uint32_t walk;               /* what follows is of this walk, or all 0 */
    uint32_t first, count, room; /* jobs; a heap */
    uint32_t children;           /* with jobs left in or below them */
};

struct queue_walk {
    bool is_reversed;         /* what is served last comes first */
    struct walk_queue *queue; /* [queue], the root last */
    uint32_t walk;            /* number of walks so far */
    struct gs_numbers at[TRACE_QUEUE_DEPTH_MAX + 1]; /* queues by their depth */
    uint32_t *child; /* heaps of children, as order->child_slot */
    int64_t *change; /* [queue * dims + dim], see order->change */
    uint32_t *job, job_cap;
    /* Set how the queue will have changed once its next job is served, or gone. */
    void (*change_by)(struct gsched *s, uint32_t queue, uint32_t job,
                      int64_t *change);
};

void gsched_walk_open(struct gsched *s, struct queue_walk *w);
void gsched_walk_free(struct queue_walk *w);
/* Walk over these jobs. */
void gsched_walk_begin(struct gsched *s, struct queue_walk *w,
                       const uint32_t *job, uint32_t count);
/* The first job, and its queue; false: there is none. */
bool gsched_walk_first(struct gsched *s, const struct queue_walk *w,
                       uint32_t *queue, uint32_t *job);
/* The first job, of the queue, is done (`drop`), or has changed. */
void gsched_walk_next(struct gsched *s, struct queue_walk *w, uint32_t queue,
                      bool drop);

#endif /* POLICIES_SOLVER_QUEUE_WALK_H */
