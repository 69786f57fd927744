/* sim/study/scheduler_set.h - policies of several schedulers on one cluster. */
#ifndef STUDY_SCHEDULER_SET_H
#define STUDY_SCHEDULER_SET_H

#include <stdbool.h>

#include "base/err.h"

struct gs_ynode;
struct gsched_profile;
struct inputs;

/* True for "NAME=POLICY,NAME=POLICY", where a policy may be of modules joined
 * by ',', and a file of several schedulers may stand without a name.
 */
bool scheduler_set_is(const char *spec);
/* The profiles of such a text, or of a file with the key `schedulers`: the
 * first of them, with the others beside it.  NULL on failure.
 */
struct gsched_profile *scheduler_set_of(struct inputs *in, const char *spec,
                                        struct gs_err *err);
struct gsched_profile *scheduler_set_read(struct inputs *in, const char *path,
                                          const struct gs_ynode *root,
                                          struct gs_err *err);

/* Append the scheduler `p`, and those beside it, to the set *first (NULL: none
 * so far).  Fails, with the place `at`, when one is named twice.
 */
int scheduler_set_add(struct gsched_profile **first, struct gsched_profile *p,
                      struct gs_mark at, struct gs_err *err);
/* Fails when a job names a scheduler that a policy of several has not. */
int scheduler_set_check(const struct inputs *in, const struct gsched_profile *p,
                        struct gs_err *err);
/* Fails for a policy of several schedulers, where `what` takes one. */
int scheduler_set_refuse(const struct gsched_profile *p, const char *what,
                         struct gs_err *err);

#endif /* STUDY_SCHEDULER_SET_H */
