/* policies/pending/pending.h - what waits, in which order. */
#ifndef POLICIES_PENDING_PENDING_H
#define POLICIES_PENDING_PENDING_H

#include <assert.h>

#include "base/hash.h"
#include "base/numbers.h"
#include "policies/state/entry.h"
#include "policies/state/state.h"

enum request_kind {
    REQUEST_ADMISSION, /* to enter the queue */
    REQUEST_GANG,      /* the job's gang at once */
    REQUEST_TASK,      /* one task of a group */
    REQUEST_ELASTIC,   /* one more than the gang */
    REQUEST_ANY,       /* whatever the first asks for: it blocks the others */
};

/* A request class: what its entries ask for.  When that does not fit, the class
 * is unschedulable until something is freed that its tasks could use.
 */
struct request_class {
    int64_t clock[GSCHED_CAUSES]; /* us that each cause held it */
    int64_t clock_at;
    uint64_t rule_changes; /* s->rule_changes when it became unschedulable */
    uint64_t no_extra;     /* s->shadow state in which it would have delayed */
    uint32_t sample, sample_group; /* a job that asks for it */
    uint32_t queue;                /* REQUEST_ANY: its queue */
    uint32_t shape, need;          /* of its first group */
    uint32_t first_cqueue;         /* its class queues */
    uint32_t waiting;              /* entries in them */
    uint32_t unschedulable_at;     /* place among the unschedulable; NONE */
    uint32_t active_at;            /* place in s->active; NONE */
    uint8_t kind;                  /* enum request_kind */
    uint8_t cause;                 /* enum gsched_cause of its last failure */
    bool is_simple;                /* one group: activated when that has room */
    bool is_fragmented;            /* counted in s->fragmented */
    bool is_short;                 /* unschedulable: less is free than it
                                      asks for */
};

/* Entries of one request class in one queue, a heap: the first in order on top.
 */
struct class_queue {
    int64_t adjust[GSCHED_CAUSES]; /* to its request class's clock; see
                                      wait_clock.c */
    int64_t reason_at;
    struct queue_entry *heap;
    uint32_t count, cap;
    uint32_t rclass, queue;
    uint32_t next;     /* of the same request class; NONE */
    uint32_t at;       /* place in its active queue; NONE */
    uint32_t among;    /* place among its queue's class queues with entries */
    uint64_t tried[2]; /* [why] s->allocation_changes when making room failed */
    uint32_t tried_for[2]; /* the first job then */
    uint64_t no_room;      /* cycle in which what asks for nothing found none */
    uint8_t reason;        /* enum gsched_cause in its request class's stead */
    uint8_t gate;          /* GSCHED_QUOTA: which refused; NO_GATE */
    int64_t refused[GSCHED_GATES]; /* us of GSCHED_QUOTA by gate */
};

/* Request classes, and per queue the jobs of each. */
struct gsched_pending {
    struct gs_numbers unschedulable; /* shapes with unschedulable classes */
    uint32_t *group_cqueue; /* [workload group] class queue of its entry;
                               NONE */
    uint32_t *group_at;     /* [workload group] place there */
    uint32_t group_count;   /* of the workload, seen so far */
    uint32_t group_cqueue_cap;
    uint32_t group_at_cap;
    struct request_class *rclass;
    uint32_t rclass_count, rclass_cap;
    struct gs_hash rclasses; /* by what is asked for */
    struct class_queue *cqueue;
    uint32_t cqueue_count, cqueue_cap;
    struct gs_hash cqueues;     /* by class and queue */
    struct gs_numbers active;   /* classes with entries that may be placed; with
                                   reservations */
    struct gs_numbers complex;  /* unschedulable classes that are not simple */
    uint64_t activations;       /* times that unschedulable classes were
                                   looked at */
    uint64_t rule_changes_seen; /* of them when these were looked at last */
    uint64_t causes_followed;   /* allocation changes when causes were found
                                   anew */
    bool causes_hoarded;        /* some job was partly placed then */
    uint32_t fragmented;        /* classes whose entries fragmentation keeps */
};

/* Does the first entry of class queue `a` go before that of `b`, of whichever
 * queues?
 */
static inline bool gsched_cqueue_before(const struct gsched *s, uint32_t a,
                                        uint32_t b)
{
    const struct class_queue *q = s->pending->cqueue;

    assert(q[a].count > 0 && q[b].count > 0);
    return gsched_entry_compare(s, &q[a].heap[0], &q[b].heap[0]) < 0;
}

/* Queue what the job waits for now and is not queued for yet. */
void gsched_pending_add(struct gsched *s, uint32_t job);
/* Forget all that is queued for the job. */
void gsched_pending_drop(struct gsched *s, uint32_t job);
/* The job holds more or less: its entries find their place again. */
void gsched_pending_moved(struct gsched *s, uint32_t job);
/* The entry is served, wherever it went in its class queue as its job took
 * more: drop it, or queue the group's next task.
 */
void gsched_entry_served(struct gsched *s, const struct queue_entry *it);
/* The class queue for what the job (group NONE: its gang) asks for, made when new.
 */
uint32_t gsched_cqueue_for(struct gsched *s, enum request_kind kind,
                           uint32_t job, uint32_t group);
/* The class queue of a waiting job's first missing tasks; NONE. */
uint32_t gsched_cqueue_of(const struct gsched *s, uint32_t job);
/* The first entry of the class queue in order whose estimate is at most `most`,
 * at its place; NONE.
 */
uint32_t gsched_cqueue_short(const struct gsched *s, uint32_t cqueue,
                             int64_t most);
void gsched_pending_open(struct gsched *s);
/* The workload has more groups. */
void gsched_pending_grow(struct gsched *s);
void gsched_pending_free(struct gsched *s);

#endif /* POLICIES_PENDING_PENDING_H */
