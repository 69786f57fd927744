/* policies/admission/contest.h - the order in which the first jobs of all
 * queues are admitted.
 *
 * Without shares: by what they would borrow, priority and time.  With shares
 * each queue is represented in its parent by the winner of its own jobs and of
 * the queues below it; the one whose share with its winner is the smallest
 * wins, and is compared anew once the winner before it is admitted.
 */
#ifndef POLICIES_ADMISSION_CONTEST_H
#define POLICIES_ADMISSION_CONTEST_H

#include "policies/admission/flavors.h"

enum contest_outcome {
    CONTEST_DONE,    /* admitted */
    CONTEST_EVICTS,  /* its victims go */
    CONTEST_WAITS,   /* it will fit when victims of others are gone */
    CONTEST_SKIPPED, /* others took what it needs */
    CONTEST_PUT_OFF, /* the next round looks at it, when victims have gone */
    CONTEST_HELD,    /* its turn is when all admitted jobs run */
    CONTEST_UNFIT,   /* nor could it evict anything */
};

/* The first job of a queue, with what it would take. */
struct contest_entry {
    uint32_t job, node;
    int32_t priority; /* 0 where it does not count between queues */
    int64_t since;
    struct flavor_choice choice;
    uint32_t first_victim, victims; /* into a list of the caller */
    uint32_t first_place, places;   /* the same; 0: none are known */
    enum contest_outcome outcome;
    bool is_known; /* not to fit, without a look at its flavors */
};

/* A queue with jobs in it or below it. */
struct contest_node {
    uint32_t own;             /* its own entry; QUOTA_NONE */
    uint32_t winner;          /* entry; QUOTA_NONE: none is left */
    uint32_t first;           /* its children in slot[] */
    uint32_t active;          /* of these the ones with a winner: a heap */
    uint32_t at;              /* index in that of its parent; QUOTA_NONE */
    struct quota_share share; /* with the winner */
    bool borrows;             /* in what the winner asks for */
};

struct contest {
    struct quotas *q;
    const struct contest_entry *entry;
    uint32_t entries;
    bool shares;
    bool shares_alone; /* one that borrows nothing is not first for that */
    uint32_t last;     /* entry that was returned; QUOTA_NONE */
    struct gs_numbers order; /* without shares: entries; else roots */
    uint32_t next;
    struct gs_numbers listed; /* nodes */
    struct contest_node *node;
    uint32_t *slot;
    uint32_t nodes;
};

void contest_open(struct contest *c, struct quotas *q, bool shares);
void contest_free(struct contest *c);
/* Without shares entries that do not fit are left out: nothing depends on them.
 */
void contest_begin(struct contest *c, const struct contest_entry *entry,
                   uint32_t entries);
/* Without shares: < 0: `a` is before `b`, by level, priority, time and job. */
int contest_compare(const struct contest_entry *a,
                    const struct contest_entry *b);
/* The next entry; QUOTA_NONE.  What was admitted since the last call counts. */
uint32_t contest_next(struct contest *c);

#endif /* POLICIES_ADMISSION_CONTEST_H */
