/* policies/pending/pending.h - pending jobs by request class and queue. */
#ifndef POLICIES_PENDING_PENDING_H
#define POLICIES_PENDING_PENDING_H

#include <assert.h>

#include "base/hash.h"
#include "base/numbers.h"
#include "policies/pending/lacking.h"
#include "policies/state/entry.h"
#include "policies/state/state.h"

enum request_kind {
    REQUEST_ADMISSION, /* to be admitted */
    REQUEST_GANG,      /* the whole gang of the job */
    REQUEST_TASK,      /* one task of a group */
    REQUEST_ELASTIC,   /* one task above the gang */
    REQUEST_ANY,       /* the request of the first entry, which blocks the
                          others */
};

/* When modules refused room for all class queues of a class. */
struct class_refused {
    uint64_t changes; /* allocation_changes then */
    uint64_t firsts;  /* number of entries that had become first; 0: never */
};

/* A request class: all entries with the same request.  When the request does
 * not fit, the class is unschedulable until resources are released that its
 * tasks could use.
 */
struct request_class {
    int64_t clock[GSCHED_CAUSES]; /* us by cause */
    int64_t clock_at;
    uint64_t rule_changes; /* s->rule_changes when it became unschedulable */
    uint64_t no_extra;     /* version of the shadow state in which it would
                              have delayed the head */
    uint32_t sample, sample_group; /* a job with this request */
    uint32_t alone;                /* the only job of the class; NONE: any */
    uint32_t queue;                /* REQUEST_ANY: its queue */
    uint32_t shape, need;          /* of its first group */
    uint32_t first_cqueue;         /* first of its class queues */
    struct gs_numbers filled;      /* those with entries */
    struct gs_numbers absent;      /* those of them in no active queue, where
                                      class queues of quota do not count */
    uint32_t reasons;              /* class queues with a reason of their own */
    uint32_t falls;                /* times that it became unschedulable */
    uint32_t waiting;              /* entries in them */
    uint32_t unschedulable_at;     /* index among the unschedulable; NONE */
    uint32_t active_at;            /* index in the active classes; NONE */
    uint32_t roused_at;            /* index in the roused classes; NONE */
    int64_t tried_at, retry_at;    /* with module retry: its last attempt; it
                                      is not tried before */
    uint32_t failures;             /* attempts that failed */
    bool is_due;                   /* something that it could use was freed in
                                      its pause */
    uint8_t kind;                  /* enum request_kind */
    uint8_t cause;                 /* enum gsched_cause of its last failure */
    bool is_simple;                /* one group: activated when the group has
                                      room */
    bool has_turn;                 /* it is parked in ruled_turns.c */
    bool lacks_room;               /* it was parked for want of room */
    bool is_fragmented;            /* counted in gsched_pending.fragmented */
    bool has_capacity;             /* is the sum of what is free enough? */
    uint32_t weighed_in;           /* turn of the solver when that was asked */
    int32_t heads;                 /* queues whose heads wait for it */
    bool is_short;                 /* unschedulable: the sum of the free
                                      amounts is too small */
    int64_t lack[LACK_KINDS];      /* of the waits that count for `cause` */
    uint64_t firsts;               /* the number of its newest first entry */
    struct class_refused refused[6]; /* [way] */
};

/* Attempts to make room for entries of a class queue that failed, by way. */
struct room_tries {
    uint64_t at[6];  /* allocation_changes at that time; UINT64_MAX: never */
    uint32_t job[6]; /* the first job at that time */
};

/* The entries of one request class in one queue, as a heap, the first in order
 * on top.  There may be one for each job, so that what few of them need lies
 * apart.
 */
struct class_queue {
    /* what each activation reads */
    struct queue_entry *heap;
    uint32_t count;
    uint32_t rclass, queue;
    uint32_t at;         /* index in its active queue, where it may be although
                            its class is not served any more; NONE */
    uint32_t group;      /* of class queues that `blocker` refuses, see
                           refusals.c; NONE */
    uint32_t blocker;    /* queue that refuses it; NONE: not known */
    uint32_t group_at;   /* index in `group` */
    uint32_t filled_at;  /* among the class queues with entries of its class */
    uint32_t absent_at;  /* and among those in no active queue */
    uint32_t among;      /* and of its queue */
    uint8_t reason;      /* enum gsched_cause instead of that of its request
                           class */
    uint8_t gate;        /* GSCHED_QUOTA: the gate that refused; NO_GATE */
    uint8_t gates;       /* of `refused` */
    bool keeps;          /* its jobs are not preemptible, which modules count
                           apart */
    bool goes_on;        /* its jobs hold tasks, and may go on where others may
                           not begin */
    bool is_over;        /* the queue may get nothing more */
    bool is_moved;       /* another entry is first since the last reorder */
    uint64_t blocked_at; /* eases of queues when it was refused */
    int64_t reason_at;

    int64_t adjust[GSCHED_CAUSES]; /* offset to the clock of its request
                                      class, see wait_clock.c */
    uint32_t cap;
    uint32_t limit_set; /* of its jobs */
    uint32_t account;   /* of its jobs, if that is part of their order; 0 */
    int32_t priority;   /* admission with quota: of its jobs, so that one which
                           does not fit sets none of another aside; else 0 */
    uint32_t next;      /* of the same request class; NONE */
    uint32_t falls;     /* that of its class when it was last empty */
    uint64_t asked_at;  /* admission: releases when modules refused it */
    struct room_tries *tries; /* to make room; NULL: none yet */
    uint64_t firsts;          /* the number of its first entry */
    uint64_t filled_in;       /* room_passes when it got its first entry */
    uint64_t listed_in;       /* and when gsched_room_list() listed it */
    uint64_t no_room;         /* cycle in which an entry that asks for nothing
                              found no room */
    uint64_t aside_at;    /* its number among those set aside; 0: it is not */
    int64_t *refused;     /* [gates] us of GSCHED_QUOTA by gate */
    struct lack_row lack; /* of its waits, without heads */
    struct lack_sums *heads; /* of its waits that are heads; NULL: never any */
};

