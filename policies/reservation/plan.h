/* policies/reservation/plan.h - conservative backfilling: what will be free
 * where, and the start that is planned for every job that waits.
 *
 * Places are nodes; where all tasks are alike and may stand anywhere, there is
 * one place, and its amount is tasks.
 */
#ifndef POLICIES_RESERVATION_PLAN_H
#define POLICIES_RESERVATION_PLAN_H

#include "policies/reservation/availability.h"
#include "policies/state/state.h"

/* Tasks of one group that are to stand on one place. */
struct plan_slot {
    uint32_t place, group, tasks;
};

struct planned {
    uint32_t job;
    uint32_t slots, slot_cap;
    struct plan_slot *slot;
    int64_t start;  /* GSCHED_NEVER: not planned */
    bool is_missed; /* it could not start when it was time */
};

struct gsched_plan {
    bool counts; /* one place, tasks are counted */
    uint32_t places, dims;
    struct availability *all; /* [place] with what is planned */
    struct availability
        *running;          /* [place] without; where plans are made anew */
    struct planned *queue; /* in queue order */
    uint32_t count, cap;
    bool has_gap;     /* something ended early */
    bool is_starting; /* a job that leaves the queue leaves no slack */
    int64_t next;     /* the first start that is planned; GSCHED_NEVER */
    struct earliest_slot *earliest_slot;
};

/* What a task of the group takes of a place. */
const int64_t *gsched_plan_amount(const struct gsched *s, uint32_t job,
                                  uint32_t group);

/* For how long the job is planned, at least 1 us. */
int64_t gsched_plan_time(const struct gsched *s, uint32_t job);

/* earliest_slot.c */

/* The earliest time, from now on, at which the plan has room for the job's
 * gang for as long as it may run; the slots are appended to `j`.
 * GSCHED_NEVER: none.
 */
int64_t gsched_earliest_slot_find(struct gsched *s, struct planned *j);
/* Is there room from `at` on, where places are nodes?  Appends the slots. */
bool gsched_earliest_slot_at(struct gsched *s, struct planned *j, int64_t at);
void gsched_earliest_slot_free(struct gsched_plan *p);

/* The plan, made when it is first needed. */
struct gsched_plan *gsched_plan_of(struct gsched *s);
/* The planned start of a job takes its room (sign -1), or gives it back (1). */
void gsched_plan_reserve(struct gsched *s, const struct planned *j, int sign);
/* The start is given back: the job is planned anew. */
void gsched_planned_forget(struct gsched *s, struct planned *j);
/* Do the decisions from `first` on, which start the job, leave to others what
 * is promised to them?
 */
bool gsched_plan_respects(struct gsched *s, uint32_t job, uint32_t first);
/* From now on places are nodes: a job came whose tasks ask for something else,
 * or nodes change.  Starts that are planned stay.
 */
void gsched_plan_by_nodes(struct gsched *s);
/* The job is queued without a start; it leaves the queue. */
void gsched_plan_add(struct gsched *s, uint32_t job);
void gsched_plan_drop(struct gsched *s, uint32_t job);
/* If it is planned, it is planned anew: before its estimate changes. */
void gsched_plan_forget(struct gsched *s, uint32_t job);
void gsched_plan_started(struct gsched *s, uint32_t job);
void gsched_plan_ended(struct gsched *s, uint32_t job);
void gsched_plan_grew(struct gsched *s, uint32_t job, uint32_t group,
                      const struct topo_grant *g);
/* The node closed or opened; or so many thousandths of its GPUs are there no
 * longer (below 0), or again.
 */
void gsched_plan_changed(struct gsched *s, uint32_t node, int64_t milli);
/* The next start, though nothing else may happen then; GSCHED_NEVER. */
int64_t gsched_plan_next(const struct gsched *s);
int64_t gsched_planned(const struct gsched *s, uint32_t job);
void gsched_plan_free(struct gsched *s);

#endif /* POLICIES_RESERVATION_PLAN_H */
