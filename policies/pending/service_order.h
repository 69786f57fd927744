/* policies/pending/service_order.h - the order in which queues and their
 * entries are served.
 */
#ifndef POLICIES_PENDING_SERVICE_ORDER_H
#define POLICIES_PENDING_SERVICE_ORDER_H

#include "base/numbers.h"
#include "policies/state/state.h"

enum { QUEUE_ADMISSION, QUEUE_GANGS, QUEUE_ELASTIC, ACTIVE_QUEUES };

/* Classes of one kind that are served and have class queues in active queues.
 * A bit stands for all classes whose numbers are equal modulo 64.
 */
struct awake {
    uint32_t classes[64]; /* by bit */
    uint64_t mask;        /* bits with any */
};

struct queue {
    uint32_t parent;                   /* not set for the root */
    uint32_t depth;                    /* 1 at the top */
    uint32_t first_child, child_count; /* range in child_slot */
    uint32_t ready;  /* children in it: those with class queues in active
                        queues, their own or below, and some that had */
    uint32_t active; /* the first of these: with work in pass `listed_in` */
    bool is_ready;   /* it is among those of its parent */
    bool is_ordered; /* its children are a heap, the one served first on top */
    uint32_t below;  /* class queues in active queues, its own and below */
    uint64_t listed_in; /* pass */
    uint64_t joined_in; /* by_change: the pass in which it is among those of its
                           parent */
    uint64_t passed_in; /* by_change: the pass in which its head had its turn */
    uint32_t passed_job, passed_group; /* which that was */
    uint32_t busy_at[ACTIVE_QUEUES];   /* index in `busy`, while it has any */
    struct gs_numbers active_queue[ACTIVE_QUEUES]; /* class queues that may
                                                      be served when their
                                                      class is, as heaps with
                                                      the first entry on top */
    uint64_t mask[ACTIVE_QUEUES]; /* bits of their classes, and of those below,
                                     or more */
    uint32_t waiting_at;          /* in `waiting` */
    struct gs_numbers waiting;    /* class queues with entries, except for
                                  admission and elastic tasks */
    uint32_t head;   /* the one of these whose first entry is first in order;
                      NONE: not known */
    uint64_t firsts; /* times that one of these got another first entry */
    uint32_t head_class; /* counted: the request class for which the head
                            waits; NONE */
    bool is_blocked;     /* counted: the head waits because of fragmentation,
                            not for a class */
    bool is_due;         /* it is to be counted anew */
    uint32_t next_due;   /* then the next such; NONE */
    uint8_t looked_at;   /* bit [way]: it is in room_list.c's list */
};

/* The tree of queues and the pending entries of each. */
struct gsched_order {
    struct awake awake[ACTIVE_QUEUES];
    /* The numbers by which queues are ordered follow from what each serves
     * next: class queues leave active queues as soon as their class is not
     * served, and each pass begins with all queues that have some, `busy`, in
     * this order, as it decides where numbers change in the pass.
     */
    bool by_change;
    struct gs_numbers busy[ACTIVE_QUEUES];
    uint64_t pass;              /* number of the present one, or of the next */
    struct gs_numbers deferred; /* class queues that are skipped until the
                                   next cycle */
    struct queue *queue;        /* the root last */
    uint32_t *child_slot;
    struct gs_numbers waiting; /* queues with waiting ones */
    struct room_looks *looks;  /* [looks_count]; NULL: no action makes room */
    uint32_t looks_count;
    uint32_t due; /* first of the queues whose heads are to be counted; NONE */
    int serving;  /* the active queues of the present pass, or the
                              last one */
    const int64_t *change; /* [queue][dim] of victims that are listed, as of
                              gsched_queue_change(); NULL: none are */
    int64_t *asked;        /* [dim] for gsched_queue_change() */
};

/* The lists of queues to be looked at for room, one for each way; see
 * room_list.c.
 */
struct room_looks {
    uint32_t *at, count;
    uint64_t eases; /* of queues, when it was last walked */
};

void gsched_active_add(struct gsched *s, uint32_t cqueue);
void gsched_active_drop(struct gsched *s, uint32_t cqueue);
void gsched_active_moved(struct gsched *s, uint32_t cqueue);
/* The same of all class queues of a request class that is not one for
 * admission, once it may be served, except for those whose refusal stands; and
 * once it may not: they wait for the reason of their class.
 */
void gsched_active_wake(struct gsched *s, uint32_t rclass);
void gsched_active_sleep(struct gsched *s, uint32_t rclass);
/* The class queue served first in the active queue of the queue, after taking
 * out those before it that fell asleep; NONE.
 */
uint32_t gsched_active_first(struct gsched *s, uint32_t queue, int kind);
int gsched_active_kind(const struct gsched *s, uint32_t cqueue);
/* Skip the class queue until the next cycle; its wait reason is the gate. */
void gsched_active_defer(struct gsched *s, uint32_t cqueue, uint8_t gate);
/* The same, without being refused. */
void gsched_active_pass(struct gsched *s, uint32_t cqueue);
void gsched_active_rejoin(struct gsched *s);
/* The order of all entries changed: restore that of the class queues. */
void gsched_order_reorder(struct gsched *s);
/* The same, of the jobs of a queue that wait for quota. */
void gsched_quota_order(struct gsched *s, uint32_t queue);
/* A pass serves the queues with entries in turn.  Begin a pass; the class queue
 * to serve now, or NONE when all are done; note that an entry of the queue was
 * served or removed.
 */
void gsched_service_begin(struct gsched *s, int active_queue);
uint32_t gsched_service_next(struct gsched *s, int active_queue);
void gsched_service_taken(struct gsched *s, uint32_t queue);
/* How what the queue holds changes with what is served next of it and the
 * queues below, or with a head that has its turn before (gsched_head_turn()),
 * by dimension; NULL: nothing is served.
 */
const int64_t *gsched_queue_change(const struct gsched *s, uint32_t queue);
/* < 0: queue `a` is served before `b`. */
int gsched_queue_compare(const struct gsched *s, uint32_t a, uint32_t b);
/* < 0: the first entry of class queue `a` goes before that of `b`. */
int gsched_cqueue_compare(const struct gsched *s, uint32_t a, uint32_t b);
/* Build the tree of queues; a single queue when no module distinguishes queues.
 */
void gsched_order_open(struct gsched *s);
void gsched_order_close(struct gsched *s);

#endif /* POLICIES_PENDING_SERVICE_ORDER_H */