/* All request classes and class queues. */
struct gsched_pending {
    struct gs_numbers unschedulable; /* shapes with unschedulable classes */
    struct gsched_listed *listed;    /* the same, see listed_shapes.h */
    uint32_t *group_cqueue; /* [workload group] class queue of its entry;
                               NONE */
    uint32_t *group_at;     /* [workload group] index in that class queue */
    uint32_t group_count;   /* groups of the workload known so far */
    uint32_t group_cqueue_cap;
    uint32_t group_at_cap;
    struct request_class *rclass;
    uint32_t rclass_count, rclass_cap;
    struct gs_hash rclasses; /* by what is asked for */
    struct class_queue *cqueue;
    uint32_t cqueue_count, cqueue_cap;
    struct gs_hash cqueues;     /* by class and queue */
    struct gs_numbers active;   /* classes with entries that may be placed;
                                   used with reservations */
    struct gs_numbers roused;   /* parked classes for which there may be room,
                                  see roused.h */
    struct gs_numbers complex;  /* unschedulable classes that are not simple */
    struct gsched_ruled *ruled; /* others, see ruled_turns.h */
    struct gs_numbers bare;     /* classes whose entries ask for nothing */
    uint32_t bare_seen;         /* classes that are known to be, or not to be */
    struct gs_numbers freed_for; /* scratch: classes of one shape */
    uint64_t pushes;             /* number of gangs queued */
    uint64_t firsts;             /* number of entries that became first */
    uint64_t room_passes;       /* number of times that class queues were listed
                                    to make room for them */
    uint64_t activations;       /* number of times that unschedulable classes
                                   were examined */
    uint64_t reorders;          /* number of times that modules changed the
                                   order */
    uint64_t rule_changes_seen; /* rule_changes when they were last examined */
    uint64_t causes_followed;   /* allocation_changes when causes were last
                                   found anew */
    bool causes_hoarded;        /* some job was partially allocated then */
    uint32_t fragmented;        /* classes that wait because of fragmentation */
    int32_t blocked;            /* queues whose heads do */
};

/* True when the first entry of class queue `a` goes before that of `b`,
 * whatever their queues.
 */
static inline bool gsched_cqueue_before(const struct gsched *s, uint32_t a,
                                        uint32_t b)
{
    const struct class_queue *q = s->pending->cqueue;

    assert(q[a].count > 0 && q[b].count > 0);
    return gsched_entry_compare(s, &q[a].heap[0], &q[b].heap[0]) < 0;
}

/* The class queue is in no active queue; it is in one, or has no entries. */
static inline void gsched_cqueue_absent(struct gsched *s, uint32_t cqueue)
{
    struct class_queue *b = &s->pending->cqueue[cqueue];

    b->absent_at = gs_numbers_add(&s->pending->rclass[b->rclass].absent,
                                  cqueue);
}

static inline void gsched_cqueue_present(struct gsched *s, uint32_t cqueue)
{
    const struct class_queue *b = &s->pending->cqueue[cqueue];
    struct gs_numbers *l = &s->pending->rclass[b->rclass].absent;

    assert(l->at[b->absent_at] == cqueue);
    s->pending->cqueue[gs_numbers_take(l, b->absent_at)].absent_at =
        b->absent_at;
}

/* Add entries for what the job waits for and has no entry for yet. */
void gsched_pending_add(struct gsched *s, uint32_t job);
/* Remove all entries of the job. */
void gsched_pending_drop(struct gsched *s, uint32_t job);
/* Restore the order of the entries of the job after its allocations changed. */
void gsched_pending_moved(struct gsched *s, uint32_t job);
/* The same of a job that waits for quota, whose victims count no more
 * (quota_queue.sticky is another job).
 */
void gsched_pending_unstick(struct gsched *s, uint32_t job);
/* Restore the order of all entries and queues after modules changed it
 * (reorder).
 */
void gsched_pending_reorder(struct gsched *s);
/* The entry was served: remove it, or replace it by the next task of the group.
 * Finds it wherever it moved in its class queue as its job got more.
 */
void gsched_entry_served(struct gsched *s, const struct queue_entry *it);
/* The class queue for the request of the job (group NONE: its gang), created
 * when new.
 */
uint32_t gsched_cqueue_for(struct gsched *s, enum request_kind kind,
                           uint32_t job, uint32_t group);
/* True when the job may be in the class queue as far as what it holds decides:
 * whether its request class is that of one job, and where it may go on.
 */
bool gsched_cqueue_is_of(const struct gsched *s, uint32_t cqueue, uint32_t job);
/* True when the class queue has the jobs that go on, and the job does, or
 * neither.
 */
bool gsched_cqueue_goes_on(const struct gsched *s, uint32_t cqueue,
                           uint32_t job);
/* The class queue of a waiting job's first missing tasks; NONE. */
uint32_t gsched_cqueue_of(const struct gsched *s, uint32_t job);
/* The place of the first entry of the class queue, in order, whose estimate is
 * at most `most`; NONE.
 */
uint32_t gsched_cqueue_short(const struct gsched *s, uint32_t cqueue,
                             int64_t most);
void gsched_pending_open(struct gsched *s);
/* Grow the tables when the workload has more groups. */
void gsched_pending_grow(struct gsched *s);
void gsched_pending_free(struct gsched *s);

#endif /* POLICIES_PENDING_PENDING_H */
