/* sim/study/sweep_check.c - is there what a sweep names? See sweep_file.h. */
#include <string.h>

#include "base/err.h"
#include "base/input.h"
#include "policies/profile/profile.h"
#include "sim/study/inputs.h"
#include "sim/study/sweep_file.h"

/* Nothing is read: traces may be large, and there may be many. */
static int file_check(const char *path, struct gs_err *err)
{
    struct gs_input *in = gs_input_open(path, err);

    if (!in)
        return -1;
    gs_input_close(in);
    return 0;
}

static int policy_check(const char *from, const char *spec, struct gs_err *err)
{
    struct gsched_profile *p;
    struct inputs in;
    int rc;

    inputs_init(&in);
    p = inputs_policy_in(&in, from, spec, err);
    rc = p ? gsched_profile_check(p, err) : -1;
    inputs_fini(&in);
    return rc;
}

int sweep_file_check(const struct sweep_file *f, struct gs_err *err)
{
    int rc = 0;

    for (uint32_t a = SWEEP_TRACE; a < SWEEP_SET && a < f->grid.axis_count;
         a++) {
        const struct grid_axis *axis = &f->grid.axis[a];

        for (uint32_t i = 0; i < axis->count; i++) {
            const char *value = axis->choice[i].value;

            if (value[0] == '\0') /* the topology that the trace names */
                continue;
            if ((a == SWEEP_POLICY ? policy_check(f->path, value, err)
                                   : file_check(value, err))
                < 0)
                rc = -1;
            if (rc < 0 && !gs_err_wants_more(err))
                return -1;
        }
    }
    return rc;
}
