/* policies/placement/gang_fit.h - gangs and single tasks onto nodes, in
 * transactions.
 */
#ifndef POLICIES_PLACEMENT_GANG_FIT_H
#define POLICIES_PLACEMENT_GANG_FIT_H

#include "policies/state/state.h"

struct queue_entry;

/* Tasks of group `g` that the gang needs: the group's own minimum, and the rest
 * of the gang in the order of groups, as far as an empty cluster holds them.
 */
void gsched_gang_divide(struct gsched *s, uint32_t job);
/* Tasks of group `g` that the entry asks for; the amounts [dims] of them all. */
uint32_t gsched_entry_tasks(const struct gsched *s,
                            const struct queue_entry *it, uint32_t g);
void gsched_entry_amount(const struct gsched *s, const struct queue_entry *it,
                         int64_t *amount);
/* Is there room for every group of the entry, of the job's gang, by itself?
 * Rules most failures out.
 */
bool gsched_entry_has_room(struct gsched *s, const struct queue_entry *it);
bool gsched_gang_has_room(struct gsched *s, uint32_t job);
/* The gang's tasks where the job may stand, or in [w->from, w->end) only:
 * allocated, proposed as decisions; nothing when false.
 */
bool gsched_gang_try(struct gsched *s, uint32_t job, const struct scope *w);
/* Do the modules let the job run with its gang placed? */
bool gsched_gang_is_ready(struct gsched *s, uint32_t job);
/* The quota's answer on what an entry asks for. */
bool gsched_entry_allocatable(struct gsched *s, const struct queue_entry *it);

#endif /* POLICIES_PLACEMENT_GANG_FIT_H */
