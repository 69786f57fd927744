/* policies/lifecycle/label_naming.h - a label gets its number when a rule
 * names it.
 */
#ifndef POLICIES_LIFECYCLE_LABEL_NAMING_H
#define POLICIES_LIFECYCLE_LABEL_NAMING_H

#include "policies/state/state.h"

/* Number the labels that rules of the whole workload name. */
void gsched_rules_open(struct gsched *s);
/* The job was submitted: number the labels that its rules name; note its own. */
void gsched_rules_submit(struct gsched *s, uint32_t job);
/* The job, which is over, gets another life: what was noted of it is stale. */
void gsched_rules_forget(struct gsched *s, uint32_t job);

#endif /* POLICIES_LIFECYCLE_LABEL_NAMING_H */
