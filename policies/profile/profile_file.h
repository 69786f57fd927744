/* policies/profile/profile_file.h - profiles from files. */
#ifndef POLICIES_PROFILE_PROFILE_FILE_H
#define POLICIES_PROFILE_PROFILE_FILE_H

struct gs_arena;
struct gs_err;
struct gs_input;
struct gsched_profile;

/* Read a profile from a YAML file, see gsched_profile_of. */
struct gsched_profile *gsched_profile_read(struct gs_input *in,
                                           struct gs_arena *arena,
                                           struct gs_err *err);

#endif /* POLICIES_PROFILE_PROFILE_FILE_H */
