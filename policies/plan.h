/* policies/plan.h - conservative backfilling: what will be free where, and the
 * start that is planned for every job that waits.
 *
 * Places are nodes; where all tasks are alike and may stand anywhere, there is
 * one place, and its amount is tasks.
 */
#ifndef POLICY_PLAN_H
#define POLICY_PLAN_H

#include "policies/scheduler_private.h"
#include "policies/timeline.h"

/* Tasks of one group that are to stand on one place. */
struct plan_seat {
    uint32_t place, group, tasks;
};

struct planned {
    uint32_t job;
    uint32_t seats, seat_cap;
    struct plan_seat *seat;
    int64_t start;  /* GSCHED_NEVER: not planned */
    bool is_missed; /* it could not start when it was time */
};

struct gsched_plan {
    bool counts; /* one place, tasks are counted */
    uint32_t places, dims;
    struct timeline *all;     /* [place] with what is planned */
    struct timeline *running; /* [place] without; where plans are made anew */
    struct planned *queue;    /* in queue order */
    uint32_t count, cap;
    bool has_hole;    /* something ended early */
    bool is_starting; /* what leaves the queue does not leave a hole */
    int64_t next;     /* the first start that is planned; GSCHED_NEVER */
    struct opening *opening;
};

/* What a task of the group takes of a place. */
const int64_t *gsched_plan_amount(const struct gsched *s, uint32_t job,
                                  uint32_t group);

/* For how long the job is planned, at least 1 us. */
int64_t gsched_plan_time(const struct gsched *s, uint32_t job);

/* opening.c */

/* The earliest time, from now on, at which the plan has room for the job's
 * gang for as long as it may run; the seats are appended to `j`.
 * GSCHED_NEVER: none.
 */
int64_t gsched_opening_find(struct gsched *s, struct planned *j);
/* Is there room from `at` on, where places are nodes?  Appends the seats. */
bool gsched_opening_at(struct gsched *s, struct planned *j, int64_t at);
void gsched_opening_free(struct gsched_plan *p);

#endif /* POLICY_PLAN_H */
