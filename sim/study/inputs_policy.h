/* sim/study/inputs_policy.h - policies as --policy and files name them, read
 * beside other inputs.
 */
#ifndef STUDY_INPUTS_POLICY_H
#define STUDY_INPUTS_POLICY_H

#include <stdbool.h>

struct gs_err;
struct gsched_profile;
struct inputs;

/* Read a policy as --policy names it: a preset, modules, shared objects, a
 * profile file, or several schedulers (scheduler_set.h).
 */
struct gsched_profile *inputs_policy(struct inputs *in, const char *spec,
                                     struct gs_err *err);
/* The same for a policy that the file `from` names: an unknown policy is a
 * mistake in that file.
 */
struct gsched_profile *inputs_policy_in(struct inputs *in, const char *from,
                                        const char *spec, struct gs_err *err);
/* Close the profile (NULL is fine) with the inputs; for profiles read
 * otherwise.
 */
void inputs_profile_keep(struct inputs *in, struct gsched_profile *p);
/* True when `spec` names a profile file. */
bool inputs_policy_is_file(const char *spec);
/* Close the profiles that were kept. */
void inputs_profiles_close(struct inputs *in);

#endif /* STUDY_INPUTS_POLICY_H */
