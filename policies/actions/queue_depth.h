/* policies/actions/queue_depth.h - how many waiting jobs of a queue an action
 * tries in a cycle (queue_depth of a profile).
 *
 * These are the first ones in service order of all that wait in the queue when
 * the action first comes to it, also those that are unschedulable: as many jobs
 * that do not fit keep the action from the others, as in KAI Scheduler.  With
 * unit pod, and above gangs, a task group counts as a job.
 */
#ifndef POLICIES_ACTIONS_QUEUE_DEPTH_H
#define POLICIES_ACTIONS_QUEUE_DEPTH_H

#include "policies/pending/pending.h"

/* Where the profile states no depth nothing is opened, and all are tried. */
void gsched_depths_open(struct gsched *s);
void gsched_depths_free(struct gsched *s);
/* The action begins. */
void gsched_depths_begin(struct gsched *s, enum gsched_action action);
/* May the action try the entry, which is of the class queue? */
bool gsched_depth_allows(struct gsched *s, uint32_t cqueue,
                         const struct queue_entry *it);
/* It placed an entry of the queue: the next cycle tries others. */
void gsched_depth_served(struct gsched *s, uint32_t queue);
/* When the next cycle is due for others; GSCHED_NEVER.  With cycles at every
 * event at once, but after one that evicted something: s->early bounds these,
 * so that they end.
 */
int64_t gsched_depths_next(const struct gsched *s);

#endif /* POLICIES_ACTIONS_QUEUE_DEPTH_H */
