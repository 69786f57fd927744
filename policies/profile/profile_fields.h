/* policies/profile/profile_fields.h - the settings of a profile, as a mapping
 * states them; for profile.c.
 */
#ifndef POLICIES_PROFILE_PROFILE_FIELDS_H
#define POLICIES_PROFILE_PROFILE_FIELDS_H

struct gs_err;
struct gs_yctx;
struct gs_yfield;
struct gs_ynode;
struct gsched_profile;

/* Read all settings of the mapping `root` into `p`. */
int gsched_profile_fields(const struct gs_yctx *c, const struct gs_ynode *root,
                          struct gsched_profile *p, struct gs_err *err);
/* The setting called `name`, which reads into a profile; NULL: none is. */
const struct gs_yfield *gsched_profile_field(const char *name);

#endif /* POLICIES_PROFILE_PROFILE_FIELDS_H */
