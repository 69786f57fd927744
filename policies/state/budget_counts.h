/* policies/state/budget_counts.h - disruption budgets: how many tasks of
 * certain jobs may be evicted.
 *
 * Counts of tasks by budget follow the amounts of queues (usage.c).  A workload
 * without budgets costs nothing.
 */
#ifndef POLICIES_STATE_BUDGETS_H
#define POLICIES_STATE_BUDGETS_H

#include "policies/state/state.h"

struct gsched_budgets {
    uint32_t *first; /* [string id of a label] 1 + first budget that begins
                        with it */
    uint32_t first_count;
    uint32_t *next;  /* [budget] 1 + another with the same first label */
    int64_t *placed; /* [budget] tasks that hold a place */
    int64_t *asked;  /* [budget] tasks of jobs that are not over */
    int64_t *spent;  /* [budget] while victims are examined */
};

void gsched_budgets_open(struct gsched *s);
/* `tasks` more tasks of the group hold a place, or (below 0) fewer. */
void gsched_budgets_placed(struct gsched *s, uint32_t job, uint32_t group,
                           int64_t tasks);
/* `tasks` more of them are requested, or fewer. */
void gsched_budgets_asked(struct gsched *s, uint32_t job, uint32_t group,
                          int64_t tasks);
/* Set broken[i] of victims whose eviction exceeds a budget when those before
 * it are evicted too, or with `from_last` those after it.  Modules call it as
 * break_budgets().
 */
void gsched_budgets_break(const struct gsched *s, const struct gsp_victims *v,
                          bool from_last, uint8_t *broken);

#endif /* POLICIES_STATE_BUDGETS_H */
