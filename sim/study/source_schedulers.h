/* sim/study/source_schedulers.h - the schedulers of a cluster whose objects
 * were read, as one policy.
 */
#ifndef STUDY_SOURCE_SCHEDULERS_H
#define STUDY_SOURCE_SCHEDULERS_H

struct gs_err;
struct gsched_profile;
struct import_account;
struct inputs;
struct kube_import;

/* Those that the source configures, and those that its jobs in in->work name:
 * of these a preset is assumed, which the account tells.  *out is NULL when
 * there are not several.
 */
int source_schedulers(struct inputs *in, struct kube_import *x,
                      struct import_account *account,
                      struct gsched_profile **out, struct gs_err *err);

#endif /* STUDY_SOURCE_SCHEDULERS_H */
