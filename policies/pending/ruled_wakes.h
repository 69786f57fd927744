/* policies/pending/ruled_wakes.h - which changes may help an unschedulable request
 * class of jobs with rules about other jobs.
 *
 * Where nothing but rules and room decides, these are tasks with a label that
 * the rules of the class name, tasks whose rules name a label of the class, and
 * room on a node that the rules allow.
 */
#ifndef POLICIES_PENDING_RULED_WAKES_H
#define POLICIES_PENDING_RULED_WAKES_H

#include "policies/state/state.h"

struct queue_entry;
struct request_class;

/* The class became unschedulable. */
void gsched_rules_noted(struct gsched *s, struct request_class *a);
/* True when jobs with rules were placed or released since, which may help it. */
bool gsched_rules_help(const struct gsched *s, const struct request_class *a);
/* True when freed nodes may help it, whose state suits: false only if the rules
 * of its one task refuse all of them.
 */
bool gsched_rules_allow_freed(struct gsched *s, const struct request_class *a);

/* Nothing helps the class in this pass, but placements in the pass may; nodes that
 * suit its tasks `was_freed`.
 */
void gsched_rules_saved(struct gsched *s, uint32_t rclass, bool was_freed);
/* The entry was placed: activate classes that this helps and whose turn comes
 * after it.
 */
void gsched_rules_wake(struct gsched *s, const struct queue_entry *it);
/* The turn of the entry comes, or (NULL) that of all is over: find the causes of
 * classes left out whose turn was before it, as attempts in vain would have.
 */
void gsched_rules_turn(struct gsched *s, const struct queue_entry *it);
/* At the end of a cycle: true when an attempt in vain was saved since the last call: it would have found
 * another cause.
 */
bool gsched_rules_cause_due(const struct gsched *s, struct request_class *a);

#endif /* POLICIES_PENDING_RULED_WAKES_H */
