/* policies/profile/params_use.h - the modules of a profile, for profile.c and
 * profile_fields.c.
 */
#ifndef POLICIES_PROFILE_PARAMS_USE_H
#define POLICIES_PROFILE_PARAMS_USE_H

#include "policies/profile/profile.h"

struct gs_yctx;
struct gs_ynode;

/* NULL when the profile does not use a module of that name. */
struct gsched_use *gsched_use_find(struct gsched_profile *p, const char *name);

/* Append the module called `name`, or at that path; `at` is its place in the
 * profile.  NULL on failure.
 */
struct gsched_use *gsched_use_add(const struct gs_yctx *c,
                                  struct gsched_profile *p, const char *name,
                                  const struct gs_ynode *at, uint32_t tier,
                                  struct gs_err *err);

/* Read the list under `modules` (a gs_yread_fn); `dest` is the profile. */
int gsched_uses_read(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err);

#endif /* POLICIES_PROFILE_PARAMS_USE_H */
