/* policies/profile/profile_file.c - profiles from files.  Not in libgsched,
 * which reads none.
 */
#include "policies/profile/profile_file.h"

#include "base/input.h"
#include "base/yamldoc.h"
#include "policies/profile/profile.h"

struct gsched_profile *gsched_profile_read(struct gs_input *in,
                                           struct gs_arena *arena,
                                           struct gs_err *err)
{
    const struct gs_ynode *root = gs_yaml_read(in, arena, NULL, err);

    return root ? gsched_profile_of(gs_input_name(in), root, arena, err) : NULL;
}
