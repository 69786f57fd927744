/* policies/solver/kept_walk.h - the jobs of queues in the order of a walk over
 * the tree of queues (queue_walk.h), kept from one walk to the next.
 *
 * Each queue keeps a tape: the jobs in and below it in their order, as far as a
 * walk came, with the change and the numbers by which the queue stood among its
 * siblings for each.  A walk begins at the first entries of all tapes.  Only
 * queues that were noted, and those above them, drop their tapes, so that a
 * walk merges what is known already, and adds to a tape at its end.
 *
 * A job may bring others, which come after it in its queue, into the walk
 * (`below`).  A job that did not go whole comes again.
 */
#ifndef POLICIES_SOLVER_KEPT_WALK_H
#define POLICIES_SOLVER_KEPT_WALK_H

#include "base/numbers.h"
#include "policies/state/entry.h"
#include "policies/state/queue_keys.h"
#include "policies/state/state.h"

struct kept_entry {
    uint32_t queue, job; /* the queue of the job */
};

struct kept_queue {
    struct kept_entry *entry;
    int64_t *change;           /* [entry * dims + dim] */
    double *key;               /* [entry * numbers + i] */
    uint32_t count, keys;      /* entries; those of which numbers are known */
    uint32_t at;               /* the present one; count: none is left */
    uint32_t children;         /* in its heap of them */
    uint32_t place;            /* + 1 in the heap of its parent; 0: not there */
    uint32_t filled;           /* number of the filling of its own jobs */
    struct gs_numbers jobs;    /* a heap of those that come next */
    struct gs_numbers stepped; /* children that may not stand where they did
                                  when the walk began */
    uint32_t entry_cap, change_cap, key_cap;
    bool is_over;    /* its tape holds all */
    bool is_noted;   /* to begin anew */
    bool is_stepped; /* it is in that list of its parent */
};

struct kept_walk {
    struct kept_queue *queue; /* [queue], the root last: it has no tape */
    uint32_t *child;          /* heaps of children, as order->child_slot */
    int64_t *change;          /* [queue * dims + dim] of the present entries */
    double *key;              /* [queue * numbers + i] of these, too */
    int64_t *gone;            /* [queue * dims + dim] of its own jobs so far */
    struct gs_numbers at[TRACE_QUEUE_DEPTH_MAX + 1]; /* noted, by their depth */
    struct gs_numbers wrong; /* places of a heap to be restored */
    uint32_t queue_count, fillings;
    uint32_t *came_in, came_in_cap; /* [job] filling in which those below it in
                                       its heap came into the walk */
    /* Add the first jobs of the queue. */
    void (*fill)(struct gsched *s, uint32_t queue, struct gs_numbers *jobs);
    /* Set next[] to jobs of its queue, 2 at most, that come in with the job and
     * after it; their number.
     */
    uint32_t (*below)(struct gsched *s, uint32_t job, uint32_t *next);
    /* Is the job left out? */
    bool (*is_left_out)(struct gsched *s, uint32_t job);
    /* Set what the job still holds, by dimension: it is gone once it was first.
     */
    void (*rest)(const struct gsched *s, uint32_t job, int64_t *amount);
};

/* Before the first walk all queues are noted. */
void gsched_kept_walk_open(struct gsched *s, struct kept_walk *w);
void gsched_kept_walk_free(struct kept_walk *w);
/* A queue is noted when its jobs, or what they hold, may differ from those at
 * the last begin; or only its place among others.
 */
void gsched_kept_walk_note(const struct gsched *s, struct kept_walk *w,
                           uint32_t queue);
void gsched_kept_walk_note_place(const struct gsched *s, struct kept_walk *w,
                                 uint32_t queue);
void gsched_kept_walk_begin(struct gsched *s, struct kept_walk *w);
/* The first job, and its queue; false: there is none. */
bool gsched_kept_walk_first(const struct gsched *s, const struct kept_walk *w,
                            uint32_t *queue, uint32_t *job);
/* What became of the first job. */
enum kept_step {
    KEPT_GOES,  /* all that it holds is gone */
    KEPT_RESTS, /* some is gone; it comes again */
    KEPT_STAYS, /* nothing is gone */
};
void gsched_kept_walk_next(struct gsched *s, struct kept_walk *w,
                           enum kept_step how);

#endif /* POLICIES_SOLVER_KEPT_WALK_H */
