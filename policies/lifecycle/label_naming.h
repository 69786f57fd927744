/* policies/lifecycle/label_naming.h - numbers of job labels, which a label gets
 * when a rule first names it.
 */
#ifndef POLICIES_LIFECYCLE_LABEL_NAMING_H
#define POLICIES_LIFECYCLE_LABEL_NAMING_H

#include "policies/state/state.h"

/* Number the labels that rules of the whole workload name. */
void gsched_rules_open(struct gsched *s);
/* The job was submitted: number the labels that its rules name, and record its
 * own labels.
 */
void gsched_rules_submit(struct gsched *s, uint32_t job);
/* The number of the job, which is over, is reused: what was recorded of it is
 * stale.
 */
void gsched_rules_forget(struct gsched *s, uint32_t job);

#endif /* POLICIES_LIFECYCLE_LABEL_NAMING_H */
